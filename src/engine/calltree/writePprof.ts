import { gzipSync } from 'node:zlib';
import type { CallTree, EventColumn } from '../../model/domain/callTree.ts';
import { addFunction, PlaceTable, TextTable, valueType, wholeWeight } from './protobufTables.ts';
import { ProtobufWriter } from './protobufWriter.ts';
import { eachStack } from './stackFrames.ts';

/** A packed pprof profile (`.pb.gz`) with one sample type per event. pprof's values are whole numbers, so that weights are rounded. */
export function writePprof(tree: CallTree, events: readonly EventColumn[]): Uint8Array {
  const table = new TextTable();
  const out = new ProtobufWriter();
  for (const event of events) out.message(1, valueType(event, table));
  const places = new PlaceTable(tree);
  eachStack(tree, places.of, (node, path) => {
    const weights = events.map((event) => wholeWeight(event, node));
    if (weights.every((weight) => weight === 0)) return;
    out.message(2, new ProtobufWriter().numbers(1, path.toReversed()).numbers(2, weights));
  });
  for (const [index, place] of places.messages().entries()) out.message(4, new ProtobufWriter().number(1, index + 1).message(4, place));
  for (const func of tree.functions.name.keys())
    out.message(5, addFunction(new ProtobufWriter().number(1, func + 1), 2, tree, func, table));
  for (const value of table.texts()) out.text(6, value);
  return gzipSync(out.finish());
}
