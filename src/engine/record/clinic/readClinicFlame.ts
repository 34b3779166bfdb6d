import { type CallTree, type FrameKind, codeTiers } from '../../../model/domain/callTree.ts';
import { CallTreeBuilder } from '../../../calltree/callTreeBuilder.ts';
import { type JsonObject, listOf, numberOf, objectOf, textOr, numberOr } from '../../calltree/jsonDocument.ts';
import { damaged } from '../../../calltree/treeLimits.ts';

const format = 'Clinic flame';
const kinds = new Map<unknown, FrameKind>([
  ['app', 'app'],
  ['deps', 'dependency'],
  ['core', 'runtime'],
  ['all-v8', 'native'],
  ['wasm', 'native'],
]);

/**
 * Reads what Clinic's flame sampled, as `tools/clinic/runner.cjs` writes it: one event `cpu`, counted in samples of V8's log, about 1 ms apart.
 * Each node has the tier in which its function was seen there; `interpreted` is what Clinic calls unoptimised, V8's baseline code among it.
 */
export function readClinicFlame(document: JsonObject): CallTree {
  if (document['version'] !== 1) throw damaged(format, 'it was written by another version of Benchside');
  const builder = new CallTreeBuilder([{ name: 'cpu', unit: 'count' }]);
  const functions = listOf(document['functions'], format, '“functions”').map((value) => {
    const { name, file, line, category } = objectOf(value, format, 'a function');
    return builder.func(textOr(name, '') || '(anonymous)', textOr(file, ''), numberOr(line, 0), kindOf(textOr(name, ''), category));
  });
  const nodes = objectOf(document['nodes'], format, '“nodes”');
  const parents = listOf(nodes['parent'], format, '“parent”');
  const column = (name: string): readonly unknown[] => {
    const values = listOf(nodes[name], format, `“${name}”`);
    if (values.length !== parents.length) throw damaged(format, 'its columns differ in length');
    return values;
  };
  const [funcs, selfs, tiers] = [column('func'), column('self'), column('tier')];
  const places = new Int32Array(parents.length);
  for (const [index, parent] of parents.entries()) {
    if (index > 0) {
      const above = indexOf(parent, index);
      const func = functions[indexOf(funcs[index], functions.length)] as number;
      places[index] = builder.child(places[above] as number, func);
    }
    const place = places[index] as number;
    builder.add(place, 0, numberOf(selfs[index], format, 'a weight'));
    const tier = codeTiers.find((one) => one === tiers[index]) ?? 'unknown';
    if (index > 0) builder.tier(place, tier);
  }
  return builder.build();
}

/** A whole number below `end`; a node's caller precedes it. */
function indexOf(value: unknown, end: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < end) return value;
  throw damaged(format, 'a node names something that is not there');
}

function kindOf(name: string, category: unknown): FrameKind {
  if (name === '(garbage collector)') return 'gc';
  return kinds.get(category) ?? 'other';
}
