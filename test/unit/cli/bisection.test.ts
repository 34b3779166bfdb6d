import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bisectionStep } from '../../../src/cli/bisection.ts';
import type { Finding } from '../../../src/cli/bisection.ts';
import { BisectLog } from '../../../src/cli/bisectLog.ts';

/** Searches to the end, told the truth of every commit but those that cannot be told. */
function searched(commits: readonly string[], culprit: number, untold: ReadonlySet<number>): { culprits: string[]; asked: number } {
  const findings = new Map<string, Finding>();
  for (let asked = 0; asked <= commits.length; asked += 1) {
    const step = bisectionStep(commits, findings);
    if ('culprits' in step) return { culprits: step.culprits, asked };
    const index = commits.indexOf(step.next);
    expect(findings.has(step.next)).toBe(false);
    findings.set(step.next, untold.has(index) ? 'skipped' : index >= culprit ? 'bad' : 'good');
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
    expect(bisectionStep(['only'], new Map())).toEqual({ culprits: ['only'] });
  });
});

describe('the log of a search', () => {
  let folder: string;
  beforeEach(() => void (folder = mkdtempSync(path.join(tmpdir(), 'benchside-bisect-'))));
  afterEach(() => rmSync(folder, { recursive: true }));
  const entry = { commit: 'a', finding: 'good', run: null, sentence: '' } as const;

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
