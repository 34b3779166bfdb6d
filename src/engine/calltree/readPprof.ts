import type { CallTree } from '../../model/domain/callTree.ts';
import { type EventHead, type StackFrame, CallTreeBuilder } from '../../calltree/callTreeBuilder.ts';
import { classifyFrame } from '../../calltree/frameKind.ts';
import { GrowingInts } from '../../calltree/growingColumn.ts';
import { ProtobufReader } from './protobufReader.ts';
import { unitOf } from './weightUnits.ts';
import { inOrderOfTime } from '../../calltree/sampleOrder.ts';
import { damaged, tooLarge, treeLimits } from '../../calltree/treeLimits.ts';

const maxStrings = 4_000_000;
/** Functions inlined into one address; compilers stop far below. */
const maxInlined = 512;
/** Frames walked over in all samples together: a small file can name the same long location again and again, which no real one does for long. */
const maxFrames = { least: 4_000_000, perByte: 16, most: 400_000_000 } as const;

interface Message {
  strings: string[];
  types: { type: number; unit: number }[];
  functions: Map<number, { name: number; file: number; line: number }>;
  /** Innermost first, as pprof has them. */
  locations: Map<number, StackFrame[]>;
  /** When the recording began, in ns since 1970; 0 where it does not say. */
  timeNs: number;
  sampleStarts: GrowingInts;
  sampleEnds: GrowingInts;
}

/** Reads an unpacked pprof profile: one event per sample type, inlined functions as frames of their own, the executing line per frame. */
export function readPprof(bytes: Uint8Array): CallTree {
  const message = readMessage(bytes);
  if (message.types.length === 0) throw damaged('pprof', 'it does not say what was counted');
  const factors: number[] = [];
  const events = message.types.map(({ type, unit }): EventHead => {
    const known = unitOf(textAt(message, unit));
    factors.push(known.factor);
    return { name: textAt(message, type), unit: known.unit };
  });
  const builder = new CallTreeBuilder(events);
  const stacks = resolveLocations(builder, message);
  const labelKeys = labelKeysOf(message.strings);
  const locationIds: number[] = [];
  const values: number[] = [];
  let walked = 0;
  const mostFrames = Math.min(maxFrames.most, maxFrames.least + maxFrames.perByte * bytes.length);
  for (let sample = 0; sample < message.sampleStarts.length; sample += 1) {
    locationIds.length = 0;
    values.length = 0;
    const labels: SampleLabels = { thread: 0, timeNs: null };
    const reader = new ProtobufReader(bytes, message.sampleStarts.at(sample), message.sampleEnds.at(sample));
    while (reader.next()) {
      if (reader.field === 1) reader.numbers((id) => locationIds.push(id));
      else if (reader.field === 2) reader.numbers((value) => values.push(value));
      else if (reader.field === 3) readLabel(reader.message(), labelKeys, labels);
      else reader.skip();
    }
    if (values.length !== events.length) throw damaged('pprof', `a sample has ${values.length} values where ${events.length} are counted`);
    let node = 0;
    for (let index = locationIds.length - 1; index >= 0; index -= 1) {
      const frames = stacks.get(locationIds[index] as number);
      if (frames === undefined) throw damaged('pprof', 'a sample names a location that is not there');
      walked += frames.length;
      if (walked > mostFrames) throw tooLarge(`more than ${mostFrames.toLocaleString('en')} frames in its samples`);
      for (const frame of frames) node = builder.child(node, frame.func, frame.line);
    }
    const thread = labels.thread === 0 ? -1 : builder.thread(textAt(message, labels.thread));
    for (const [event, value] of values.entries()) {
      const weight = value * (factors[event] ?? 1);
      // Without a time there is no sample in the order of time: a thread is only named then.
      if (labels.timeNs === null || weight === 0) builder.add(node, event, weight);
      else builder.sample((labels.timeNs - message.timeNs) / 1000, node, thread, event, weight);
    }
  }
  const tree = builder.build();
  return { ...tree, samples: inOrderOfTime(tree.samples) };
}

/** What labels say of a sample: its thread, as the number of a text (0: none), and its time. */
interface SampleLabels {
  thread: number;
  timeNs: number | null;
}

const threadLabels = new Set(['thread', 'thread name', 'thread_name', 'threadName']);
const timeLabels = new Set(['end_timestamp_ns', 'timestamp_ns', 'timestamp']);

/** The numbers of the texts that name a thread, and those that name a time. */
function labelKeysOf(strings: readonly string[]): { threads: Set<number>; times: Set<number> } {
  const threads = new Set<number>();
  const times = new Set<number>();
  for (const [index, text] of strings.entries()) {
    if (threadLabels.has(text)) threads.add(index);
    else if (timeLabels.has(text)) times.add(index);
  }
  return { threads, times };
}

