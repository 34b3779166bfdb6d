import { frameHeadBytes, frameKinds, rowBytes } from '../../../src/engine/load/raw/rawFormat.ts';
import type { Chance } from './chance.ts';
import { changedJson, jsonSpans, tellingNumbers } from './mutate.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const strangeFrames = [
  '',
  ' ',
  '_[j]',
  '_[k]',
  'a_[z]',
  '<clinit>',
  '{main}',
  '__proto__',
  '\u0000',
  '\ufeff',
  'a b',
  'ä\ud83d\ude00',
  '-1',
];
const strangeCounts = ['0', '1', '-1', '1e308', '1e999', '0.1', '1e3', '00', '9007199254740993', '', 'x', '1 1'];
/** Deeper than any tree is kept. */
const deepStack = 'a;'.repeat(17_000);

/** Collapsed stacks of which lines are gone, doubled or elsewhere, or have other frames or counts. */
export function changedStacks(lines: readonly string[], chance: Chance): Uint8Array {
  const out = [...lines];
  for (let left = 1 + chance.below(4); left > 0; left -= 1) {
    const at = chance.below(out.length);
    const line = out[at] ?? '';
    const cut = line.lastIndexOf(' ');
    const frames = line.slice(0, Math.max(0, cut)).split(';');
    const frame = chance.below(frames.length);
    switch (chance.below(7)) {
      case 0:
        out.splice(at, 1);
        break;
      case 1:
        out.splice(chance.below(out.length + 1), 0, line);
        break;
      case 2:
        out[at] = `${frames.join(';')} ${chance.one(strangeCounts)}`;
        break;
      case 3:
        frames.splice(frame, 1);
        out[at] = `${frames.join(';')}${line.slice(cut)}`;
        break;
      case 4:
        frames.splice(frame, chance.below(2), chance.one(strangeFrames));
        out[at] = `${frames.join(';')}${line.slice(cut)}`;
        break;
      case 5: {
        // The beginning of a stack before that of another: what lines share is not looked up again.
        const other = chance.one(lines);
        out[at] = `${frames.slice(0, frame).join(';')};${other}`;
        break;
      }
      default:
        out[at] = chance.once(100) ? `${deepStack}${line}` : `${frames.slice(0, frame + 1).join(';')} ${chance.below(100)}`;
    }
  }
  return encoder.encode(out.join(chance.once(12) ? '\r\n' : '\n'));
}

interface RawFrame {
  kind: number;
  body: Uint8Array;
}

/** The frames of a file of raw samples. */
export function framesOf(file: Uint8Array): RawFrame[] {
  const frames: RawFrame[] = [];
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  for (let at = 0; at < file.length;) {
    const end = at + frameHeadBytes + view.getUint32(at + 1, true);
    frames.push({ kind: file[at] as number, body: file.subarray(at + frameHeadBytes, end) });
    at = end;
  }
  return frames;
}

/** A file of raw samples of which frames are gone, doubled, elsewhere or of another kind, a header says other things, or rows have other numbers. */
export function changedFrames(frames: readonly RawFrame[], chance: Chance): Uint8Array {
  const out = [...frames];
  for (let left = 1 + chance.below(3); left > 0; left -= 1) {
    const at = chance.below(out.length);
    const frame = out[at];
    if (frame === undefined) break;
    switch (chance.below(8)) {
      case 0:
        out.splice(at, 1);
        break;
      case 1:
        out.splice(chance.below(out.length + 1), 0, frame);
        break;
      case 2:
        out[at] = { ...frame, kind: chance.one([...Object.values(frameKinds), chance.below(256)]) };
        break;
      default:
        out[at] = { ...frame, body: frame.kind === frameKinds.rows ? changedRows(frame.body, chance) : changedHeader(frame.body, chance) };
    }
  }
  const bytes = new Uint8Array(out.reduce((sum, { body }) => sum + frameHeadBytes + body.length, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const { kind, body } of out) {
    bytes[at] = kind;
    view.setUint32(at + 1, body.length, true);
    bytes.set(body, at + frameHeadBytes);
    at += frameHeadBytes + body.length;
  }
  return bytes;
}

function changedHeader(body: Uint8Array, chance: Chance): Uint8Array {
  const text = decoder.decode(body);
  const spans = jsonSpans(text);
  return spans.length === 0 ? body : encoder.encode(changedJson(text, spans, chance));
}

function changedRows(body: Uint8Array, chance: Chance): Uint8Array {
  const rows = body.slice(0, chance.once(6) ? chance.below(body.length + 1) : body.length);
  if (rows.length < rowBytes) return rows;
  const view = new DataView(rows.buffer);
  for (let left = 1 + chance.below(4); left > 0; left -= 1) {
    const row = chance.below(Math.floor(rows.length / rowBytes)) * rowBytes;
    // The first eight bytes are a time, all others whole numbers of up to four bytes.
    if (chance.once(4))
      view.setFloat64(row, chance.one([0, -1, NaN, Infinity, 1e15, 1e300, 0.5, Number(chance.one(tellingNumbers))]), true);
    else view.setUint16(row + 8 + 2 * chance.below(16), Number(chance.one(tellingNumbers) & 0xffffn), true);
  }
  return rows;
}
