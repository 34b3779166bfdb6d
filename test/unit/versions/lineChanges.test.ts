import { expect, it } from 'vitest';
import type { EventDiff } from '../../../src/engine/versions/changedFunctions.ts';
import { lineChanges } from '../../../src/engine/versions/lineChanges.ts';
import type { CodeChange } from '../../../src/engine/versions/touchedFunctions.ts';
import type { LineTable } from '../../../src/model/domain/flame.ts';

const ms = 1e6;
const table = (weights: Readonly<Record<number, number>>, requests: number, file = '/top/server.js'): LineTable => ({
  events: [{ name: 'cpu', unit: 'ns', total: 0 }],
  requests,
  files: [
    {
      file,
      kind: 'path',
      functions: [],
      lines: Object.entries(weights).map(([line, weight]) => ({ line: Number(line), self: [weight], total: [weight], callers: [] })),
    },
  ],
});
/** Two lines were put before line 5. */
const code: CodeChange = {
  files: [{ path: 'server.js', basePath: 'server.js', hunks: [{ baseStart: 4, headStart: 5, gone: [], added: ['', ''] }] }],
  relative: (file) => (file.startsWith('/top/') ? file.slice(5) : null),
  sourceOf: (file) => (file === 'shop/Orders.java' ? 'src/main/java/shop/Orders.java' : null),
  linesOf: () => null,
};
const diff = {
  diff: { event: 'cpu' },
  base: 2 * ms,
  head: 3 * ms,
  sample: { base: 0.001 * ms, head: 0.001 * ms },
  totalError: null,
} as unknown as EventDiff;

it('lines of head take more or less for each request, where base had the same line elsewhere too; what may be chance is none', () => {
  const base = table({ 3: 100 * ms, 5: 50 * ms, 8: 40 * ms }, 100);
  const head = table({ 3: 202 * ms, 6: 180 * ms, 7: 100 * ms, 10: 82 * ms }, 200);
  expect(lineChanges({ base, head }, code, diff)).toEqual([{ file: 'server.js', line: 6, base: 0, head: 0.9 * ms }]);
  // As much, but seen by a handful of samples.
  const few = { ...diff, sample: { base: 0.2 * ms, head: 0.2 * ms } };
  expect(lineChanges({ base, head }, code, few)).toEqual([]);
  expect(
    lineChanges({ base: table({ 3: ms }, 100, '/elsewhere/a.js'), head: table({ 3: 300 * ms }, 100, '/elsewhere/a.js') }, code, diff),
  ).toEqual([]);
});

it('lines of a file outside of the repository are none of a file that is new in it', () => {
  const withNew = { ...code, files: [...code.files, { path: 'new.js', basePath: null, hunks: [] }] };
  const tables = { base: table({ 3: 300 * ms }, 100, '/elsewhere/a.js'), head: table({ 3: ms }, 100) };
  expect(lineChanges(tables, withNew, diff).filter(({ file }) => file === 'new.js')).toEqual([]);
});

it('lines of a class of the JVM are those of its source, also where the change is elsewhere; of a dependency there is none', () => {
  const ofClass = (weight: number, file: string): LineTable => {
    const made = table({ 12: weight }, 100);
    return { ...made, files: made.files.map((one) => ({ ...one, file, kind: 'javaClass' })) };
  };
  const changes = (file: string) => lineChanges({ base: ofClass(50 * ms, file), head: ofClass(150 * ms, file) }, code, diff);
  expect(changes('shop/Orders.java')).toEqual([{ file: 'src/main/java/shop/Orders.java', line: 12, base: 0.5 * ms, head: 1.5 * ms }]);
  expect(changes('com/zaxxer/hikari/HikariDataSource.java')).toEqual([]);
});
