import { describe, expect, it } from 'vitest';
import { adviceHtml, adviceMarkdown } from '../../../src/engine/report/adviceReport.ts';
import { textOf } from '../../../src/cli/textDocument.ts';
import { adviceSchema } from '../../../src/model/advice.ts';
import type { Advice, Together, Tried } from '../../../src/model/advice.ts';
import { adviceAnswer } from '../../../src/model/agent/adviceAnswer.ts';
import { adviceDocument, adviceHeadline } from '../../../src/model/documents/adviceDocument.ts';

const run = 'aaaaaa-000000000000000000000000';
const effect = { stage: 'measured', costs: [], walBytes: null, statementMs: null, answersDiffer: false, run } satisfies Partial<Tried>;

const index: Tried = {
  ...effect,
  id: 'index ads (seller)',
  settings: { sql: 'ads_seller_idx.sql' },
  reason: 'index',
  statement: 'SELECT * FROM ads WHERE seller = $1',
  index: { table: 'public.ads', columns: ['seller'], bytes: 2_097_152, buildMs: 500 },
  apply: [{ where: 'sql', text: 'CREATE INDEX CONCURRENTLY ads_seller_idx ON public.ads (seller);' }],
  verdict: 'better',
  ratio: { mean: 2.5, ciLow: 2, ciHigh: 3 },
  walBytes: [100, 220],
  statementMs: [12, 1.5],
};
const pool: Tried = {
  ...effect,
  id: 'pool=<b>4',
  settings: { pool: 4 },
  reason: 'pool',
  statement: null,
  index: null,
  apply: [{ where: 'environment', text: 'POOL=4' }],
  verdict: 'better',
  ratio: { mean: 1.2, ciLow: 1.1, ciHigh: 1.3 },
};
const heap: Tried = {
  ...pool,
  id: 'node.heap=1024m',
  verdict: 'better',
  stage: 'screened',
  ratio: { mean: 1.05, ciLow: 1.01, ciHigh: 1.1 },
};
const together: Together = {
  ...effect,
  ids: [index.id, pool.id],
  verdict: 'better',
  ratio: { mean: 2.6, ciLow: 2.1, ciHigh: 3.2 },
  overBest: { ratio: { mean: 1.04, ciLow: 0.97, ciHigh: 1.1 }, verdict: 'unknown' },
};
const advice: Advice = {
  target: 'shop',
  targetLabel: 'Shop',
  verdict: { kind: 'database-cpu', headline: 'The database’s CPU is the limit.' },
  settings: {},
  throughput: 100,
  delta: 0.05,
  tried: [index, pool, heap],
  together,
  notTried: [{ id: 'index ads (title)', why: 'planner' }],
  runs: [{ stage: 'look', id: run }],
  spentS: 200,
  budgetS: 300,
};

describe('what would help, in words', () => {
  it('names what helps most, what else does, and what all of it does together', () => {
    expect(adviceHeadline(advice)).toBe(
      'index ads (seller) helps most: +150 % (+100 % to +200 %) throughput. So does pool=<b>4. Together (index ads (seller) and pool=<b>4): +160 % (+110 % to +220 %) throughput; not distinguished from the best alone.',
    );
    expect(adviceHeadline({ ...advice, tried: [heap], together: null })).toBe(
      'Nothing that was tried helps: of one change none has more throughput beyond chance.',
    );
    expect(adviceHeadline({ ...advice, tried: [], together: null })).toBe('Nothing was measured.');
    expect(adviceHeadline({ ...advice, tried: [], notTried: [], together: null })).toBe('Nothing was found that could be tried.');
  });

  it('says how to have what helps and of nothing else, and what was only screened', () => {
    const text = textOf(adviceDocument(advice));
    expect(text).toContain('\nCREATE INDEX CONCURRENTLY ads_seller_idx');
    expect(text).toContain('2.0 MiB on disk, made in 500 ms; its statement 12.0 → 1.50 ms; written ahead per request 100 B → 220 B');
    expect(text.split('POOL=4')).toHaveLength(2);
    expect(text).toContain('ahead (screened only)');
    expect(text).toContain('index ads (title): PostgreSQL would not use it');
  });

  it('stands in a page and in Markdown as text alone', () => {
    expect(adviceHtml(advice)).not.toContain('<b>4');
    expect(adviceHtml(advice)).not.toContain('<script');
    expect(adviceMarkdown(advice)).toContain(String.raw`pool=\<b\>4: environment: POOL=4`);
  });

  it('is told to agents with names of the app among the data alone', () => {
    const { said, data } = adviceAnswer(advice, {});
    expect(said.join('\n')).not.toContain('ads');
    expect(said).toContain('change 1: better, throughput +150 % (95 % interval +100 % to +200 %), measured');
    expect(data.join('\n')).toContain('to have index ads (seller) (sql): CREATE INDEX');
  });

  it('is the same after a message', () => {
    expect(adviceSchema.parse(JSON.parse(JSON.stringify(advice)))).toEqual(advice);
  });
});
