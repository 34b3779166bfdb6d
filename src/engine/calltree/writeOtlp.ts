import type { CallTree, EventColumn } from '../../model/domain/callTree.ts';
import { TextTable, valueType, wholeWeight } from './protobufTables.ts';
import { ProtobufWriter } from './protobufWriter.ts';

/**
 * Profiles of OpenTelemetry (`ProfilesData`, v1development, with stacks in its dictionary and attributes of a sample before its values): one profile for each
 * event. The first entry of each table is empty, as the format requires. Weights are rounded, as values are whole numbers.
 */
export function writeOtlp(tree: CallTree, events: readonly EventColumn[]): Uint8Array {
  const table = new TextTable();
  const dictionary = new ProtobufWriter();
  dictionary.message(1, new ProtobufWriter()).message(2, new ProtobufWriter());
  const locations = new Map<string, number>();
  const stacks = new Map<number, number>();
  const path: number[] = [];
  const stackMessages: ProtobufWriter[] = [new ProtobufWriter()];
  for (let node = 0; node < tree.nodeCount; node += 1) {
    const depth = tree.depth[node] as number;
    path.length = depth;
    if (node > 0) {
      const [func, line] = [tree.func[node] as number, tree.line[node] as number];
      const key = `${func}:${line}`;
      let location = locations.get(key);
      if (location === undefined) {
        location = locations.size + 1;
        locations.set(key, location);
        dictionary.message(2, new ProtobufWriter().message(3, new ProtobufWriter().number(1, func + 1).number(2, line)));
      }
      path[depth - 1] = location;
    }
    if (node === 0 || events.every((event) => wholeWeight(event, node) === 0)) continue;
    stacks.set(node, stackMessages.length);
    stackMessages.push(new ProtobufWriter().numbers(1, path.toReversed()));
  }
  const { name, file, line } = tree.functions;
  dictionary.message(3, new ProtobufWriter());
  for (let func = 0; func < name.length; func += 1) {
    const named = table.place(name[func] ?? '');
    dictionary.message(
      3,
      new ProtobufWriter()
        .number(1, named)
        .number(2, named)
        .number(3, table.place(file[func] ?? ''))
        .number(4, line[func] ?? 0),
    );
  }
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
