import { describe, expect, it } from 'vitest';
import { metricsOfRun, metricsOrigin, metricsPhrase, missedBy } from '../../../../src/extension/routes/routeMetrics.ts';
import { answeredRequests } from '../../../../src/model/domain/statement.ts';
import { exampleRun, exampleTrial } from '../../../support/runRecords.ts';
import { exampleVersionRun, exampleVersions } from '../../../support/versionRecords.ts';

/** A trial of 300 requests that each sent three statements and got eight rows, nine tenths of their time in the database. */
function trialOf(settings: { pool: number }, p99Ms: number) {
  const trial = exampleTrial({ settings, p99Ms, throughput: 25 });
  const requests = trial.blocks.reduce((sum, block) => sum + block.requests, 0);
  return {
    ...trial,
    timeBudget: { totalMs: 10, cpuMs: 0.5, poolWaitMs: 0, databaseMs: 9, heldIdleMs: 0, otherMs: 0.5 },
    statements: [statement(requests), statement(2 * requests)],
  };
}

const statement = (calls: number) => ({
  sql: 'select 1',
  database: 'shop',
  calls,
  totalMs: 1,
  meanMs: 1,
  share: 1,
  rows: calls * 2,
  blocksRead: 0,
  walBytes: 0,
  bypassed: null,
  looks: null,
  plan: null,
});

const run = exampleRun({
  routes: { java: ['GET /orders'] },
  trials: [trialOf({ pool: 2 }, 40), trialOf({ pool: 8 }, 10)],
  recommendations: [],
});

describe('the figures of a route', () => {
  it('are what one request takes, by the first trial that counts', () => {
    const [figures] = metricsOfRun(run);
    expect(figures).toMatchObject({ targetId: 'java', route: 'GET /orders', statements: 3, rows: 6, databaseShare: 0.9, p99Ms: 40 });
    expect(figures && metricsPhrase(figures)).toMatch(/^[\d.]+ ms · 3 statements · 6 rows · 90 % in the database$/);
  });

  it('are those of the recommended setting where there is one', () => {
    const recommended = { ...exampleRun().recommendations[0], target: 'java', trialKey: run.trials[1]?.key ?? '' };
    const [figures] = metricsOfRun({ ...run, recommendations: [recommended as (typeof run.recommendations)[number]] });
    expect(figures?.p99Ms).toBe(10);
  });

  it('are not told of a mix, of a run that was broken off, or where nothing counts', () => {
    expect(metricsOfRun({ ...run, routes: { java: ['GET /orders 60 %', 'GET /orders/:id 40 %'] } })).toEqual([]);
    expect(metricsOfRun({ ...run, state: 'cancelled' })).toEqual([]);
    expect(metricsOfRun({ ...run, trials: run.trials.map((trial) => ({ ...trial, valid: false })) })).toEqual([]);
  });

  it('are those of the working tree where it was compared with another version, with what that one sent', () => {
    const example = exampleVersionRun({});
    const version = (side: string, calls: number) => ({
      ...trialOf({ pool: 2 }, 40),
      target: `shop-${side}`,
      key: side,
      statements: [statement(calls)],
    });
    const requests = answeredRequests(trialOf({ pool: 2 }, 40));
    const versions = {
      ...example,
      routes: { 'shop-base': ['GET /orders'], 'shop-head': ['GET /orders'] },
      trials: [version('base', 2 * requests), version('head', 11 * requests)],
      recommendations: [],
    };
    const asked = { base: 'HEAD', head: null, mergeBase: false, target: 'shop' };
    const of = (commit: string | null) =>
      metricsOfRun({
        ...versions,
        result: exampleVersions({
          asked,
          base: { ...exampleVersions().base, trialKey: 'base' },
          head: { ...exampleVersions().head, trialKey: 'head', commit },
        }),
      });
    const [figures] = of(null);
    expect(figures).toMatchObject({ targetId: 'shop', route: 'GET /orders', statements: 11 });
    expect(figures && metricsPhrase(figures)).toContain(`11 statements (2 at ${exampleVersions().base.label})`);
    // Of two commits neither is what the folder has.
    expect(of('0123456789abcdef')).toEqual([]);
  });

  it('leave out what nobody counted', () => {
    const { statements: _, ...bare } = trialOf({ pool: 2 }, 40);
    const [figures] = metricsOfRun({ ...run, trials: [{ ...bare, timeBudget: null }] });
    expect(figures && metricsPhrase(figures)).toMatch(/^[\d.]+ ms$/);
  });

  it('miss a budget only by more than the first requests of a connection send', () => {
    const [figures] = metricsOfRun(run);
    if (figures === undefined) throw new Error('the run has figures');
    expect(missedBy(figures, {})).toEqual([]);
    expect(missedBy(figures, { statements: 3, rows: 6, p99Ms: 40 })).toEqual([]);
    expect(missedBy({ ...figures, statements: 3.02 }, { statements: 3 })).toEqual([]);
    expect(missedBy(figures, { statements: 2, p99Ms: 30 })).toEqual(['3 statements, budget 2', 'p99 40.0 ms, budget 30 ms']);
    expect(metricsOrigin(figures, ['3 statements, budget 2'], new Date())).toContain('Too much: 3 statements, budget 2.');
  });
});
