import { recorded } from '../../support/recorded.ts';
import { describe, expect, it } from 'vitest';
import { diffSuite } from '../../../src/cli/diffCommand.ts';
import type { RouteAlone } from '../../../src/engine/run/routesAlone.ts';
import { composeDiff } from '../../../src/engine/versions/answer.ts';
import { composeRoutes } from '../../../src/engine/versions/routes.ts';
import { diffNoteText } from '../../../src/model/domain/diffNoteKinds.ts';
import type { ComparedMetric } from '../../../src/model/domain/comparison.ts';
import { defaultDelta } from '../../../src/model/domain/margin.ts';
import type { Trial } from '../../../src/model/domain/run.ts';
import type { VersionMetricId } from '../../../src/model/domain/versionDiff.ts';
import { diffHeadline, diffReasons } from '../../../src/model/presentation/diffWords.ts';
import { routeTable } from '../../../src/model/presentation/versionDiffTable.ts';
import { exampleTrial } from '../../support/runRecords.ts';

const sides = { a: 'main', b: 'the working tree' };
const scatter = [0.99, 1.02, 1, 0.985, 1.01, 1.005, 0.995, 1.015];

/** A trial of a route alone: so many requests/s in each of its rounds, so much CPU for each, and so many statements. */
function trial(side: 'base' | 'head', { speed = 1000, cpu = 500, calls = 1, rounds = 8 }): Trial {
  const example = exampleTrial();
  const [block] = example.blocks;
  if (block === undefined) throw new Error('an example has blocks');
  const of = (round: number): number => scatter[(round * (side === 'base' ? 3 : 5)) % scatter.length] ?? 1;
  return {
    ...example,
    key: side,
    target: side,
    blocks: Array.from({ length: rounds }, (_, round) => ({
      ...block,
      round: round + 1,
      requests: 500,
      throughput: speed * of(round),
      appCpuUsPerRequest: cpu * of(round + 1),
    })),
    statements: [
      {
        sql: 'select 1',
        database: 'shop',
        calls: 500 * rounds * calls,
        totalMs: 1,
        meanMs: 1,
        share: 1,
        rows: 500 * rounds,
        blocksRead: 0,
        walBytes: 0,
        bypassed: null,
        looks: null,
        plan: null,
      },
    ],
  };
}

const alone = (route: string, head: Parameters<typeof trial>[1] = {}, rounds = 8): RouteAlone => ({
  route,
  share: 0.25,
  trials: { base: trial('base', { rounds }), head: trial('head', { rounds, ...head }) },
});

/** Of a mix that is the same by throughput. */
function whole(routes: RouteAlone[], judgeBy?: VersionMetricId[]) {
  const [a, b] = [trial('base', {}), trial('head', {})];
  const throughput: ComparedMetric = {
    of: 'throughput',
    verdict: 'same',
    ratio: { mean: 1, ciLow: 0.98, ciHigh: 1.02 },
    delta: defaultDelta,
    moreRounds: null,
    chance: 0.9,
    method: [],
  };
  const pair = { a, b, delta: defaultDelta, throughput, p99: null, cpuPerRequest: null };
  const side = (label: string) => ({ label, commit: null, trialKey: null });
  return composeDiff(
    { base: side(sides.a), head: side(sides.b) },
    pair,
    { headName: sides.b, judgeBy },
    { routes: composeRoutes(routes, { sides, delta: defaultDelta, judgeBy }) },
  );
}

describe('routes of a mix by themselves', () => {
  it('are told the worst first, with what each differs in, and make the whole worse where the mix hides it', () => {
    const found = whole([alone('GET /same'), alone('GET /items/:id', { calls: 8 }), alone('GET /slow', { speed: 500, cpu: 1000 })]);
    expect(found.routes?.map(({ route, verdict }) => `${route} ${verdict}`)).toEqual([
      'GET /items/:id worse',
      'GET /slow worse',
      'GET /same unknown',
    ]);
    expect(found.verdict).toBe('worse');
    expect(diffHeadline(found)).toBe(
      'The working tree is worse on GET /items/:id, where it sends 8 statements instead of 1 statement for each request; over the mix it is as fast as main, within ±5 % (−2.0 % to +2.0 %).',
    );
    expect(diffReasons(found)[1]).toMatch(/^GET \/slow alone \(25 % of the mix\): throughput −\d+ % \(.*\), CPU per request \+\d+ %/);
    const { rows } = routeTable(found.routes ?? []);
    expect(rows[0]?.cells.slice(0, 2).map(({ text }) => text)).toEqual(['GET /items/:id', '25 %']);
    expect(rows.map(({ cells }) => cells.at(-1)?.text)).toEqual(['worse', 'worse', expect.stringMatching(/^undecided: .* to \+/)]);
  });

  it('differ by chance the easier the more of them there are, which is not taken for a difference', () => {
    // Alone it would be distinguished; among many that are the same it may be one of them.
    const slightly = { speed: 930, cpu: 500 };
    const alike = Array.from({ length: 40 }, (_, index) => alone(`GET /${index}`, {}, 4));
    const verdictOf = (routes: RouteAlone[]) =>
      composeRoutes(routes, { sides, delta: defaultDelta, judgeBy: ['throughput'] }).find(({ route }) => route === 'GET /odd')?.metrics[0]
        ?.verdict;
    expect(verdictOf([alone('GET /odd', { speed: 810 }, 4)])).toBe('worse');
    expect(verdictOf([...alike, alone('GET /odd', { speed: 810 }, 4)])).toBe('unknown');
    expect(whole([alone('GET /odd', slightly, 2)], ['throughput']).verdict).toBe('same');
  });

  it('are said to be unknown where they could not be asked for by themselves, and fail nothing by that', () => {
    const invalid = { ...trial('head', {}), valid: false, reasons: recorded('It answered 40 % with an error.') };
    const found = whole([
      { route: 'DELETE /items/:id', share: 0.5, trials: { base: trial('base', {}), head: invalid } },
      { route: 'GET /rare', share: 0.5, trials: { unknown: { code: 'route-left-out' } } },
    ]);
    expect(found.verdict).toBe('same');
    expect(found.routes?.map(({ unknown }) => unknown && diffNoteText(unknown))).toEqual([
      'the working tree: It answered 40 % with an error.',
      'There was no time left to measure it alone: a larger budget has some.',
    ]);
    const { cases, failUndecided } = diffSuite(found, null, { failOn: 'worse', undecided: 'fail' });
    expect(failUndecided).toBe(true);
    expect(cases.filter(({ of }) => of !== 'mix')).toMatchObject([
      { of: 'DELETE /items/:id', verdict: 'unknown', aside: true },
      { of: 'GET /rare', verdict: 'unknown', aside: true },
    ]);
  });

  it('are a case of CI each, for each figure that counts', () => {
    const { cases } = diffSuite(whole([alone('GET /items/:id', { calls: 8 }), alone('GET /same')]), null, {
      failOn: 'worse',
      undecided: 'fail',
    });
    expect(cases.filter(({ of }) => of === 'GET /items/:id').map(({ name, verdict }) => `${name}: ${verdict}`)).toEqual([
      // One process of each version: what two of the same program may differ in is more than 5 %.
      'throughput: unknown',
      'CPU per request: unknown',
      'statements per request: worse',
    ]);
  });
});
