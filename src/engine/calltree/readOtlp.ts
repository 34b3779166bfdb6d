import { type EventHead, type StackFrame, CallTreeBuilder } from '../../calltree/callTreeBuilder.ts';
import { classifyFrame } from '../../calltree/frameKind.ts';
import { damaged, tooLarge } from '../../calltree/treeLimits.ts';
import type { CallTree } from '../../model/domain/callTree.ts';
import { remembered } from '../../model/domain/remembered.ts';
import { ProtobufReader } from './protobufReader.ts';
import { unitOf } from './weightUnits.ts';

const format = 'OTLP profiles';
/** What async-profiler calls CPU time, by how it takes its samples. */
const timers: ReadonlySet<string> = new Set(['ctimer', 'itimer']);
/** Frames walked over in all stacks together. */
const maxFrames = 40_000_000;

/** What all profiles of a file refer to. */
interface Dictionary {
  strings: string[];
  functions: { name: number; file: number; line: number }[];
  /** Innermost first. */
  locations: StackFrame[][];
  /** Leaf first; null before there were stacks in the dictionary. */
  stacks: number[][] | null;
  attributes: number;
}

/** The fields of a sample's values and times; the form changed while it was developed, and does not say which it is. */
interface SampleLayout {
  values: number;
  times: number;
  /** Times are of 8 bytes each. */
  fixedTimes: boolean;
}

const layouts = {
  /** A sample names a range of its profile's locations. */
  locations: { values: 3, times: 6, fixedTimes: false },
  /** It names a stack of the dictionary; attributes are in field 3, a link in 4. */
  stacks: { values: 2, times: 5, fixedTimes: true },
  /** Attributes are in field 2, a link in 3. */
  attributesFirst: { values: 4, times: 5, fixedTimes: true },
} as const satisfies Record<string, SampleLayout>;

interface Sample {
  numbers: number[];
  values: number[];
  times: number;
}

interface Profile {
  type: number;
  unit: number;
  locationIndices: number[];
  samples: { start: number; end: number }[];
}

/**
 * Reads profiles of OpenTelemetry (`ProfilesData`), of the three forms that v1development has had: one event for each type and unit of
 * a profile. A sample without values counts one for each of its times.
 */
export function readOtlp(bytes: Uint8Array): CallTree {
  const dictionary: Dictionary = { strings: [], functions: [], locations: [], stacks: null, attributes: 0 };
  const profiles: Profile[] = [];
  const root = new ProtobufReader(bytes, 0, bytes.byteLength, format);
  while (root.next()) {
    if (root.field === 2) readDictionary(root.message(), dictionary);
    else if (root.field === 1) readResource(root.message(), profiles);
    else root.skip();
  }
  const text = (index: number): string => dictionary.strings[index] ?? '';
  const heads: EventHead[] = [];
  const placed = profiles.map((profile) => {
    const { unit, factor } = unitOf(text(profile.unit));
    const type = text(profile.type) || 'samples';
    const name = timers.has(type) ? 'cpu' : type;
    let event = heads.findIndex((head) => head.name === name && head.unit === unit);
    if (event === -1) event = heads.push({ name, unit }) - 1;
    return { profile, event, factor };
  });
  if (heads.length === 0) throw damaged(format, 'it has no profile');
  const builder = new CallTreeBuilder(heads);
  const places = new Places(builder, dictionary);
  const reader = ({ start, end }: { start: number; end: number }): ProtobufReader => new ProtobufReader(bytes, start, end, format);
  const allSamples = profiles.flatMap(({ samples }) => samples);
  const layout = layoutOf(allSamples, dictionary, reader);
  for (const { profile, event, factor } of placed) {
    for (const range of profile.samples) {
      const sample = readSample(reader(range), layout);
      const node = places.node(sample, profile.locationIndices);
      const value = sample.values.length === 0 ? sample.times : sample.values.reduce((sum, one) => sum + one, 0);
      builder.add(node, event, value * factor);
    }
  }
  return builder.build();
}

/** The nodes of stacks; each is walked over once. */
class Places {
  readonly #nodes = new Map<string, number>();
  readonly #functions = new Map<number, number>();
  #frames = 0;

  constructor(
    private readonly builder: CallTreeBuilder,
    private readonly dictionary: Dictionary,
  ) {}

  node({ numbers: [first = 0, length = 0] }: Sample, locationIndices: readonly number[]): number {
    const { stacks } = this.dictionary;
    const key = stacks === null ? `${first}:${length}:${locationIndices.length}` : String(first);
    return remembered(this.#nodes, key, () => {
      const stack = stacks === null ? locationIndices.slice(first, first + length) : stacks[first];
      if (stack === undefined) throw damaged(format, 'a sample names a stack that is not there');
      let node = 0;
      for (const index of stack.toReversed()) {
        const location = this.dictionary.locations[index];
        if (location === undefined) throw damaged(format, 'a stack names a place that is not there');
        this.#frames += location.length;
        if (this.#frames > maxFrames) throw tooLarge(`more than ${maxFrames.toLocaleString('en')} frames`);
        for (const { func, line } of location.toReversed()) node = this.builder.child(node, this.#func(func), line);
      }
      return node;
    });
  }

  #func(index: number): number {
    return remembered(this.#functions, index, () => {
      const { functions, strings } = this.dictionary;
      const func = functions[index];
      if (func === undefined) throw damaged(format, 'a place names a function that is not there');
      const name = strings[func.name] || '(unnamed)';
      const file = strings[func.file] ?? '';
      return this.builder.func(name, file, func.line, classifyFrame(name, file));
    });
  }
}

