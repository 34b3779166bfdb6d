import type { CallTree, EventColumn } from '../../model/domain/callTree.ts';
import { addFunction, PlaceTable, TextTable, valueType, wholeWeight } from './protobufTables.ts';
import { ProtobufWriter } from './protobufWriter.ts';
import { eachStack } from './stackFrames.ts';

/**
 * Profiles of OpenTelemetry (`ProfilesData`, v1development, with stacks in its dictionary and attributes of a sample before its values): one profile for each
 * event. The first entry of each table is empty, as the format requires. Weights are rounded, as values are whole numbers.
 */
export function writeOtlp(tree: CallTree, events: readonly EventColumn[]): Uint8Array {
  const table = new TextTable();
  const dictionary = new ProtobufWriter();
  dictionary.message(1, new ProtobufWriter()).message(2, new ProtobufWriter());
  const places = new PlaceTable(tree);
  const stacks = new Map<number, number>();
  const stackMessages: ProtobufWriter[] = [new ProtobufWriter()];
  eachStack(tree, places.of, (node, path) => {
    if (node === 0 || events.every((event) => wholeWeight(event, node) === 0)) return;
    stacks.set(node, stackMessages.length);
    stackMessages.push(new ProtobufWriter().numbers(1, path.toReversed()));
  });
  for (const place of places.messages()) dictionary.message(2, new ProtobufWriter().message(3, place));
  dictionary.message(3, new ProtobufWriter());
  for (const func of tree.functions.name.keys()) dictionary.message(3, addFunction(new ProtobufWriter(), 1, tree, func, table));
  const scope = new ProtobufWriter();
  for (const event of events) {
    const profile = new ProtobufWriter().message(1, valueType(event, table));
    for (let node = 0; node < tree.nodeCount; node += 1) {
      const weight = wholeWeight(event, node);
      if (weight === 0) continue;
      profile.message(2, new ProtobufWriter().number(1, stacks.get(node) ?? 0).numbers(4, [weight]));
    }
    scope.message(2, profile);
  }
  dictionary.message(4, new ProtobufWriter());
  for (const value of table.texts()) dictionary.text(5, value);
  dictionary.message(6, new ProtobufWriter());
  for (const stack of stackMessages) dictionary.message(7, stack);
  return new ProtobufWriter().message(1, new ProtobufWriter().message(2, scope)).message(2, dictionary).finish();
}
