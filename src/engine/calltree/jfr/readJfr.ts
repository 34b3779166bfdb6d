import type { CallTree, CodeTier, FrameKind } from '../../../model/domain/callTree.ts';
import { remembered } from '../../../model/domain/remembered.ts';
import { type EventHead, CallTreeBuilder } from '../../../calltree/callTreeBuilder.ts';
import { classifyFrame, classifyJava } from '../../../calltree/frameKind.ts';
import { type RecorderPart, helpsRecorder, recorderPart } from '../../../calltree/recorderFrames.ts';
import { inOrderOfTime } from '../../../calltree/sampleOrder.ts';
import { tooLarge } from '../../../calltree/treeLimits.ts';
import { type JfrChunk, eventsOf, readJfrChunks } from './jfrChunk.ts';
import { type RecordedFrame, JfrConstants } from './jfrConstants.ts';
import { type JfrKey, JfrCursor } from './jfrCursor.ts';
import { type ChunkContent, type JfrEventRule, cpuState, eventHeads, surveyChunk } from './jfrEvents.ts';
import { type JfrLimits, damagedJfr, jfrLimits } from './jfrLimits.ts';
import type { JfrValue } from './jfrTypes.ts';

/**
 * Reads a Java Flight Recorder file (format 2, of the JDK or async-profiler) into a call tree. Columns, where the file has such events:
 * `cpu`, `wall` (ns where the sampling period is recorded, else samples), `native` (Java threads in native code, running or waiting),
 * `alloc`, `malloc` (bytes), `lock` (ns). Functions are `package.Class.method`. Times are µs since the start of the first chunk. Of `cpu` and
 * `wall`, samples that hit async-profiler's own code are left out and counted in `leftOut`. What has no stack is the root's own.
 *
 * @throws FailureError where the file is not a recording, damaged, unfinished or larger than `limits`.
 */
export function readJfr(bytes: Uint8Array, limits: Partial<JfrLimits> = {}): CallTree {
  try {
    return new JfrReader(bytes, { ...jfrLimits, ...limits }).read();
  } catch (thrown) {
    // A Map or an array that the engine refuses to enlarge is the last bound below the limits.
    if (thrown instanceof RangeError) throw tooLarge('more in it than this process can hold');
    throw thrown;
  }
}

/** Columns of samples, which may hit the recorder itself. In the events of the app that it notes, its frames are on the way to the app's. */
const sampledColumns: ReadonlySet<string> = new Set(['cpu', 'wall']);

const wantedFields = ['startTime', 'eventThread', 'sampledThread', 'stackTrace', 'state'] as const;

class JfrReader {
  readonly #cursor: JfrCursor;
  #nameCharacters = 0;
  /** By event: all samples, and those of the recorder itself. */
  readonly #counts = new Map<string, { samples: number; ofRecorder: number }>();
  /** By thread, its numbers in the system. */
  readonly #systemIds = new Map<number, Set<number>>();
  /** By such a number, the CPU time of the recorder itself, in ns. */
  readonly #recorderNs = new Map<number, number>();

  constructor(
    bytes: Uint8Array,
    private readonly limits: JfrLimits,
  ) {
    if (bytes.length > limits.bytes) throw tooLarge(`more than ${Math.floor(limits.bytes / 2 ** 20).toLocaleString('en')} MiB`);
    this.#cursor = new JfrCursor(bytes);
  }

