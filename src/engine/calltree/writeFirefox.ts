import { type CallTree, type EventColumn, frameKinds } from '../../model/domain/callTree.ts';
import { jsonText } from '../../model/domain/plainText.ts';
import { numberIn } from '../../model/domain/remembered.ts';
import { BoundedText } from './boundedText.ts';
import { ownMark } from './readFirefox.ts';

const weightTypes = { ns: 'tracing-ms', bytes: 'bytes', count: 'samples' } as const;
/** The version of the processed form that is written, and that of Gecko's. */
const [processedVersion, geckoVersion] = [47, 29];

/** A profile in the form that the Firefox Profiler saves: one thread for each event, with each stack once and all its weight (ms, bytes or counts). */
export function writeFirefox(tree: CallTree, events: readonly EventColumn[], title: string): string {
  const { name, file, line, kind } = tree.functions;
  const strings = new Map<string, number>();
  const text = (value: string): number => numberIn(strings, value);
  const nodes = Array.from({ length: tree.nodeCount - 1 }, (_, index) => index + 1);
  const nulls = (count: number): null[] => new Array<null>(count).fill(null);
  const functions = {
    length: name.length,
    name: name.map(text),
    isJS: name.map((_, func) => ['app', 'dependency', 'runtime'].includes(frameKinds[kind[func] ?? 0] ?? '')),
    relevantForJS: name.map(() => false),
    resource: name.map(() => -1),
    fileName: name.map((_, func) => (file[func] ? text(file[func]) : null)),
    lineNumber: name.map((_, func) => line[func] || null),
    columnNumber: nulls(name.length),
  };
  // A frame and a stack for each node: the first node is the root, which is none.
  const frames = {
    length: nodes.length,
    address: nodes.map(() => -1),
    inlineDepth: nodes.map(() => 0),
    category: nodes.map(() => 0),
    subcategory: nodes.map(() => 0),
    func: nodes.map((node) => tree.func[node]),
    nativeSymbol: nulls(nodes.length),
    innerWindowID: nodes.map(() => 0),
    implementation: nulls(nodes.length),
    line: nodes.map((node) => tree.line[node] || null),
    column: nulls(nodes.length),
  };
  const stacks = {
    length: nodes.length,
    frame: nodes.map((node) => node - 1),
    category: nodes.map(() => 0),
    subcategory: nodes.map(() => 0),
    prefix: nodes.map((node) => (tree.parent[node] === 0 ? null : (tree.parent[node] as number) - 1)),
  };
  const threadNames = events.map((event) => event.name);
  const shared = `"stackTable":${jsonText(stacks)},"frameTable":${jsonText(frames)},"funcTable":${jsonText(functions)},"stringArray":${jsonText([...strings.keys()])}`;
  const out = new BoundedText();
  const meta = {
    interval: 1,
    startTime: 0,
    processType: 0,
    product: title,
    importedFrom: ownMark,
    stackwalk: 1,
    version: geckoVersion,
    preprocessedProfileVersion: processedVersion,
    symbolicated: true,
    categories: [{ name: 'Other', color: 'grey', subcategories: ['Other'] }],
    markerSchema: [],
  };
  out.push(`{"meta":${jsonText(meta)},"libs":[],"pages":[],"threads":[`);
  for (const [index, event] of events.entries()) {
    const rows = nodes.filter((node) => (event.self[node] as number) !== 0);
    const rootWeight = event.self[0] as number;
    const stackOf: (number | null)[] = rows.map((node) => node - 1);
    const weights = rows.map((node) => event.self[node] as number);
    if (rootWeight !== 0) {
      stackOf.push(null);
      weights.push(rootWeight);
    }
    const samples = {
      length: stackOf.length,
      stack: stackOf,
      time: stackOf.map((_, row) => row),
      weight: event.unit === 'ns' ? weights.map((weight) => weight / 1e6) : weights,
      weightType: weightTypes[event.unit],
    };
    const head = {
      processType: 'default',
      processStartupTime: 0,
      processShutdownTime: null,
      registerTime: 0,
      unregisterTime: null,
      pausedRanges: [],
    };
    const tail = {
      name: threadNames[index],
      isMainThread: index === 0,
      pid: '1',
      tid: index + 1,
      markers: { length: 0, category: [], data: [], endTime: [], name: [], phase: [], startTime: [] },
      resourceTable: { length: 0, lib: [], name: [], host: [], type: [] },
      nativeSymbols: { length: 0, address: [], functionSize: [], libIndex: [], name: [] },
    };
    out.push(`${index === 0 ? '' : ','}${jsonText(head).slice(0, -1)},"samples":${jsonText(samples)},${shared},${jsonText(tail).slice(1)}`);
  }
  out.push(']}\n');
  return out.toString();
}
