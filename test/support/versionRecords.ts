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
    facts: { code: 'measured', headName: 'shop, the working tree', moreS: null, invalid: null, unmeasured: [], objective: null },
    metrics: [
      {
        id: 'throughput',
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
    notes: [],
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
