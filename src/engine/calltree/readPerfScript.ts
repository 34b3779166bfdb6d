import { type EventHead, CallTreeBuilder } from '../../calltree/callTreeBuilder.ts';
import { classifyFrame } from '../../calltree/frameKind.ts';
import { damaged } from '../../calltree/treeLimits.ts';
import type { CallTree, CodeTier } from '../../model/domain/callTree.ts';
import { remembered } from '../../model/domain/remembered.ts';
import { codeName } from './v8Frame.ts';

const format = 'perf script';
/** Stacks longer than this are of no program. */
const longestLine = 16_384;

/** `comm pid/tid [cpu] time: period event:`, of which `pid/`, cpu and period may be missing. */
const headLine = /^(\S.{0,200}?)\s+(?:(\d+)\/)?(\d+)\s+(?:\[\d+\]\s+)?(\d+\.\d+):\s+(?:(\d+)\s+)?([^\s:]+):?[^\s]*\s*(.*)$/;
const addressOf = /^\s*[0-9a-f]+ /;
/** Events of the kernel’s clocks count ns. */
const clocks = /^(?:cpu-clock|task-clock)$/;
const ofCpu = /^(?:cpu-clock|task-clock|cycles|cpu-cycles|cpu_core\/cycles|cpu_atom\/cycles)$/;

interface Frame {
  func: number;
  tier: CodeTier;
}

/**
 * Reads what `perf script` prints: a line for each sample, and below it its stack, the leaf first. Samples of the CPU are the event `cpu`: in ns where all of
 * them are of a clock and have their period, else counted; samples of anything else are counted under its name. Functions of Java and Node that perf knows from
 * a map (`/tmp/perf-PID.map`) have their names, files and lines, as far as the map has them.
 */
export function readPerfScript(bytes: Uint8Array): CallTree {
  const heads = eventsOf(bytes);
  const builder = new CallTreeBuilder(heads);
  const frames = new Map<string, Frame>();
  const frameOf = (symbol: string, object: string): Frame =>
    remembered(frames, `${symbol} (${object})`, () => perfFrame(builder, symbol, object));
  let sample: { event: number; weight: number; timeUs: number; thread: number } | null = null;
  let stack: Frame[] = [];
  let firstUs: number | null = null;
  const finish = (): void => {
    if (sample === null) return;
    let node = 0;
    for (const { func, tier } of stack.toReversed()) {
      node = builder.child(node, func);
      builder.tier(node, tier);
    }
    builder.sample(sample.timeUs, node, sample.thread, sample.event, sample.weight);
    sample = null;
  };
  let [skipped, lines, firstSkipped] = [0, 0, 0];
  eachLine(bytes, (line, number) => {
    lines += 1;
    const head = headOf(line);
    if (head !== null) {
      finish();
      const event = heads.findIndex(({ name }) => name === columnOf(head.event));
      const timeUs = head.seconds * 1e6;
      firstUs ??= timeUs;
      const weight = heads[event]?.unit === 'ns' ? (head.period ?? 0) : 1;
      sample = { event, weight, timeUs: timeUs - firstUs, thread: builder.thread(`${head.comm} ${head.tid}`) };
      const single = frameOfLine(head.rest);
      stack = single === null ? [] : [frameOf(single.symbol, single.object)];
      return;
    }
    const frame = frameOfLine(line);
    if (frame !== null && sample !== null) stack.push(frameOf(frame.symbol, frame.object));
    else if (line.trim() === '') finish();
    else if (!line.startsWith('#')) {
      skipped += 1;
      if (firstSkipped === 0) firstSkipped = number;
    }
  });
  finish();
  if (heads.length === 0) throw damaged(format, 'it has no sample');
  const tree = builder.build();
  return skipped === 0 ? tree : { ...tree, remarks: [{ code: 'lines-skipped', lines: skipped, ofLines: lines, first: firstSkipped }] };
}

/** `address symbol (object)`; null where it is none. */
function frameOfLine(line: string): { symbol: string; object: string } | null {
  const text = line.trimEnd();
  const address = addressOf.exec(text);
  const open = text.lastIndexOf(' (');
  if (address === null || open < address[0].length - 1 || !text.endsWith(')')) return null;
  return { symbol: text.slice(address[0].length, open), object: text.slice(open + 2, -1) };
}

