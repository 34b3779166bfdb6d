import { describe, expect, it } from 'vitest';
import { changesOf, nameTest, orderedRows, orderOf, rowsOnly } from '../../../../webview/flame/app/tableRows.ts';
import type { FlameNames, FunctionTableColumns } from '../../../../webview/flame/core/layout.ts';

const names: FlameNames = {
  name: ['render10', 'render9', 'query', 'gone'],
  file: ['', '', '', ''],
  line: new Int32Array(4),
  kind: new Uint8Array(4),
  inA: null,
  inB: null,
};
const alone: FunctionTableColumns = {
  func: Int32Array.of(0, 1, 2),
  self: Float64Array.of(5, 5, 1),
  total: Float64Array.of(6, 9, 20),
  selfB: null,
  totalB: null,
};
const compared: FunctionTableColumns = {
  func: Int32Array.of(0, 1, 2, 3),
  self: Float64Array.of(5, 5, 1, 0),
  total: Float64Array.of(6, 9, 20, 0),
  selfB: Float64Array.of(5, 0, 9, 2),
  totalB: Float64Array.of(6, 0, 20, 3),
};
const functions = (table: FunctionTableColumns, rows: Uint32Array): string[] =>
  [...rows].map((row) => names.name[table.func[row] ?? -1] ?? '');

describe('the rows of the function table', () => {
  it('stand by self weight first, and by total where that is the same', () => {
    expect(functions(alone, orderedRows(alone, names, orderOf(null, false), null))).toEqual(['render9', 'render10', 'query']);
  });
  it('stand by the size of the change first in a comparison', () => {
    expect(functions(compared, orderedRows(compared, names, orderOf(null, true), null))).toEqual(['query', 'render9', 'gone', 'render10']);
  });
  it('stand by name as people count', () => {
    expect(functions(alone, orderedRows(alone, names, { column: 'name', descending: false }, null))).toEqual([
      'query',
      'render9',
      'render10',
    ]);
  });
  it('are not sorted by a change where there is none', () => {
    expect(orderOf({ column: 'change', descending: true }, false).column).toBe('self');
  });
  it('are those whose name holds the text in any case, or matches the expression', () => {
    expect(functions(alone, orderedRows(alone, names, orderOf(null, false), nameTest('RENDER', false)))).toEqual(['render9', 'render10']);
    expect(functions(alone, orderedRows(alone, names, orderOf(null, false), nameTest('^q', true)))).toEqual(['query']);
    expect(nameTest('(', true)).toBeNull();
  });
  it('tell what appeared and what vanished', () => {
    const changes = changesOf(compared);
    expect(changes.appeared.map((row) => names.name[compared.func[row] ?? -1])).toEqual(['render9']);
    expect(changes.vanished.map((row) => names.name[compared.func[row] ?? -1])).toEqual(['gone']);
    expect([...rowsOnly(compared, changes.vanished).func]).toEqual([3]);
    expect(changesOf(alone)).toEqual({ appeared: [], vanished: [] });
  });
});