function readLabel(reader: ProtobufReader, keys: ReturnType<typeof labelKeysOf>, labels: SampleLabels): void {
  const [key, text, number] = reader.numbersIn([1, 2, 3]);
  if (keys.threads.has(key)) labels.thread = text;
  else if (keys.times.has(key) && number > 0) labels.timeNs = number;
}

function readMessage(bytes: Uint8Array): Message {
  const message: Message = {
    strings: [],
    types: [],
    functions: new Map(),
    locations: new Map(),
    timeNs: 0,
    sampleStarts: new GrowingInts(),
    sampleEnds: new GrowingInts(),
  };
  const reader = new ProtobufReader(bytes);
  while (reader.next()) {
    if (reader.field === 1) {
      const [type, unit] = reader.message().numbersIn([1, 2]);
      message.types.push({ type, unit });
    } else if (reader.field === 2) {
      const { start, end } = reader.range();
      if (message.sampleStarts.length >= treeLimits.samples) throw tooLarge(`more than ${treeLimits.samples.toLocaleString('en')} samples`);
      message.sampleStarts.push(start);
      message.sampleEnds.push(end);
    } else if (reader.field === 4) readLocation(reader.message(), message);
    else if (reader.field === 5) {
      const [id, name, file, line] = reader.message().numbersIn([1, 2, 4, 5]);
      message.functions.set(id, { name, file, line });
    } else if (reader.field === 6) message.strings.push(reader.text());
    else if (reader.field === 9) message.timeNs = reader.number();
    else reader.skip();
    if (message.types.length > treeLimits.events) throw tooLarge(`more than ${treeLimits.events} kinds of events`);
    if (message.strings.length > maxStrings) throw tooLarge(`more than ${maxStrings.toLocaleString('en')} texts`);
    if (message.functions.size > treeLimits.functions) throw tooLarge(`more than ${treeLimits.functions.toLocaleString('en')} functions`);
    if (message.locations.size > treeLimits.nodes) throw tooLarge(`more than ${treeLimits.nodes.toLocaleString('en')} locations`);
  }
  return message;
}

function readLocation(reader: ProtobufReader, message: Message): void {
  let id = 0;
  const lines: StackFrame[] = [];
  while (reader.next()) {
    if (reader.field === 1) id = reader.number();
    else if (reader.field === 4) {
      const [func, line] = reader.message().numbersIn([1, 2]);
      lines.push({ func, line });
      if (lines.length > maxInlined) throw tooLarge(`more than ${maxInlined} functions inlined into one`);
    } else reader.skip();
  }
  message.locations.set(id, lines);
}

/** The frames of each location, callers first. A location without symbols is a frame named by its number. */
function resolveLocations(builder: CallTreeBuilder, message: Message): Map<number, StackFrame[]> {
  const functionNumbers = new Map<number, number>();
  for (const [id, { name, file, line }] of message.functions) {
    const [nameText, fileText] = [textAt(message, name) || '(unnamed)', textAt(message, file)];
    functionNumbers.set(id, builder.func(nameText, fileText, line, classifyFrame(nameText, fileText)));
  }
  const stacks = new Map<number, StackFrame[]>();
  for (const [id, lines] of message.locations) {
    const frames = lines.map(({ func, line }) => {
      const known = functionNumbers.get(func);
      if (known === undefined) throw damaged('pprof', 'a location names a function that is not there');
      return { func: known, line: line > 0 && line <= 0x7fffffff ? line : 0 };
    });
    stacks.set(id, frames.length > 0 ? frames.reverse() : [{ func: builder.func(`(location ${id})`, '', 0, 'native'), line: 0 }]);
  }
  return stacks;
}

function textAt(message: Message, index: number): string {
  const text = message.strings[index];
  if (text === undefined) throw damaged('pprof', 'it names a text that is not there');
  return text;
}

/** Messages and texts; all other fields are numbers. Comments are a list of numbers, packed or not. */
const lengths: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 6, 11, 13]);
const lookedFields = 16;

/** Whether a message of pprof begins here, by the kinds of its first fields. */
export function looksLikePprof(bytes: Uint8Array): boolean {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; at < bytes.length; factor *= 128) {
      const byte = bytes[at++] as number;
      value += (byte & 127) * factor;
      if (byte < 128) break;
    }
    return value;
  };
  for (let count = 0; count < lookedFields && at < bytes.length; count += 1) {
    const key = varint();
    const [field, wireType] = [Math.floor(key / 8), key % 8];
    if (field < 1 || field > 15 || (wireType !== 0 && wireType !== 2)) return false;
    if (wireType === 2 && !lengths.has(field)) return false;
    if (wireType === 0 && lengths.has(field) && field !== 13) return false;
    const value = varint();
    if (wireType === 2) at += value;
  }
  return bytes.length > 0;
}
