import type { CallTree } from '../../model/domain/callTree.ts';
import { CallTreeBuilder } from '../../calltree/callTreeBuilder.ts';
import { type JsonObject, numberOf, objectOf } from './jsonDocument.ts';
import type { ScriptPlaces } from './scriptPlaces.ts';
import { eachTreeNode, scriptPlace, v8FunctionOf } from './v8Frame.ts';

const format = '.heapprofile';

/** Reads a sampling heap profile of V8: one event `heap`, the bytes that each node allocated itself and that were alive at the end. */
export function readHeapProfile(profile: JsonObject, scripts: ScriptPlaces | null = null): CallTree {
  const builder = new CallTreeBuilder([{ name: 'heap', unit: 'bytes' }]);
  // V8's head is its (root), which represents the whole recording.
  eachTreeNode(profile, format, -1, (node, above) => {
    let place = 0;
    if (above !== -1) {
      const frame = scriptPlace(objectOf(node['callFrame'], format, 'a callFrame'));
      place = builder.child(above, v8FunctionOf(builder, frame, scripts));
    }
    builder.add(place, 0, numberOf(node['selfSize'], format, 'a “selfSize”'));
    return place;
  });
  return builder.build();
}
