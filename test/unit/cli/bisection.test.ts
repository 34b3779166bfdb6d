import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Seen, bisectionStep } from '../../../src/cli/bisection.ts';
import { BisectLog } from '../../../src/cli/bisectLog.ts';
import { SeededRandom } from '../../../src/engine/statistics/seededRandom.ts';

/** Searches to the end and gets the truth of every commit but those that cannot be judged. */
function searched(commits: readonly string[], culprit: number, untold: ReadonlySet<number>): { culprits: string[]; asked: number } {
  const findings = new Map<string, Seen>();
  for (let asked = 0; asked <= commits.length; asked += 1) {
    const step = bisectionStep(commits, findings);
    if ('culprits' in step) return { culprits: step.culprits, asked };
    const index = commits.indexOf(step.next);
    expect(findings.has(step.next)).toBe(false);
    findings.set(step.next, { finding: untold.has(index) ? 'skipped' : index >= culprit ? 'bad' : 'good', change: null });
  }
  throw new Error('It never ends.');
}

const commits = Array.from({ length: 16 }, (_, index) => `commit ${index}`);

describe('a search for the commit that made it slower', () => {
  it('finds any of 16 in at most five comparisons', () => {
    for (const [index, commit] of commits.entries()) {
      const { culprits, asked } = searched(commits, index, new Set());
      expect(culprits).toEqual([commit]);
      expect(asked).toBeLessThanOrEqual(5);
    }
  });

  it('names those it can be where some cannot be told, and always the right one among them', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 15 }), fc.uniqueArray(fc.integer({ min: 0, max: 14 })), (culprit, untold) => {
        const { culprits } = searched(commits, culprit, new Set(untold));
        expect(culprits).toContain(commits[culprit]);
        const told = culprits.slice(0, -1).filter((commit) => !untold.includes(commits.indexOf(commit)));
        expect(told).toEqual([]);
      }),
    );
  });

  it('ends at once where there is one commit', () => {
    expect(bisectionStep(['only'], new Map())).toEqual({ culprits: ['only'], chance: 1 });
  });
});

describe('a search in which nothing can be told', () => {
  /** Every commit was measured, and looks as much slower as it is, give or take what scatters. */
  function suspects(culprit: number, error: number, scatter: (index: number) => number): { culprits: string[]; chance: number } {
    const seen = new Map(
      commits.map((commit, index): [string, Seen] => [
        commit,
        { finding: 'skipped', change: { change: (index >= culprit ? 0.2 : 0) + error * scatter(index), error } },
      ]),
    );
    const step = bisectionStep(commits, seen);
    if ('next' in step) throw new Error('All were measured.');
    return step;
  }

  it('names the few at which the figures step up, the fewer the less they scatter, and how sure that is', () => {
    const scatter = (index: number): number => [0.5, -0.8, 0.2, 0.9, -0.4, -0.1, 0.7][index % 7] ?? 0;
    const [clear, blurred, none] = [suspects(9, 0.02, scatter), suspects(9, 0.15, scatter), suspects(9, 5, scatter)];
    expect(clear.culprits).toEqual([commits[9]]);
    expect(clear.chance).toBeGreaterThan(0.95);
    expect(blurred.culprits).toContain(commits[9]);
    expect(blurred.culprits.length).toBeLessThan(12);
    // Where nothing is known of the change, it can be nearly any.
    expect(none.culprits.length).toBeGreaterThan(13);
  });

  it('has the right one among those that it names as often as it says', () => {
    const random = new SeededRandom(7);
    const noise = (): number => Math.sqrt(-2 * Math.log(1 - random.nextFraction())) * Math.cos(2 * Math.PI * random.nextFraction());
    const times = 400;
    const held = Array.from({ length: times }, (_, index) => index % commits.length).filter((culprit) =>
      suspects(culprit, 0.12, noise).culprits.includes(commits[culprit] ?? ''),
    ).length;
    expect(held / times).toBeGreaterThan(0.93);
  });

  it('measures next what halves the suspects, and not what surely is none', () => {
    const seen = new Map<string, Seen>([
      ['commit 15', { finding: 'bad', change: { change: 0.2, error: 0.03 } }],
      ['commit 7', { finding: 'skipped', change: { change: 0.21, error: 0.06 } }],
    ]);
    const step = bisectionStep(commits, seen);
    // It looks as if it were in commit 7 already.
    expect('next' in step && commits.indexOf(step.next)).toBeLessThan(7);
  });
});

describe('the log of a search', () => {
  let folder: string;
  beforeEach(() => void (folder = mkdtempSync(path.join(tmpdir(), 'benchside-bisect-'))));
  afterEach(() => rmSync(folder, { recursive: true }));
  const entry = { commit: 'a', finding: 'good', run: null, sentence: '', changes: {} } as const;

  it('has what was found by the same search, whatever a kill left of its last line', () => {
    const file = path.join(folder, 'deep', 'log.ndjson');
    const log = new BisectLog(file, 'this');
    expect(log.entries()).toEqual([]);
    log.add(entry);
    new BisectLog(file, 'another').add({ ...entry, commit: 'b' });
    writeFileSync(file, `${readFileSync(file, 'utf8')}{"search":"this","comm`);
    log.add({ ...entry, commit: 'c' });
    expect(log.entries().map(({ commit }) => commit)).toEqual(['a', 'c']);
  });
});
