import type { RunRecord } from '../../src/model/domain/run.ts';
import type { VersionDiff } from '../../src/model/domain/versionDiff.ts';
import { exampleRun } from './runRecords.ts';

/** A comparison of two versions in which line 3 of `server.js` made it slower. */
export function exampleVersions(overrides: Partial<VersionDiff> = {}): VersionDiff {
  const line = { name: 'handler', file: 'server.js', line: 3, touched: true };
  return {
    kind: 'diff',
    base: { label: 'HEAD (3f2a91c)', commit: 'HEAD', trialKey: null },
    head: { label: 'the working tree', commit: null, trialKey: null },
    sameCode: false,
    verdict: 'worse',
    delta: 0.05,
    headline: 'The working tree is 12 % slower than HEAD (3f2a91c) (−15 % to −9.1 %).',
    reasons: ['handler (server.js:3), which the change touched, takes 0.90 ms more per request.'],
    metrics: [
      {
        name: 'throughput',
        unit: 'req/s',
        base: 2133,
        head: 1905,
        verdict: 'worse',
        exact: false,
        ratio: { mean: 0.88, ciLow: 0.85, ciHigh: 0.909 },
      },
    ],
    statements: [],
    files: [{ path: 'server.js', added: 1, removed: 1 }],
    why: {
      functions: [{ ...line, event: 'cpu', unit: 'ns', base: 1e6, head: 1.9e6, change: 0.9e6 }],
      flame: {
        event: 'cpu',
        unit: 'ns',
        base: 1e6,
        head: 1.9e6,
        boxes: [{ ...line, depth: 0, start: 0, width: 1, base: 1e6, head: 1.9e6 }],
      },
      excerpt: { file: 'server.js', lines: [{ line: 3, kind: 'new', text: '  work();' }] },
      recordings: null,
    },
    ...overrides,
  };
}

export function exampleVersionRun(overrides: Partial<VersionDiff> = {}): RunRecord {
  return exampleRun({ title: 'shop, HEAD and the working tree', result: exampleVersions(overrides) });
}
