import type { CallTree } from '../../model/domain/callTree.ts';
import { CallTreeBuilder } from '../../calltree/callTreeBuilder.ts';
import { type JsonObject, listOf, numberOf, objectOf } from './jsonDocument.ts';
import type { ScriptPlaces } from './scriptPlaces.ts';
import { v8Function } from './v8Frame.ts';

const format = '.heapprofile';

/** Reads a sampling heap profile of V8: one event `heap`, the bytes that each node allocated itself and that were alive at the end. */
export function readHeapProfile(profile: JsonObject, scripts: ScriptPlaces | null = null): CallTree {
  const builder = new CallTreeBuilder([{ name: 'heap', unit: 'bytes' }]);
  const head = objectOf(profile['head'], format, '“head”');
  const open: { node: JsonObject; parent: number }[] = [{ node: head, parent: -1 }];
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    const { node, parent } = entry;
    // V8's head is its (root), which represents the whole recording.
    const place = parent === -1 ? 0 : builder.child(parent, v8Function(builder, node['callFrame'], format, scripts));
    builder.add(place, 0, numberOf(node['selfSize'], format, 'a “selfSize”'));
    const children = node['children'] === undefined ? [] : listOf(node['children'], format, '“children”');
    for (let index = children.length - 1; index >= 0; index -= 1)
      open.push({ node: objectOf(children[index], format, 'a node'), parent: place });
  }
  return builder.build();
}
