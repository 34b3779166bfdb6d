import { describe, expect, it } from 'vitest';
import { hotLine } from '../../../../src/extension/source/sourceMarkLines.ts';
import type { LineTable } from '../../../../src/model/domain/flame.ts';

const line = (at: number, self: number, total: number): LineTable['files'][number]['lines'][number] => ({
  line: at,
  self: [self, 0],
  total: [total, 7],
  callers: [],
});
const table: LineTable = {
  events: [
    { name: 'cpu', unit: 'ns', total: 100 },
    { name: 'wall', unit: 'ns', total: 100 },
  ],
  requests: null,
  files: [
    {
      file: '/app/routes.mjs',
      kind: 'path',
      lines: [line(5, 0, 90), line(6, 30, 30), line(7, 30, 40), line(12, 60, 60)],
      functions: [
        { name: 'handle', line: 4, self: [60, 0], total: [90, 7] },
        { name: 'render', line: 11, self: [60, 0], total: [60, 7] },
      ],
    },
  ],
};

describe('the hot line of a function', () => {
  it('is the one with the most weight of its own, the heavier in total where two are alike', () => {
    expect(hotLine(table, { file: '/app/routes.mjs', line: 4 }, 'cpu')).toBe(7);
  });
  it('is none of the function that follows', () => {
    expect(hotLine(table, { file: '/app/routes.mjs', line: 11 }, 'cpu')).toBe(12);
  });
  it('goes by the total where nothing has weight of its own', () => {
    expect(hotLine(table, { file: '/app/routes.mjs', line: 4 }, 'wall')).toBe(5);
  });
  it('is not known for another file, another event, or a function whose declaration is not known', () => {
    expect(hotLine(table, { file: '/app/other.mjs', line: 4 }, 'cpu')).toBeNull();
    expect(hotLine(table, { file: '/app/routes.mjs', line: 4 }, 'heap')).toBeNull();
    expect(hotLine(table, { file: '/app/routes.mjs', line: 0 }, 'cpu')).toBeNull();
  });
});
