import type { CallTree, CodeTier } from '../../model/callTree.ts';
import { CallTreeBuilder } from './callTreeBuilder.ts';
import { readSuffix } from './frameKind.ts';
import { GrowingInts } from './growingColumn.ts';
import { damaged, treeLimits } from './treeLimits.ts';

const semicolon = 0x3b;
const space = 0x20;
const tab = 0x09;
const newline = 0x0a;
const carriageReturn = 0x0d;

/** Interns ranges of bytes that end at a semicolon or at the end of a line, so that a name is decoded once however often it occurs. */
class ByteNames {
  /** Where the range that was looked up last ends. */
  stop = 0;
  private slots = new Int32Array(4096).fill(-1);
  /** The names one after the other, each once: looked at again and again, they stay in the processor's cache, which the file does not. */
  private arena = new Uint8Array(65_536);
  private readonly ends = new GrowingInts();
  private readonly hashes = new GrowingInts();
  private readonly seed = Math.floor(Math.random() * 0x7fffffff);

  constructor(
    private readonly bytes: Uint8Array,
    private readonly added: (start: number, end: number) => void,
  ) {}

  /** The number of the name that begins at `start`; `added` is told of each new one. FNV-1a, mixed once more so that the low bits are good. */
  get(start: number, limit: number): number {
    const { bytes } = this;
    let hash = 0x811c9dc5 ^ this.seed;
    let end = start;
    for (; end < limit; end += 1) {
      const byte = bytes[end] as number;
      if (byte === semicolon) break;
      hash = Math.imul(hash ^ byte, 0x01000193);
    }
    this.stop = end;
    hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
    hash ^= hash >>> 13;
    const mask = this.slots.length - 1;
    let slot = hash & mask;
    for (let entry = this.slots[slot] as number; entry !== -1; entry = this.slots[slot] as number) {
      if (this.hashes.at(entry) === hash && this.same(entry, start, end)) return entry;
      slot = (slot + 1) & mask;
    }
    const entry = this.ends.length;
    this.added(start, end);
    this.slots[slot] = entry;
    this.keep(start, end);
    this.hashes.push(hash);
    if (entry * 2 > this.slots.length) this.rehash();
    return entry;
  }

  private same(entry: number, start: number, end: number): boolean {
    const { bytes, arena } = this;
    let kept = entry === 0 ? 0 : this.ends.at(entry - 1);
    if (this.ends.at(entry) - kept !== end - start) return false;
    for (let at = start; at < end; at += 1, kept += 1) if (arena[kept] !== bytes[at]) return false;
    return true;
  }

  private keep(start: number, end: number): void {
    const { length } = this.ends;
    const used = length === 0 ? 0 : this.ends.at(length - 1);
    const needed = used + end - start;
    if (needed > this.arena.length) {
      const larger = new Uint8Array(Math.max(needed, this.arena.length * 2));
      larger.set(this.arena);
      this.arena = larger;
    }
    this.arena.set(this.bytes.subarray(start, end), used);
    this.ends.push(needed);
  }

  private rehash(): void {
    this.slots = new Int32Array(this.slots.length * 2).fill(-1);
    const mask = this.slots.length - 1;
    for (let entry = 0; entry < this.ends.length; entry += 1) {
      let slot = this.hashes.at(entry) & mask;
      while (this.slots[slot] !== -1) slot = (slot + 1) & mask;
      this.slots[slot] = entry;
    }
  }
}

/**
 * Reads collapsed stacks: lines `root;callee;leaf 12`. The endings of async-profiler (`_[j]`, `_[k]` …) become kinds of frames and tiers. There
 * is one event, `samples`. Works on bytes, as files have a hundred megabytes: the frames a line shares with the line before it are not looked up
 * again.
 */
export function readCollapsed(bytes: Uint8Array): CallTree {
  const builder = new CallTreeBuilder([{ name: 'samples', unit: 'count' }]);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const functions: number[] = [];
  const tiers: CodeTier[] = [];
  const names = new ByteNames(bytes, (start, end) => {
    const { name, kind, tier } = readSuffix(start === end ? '(unnamed)' : text.toString('utf8', start, end));
    functions.push(builder.func(name, '', 0, kind));
    tiers.push(tier);
  });
  // Of the line before: the node of each frame, and where that frame ends, from the start of its line.
  const nodes = new Int32Array(treeLimits.depth + 1);
  const ends = new Int32Array(treeLimits.depth + 1);
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
    if (length === 0) depth = 0;
    const common = commonLength(view, start, previous, Math.min(length, previousLength));
    // A frame is shared if it ends within what the lines have in common, and ends there in this line too.
    while (
      depth > 0 &&
      !((ends[depth - 1] as number) < common || ((ends[depth - 1] as number) === common && isEnd(common, length, bytes, start)))
    )
      depth -= 1;
    let from = depth === 0 ? 0 : (ends[depth - 1] as number) + 1;
    let node = depth === 0 ? 0 : (nodes[depth - 1] as number);
    while (length > 0 && from <= length) {
      const name = names.get(start + from, start + length);
      node = builder.child(node, functions[name] as number);
      builder.tier(node, tiers[name] as CodeTier);
      nodes[depth] = node;
      ends[depth] = names.stop - start;
      depth += 1;
      from = names.stop - start + 1;
    }
    previous = start;
    previousLength = length;
    builder.add(node, 0, weight);
    found = true;
    start = next;
  }
  if (!found) throw damaged('collapsed stacks', 'it has no line');
  return builder.build();
}

/** How many bytes from two places on are alike, at most `least`. Four at a time: with long stacks this is most of the file. */
function commonLength(view: DataView, one: number, other: number, least: number): number {
  let common = 0;
  while (common + 4 <= least && view.getUint32(one + common) === view.getUint32(other + common)) common += 4;
  while (common < least && view.getUint8(one + common) === view.getUint8(other + common)) common += 1;
  return common;
}

function isEnd(at: number, length: number, bytes: Uint8Array, start: number): boolean {
  return at === length || bytes[start + at] === semicolon;
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