  read(): CallTree {
    const chunks = readJfrChunks(this.#cursor);
    const first = chunks[0];
    if (first === undefined) throw damagedJfr('it is empty');
    const contents = chunks.map((chunk) => surveyChunk(this.#cursor, chunk));
    const heads = eventHeads(contents);
    const builder = new CallTreeBuilder(heads, this.limits);
    for (const content of contents) {
      const periods = heads.map((head) => (head.unit === 'ns' ? periodNs(head, content, contents) : 1));
      this.#readChunk(content, heads, periods, builder, Number(content.chunk.startNs - first.startNs) / 1000);
    }
    const tree = builder.build();
    const cores = contents.map((content) => content.cores).find((count) => count !== null) ?? null;
    const leftOut = [...this.#counts].flatMap(([event, { samples, ofRecorder }]) =>
      ofRecorder === 0 ? [] : [{ event, samples: ofRecorder, ofSamples: samples }],
    );
    const ids = tree.threads.map((_name, thread) => [...(this.#systemIds.get(thread) ?? [])]);
    return {
      ...tree,
      // Threads write their samples in blocks.
      samples: inOrderOfTime(tree.samples),
      ...(cores === null ? {} : { cores }),
      ...(leftOut.length === 0 ? {} : { leftOut }),
      ...(this.#systemIds.size === 0 ? {} : { systemThreads: { ids, recorder: this.#recorderNs } }),
    };
  }

  #readChunk(content: ChunkContent, heads: readonly EventHead[], periods: number[], builder: CallTreeBuilder, startUs: number): void {
    const { chunk, rules } = content;
    if (rules.size === 0) return;
    const constants = new JfrConstants(this.#cursor, chunk, this.limits);
    const stacks = new ChunkStacks(constants, builder, (characters) => this.#spendName(characters));
    const column = (rule: JfrEventRule): { rule: JfrEventRule; event: number } => ({
      rule,
      event: heads.findIndex((head) => head.name === rule.column),
    });
    const plans = new Map(
      [...rules].map(([typeId, rule]) => {
        const ofWall = rule.wallByState === true ? column({ ...rule, column: 'wall' }) : null;
        const fields = [...wantedFields, ...rule.weightFields, ...(rule.samplesField === undefined ? [] : [rule.samplesField])];
        return [typeId, { own: column(rule), ofWall, type: chunk.types.get(typeId), fields }];
      }),
    );
    const threads = new Map<JfrKey, number>();
    const numbers = new Map<JfrKey, number | null>();
    const states = new Map<JfrKey, number>();
    for (const range of eventsOf(this.#cursor, chunk)) {
      const plan = plans.get(range.typeId);
      if (plan === undefined) continue;
      this.#cursor.seek(range.position, range.end);
      const values = chunk.types.readFields(this.#cursor, plan.type, plan.fields, 0);
      const [time, eventThread, sampledThread, stackTrace, state, ...amounts] = values;
      const stateKey = toKey(state);
      const stateId = stateKey === null ? 0 : remembered(states, stateKey, () => builder.state(constants.threadState(stateKey)));
      const isOfWall = plan.ofWall !== null && stateKey !== null && constants.threadState(stateKey) !== cpuState;
      const { rule, event } = (isOfWall ? plan.ofWall : null) ?? plan.own;
      const weight = weightOf(rule, amounts, periods[event] ?? 1, chunk);
      if (weight === null) continue;
      const isSampled = sampledColumns.has(rule.column);
      const node = stacks.node(toKey(stackTrace), isSampled);
      const threadKey = toKey(sampledThread) ?? toKey(eventThread);
      if (isSampled && this.#isLeftOut(rule, amounts, node)) {
        const id =
          threadKey === null || rule.column !== 'cpu' ? null : remembered(numbers, threadKey, () => constants.threadNumber(threadKey));
        if (id !== null) this.#recorderNs.set(id, (this.#recorderNs.get(id) ?? 0) + weight);
        continue;
      }
      const timeUs = startUs + ((Number(toKey(time) ?? 0) - chunk.startTicks) / chunk.ticksPerSecond) * 1e6;
      const thread = threadKey === null ? -1 : remembered(threads, threadKey, () => this.#thread(constants, threadKey, builder));
      builder.sample(timeUs, node, thread, event, weight, stateId);
    }
  }

  /** A thread in the tree, of which its number in the system is noted; -1 without a name. */
  #thread(constants: JfrConstants, key: JfrKey, builder: CallTreeBuilder): number {
    const name = constants.thread(key);
    if (name === null) return -1;
    const thread = builder.thread(name);
    const number = constants.threadNumber(key);
    if (number !== null) this.#systemIds.set(thread, (this.#systemIds.get(thread) ?? new Set()).add(number));
    return thread;
  }

  /** Counts the samples of an event, and returns whether they are the recorder's own. */
  #isLeftOut({ column, samplesField }: JfrEventRule, amounts: readonly (JfrValue | undefined)[], node: number): boolean {
    const samples = samplesField === undefined ? 1 : (toAmount(amounts.at(-1)) ?? 1);
    const count = remembered(this.#counts, column, () => ({ samples: 0, ofRecorder: 0 }));
    count.samples += samples;
    if (node === recordersOwn) count.ofRecorder += samples;
    return node === recordersOwn;
  }

  #spendName(characters: number): void {
    this.#nameCharacters += characters;
    if (this.#nameCharacters > this.limits.nameCharacters) throw tooLarge('names that are too long together');
  }
}

/** Instead of a node: the stack is the recorder's own. */
const recordersOwn = -1;

interface FrameFunction {
  name: string;
  kind: FrameKind;
  /** Its number in the tree, once a stack has it. */
  id: number | null;
  /** What the frame itself is of the recorder. */
  part: RecorderPart;
  helpsRecorder: boolean;
}

/** The stacks of one chunk as nodes of the tree; each stack and method is read once. */
class ChunkStacks {
  readonly #sampled = new Map<JfrKey, number>();
  readonly #whole = new Map<JfrKey, number>();
  readonly #functions = new Map<JfrKey, Map<JfrKey, FrameFunction>>();
  readonly #hasLibraries: boolean;

  constructor(
    private readonly constants: JfrConstants,
    private readonly builder: CallTreeBuilder,
    private readonly spendName: (characters: number) => void,
  ) {
    this.#hasLibraries = constants.nativeFramesNameLibraries;
  }

  /** The node of a stack's leaf; the root where there is no stack. Where it was sampled, {@link recordersOwn} for a stack of the recorder itself. */
  node(key: JfrKey | null, isSampled: boolean): number {
    if (key === null) return 0;
    return remembered(isSampled ? this.#sampled : this.#whole, key, () => this.#readStack(key, isSampled));
  }

  #readStack(key: JfrKey, isSampled: boolean): number {
    const frames = this.constants.stack(key) ?? [];
    const functions = frames.map((frame) => this.#func(frame));
    if (isSampled && isOfRecorder(functions)) return recordersOwn;
    let node = 0;
    for (let index = frames.length - 1; index >= 0; index -= 1) {
      const [frame, func] = [frames[index], functions[index]];
      if (frame === undefined || func === undefined || func.part === 'hook') continue;
      func.id ??= this.builder.func(func.name, '', 0, func.kind);
      node = this.builder.child(node, func.id, frame.line);
      this.builder.tier(node, tiers.get(this.constants.frameType(frame.frameType)) ?? 'unknown');
    }
    return node;
  }

  #func(frame: RecordedFrame): FrameFunction {
    const byType = remembered(this.#functions, frame.frameType, () => new Map<JfrKey, FrameFunction>());
    return remembered(byType, frame.method, () => {
      const method = this.constants.method(frame.method);
      const frameType = this.constants.frameType(frame.frameType);
      const isLibrary = this.#hasLibraries && nativeTypes.has(frameType);
      const place = method?.className ?? '';
      const className = isLibrary ? '' : place;
      const methodName = method?.name ?? '';
      this.spendName(className.length + methodName.length + 1);
      const name = className === '' ? methodName : `${className}.${methodName}`;
      const shown = name.length >= maxFunctionName ? `${name.slice(0, maxFunctionName - 1)}…` : name;
      return {
        name: shown === '' ? '[unknown]' : shown,
        kind: kindOf(shown, className, frameType),
        id: null,
        part: this.#hasLibraries ? recorderPart({ name: methodName, place, isNative: isLibrary }) : null,
        helpsRecorder: isLibrary && helpsRecorder(methodName),
      };
    });
  }
}

/** Whether a stack, from the leaf to the root, ends in what the recorder does for itself. */
function isOfRecorder(functions: readonly FrameFunction[]): boolean {
  return functions.some(({ part }, index) => {
    const callee = functions[index - 1];
    return part === 'work' || (part === 'hook' && (callee === undefined || callee.helpsRecorder));
  });
}

/** The JDK says “JIT compiled” of either of its compilers, async-profiler only of the second. */
const tiers: ReadonlyMap<string, CodeTier> = new Map<string, CodeTier>([
  ['Interpreted', 'interpreted'],
  ['C1 compiled', 'baseline'],
  ['JIT compiled', 'optimised'],
  ['Inlined', 'inlined'],
]);

const nativeTypes: ReadonlySet<string> = new Set(['Native', 'C++', 'Kernel']);

/** Where class and method together exceed what the tree takes. */
const maxFunctionName = 60_000;

function kindOf(name: string, className: string, frameType: string): FrameKind {
  if (frameType === 'Kernel') return 'kernel';
  if (frameType === 'C++' || className === '') {
    const kind = classifyFrame(name, '');
    return kind === 'gc' || kind === 'jit' ? kind : 'native';
  }
  const kind = classifyJava(name);
  return frameType === 'Native' && kind !== 'waiting' ? 'native' : kind;
}

/** What an event weighs in its column's unit; null where it weighs nothing that can be counted. */
function weightOf(rule: JfrEventRule, amounts: readonly (JfrValue | undefined)[], period: number, chunk: JfrChunk): number | null {
  if (rule.samplesField !== undefined) return (toAmount(amounts.at(-1)) ?? 1) * period;
  if (rule.weightFields.length === 0) return period;
  const amount = amounts.map(toAmount).find((value) => value !== null && value > 0) ?? null;
  return amount === null || rule.ticks === undefined ? amount : (amount / chunk.ticksPerSecond) * 1e9;
}

function periodNs(head: EventHead, content: ChunkContent, contents: readonly ChunkContent[]): number {
  const elsewhere = (): number | undefined =>
    contents.map((other) => other.periodsNs.get(head.name)).find((period) => period !== undefined);
  return content.periodsNs.get(head.name) ?? elsewhere() ?? 1;
}

function toKey(value: JfrValue | undefined): JfrKey | null {
  return typeof value === 'number' || typeof value === 'bigint' ? value : null;
}

function toAmount(value: JfrValue | undefined): number | null {
  const key = toKey(value);
  return key === null || !(Number(key) >= 0) ? null : Number(key);
}
