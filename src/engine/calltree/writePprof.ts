import { gzipSync } from 'node:zlib';
import type { CallTree, EventColumn } from '../../model/domain/callTree.ts';
import { TextTable, valueType, wholeWeight } from './protobufTables.ts';
import { ProtobufWriter } from './protobufWriter.ts';

/** A packed pprof profile (`.pb.gz`) with one sample type per event. pprof's values are whole numbers, so that weights are rounded. */
export function writePprof(tree: CallTree, events: readonly EventColumn[]): Uint8Array {
  const table = new TextTable();
  const out = new ProtobufWriter();
  for (const event of events) out.message(1, valueType(event, table));
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
    const weights = events.map((event) => wholeWeight(event, node));
    if (weights.every((weight) => weight === 0)) continue;
    out.message(2, new ProtobufWriter().numbers(1, path.toReversed()).numbers(2, weights));
  }
  for (const [key, location] of locations) {
    const [func, line] = key.split(':').map(Number) as [number, number];
    out.message(4, new ProtobufWriter().number(1, location).message(4, new ProtobufWriter().number(1, func + 1).number(2, line)));
  }
  const { name, file, line } = tree.functions;
  for (let func = 0; func < name.length; func += 1) {
    const named = table.place(name[func] ?? '');
    out.message(
      5,
      new ProtobufWriter()
        .number(1, func + 1)
        .number(2, named)
        .number(3, named)
        .number(4, table.place(file[func] ?? ''))
        .number(5, line[func] ?? 0),
    );
  }
  for (const value of table.texts()) out.text(6, value);
  return gzipSync(out.finish());
}
