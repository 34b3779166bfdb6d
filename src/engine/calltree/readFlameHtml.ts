import { CallTreeBuilder } from '../../calltree/callTreeBuilder.ts';
import { classifyFrame, classifyJava } from '../../calltree/frameKind.ts';
import { damaged, treeLimits } from '../../calltree/treeLimits.ts';
import { withoutRecorder } from '../../calltree/withoutRecorder.ts';
import type { CallTree, CodeTier } from '../../model/domain/callTree.ts';

const format = 'async-profiler’s HTML';
/** By async-profiler's number of a frame's type; native, C++ and kernel code have none. */
const tiers: Readonly<Record<number, CodeTier>> = { 0: 'interpreted', 1: 'optimised', 2: 'inlined', 6: 'baseline' };
const kernelType = 5;
/** `f(key,level,left,width…)`, `u(key,width…)`, `n(key,width…)`: since async-profiler 3. */
const packedCall = /^\s*([fun])\((\d+(?:,-?\d*)*)\)\s*;?\s*$/;
/** `f(level,left,width,type,'title'…)`: async-profiler 2. */
const plainCall = /^\s*f\((\d+),(\d+),(\d+),(\d+),'((?:[^'\\]|\\.)*)'/;
const poolLine = /^\s*'((?:[^'\\]|\\.)*)',?\s*$/;

/** A frame that is drawn, its callees behind it. */
interface Frame {
  level: number;
  width: number;
  type: number;
  title: string;
}

/**
 * Reads the data of a flame graph that async-profiler wrote as a page: the calls in its script, of versions 2 to 4. Nothing of it is run. Each frame
 * is drawn after its caller, as wide as its samples; what its callees leave of it is its own. The frame `all` is the root. There is one event,
 * `samples`. Source: `FlameGraph.java` and `flame.html` of async-profiler.
 */
export function readFlameHtml(bytes: Uint8Array): CallTree {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const builder = new CallTreeBuilder([{ name: 'samples', unit: 'count' }]);
  const places: number[] = [];
  const own: number[] = [];
  /** By level: the index of the frame that was drawn last there. */
  const open: number[] = [];
  for (const { level, width, type, title } of framesOf(text)) {
    if (level > open.length || (level === 0 && places.length > 0)) throw damaged(format, 'a frame has no caller');
    const caller = open[level - 1];
    open.length = level;
    open.push(places.length);
    if (caller === undefined) places.push(0);
    else {
      const java = type in tiers;
      const kind = type === kernelType ? 'kernel' : java ? classifyJava(title) : classifyFrame(title, '');
      const place = builder.child(places[caller] as number, builder.func(title, '', 0, kind));
      if (java) builder.tier(place, tiers[type] ?? 'unknown');
      own[caller] = (own[caller] as number) - width;
      places.push(place);
    }
    own.push(width);
  }
  if (places.length === 0) throw damaged(format, 'no frame is drawn in it');
  for (const [index, place] of places.entries()) {
    const weight = own[index] as number;
    if (weight < 0) throw damaged(format, 'a frame is wider than its caller');
    if (weight > 0) builder.add(place, 0, weight);
  }
  return withoutRecorder(builder.build());
}

function* framesOf(text: string): Generator<Frame> {
  const names: string[] = [];
  let [level, width, inPool] = [0, 0, false];
  for (const line of linesOf(text)) {
    if (line.startsWith('const cpool')) {
      inPool = true;
      continue;
    }
    if (inPool) {
      const packed = poolLine.exec(line)?.[1];
      if (packed === undefined) inPool = false;
      else names.push(unpacked(plain(packed), names.at(-1)));
      continue;
    }
    const call = packedCall.exec(line);
    if (call !== null) {
      const [name, values] = [call[1], (call[2] ?? '').split(',').map(Number)];
      const key = values[0] ?? 0;
      const told = name === 'f' ? values[3] : values[1];
      level = name === 'f' ? (values[1] ?? 0) : name === 'u' ? level + 1 : level;
      width = told || width;
      const title = names[key >>> 3];
      if (title === undefined || level > treeLimits.depth) throw damaged(format, 'a frame names something that is not there');
      yield { level, width, type: key & 7, title };
      continue;
    }
    const old = plainCall.exec(line);
    if (old !== null)
      yield { level: Number(old[1]), width: Number(old[3]), type: Number(old[4]), title: withoutEntities(plain(old[5] ?? '')) };
  }
}

function* linesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const stop = text.indexOf('\n', start);
    const end = stop === -1 ? text.length : stop;
    yield text.slice(start, end);
    start = end + 1;
  }
}

/** A name begins with how many characters it shares with the one before it, from a blank on. */
function unpacked(packed: string, before: string | undefined): string {
  return before === undefined ? packed : before.slice(0, Math.max(0, packed.charCodeAt(0) - 32)) + packed.slice(1);
}

function plain(quoted: string): string {
  return quoted.replaceAll(/\\(.)/g, '$1');
}

function withoutEntities(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}
