import { CallTreeBuilder } from '../../calltree/callTreeBuilder.ts';
import { damaged } from '../../calltree/treeLimits.ts';
import type { CallTree } from '../../model/domain/callTree.ts';
import { remembered } from '../../model/domain/remembered.ts';
import { type JsonObject, listOf, numberOr, objectOf, placesIn, textOr } from './jsonDocument.ts';
import { v8FunctionOf } from './v8Frame.ts';
import type { ScriptPlaces } from './scriptPlaces.ts';

const format = 'heap snapshot';
/** Kinds of nodes of which each has a name of its own that groups nothing. */
const grouped: ReadonlySet<string> = new Set(['object', 'native', 'synthetic', 'regexp']);

/**
 * Reads a heap snapshot of V8 as a summary: kinds of objects, and below them their constructors; event `heap` (bytes that the objects take themselves, not
 * what they keep alive) and `objects`. A heap timeline that was recorded with stacks gives these in place of it: event `alloc` (bytes allocated).
 */
export function readHeapSnapshot(document: JsonObject, scripts: ScriptPlaces | null = null): CallTree {
  const meta = objectOf(objectOf(document['snapshot'], format, '“snapshot”')['meta'], format, '“meta”');
  const strings = listOf(document['strings'], format, '“strings”');
  const text = (index: unknown): string => (typeof index === 'number' ? textOr(strings[index], '') : '');
  const traced = tracedTree(document, meta, text, scripts);
  if (traced !== null) return traced;
  const fields = listOf(meta['node_fields'], format, '“node_fields”');
  const fieldAt = placesIn(fields, ['type', 'name', 'self_size']);
  if (Object.values(fieldAt).includes(-1)) throw damaged(format, 'its nodes have no type, name or size');
  const types = listOf(listOf(meta['node_types'], format, '“node_types”')[fieldAt.type], format, 'the types of its nodes');
  const nodes = listOf(document['nodes'], format, '“nodes”');
  const builder = new CallTreeBuilder([
    { name: 'heap', unit: 'bytes' },
    { name: 'objects', unit: 'count' },
  ]);
  const kinds = new Map<number, number>();
  for (let at = 0; at + fields.length <= nodes.length; at += fields.length) {
    const [type, name] = [numberOr(nodes[at + fieldAt.type], -1), numberOr(nodes[at + fieldAt.name], -1)];
    const kind = textOr(types[type], 'other');
    const ofKind = remembered(kinds, type, () => builder.child(0, builder.func(`(${kind})`, '', 0, 'other')));
    const node = grouped.has(kind)
      ? builder.child(ofKind, builder.func(text(name) || '(unnamed)', '', 0, kind === 'object' ? 'app' : 'native'))
      : ofKind;
    builder.add(node, 0, Math.max(0, numberOr(nodes[at + fieldAt.self_size], 0)));
    builder.add(node, 1, 1);
  }
  return builder.build();
}

/** The stacks of a heap timeline, null where there are none. */
function tracedTree(
  document: JsonObject,
  meta: JsonObject,
  text: (index: unknown) => string,
  scripts: ScriptPlaces | null,
): CallTree | null {
  const [roots, infos] = [document['trace_tree'], document['trace_function_infos']];
  if (!Array.isArray(roots) || roots.length === 0 || !Array.isArray(infos)) return null;
  const nodeFields = listOf(meta['trace_node_fields'], format, '“trace_node_fields”');
  const infoFields = listOf(meta['trace_function_info_fields'], format, '“trace_function_info_fields”');
  const nodeAt = placesIn(nodeFields, ['function_info_index', 'count', 'size', 'children']);
  const infoAt = placesIn(infoFields, ['name', 'script_name', 'line', 'column']);
  const width = nodeFields.length;
  const builder = new CallTreeBuilder([
    { name: 'alloc', unit: 'bytes' },
    { name: 'objects', unit: 'count' },
  ]);
  const open: { list: readonly unknown[]; parent: number }[] = [{ list: roots, parent: -1 }];
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    for (let at = 0; at + width <= entry.list.length; at += width) {
      const first = numberOr(entry.list[at + nodeAt.function_info_index], 0) * infoFields.length;
      const frame = {
        functionName: text(infos[first + infoAt.name]),
        url: text(infos[first + infoAt.script_name]),
        // From 1 here.
        line: numberOr(infos[first + infoAt.line], 0) - 1,
        column: numberOr(infos[first + infoAt.column], 0) - 1,
      };
      // The first is the root, which represents everything.
      const place = entry.parent === -1 ? 0 : builder.child(entry.parent, v8FunctionOf(builder, frame, scripts));
      builder.add(place, 0, Math.max(0, numberOr(entry.list[at + nodeAt.size], 0)));
      builder.add(place, 1, Math.max(0, numberOr(entry.list[at + nodeAt.count], 0)));
      const children: unknown = entry.list[at + nodeAt.children];
      if (Array.isArray(children)) open.push({ list: children, parent: place });
    }
  }
  const tree = builder.build();
  return tree.events.some(({ self }) => self.some((weight) => weight > 0)) ? tree : null;
}
