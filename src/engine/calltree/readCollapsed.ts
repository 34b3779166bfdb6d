import { type CallTree, codeTiers } from '../../model/domain/callTree.ts';
import { ByteNames } from './byteNames.ts';
import { CallTreeBuilder } from '../../calltree/callTreeBuilder.ts';
import { readSuffix } from '../../calltree/frameKind.ts';
import { damaged, treeLimits } from '../../calltree/treeLimits.ts';
import { withoutRecorder } from '../../calltree/withoutRecorder.ts';

const semicolon = 0x3b;
const space = 0x20;
const tab = 0x09;
const newline = 0x0a;
const carriageReturn = 0x0d;
const minus = 0x2d;

/**
 * Reads collapsed stacks: lines `root;callee;leaf 12`. The endings of async-profiler (`_[j]`, `_[k]` …) become kinds of frames and tiers. There is one event,
 * `samples`; those of async-profiler itself are left out and counted. Lines that end in no count are skipped, and a remark counts them; where they are most of
 * the file it is another one. Works on bytes, as files have a hundred megabytes: the frames a line shares with the line before it are not looked up again.
 */
export function readCollapsed(bytes: Uint8Array): CallTree {
  const builder = new CallTreeBuilder([{ name: 'samples', unit: 'count' }]);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const names = new ByteNames(bytes, semicolon, (start, end) => {
    const { name, kind, tier } = readSuffix(start === end ? '(unnamed)' : text.toString('utf8', start, end));
    return builder.func(name, '', 0, kind) * codeTiers.length + codeTiers.indexOf(tier);
  });
  // Of the line before: the node of each frame, and where that frame ends, from the start of its line.
  // A frame takes a byte and more.
  const deepest = Math.min(treeLimits.depth, bytes.length) + 1;
  const nodes = new Int32Array(deepest);
  const ends = new Int32Array(deepest);
  let depth = 0;
  let previous = 0;
  let previousLength = 0;
  let stacks = 0;
  let skipped = 0;
  let firstSkipped = 0;
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
    if (weight === null || countStart === start) {
      // A weight below zero is of a difference of two recordings, whose other lines would be half of it.
      if (bytes[countStart] === minus) throw damaged('collapsed stacks', `line ${lineNumber} does not end in a count`);
      skipped += 1;
      if (firstSkipped === 0) firstSkipped = lineNumber;
      start = next;
      continue;
    }
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
    // Deeper frames are combined in one frame, the last.
    while (length > 0 && from <= length && depth < deepest) {
      const funcAndTier = names.get(start + from, start + length);
      const func = Math.trunc(funcAndTier / codeTiers.length);
      node = builder.child(node, func);
      builder.tierCode(node, funcAndTier - func * codeTiers.length);
      nodes[depth] = node;
      ends[depth] = names.stop - start;
      depth += 1;
      from = names.stop - start + 1;
    }
    previous = start;
    previousLength = length;
    builder.add(node, 0, weight);
    stacks += 1;
    start = next;
  }
  if (stacks + skipped === 0) throw damaged('collapsed stacks', 'it has no line');
  if (stacks < skipped) throw damaged('collapsed stacks', `line ${firstSkipped} does not end in a count, and so do most others`);
  const tree = withoutRecorder(builder.build());
  if (skipped === 0) return tree;
  return { ...tree, remarks: [{ code: 'lines-skipped', lines: skipped, ofLines: stacks + skipped, first: firstSkipped }] };
}

/** How many bytes from two places on are alike, at most `least`. Eight at a time: with long stacks this is most of the file. */
function commonLength(view: DataView, one: number, other: number, least: number): number {
  let common = 0;
  while (
    common + 8 <= least &&
    view.getInt32(one + common, true) === view.getInt32(other + common, true) &&
    view.getInt32(one + common + 4, true) === view.getInt32(other + common + 4, true)
  )
    common += 8;
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

/** Bytes that are read to recognise a text. */
const lookedBytes = 4096;
/** More control characters have no names of functions. */
const mostControls = 0.1;
const stackLine = /[ \t]\d[\d.eE+-]{0,31}[ \t\r]*$/;
const commentLine = /^\s*(?:#|\/\/|$)/;

/** Whether at least half of the first lines look like `a;b 12`, apart from blank lines and comments: how a file without a mark of its own is recognised. */
export function looksCollapsed(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, lookedBytes));
  let controls = 0;
  for (const byte of head) {
    if (byte === 0) return false;
    if (byte < tab || (byte > carriageReturn && byte < space)) controls += 1;
  }
  if (controls > head.length * mostControls) return false;
  const lines = head.toString('latin1').split('\n');
  // The last line may end beyond the bytes that are read; where it is the first too, its own end is searched.
  if (bytes.byteLength > lookedBytes) {
    const last = lines.pop() ?? '';
    if (lines.every((line) => commentLine.test(line))) return stackLine.test(last + restOfLine(bytes, lookedBytes));
  }
  const told = lines.filter((line) => !commentLine.test(line));
  const stacks = told.filter((line) => stackLine.test(line)).length;
  return stacks > 0 && 2 * stacks >= told.length;
}

/** The end of the line that continues at `start`: at most 64 characters. */
function restOfLine(bytes: Uint8Array, start: number): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const stop = text.indexOf(newline, start);
  const end = stop === -1 ? text.length : stop;
  return text.toString('latin1', Math.max(start, end - 64), end);
}
