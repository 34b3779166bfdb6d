import { CallTreeBuilder } from '../../calltree/callTreeBuilder.ts';
import { classifyFrame } from '../../calltree/frameKind.ts';
import { damaged, tooLarge } from '../../calltree/treeLimits.ts';
import type { CallTree, TreeRemark } from '../../model/domain/callTree.ts';
import { type JsonObject, listOr, numberOr, textOr } from './jsonDocument.ts';
import { listedObjects } from './jsonWalk.ts';
import { addProfile } from './readCpuProfile.ts';
import type { ScriptPlaces } from './scriptPlaces.ts';
import { ScannedProfile } from './scanCpuProfile.ts';
import { scriptPlace } from './v8Frame.ts';
import { isObject } from '../../model/domain/isObject.ts';
import { remembered } from '../../model/domain/remembered.ts';

const format = 'trace';
const pieces: ReadonlySet<unknown> = new Set(['Profile', 'ProfileChunk', 'CpuProfile']);
/** Larger than any id of V8. */
const missingId = 0x7fffffff;
const maxSpans = 4_000_000;

/** Something that began and ended; µs of any clock. */
interface Span {
  name: string;
  startUs: number;
  endUs: number;
  /** Among spans that begin and end at the same times the one with the least is around the others. */
  order: number;
}

/** One profile of a trace, as far as its pieces have come. */
interface PiecedProfile {
  pid: number;
  tid: number;
  startUs: number;
  profile: ScannedProfile;
  nodes: Map<number, number>;
  /** By node, how often a line was seen executing. */
  lines: Map<number, Map<number, number>>;
}

/**
 * Reads the performance trace of a browser or of Node, whose CPU profiles come in pieces (`ProfileChunk`) or whole (`CpuProfile`): event `cpu`, ns, by thread.
 * A trace without CPU profiles has the time between the begin and the end of its events: event `wall`, ns. A file that ends in the middle is read as far as it
 * goes, with a remark.
 */
export function readTraceEvents(bytes: Uint8Array, scripts: ScriptPlaces | null = null): CallTree {
  const profiles = new Map<string, PiecedProfile>();
  const names = new ThreadNames();
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const eachEvent = (wanted: (piece: Buffer) => boolean, use: (event: JsonObject) => void): boolean =>
    listedObjects(bytes, 'traceEvents', format, (start, end) => {
      if (!wanted(text.subarray(start, end))) return;
      use(parsed(text, start, end));
    });
  const isWhole = eachEvent(
    (piece) => piece.includes('rofile') || piece.includes('_name'),
    (event) => {
      names.note(event);
      if (pieces.has(event['name'])) addPiece(profiles, event);
    },
  );
  const sampled = [...profiles.values()].filter(({ profile }) => profile.samples.length > 0 && profile.ids.length > 0);
  const chosen = withoutOverlaps(sampled);
  const made = sampled.length > 0 ? treeOfProfiles(chosen, names, scripts) : treeOfSpans(eachEvent, names);
  const doubled = sampled.length - chosen.length;
  const tree = doubled === 0 ? made : withRemark(made, { code: 'profiles-overlap', leftOut: doubled });
  return isWhole ? tree : withRemark(tree, { code: 'cut-short' });
}

function withRemark(tree: CallTree, remark: TreeRemark): CallTree {
  return { ...tree, remarks: [...(tree.remarks ?? []), remark] };
}

/** Two profilers may have sampled one thread at the same time: the one with most samples is kept, since time would count twice. */
function withoutOverlaps(profiles: readonly PiecedProfile[]): PiecedProfile[] {
  const kept: { of: PiecedProfile; endUs: number }[] = [];
  for (const one of [...profiles].sort((a, b) => b.profile.samples.length - a.profile.samples.length)) {
    const { profile, startUs } = one;
    let endUs = startUs;
    for (let row = 0; row < profile.timeDeltas.length; row += 1) endUs += profile.timeDeltas.at(row);
    const overlaps = kept.some(
      ({ of, endUs: otherEndUs }) => of.pid === one.pid && of.tid === one.tid && startUs < otherEndUs && of.startUs < endUs,
    );
    if (!overlaps) kept.push({ of: one, endUs });
  }
  return kept.map(({ of }) => of);
}

function parsed(text: Buffer, start: number, end: number): JsonObject {
  try {
    const value: unknown = JSON.parse(text.toString('utf8', start, end));
    if (isObject(value)) return value;
  } catch {
    // The faults are reported below.
  }
  throw damaged(format, 'one of its events is not valid JSON');
}

/** What the threads and processes of a trace are called. */
class ThreadNames {
  readonly #names = new Map<string, string>();