/** Whether a text contains a sample and its stack. */
export function looksLikePerfScript(text: string): boolean {
  const lines = text.split('\n');
  return lines.some((line, index) => {
    const head = headOf(line);
    return head !== null && (frameOfLine(lines[index + 1] ?? '') !== null || frameOfLine(head.rest) !== null);
  });
}

interface Head {
  comm: string;
  tid: string;
  seconds: number;
  period: number | null;
  event: string;
  rest: string;
}

function headOf(line: string): Head | null {
  if (line === '' || line.startsWith('\t') || line.startsWith('#')) return null;
  const match = headLine.exec(line.trimStart());
  if (match === null) return null;
  const [, comm = '', , tid = '', seconds = '', period, event = '', rest = ''] = match;
  return { comm, tid, seconds: Number(seconds), period: period === undefined ? null : Number(period), event, rest };
}

function columnOf(event: string): string {
  return ofCpu.test(event) ? 'cpu' : event;
}

function eventsOf(bytes: Uint8Array): EventHead[] {
  const timed = new Map<string, boolean>();
  eachLine(bytes, (line) => {
    const head = headOf(line);
    if (head === null) return;
    const column = columnOf(head.event);
    timed.set(column, (timed.get(column) ?? true) && clocks.test(head.event) && head.period !== null);
  });
  return [...timed].map(([name, inNs]) => ({ name, unit: inNs ? 'ns' : 'count' }));
}

function eachLine(bytes: Uint8Array, use: (line: string, number: number) => void): void {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let start = 0, number = 1; start < text.length; number += 1) {
    const stop = text.indexOf(0x0a, start);
    const end = stop === -1 ? text.length : stop;
    use(text.toString('utf8', start, Math.min(end, start + longestLine)).replace(/\r$/, ''), number);
    start = end + 1;
  }
}

const nodeTiers: Readonly<Record<string, CodeTier>> = { '*': 'optimised', '~': 'interpreted', '^': 'baseline', '+': 'optimised' };
/** `JS:*name /app/file.js:12:3`, as V8 writes it into a map; older ones say LazyCompile, Function, Script or Eval, and newer ones `o*` and `*'`. */
const nodeSymbol = /^(?:JS|LazyCompile|Function|Script|Eval):(?:o?([*~^+])'?)?/;
/** `Lcom/acme/App;::run`, as perf-map-agent writes it, and `com.acme.App::run`, as the JVM does. */
const javaSymbol = /^(?:L([\w/$]+);|(?:[\w.$<>[\]]+ )?([\w$]+(?:\.[\w$]+)+))::([\w$<>]+)/;

function perfFrame(builder: CallTreeBuilder, symbol: string, object: string): Frame {
  const name = symbol.replace(/\+0x[0-9a-f]+$/, '');
  const inMap = /perf-\d+\.map|^\[?(?:anon|JIT)\b|jitted-/.test(object);
  const node = nodeSymbol.exec(name);
  if (node !== null) {
    const { name: called, file, line } = codeName(name.slice(node[0].length));
    return { func: builder.func(called, file, line, classifyFrame(called, file)), tier: nodeTiers[node[1] ?? ''] ?? 'unknown' };
  }
  const java = inMap ? javaSymbol.exec(name) : null;
  if (java !== null) {
    const called = `${(java[1] ?? java[2] ?? '').replaceAll('/', '.')}.${java[3] ?? ''}`;
    return { func: builder.func(called, '', 0, classifyFrame(called, '')), tier: 'optimised' };
  }
  const isKernel =
    object.startsWith('[kernel') || object.startsWith('[guest.kernel') || /\.ko(?:\.\w+)?$/.test(object) || /^\[[\w-]+\]_?k$/.test(object);
  const base = object.split('/').at(-1) ?? object;
  const shown =
    name === '' || name === '[unknown]' ? (base === '' || base === '[unknown]' ? '[unknown]' : `[${base.replace(/^\[|\]$/g, '')}]`) : name;
  if (isKernel) return { func: builder.func(shown, '', 0, 'kernel'), tier: 'unknown' };
  const kind = classifyFrame(shown, '');
  return {
    func: builder.func(shown, '', 0, inMap && kind !== 'other' ? kind : kind === 'gc' || kind === 'jit' ? kind : 'native'),
    tier: 'unknown',
  };
}
