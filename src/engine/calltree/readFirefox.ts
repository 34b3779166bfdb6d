import { type EventHead, type StackFrame, CallTreeBuilder } from '../../calltree/callTreeBuilder.ts';
import { classifyFrame } from '../../calltree/frameKind.ts';
import { inOrderOfTime } from '../../calltree/sampleOrder.ts';
import { damaged } from '../../calltree/treeLimits.ts';
import type { CallTree } from '../../model/domain/callTree.ts';
import { type JsonObject, listOr, numberOr, textOr } from './jsonDocument.ts';
import { codeName } from './v8Frame.ts';
import { isObject } from '../../model/domain/isObject.ts';
import { remembered } from '../../model/domain/remembered.ts';

const format = 'Firefox Profiler';
/** Marks a file that Benchside wrote. */
export const ownMark = 'benchside';
const ownUnits: Readonly<Record<string, { unit: EventHead['unit']; factor: number }>> = {
  'tracing-ms': { unit: 'ns', factor: 1e6 },
  bytes: { unit: 'bytes', factor: 1 },
};

/** A table by its columns, in whichever of both forms it is written. */
type Table = (column: string, row: number) => unknown;
const noTable: Table = () => null;

/**
 * Reads a profile of the Firefox Profiler, as its page saves it, as Firefox dumps it, or as samply writes it. Event `wall` (ns): samples by the interval, or
 * their own weight; `cpu` (ns) where threads have the CPU time between samples; `alloc` for weights in bytes. Samples have times and threads.
 */
export function readFirefox(document: JsonObject): CallTree {
  const profile = isObject(document['profile']) ? document['profile'] : document;
  const meta = isObject(profile['meta']) ? profile['meta'] : {};
  const intervalNs = numberOr(meta['interval'], 1) * 1e6;
  const events: EventHead[] = [
    { name: 'wall', unit: 'ns' },
    { name: 'cpu', unit: 'ns' },
    { name: 'alloc', unit: 'bytes' },
  ];
  const threads = threadsOf(profile, 0);
  if (threads.length === 0) throw damaged(format, 'it has no threads');
  if (meta['importedFrom'] === ownMark) return readOwn(threads);
  const builder = new CallTreeBuilder(events);
  const cpuNs = cpuUnitNs(meta);
  for (const { thread, shared } of threads) readThread(builder, thread, shared, { intervalNs, cpuNs });
  const tree = builder.build();
  if (tree.events.every(({ self }) => self.every((weight) => weight === 0))) throw damaged(format, 'it has no samples');
  return { ...tree, samples: inOrderOfTime(tree.samples) };
}

/** What was written here has a thread for each event, and no times. */
function readOwn(threads: ReturnType<typeof threadsOf>): CallTree {
  const unitOf = (thread: JsonObject): (typeof ownUnits)[string] => ownUnits[weightTypeOf(thread)] ?? { unit: 'count', factor: 1 };
  const builder = new CallTreeBuilder(threads.map(({ thread }) => ({ name: textOr(thread['name'], ''), unit: unitOf(thread).unit })));
  for (const [index, { thread, shared }] of threads.entries()) {
    const samples = tableOf(thread['samples']);
    const nodeOf = stackNodes(builder, thread, shared);
    const { factor } = unitOf(thread);
    for (let row = 0; row < rowsOf(thread['samples']); row += 1)
      builder.add(nodeOf(samples('stack', row)), index, Math.max(0, numberOr(samples('weight', row), 0)) * factor);
  }
  return builder.build();
}

function weightTypeOf(thread: JsonObject): string {
  return textOr(isObject(thread['samples']) ? thread['samples']['weightType'] : '', 'samples');
}

/** All threads, including those of additional processes, with the tables that the threads of a file share. */
function threadsOf(profile: JsonObject, depth: number): { thread: JsonObject; shared: JsonObject }[] {
  const shared = isObject(profile['shared']) ? profile['shared'] : {};
  const [threads, processes] = [listOr(profile['threads']).filter(isObject), listOr(profile['processes']).filter(isObject)];
  const own = threads.map((thread) => ({ thread, shared }));
  return depth > 4 ? own : [...own, ...processes.flatMap((process) => threadsOf(process, depth + 1))];
}

function cpuUnitNs(meta: JsonObject): number | null {
  const units = isObject(meta['sampleUnits']) ? meta['sampleUnits'] : {};
  const unit = units['threadCPUDelta'];
  return unit === 'ns' ? 1 : unit === 'µs' || unit === 'us' ? 1e3 : null;
}

