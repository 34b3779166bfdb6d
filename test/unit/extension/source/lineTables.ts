import { lineTableSchema, type LineTable } from '../../../../src/model/domain/flame.ts';

/** A table of two events and two files, checked against the contract, with what a test changes. */
export function lineTable(changes: Partial<LineTable> = {}): LineTable {
  return lineTableSchema.parse({
    events: [
      { name: 'wall', unit: 'ns', total: 10e9 },
      { name: 'alloc', unit: 'bytes', total: 0 },
    ],
    requests: 1000,
    files: [
      {
        file: 'bulletin/Database.java',
        kind: 'javaClass',
        lines: [
          { line: 26, self: [0, 0], total: [5.21e9, 0], callers: [{ name: '</td>|[x](command:evil)', weights: [5.2e9, 0] }] },
          { line: 31, self: [0.98e9, 0], total: [0.98e9, 0], callers: [] },
          { line: 40, self: [49e6, 0], total: [49e6, 0], callers: [] },
        ],
        functions: [{ name: 'bulletin.Database.connect', line: 24, self: [0, 0], total: [5.21e9, 0] }],
      },
      { file: '/app/src/server.js', kind: 'path', lines: [{ line: 1, self: [1e9, 0], total: [1e9, 0], callers: [] }], functions: [] },
    ],
    ...changes,
  });
}
