import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  boxesByPath,
  engineWith,
  expectWellFormed,
  functions,
  namesOf,
  observations,
  recordingOf,
  weighed,
  wholeView,
} from './recordings.ts';

describe('a function by its callers and callees', () => {
  it('counts each stack once, however often the function is in it', () => {
    fc.assert(
      fc.property(observations, fc.nat(functions.length - 1), (list, chosen) => {
        const tree = recordingOf(list);
        const { name } = tree.functions;
        const func = name.indexOf(functions[chosen]?.name ?? '');
        const engine = engineWith(tree);
        const through = list
          .map((one) => ({ names: namesOf(one), weight: one.weightNs }))
          .filter(({ names }) => names.includes(name[func] ?? '(none)'));
        const callees = engine.sandwich(wholeView, { func, direction: 'callees' });
        const callers = engine.sandwich(wholeView, { func, direction: 'callers' });
        for (const layout of [callees, callers]) expectWellFormed(layout);
        const from = (names: string[]): number => names.indexOf(name[func] ?? '(none)');
        expect(boxesByPath(callees, name)).toEqual(
          weighed(through.map(({ names, weight }) => ({ names: names.slice(from(names)), weight }))),
        );
        expect(boxesByPath(callers, name)).toEqual(
          weighed(through.map(({ names, weight }) => ({ names: names.slice(0, from(names) + 1).reverse(), weight }))),
        );
      }),
    );
  });
});

describe('the table of functions', () => {
  it('counts each stack once for every function in it', () => {
    fc.assert(
      fc.property(observations, (list) => {
        const tree = recordingOf(list);
        const table = engineWith(tree).table(wholeView);
        const rows = new Map(
          Array.from(table.func, (func, row) => [tree.functions.name[func], { self: table.self[row], total: table.total[row] }]),
        );
        const sums = new Map<string, { self: number; total: number }>();
        for (const one of list) {
          const names = namesOf(one);
          for (const name of new Set(names)) {
            const sum = sums.get(name) ?? { self: 0, total: 0 };
            sums.set(name, { self: sum.self + (names.at(-1) === name ? one.weightNs : 0), total: sum.total + one.weightNs });
          }
        }
        expect(rows).toEqual(sums);
      }),
    );
  });
});
