import { gzipSync } from 'node:zlib';
import type { CallTree, EventColumn } from '../../model/callTree.ts';
import { ProtobufWriter } from './protobufWriter.ts';

const units = { ns: 'nanoseconds', bytes: 'bytes', count: 'count' } as const;
const maxWeight = 2 ** 63;

/** A packed pprof profile (`.pb.gz`) with one sample type per event. pprof's values are whole numbers, so that weights are rounded. */
export function writePprof(tree: CallTree, events: readonly EventColumn[]): Uint8Array {
  const strings = new Map<string, number>([['', 0]]);
  const text = (value: string): number => {
    const known = strings.get(value);
    if (known !== undefined) return known;
    strings.set(value, strings.size);
    return strings.size - 1;
  };
  const out = new ProtobufWriter();
  for (const event of events) out.message(1, new ProtobufWriter().number(1, text(event.name)).number(2, text(units[event.unit])));
  const locationOf = new Int32Array(tree.nodeCount);
  const locations = new Map<string, number>();
  const path: number[] = [];
  for (let node = 0; node < tree.nodeCount; node += 1) {
    const depth = tree.depth[node] as number;
    path.length = depth;
    if (node > 0) {
      const key = `${tree.func[node]}:${tree.line[node]}`;
      const location = locations.get(key) ?? locations.size + 1;
      locations.set(key, location);
      locationOf[node] = location;
      path[depth - 1] = location;
    }
    const weights = events.map((event) => Math.min(Math.round(event.self[node] as number), maxWeight));
    if (weights.every((weight) => weight === 0)) continue;
    out.message(2, new ProtobufWriter().numbers(1, path.toReversed()).numbers(2, weights));
  }
  for (const [key, location] of locations) {
    const [func, line] = key.split(':').map(Number) as [number, number];
    out.message(4, new ProtobufWriter().number(1, location).message(4, new ProtobufWriter().number(1, func + 1).number(2, line)));
  }
  const { name, file, line } = tree.functions;
  for (let func = 0; func < name.length; func += 1) {
    const named = text(name[func] ?? '');
    out.message(
      5,
      new ProtobufWriter()
        .number(1, func + 1)
        .number(2, named)
        .number(3, named)
        .number(4, text(file[func] ?? ''))
        .number(5, line[func] ?? 0),
    );
  }
  for (const value of strings.keys()) out.text(6, value);
  return gzipSync(out.finish());
}