  note(event: JsonObject): void {
    if (event['ph'] !== 'M' || !isObject(event['args'])) return;
    const name = textOr(event['args']['name'], '');
    if (event['name'] === 'thread_name') this.#names.set(`${numberOr(event['pid'], 0)}:${numberOr(event['tid'], 0)}`, name);
    else if (event['name'] === 'process_name') this.#names.set(`${numberOr(event['pid'], 0)}`, name);
  }

  of(pid: number, tid: number): string {
    const thread = this.#names.get(`${pid}:${tid}`) || `thread ${tid}`;
    const process = this.#names.get(`${pid}`) ?? '';
    return process === '' ? thread : `${process}: ${thread}`;
  }
}

function profileOf(profiles: Map<string, PiecedProfile>, event: JsonObject): PiecedProfile {
  const [pid, tid] = [numberOr(event['pid'], 0), numberOr(event['tid'], 0)];
  const id = event['id'] ?? '';
  const key = `${pid}:${typeof id === 'string' || typeof id === 'number' ? id : ''}`;
  return remembered(profiles, key, () => ({
    pid,
    tid,
    startUs: numberOr(event['ts'], 0),
    profile: new ScannedProfile(),
    nodes: new Map(),
    lines: new Map(),
  }));
}

/** Adds a piece of a profile (`Profile`, `ProfileChunk`), or a whole one (`CpuProfile`). */
function addPiece(profiles: Map<string, PiecedProfile>, event: JsonObject): void {
  const data = isObject(event['args']) && isObject(event['args']['data']) ? event['args']['data'] : {};
  const part = isObject(data['cpuProfile']) ? data['cpuProfile'] : {};
  const isWhole = event['name'] === 'CpuProfile';
  const pieced = profileOf(profiles, isWhole ? { ...event, id: `whole ${profiles.size}` } : event);
  const { profile } = pieced;
  // Pieces are written by a thread of the profiler; this is the one that was profiled.
  if (event['name'] === 'Profile') pieced.tid = numberOr(event['tid'], pieced.tid);
  if (event['name'] !== 'ProfileChunk') pieced.startUs = numberOr((isWhole ? part : data)['startTime'], pieced.startUs);
  for (const node of listOr(part['nodes'])) if (isObject(node)) addNode(pieced, node);
  const samples = listOr(part['samples']);
  const deltas = listOr(data['timeDeltas'] ?? part['timeDeltas']);
  const lines = listOr(data['lines']);
  if (deltas.length !== samples.length) throw damaged(format, `a piece has ${samples.length} samples but ${deltas.length} time deltas`);
  for (const [index, sample] of samples.entries()) {
    profile.samples.push(idOf(sample));
    profile.timeDeltas.push(numberOr(deltas[index], 0));
    const line = numberOr(lines[index], 0);
    if (line > 0) noteLine(pieced, idOf(sample), line);
  }
}

function noteLine({ lines }: PiecedProfile, id: number, line: number): void {
  const ofNode = remembered(lines, id, () => new Map<number, number>());
  ofNode.set(line, (ofNode.get(line) ?? 0) + 1);
}

function addNode({ profile, nodes }: Pick<PiecedProfile, 'profile' | 'nodes'>, node: JsonObject): void {
  const frame = scriptPlace(isObject(node['callFrame']) ? node['callFrame'] : {});
  const id = idOf(node['id']);
  if (nodes.has(id)) return;
  nodes.set(id, profile.ids.length);
  for (const child of listOr(node['children'])) profile.childIds.push(idOf(child));
  profile.addNode(id, profile.frames.push(frame) - 1, 0, node['parent'] === undefined ? -1 : idOf(node['parent']));
}

function idOf(value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= missingId) return value;
  throw damaged(format, 'a node of its profile has an id that is none');
}

function treeOfProfiles(profiles: readonly PiecedProfile[], names: ThreadNames, scripts: ScriptPlaces | null): CallTree {
  const builder = new CallTreeBuilder([{ name: 'cpu', unit: 'ns' }]);
  const firstUs = profiles.reduce((least, { startUs }) => Math.min(least, startUs), Infinity);
  let missing = 0;
  for (const pieced of profiles) {
    missing += fillGaps(pieced);
    const { pid, tid, startUs, profile, lines, nodes } = pieced;
    for (const [id, node] of nodes) {
      for (const [line, count] of lines.get(id) ?? []) {
        profile.addTick(node, line, count);
      }
    }
    addProfile(builder, profile, { scripts, thread: builder.thread(names.of(pid, tid)), startUs: startUs - firstUs });
  }
  const tree = builder.build();
  return missing === 0 ? tree : withRemark(tree, { code: 'callers-missing', samples: missing });
}

