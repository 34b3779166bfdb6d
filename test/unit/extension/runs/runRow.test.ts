import { recorded } from '../../../support/recorded.ts';
import { describe, expect, it } from 'vitest';
import { runRow } from '../../../../src/extension/runs/runRow.ts';
import type { RunSummary } from '../../../../src/model/domain/run.ts';

const now = new Date(2026, 10, 21, 12, 0);
const at = (month: number, day: number, hour: number): string => new Date(2026, month, day, hour, 5).toISOString();
const run = (changes: Partial<Extract<RunSummary, { kind: 'run' }>> = {}): RunSummary => ({
  kind: 'run',
  id: 'abcdef12-000000000000000000000000',
  title: 'java · pool 4, 8',
  startedAt: at(10, 21, 9),
  state: 'complete',
  valid: true,
  reasons: [],
  headline: 'java · pool 8 · 7,940 req/s',
  targets: ['java'],
  recordings: [],
  marks: { name: null, tags: [], baseline: false },
  againstBaseline: null,
  tuned: false,
  experimentId: null,
  takenPercent: null,
  ...changes,
});

describe('the row of a run', () => {
  it('reads like a sentence, with the time in the description', () => {
    expect(runRow(run(), now)).toMatchObject({ label: 'java · pool 8 · 7,940 req/s', description: 'today 09:05', icon: 'graph-line' });
  });

  it('says in words when a run is not valid, and why in the tooltip', () => {
    const row = runRow(run({ valid: false, reasons: recorded('the generator was saturated') }), now);
    expect(row).toMatchObject({ description: 'today 09:05 · not valid', icon: 'warning' });
    expect(row.tooltip).toContain('the generator was saturated');
    expect(row.spoken).toContain('not valid');
  });

  it('says how disturbed a run was, which is no reason against it', () => {
    const row = runRow(run({ takenPercent: 17.4 }), now);
    expect(row).toMatchObject({ description: 'today 09:05 · interference 17 %', icon: 'graph-line' });
    expect(row.tooltip).toContain('interference: 17 % of the CPU while it was measured. It counts, with wider intervals.');
    expect(row.spoken).toContain('valid, today 09:05, interference 17 %');
    expect(runRow(run({ takenPercent: 4.9 }), now).description).toBe('today 09:05');
  });

  it('tells a cancelled run and a failed run apart', () => {
    expect(runRow(run({ state: 'cancelled' }), now)).toMatchObject({ description: 'today 09:05 · cancelled', icon: 'circle-slash' });
    expect(runRow(run({ state: 'failed' }), now)).toMatchObject({ description: 'today 09:05 · failed', icon: 'error' });
  });

  it('falls back to the title when there is no headline', () => {
    expect(runRow(run({ headline: '' }), now).label).toBe('java · pool 4, 8');
  });

  it('lists a damaged record and one of a newer version with the reason', () => {
    const damaged = runRow({ kind: 'unreadable', id: 'abcdef12-0', problem: 'damaged', reason: 'run.json ends early' }, now);
    expect(damaged).toMatchObject({ label: 'Run abcdef12', description: 'damaged', icon: 'error' });
    expect(damaged.spoken).toContain('run.json ends early');
    expect(runRow({ kind: 'unreadable', id: 'abcdef12-0', problem: 'newer', reason: 'version 2' }, now).description).toBe(
      'made by a newer Benchside',
    );
  });
});

describe('what a person wrote of a run', () => {
  const marks = { name: null, tags: [], baseline: false };
  const against = (verdict: 'better' | 'worse' | 'same' | 'unknown', mean: number): Partial<Extract<RunSummary, { kind: 'run' }>> => ({
    againstBaseline: {
      baselineId: 'b',
      verdict,
      basis: {
        code: 'setting',
        target: 'java',
        values: { pool: 8 },
        ratio: { mean, ciLow: mean - 0.02, ciHigh: mean + 0.02 },
        delta: 0.05,
      },
    },
  });

  it('names the row, with what was found beside it, and its tags', () => {
    const row = runRow(run({ marks: { ...marks, name: 'before the index', tags: ['main', 'v2'] } }), now);
    expect(row).toMatchObject({
      label: 'before the index',
      description: 'java · pool 8 · 7,940 req/s · today 09:05 · #main · #v2',
    });
    expect(row.spoken).toContain('tag v2');
  });

  it('pins the baseline, and warns of a run that is worse than it, in words and with the share', () => {
    expect(runRow(run({ marks: { ...marks, baseline: true } }), now)).toMatchObject({
      description: 'today 09:05 · baseline',
      icon: 'pinned',
    });
    const worse = runRow(run(against('worse', 0.924)), now);
    expect(worse).toMatchObject({ description: 'today 09:05 · worse than baseline (−8 %)', icon: 'warning' });
    expect(worse.spoken).toContain('worse than baseline');
    expect(worse.tooltip).toContain('java · pool 8 is slower than the baseline');
  });

  it('is quiet about runs that are better, the same, or not known to be either', () => {
    expect(runRow(run(against('better', 1.061)), now)).toMatchObject({
      description: 'today 09:05 · better than baseline (+6 %)',
      icon: 'graph-line',
    });
    expect(runRow(run(against('same', 0.99)), now)).toMatchObject({ description: 'today 09:05 · same as baseline', icon: 'graph-line' });
    expect(runRow(run(against('unknown', 0.9)), now)).toMatchObject({ description: 'today 09:05', icon: 'graph-line' });
  });

  it('does not hide that a run failed or is not valid behind the baseline', () => {
    const failed = run({ state: 'failed', ...against('worse', 0.5) });
    expect(runRow(failed, now)).toMatchObject({ icon: 'error', description: 'today 09:05 · failed · worse than baseline (−50 %)' });
    expect(runRow(run({ valid: false, marks: { ...marks, baseline: true } }), now)).toMatchObject({ icon: 'warning' });
  });
});