function readDictionary(reader: ProtobufReader, into: Dictionary): void {
  while (reader.next()) {
    if (reader.field === 2) into.locations.push(readLocation(reader.message()));
    else if (reader.field === 3) {
      const [name, file, line] = reader.message().numbersIn([1, 3, 4]);
      into.functions.push({ name, file, line });
    } else if (reader.field === 5) into.strings.push(reader.text());
    else if (reader.field === 6) {
      into.attributes += 1;
      reader.skip();
    } else if (reader.field === 7) {
      const stack: number[] = [];
      const message = reader.message();
      while (message.next()) {
        if (message.field === 1) message.numbers((value) => stack.push(value));
        else message.skip();
      }
      (into.stacks ??= []).push(stack);
    } else reader.skip();
  }
}

function readLocation(reader: ProtobufReader): StackFrame[] {
  const lines: StackFrame[] = [];
  while (reader.next()) {
    if (reader.field !== 3) {
      reader.skip();
      continue;
    }
    const [func, line] = reader.message().numbersIn([1, 2]);
    lines.push({ func, line });
  }
  return lines;
}

function readResource(resource: ProtobufReader, into: Profile[]): void {
  while (resource.next()) {
    if (resource.field !== 2) {
      resource.skip();
      continue;
    }
    const scope = resource.message();
    while (scope.next()) {
      if (scope.field === 2) into.push(readProfile(scope.message()));
      else scope.skip();
    }
  }
}

function readProfile(reader: ProtobufReader): Profile {
  const profile: Profile = { type: 0, unit: 0, locationIndices: [], samples: [] };
  while (reader.next()) {
    if (reader.field === 1) [profile.type, profile.unit] = reader.message().numbersIn([1, 2]);
    else if (reader.field === 2) profile.samples.push(reader.range());
    else if (reader.field === 3 && reader.isNumbers) reader.numbers((value) => profile.locationIndices.push(value));
    else reader.skip();
  }
  return profile;
}

/** Which of the forms the samples have: by the fields of their lists, else by whether numbers are those of attributes. */
function layoutOf(
  samples: readonly Profile['samples'][number][],
  { stacks, attributes }: Dictionary,
  readerOf: (range: Profile['samples'][number]) => ProtobufReader,
): SampleLayout {
  if (stacks === null) return layouts.locations;
  let [mayBeAttributes, hasMore] = [attributes > 1, false];
  for (const sample of samples) {
    const reader = readerOf(sample);
    while (reader.next()) {
      const { field } = reader;
      // A link is one number.
      if (reader.hasLength && (field === 3 || field === 4)) return field === 4 ? layouts.attributesFirst : layouts.stacks;
      if (field === 4 || field === 5) hasMore = true;
      if (field !== 2) reader.skip();
      else reader.numbers((value) => (mayBeAttributes &&= value > 0 && value < attributes));
    }
  }
  return mayBeAttributes && hasMore ? layouts.attributesFirst : layouts.stacks;
}

/** A sample: the index of its stack; before there were stacks, where its locations begin and how many they are. */
function readSample(reader: ProtobufReader, { values, times, fixedTimes }: SampleLayout): Sample {
  const sample: Sample = { numbers: [0, 0], values: [], times: 0 };
  while (reader.next()) {
    if (reader.field === 1) sample.numbers[0] = reader.number();
    else if (!fixedTimes && reader.field === 2) sample.numbers[1] = reader.number();
    else if (reader.field === values) reader.numbers((value) => sample.values.push(value));
    else if (reader.field === times) sample.times += countTimes(reader, fixedTimes);
    else reader.skip();
  }
  return sample;
}

/** How many times a sample has: numbers of fixed length, and before that of any. */
function countTimes(reader: ProtobufReader, fixed: boolean): number {
  if (fixed) return reader.skippedFixed64();
  let count = 0;
  reader.numbers(() => (count += 1));
  return count;
}

const mostLengthBytes = 10;
const dictionaryTag = 0x12;

/** A message that begins with profiles of a resource has messages in it where pprof's first field has numbers. */
export function looksLikeOtlp(bytes: Uint8Array): boolean {
  if (bytes[0] === dictionaryTag) return beginsWithDictionary(bytes);
  // Some write lengths with more bytes than these need.
  let last = 1;
  while (last < mostLengthBytes && (bytes[last] ?? 0) >= 0x80) last += 1;
  return bytes[0] === 0x0a && [0x0a, 0x12, 0x1a].includes(bytes[last + 1] ?? 0);
}

/** The dictionary (field 2) may precede the profiles (field 1), and no other field follows. In pprof field 2 is a sample, and other fields follow. */
function beginsWithDictionary(bytes: Uint8Array): boolean {
  try {
    const fields = new ProtobufReader(bytes, 0, bytes.byteLength, format);
    let [dictionaries, resources] = [0, 0];
    while (fields.next()) {
      fields.range();
      if (fields.field === 1) resources += 1;
      else if (fields.field !== 2 || (dictionaries += 1) > 1) return false;
    }
    return dictionaries === 1 && resources > 0;
  } catch {
    return false;
  }
}