/**
 * A trace keeps what fits into its buffer, so that pieces may be missing: stacks whose callers were in one begin where they are known, and samples of nodes
 * that are not known have a frame of their own. Returns the number of samples that this concerns.
 */
function fillGaps({ profile, nodes }: PiecedProfile): number {
  const parents = [...nodes.values()].map((node) => profile.parentIds.at(node));
  const orphans = new Set([...nodes].filter(([, node]) => parents[node] !== -1 && !nodes.has(parents[node] ?? -1)).map(([id]) => id));
  // Callers precede their callees.
  for (const [id, node] of nodes) if (orphans.has(parents[node] ?? -1)) orphans.add(id);
  let concerned = 0;
  let unknown: number | null = null;
  for (let row = 0; row < profile.samples.length; row += 1) {
    const id = profile.samples.at(row);
    if (orphans.has(id)) concerned += 1;
    if (nodes.has(id)) continue;
    concerned += 1;
    unknown ??= profile.ids.length;
    profile.samples.set(row, missingId);
  }
  for (const id of orphans) {
    const node = nodes.get(id) ?? 0;
    if (!nodes.has(profile.parentIds.at(node))) profile.parentIds.set(node, -1);
  }
  if (unknown !== null) addNode({ profile, nodes }, { id: missingId, callFrame: { functionName: '(unknown)' } });
  return concerned;
}

type EachEvent = (wanted: (piece: Buffer) => boolean, use: (event: JsonObject) => void) => boolean;

function treeOfSpans(eachEvent: EachEvent, names: ThreadNames): CallTree {
  const threads = new Map<string, { name: string; spans: Span[]; open: Span[]; lastUs: number }>();
  let count = 0;
  eachEvent(
    (piece) => piece.includes('"ph"'),
    (event) => {
      const { ph } = event;
      if (ph !== 'B' && ph !== 'E' && ph !== 'X') return;
      if ((count += 1) > maxSpans) throw tooLarge(`more than ${maxSpans.toLocaleString('en')} events`);
      const [pid, tid, at] = [numberOr(event['pid'], 0), numberOr(event['tid'], 0), numberOr(event['ts'], 0)];
      const key = `${pid}:${tid}`;
      const thread = remembered(threads, key, () => ({ name: names.of(pid, tid), spans: [], open: [], lastUs: at }));
      const duration = ph === 'X' ? Math.max(0, numberOr(event['dur'], numberOr(event['tdur'], 0))) : 0;
      thread.lastUs = Math.max(thread.lastUs, at + duration);
      const span = { name: textOr(event['name'], '') || '(unnamed)', startUs: at, endUs: at + duration, order: count };
      if (ph === 'X') thread.spans.push(span);
      else if (ph === 'B') thread.open.push(span);
      else {
        const begun = thread.open.pop();
        if (begun !== undefined) thread.spans.push({ ...begun, endUs: Math.max(begun.startUs, at) });
      }
    },
  );
  if (threads.size === 0) throw damaged(format, 'it has neither a CPU profile nor events that begin and end');
  const builder = new CallTreeBuilder([{ name: 'wall', unit: 'ns' }]);
  for (const { name, spans, open, lastUs } of threads.values()) {
    // What has not ended lasts as long as anything is known.
    const all = [...spans, ...open.map((span) => ({ ...span, endUs: lastUs }))];
    const root = builder.child(0, builder.func(name, '', 0, 'other'));
    addSpans(builder, all, root);
  }
  return builder.build();
}

/**
 * Puts the spans of one thread below `root`, each below the one in which it began, and weighs each by its time without that of those in it. What ends after
 * the span around it is cut at that one's end.
 */
function addSpans(builder: CallTreeBuilder, spans: readonly Span[], root: number): void {
  const ordered = [...spans].sort((a, b) => a.startUs - b.startUs || b.endUs - a.endUs || a.order - b.order);
  const open: { node: number; endUs: number; selfUs: number }[] = [];
  const close = (): void => {
    const ended = open.pop();
    if (ended !== undefined) builder.add(ended.node, 0, Math.max(0, ended.selfUs) * 1000);
  };
  for (const { name, startUs, endUs } of ordered) {
    while (open.length > 0 && (open.at(-1)?.endUs ?? 0) <= startUs) close();
    const around = open.at(-1);
    const cutUs = Math.min(endUs, around?.endUs ?? endUs);
    const selfUs = cutUs - startUs;
    if (around !== undefined) around.selfUs -= selfUs;
    open.push({ node: builder.child(around?.node ?? root, builder.func(name, '', 0, classifyFrame(name, ''))), endUs: cutUs, selfUs });
  }
  while (open.length > 0) close();
}