/** Returns the node of a stack of a thread. */
function stackNodes(builder: CallTreeBuilder, thread: JsonObject, shared: JsonObject): (stack: unknown) => number {
  const own = (name: string): Table => tableOf(thread[name] ?? shared[name]);
  const strings = listOr(thread['stringArray'] ?? thread['stringTable'] ?? shared['stringArray']);
  const [stacks, frames, functions, sources] = [own('stackTable'), own('frameTable'), own('funcTable'), own('sources')];
  const text = (index: unknown): string => (typeof index === 'number' ? textOr(strings[index], '') : '');
  const functionIds = new Map<number, StackFrame>();
  const frameAt = (frame: number): StackFrame =>
    remembered(functionIds, frame, () => frameOf(builder, frame, { frames, functions, sources, text }));
  const nodes = new Map<number, number>();
  return (stack) => {
    const path: number[] = [];
    let at = typeof stack === 'number' ? stack : -1;
    while (at >= 0 && !nodes.has(at)) {
      path.push(at);
      const prefix = stacks('prefix', at);
      const next = typeof prefix === 'number' ? prefix : -1;
      // A stack follows the one that it continues from.
      if (next >= at) throw damaged(format, 'a stack goes on from one that comes after it');
      at = next;
    }
    let node = at >= 0 ? (nodes.get(at) ?? 0) : 0;
    for (const one of path.toReversed()) {
      const { func, line } = frameAt(numberOr(stacks('frame', one), -1));
      node = builder.child(node, func, line);
      nodes.set(one, node);
    }
    return node;
  };
}

function readThread(
  builder: CallTreeBuilder,
  thread: JsonObject,
  shared: JsonObject,
  { intervalNs, cpuNs }: { intervalNs: number; cpuNs: number | null },
): void {
  const samples = tableOf(thread['samples']);
  const nodeOf = stackNodes(builder, thread, shared);
  const weightType = weightTypeOf(thread);
  const event = weightType === 'bytes' ? 2 : 0;
  const factor = weightType === 'bytes' ? 1 : weightType === 'tracing-ms' ? 1e6 : intervalNs;
  const name = `${textOr(thread['name'], 'thread')} ${textOr(thread['tid'], String(numberOr(thread['tid'], 0)))}`;
  const processName = textOr(thread['processName'], '');
  const label = builder.thread(processName === '' ? name : `${processName}: ${name}`);
  let timeMs = 0;
  for (let row = 0; row < rowsOf(thread['samples']); row += 1) {
    const at = samples('time', row);
    timeMs = typeof at === 'number' ? at : timeMs + numberOr(samples('timeDeltas', row), 0);
    const node = nodeOf(samples('stack', row));
    const weight = numberOr(samples('weight', row), 1);
    builder.sample(timeMs * 1000, node, label, event, Math.max(0, weight) * factor);
    const cpu = cpuNs === null ? 0 : numberOr(samples('threadCPUDelta', row), 0);
    if (cpuNs !== null && cpu > 0) builder.sample(timeMs * 1000, node, label, 1, cpu * cpuNs);
  }
}

interface Tables {
  frames: Table;
  functions: Table;
  sources: Table;
  text: (index: unknown) => string;
}

function frameOf(builder: CallTreeBuilder, frame: number, { frames, functions, sources, text }: Tables): StackFrame {
  const location = text(frames('location', frame));
  if (location !== '') {
    // As Firefox itself writes it: `name (file:line:column)`.
    const open = location.endsWith(')') ? location.indexOf(' (') : -1;
    const place = open === -1 ? null : codeName(` ${location.slice(open + 2, -1)}`);
    const file = place === null ? '' : place.file || place.name;
    const name = open === -1 ? location : location.slice(0, open) || '(anonymous)';
    return { func: builder.func(name, file, place?.line ?? 0, classifyFrame(name, file)), line: numberOr(frames('line', frame), 0) };
  }
  const func = numberOr(frames('func', frame), -1);
  const name = text(functions('name', func)) || '(unnamed)';
  const source = functions('source', func);
  const file = text(functions('fileName', func)) || (typeof source === 'number' ? text(sources('filename', source)) : '');
  const path = file.replace(/^file:\/\//, '');
  return {
    func: builder.func(name, path, numberOr(functions('lineNumber', func), 0), classifyFrame(name, path)),
    line: numberOr(frames('line', frame), 0),
  };
}

/** A table as columns (`{stack: […], time: […]}`), or as rows that a schema explains. */
function tableOf(value: unknown): Table {
  if (!isObject(value)) return noTable;
  const { schema, data } = value;
  if (isObject(schema) && Array.isArray(data)) {
    return (column, row) => {
      const index = schema[column];
      const cells: unknown = data[row];
      return Array.isArray(cells) && typeof index === 'number' ? cells[index] : null;
    };
  }
  return (column, row) => {
    const cells = value[column];
    return Array.isArray(cells) ? cells[row] : null;
  };
}

function rowsOf(value: unknown): number {
  if (!isObject(value)) return 0;
  if (Array.isArray(value['data'])) return value['data'].length;
  return Array.isArray(value['stack']) ? value['stack'].length : 0;
}
