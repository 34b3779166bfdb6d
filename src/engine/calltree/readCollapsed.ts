import type { CallTree } from '../../model/callTree.ts';
import { CallTreeBuilder } from './callTreeBuilder.ts';
import { readSuffix } from './frameKind.ts';
import { damaged } from './treeLimits.ts';

const semicolon = 0x3b;
const space = 0x20;
const tab = 0x09;
const newline = 0x0a;
const carriageReturn = 0x0d;

/** Interns ranges of bytes, so that a name is decoded once however often it occurs. */
class ByteNames {
  private slots = new Int32Array(4096).fill(-1);
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private readonly hashes: number[] = [];
  private readonly values: number[] = [];
  private readonly seed = Math.floor(Math.random() * 0x7fffffff);

  constructor(
    private readonly bytes: Uint8Array,
    private readonly make: (start: number, end: number) => number,
  ) {}

  /** What `make` gave for these bytes when they were first seen. */
  get(start: number, end: number): number {
    const hash = this.hash(start, end);
    const mask = this.slots.length - 1;
    let slot = hash & mask;
    for (let entry = this.slots[slot] as number; entry !== -1; entry = this.slots[slot] as number) {
      if (this.hashes[entry] === hash && this.same(entry, start, end)) return this.values[entry] as number;
      slot = (slot + 1) & mask;
    }
    const value = this.make(start, end);
    this.slots[slot] = this.values.length;
    this.starts.push(start);
    this.ends.push(end);
    this.hashes.push(hash);
    this.values.push(value);
    if (this.values.length * 2 > this.slots.length) this.rehash();
    return value;
  }

  /** FNV-1a from a seed of its own, mixed once more so that the low bits are good. */
  private hash(start: number, end: number): number {
    let hash = 0x811c9dc5 ^ this.seed;
    for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (this.bytes[at] as number), 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
    return hash ^ (hash >>> 13);
  }

  private same(entry: number, start: number, end: number): boolean {
    const other = this.starts[entry] as number;
    if ((this.ends[entry] as number) - other !== end - start) return false;
    for (let at = 0; at < end - start; at += 1) if (this.bytes[other + at] !== this.bytes[start + at]) return false;
    return true;
  }

  private rehash(): void {
    this.slots = new Int32Array(this.slots.length * 2).fill(-1);
    const mask = this.slots.length - 1;
    for (let entry = 0; entry < this.values.length; entry += 1) {
      let slot = (this.hashes[entry] as number) & mask;
      while (this.slots[slot] !== -1) slot = (slot + 1) & mask;
      this.slots[slot] = entry;
    }
  }
}

/**
 * Reads collapsed stacks: lines `root;callee;leaf 12`. The endings of async-profiler (`_[j]`, `_[k]` …) become kinds of frames. There is one
 * event, `samples`. Works on bytes, as files have a hundred megabytes: the frames a line shares with the line before it are not looked up again.
 */
export function readCollapsed(bytes: Uint8Array): CallTree {
  const builder = new CallTreeBuilder([{ name: 'samples', unit: 'count' }]);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const functions = new ByteNames(bytes, (start, end) => {
    const { name, kind } = readSuffix(start === end ? '(unnamed)' : text.toString('utf8', start, end));
    return builder.func(name, '', 0, kind);
  });
  // Of the line before: the node of each frame, and where that frame ends, from the start of its line.
  const nodes: number[] = [];
  const ends: number[] = [];
  let depth = 0;
  let previous = 0;
  let previousLength = 0;
  let found = false;
  for (let start = 0, lineNumber = 1; start < bytes.length; lineNumber += 1) {
    let stop = text.indexOf(newline, start);
    if (stop === -1) stop = bytes.length;
    const next = stop + 1;
    while (stop > start && isBlank(bytes[stop - 1])) stop -= 1;
    if (stop === start) {
      start = next;
      continue;
    }
    let countStart = stop;
    while (countStart > start && !isBlank(bytes[countStart - 1])) countStart -= 1;
    const weight = readCount(text, countStart, stop);
    if (weight === null || countStart === start) throw damaged('collapsed stacks', `line ${lineNumber} does not end in a count`);
    const length = countStart - 1 - start;
    let common = 0;
    while (common < length && common < previousLength && bytes[start + common] === bytes[previous + common]) common += 1;
    let node = 0;
    let frame = 0;
    for (let from = 0, shared = true; length > 0 && from <= length; frame += 1) {
      let to = from;
      while (to < length && bytes[start + to] !== semicolon) to += 1;
      shared = shared && frame < depth && to <= common && ends[frame] === to;
      node = shared ? (nodes[frame] as number) : builder.child(node, functions.get(start + from, start + to));
      nodes[frame] = node;
      ends[frame] = to;
      from = to + 1;
    }
    depth = frame;
    previous = start;
    previousLength = length;
    builder.add(node, 0, weight);
    found = true;
    start = next;
  }
  if (!found) throw damaged('collapsed stacks', 'it has no line');
  return builder.build();
}

function isBlank(byte: number | undefined): boolean {
  return byte === space || byte === tab || byte === carriageReturn;
}

/** A decimal number at these bytes, or null. */
function readCount(text: Buffer, start: number, end: number): number | null {
  if (end <= start || end - start > 32) return null;
  let value = 0;
  for (let at = start; at < end; at += 1) {
    const digit = (text[at] as number) - 0x30;
    if (digit < 0 || digit > 9) {
      const word = text.toString('latin1', start, end);
      return /^\d+(?:\.\d+)?(?:e[+-]?\d{1,3})?$/i.test(word) ? Number(word) : null;
    }
    value = value * 10 + digit;
  }
  return value;
}

/** Whether the first line that is not blank looks like `a;b 12`: how a file without a mark of its own is recognised. */
export function looksCollapsed(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (text.subarray(0, 4096).some((byte) => byte < tab || (byte > carriageReturn && byte < space))) return false;
  let start = 0;
  while (start < text.length && (isBlank(text[start]) || text[start] === newline)) start += 1;
  const stop = text.indexOf(newline, start);
  const end = stop === -1 ? text.length : stop;
  return /[ \t]\d[\d.eE+-]{0,31}[ \t\r]*$/.test(text.toString('latin1', Math.max(Math.max(0, start - 1), end - 64), end));
}
