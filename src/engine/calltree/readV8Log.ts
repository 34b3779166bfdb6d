import { CallTreeBuilder } from '../../calltree/callTreeBuilder.ts';
import { classifyFrame } from '../../calltree/frameKind.ts';
import { damaged } from '../../calltree/treeLimits.ts';
import type { CallTree, CodeTier } from '../../model/domain/callTree.ts';
import { type JsonObject, listOf, numberOr, objectOf, parseJsonDocument, textOr } from './jsonDocument.ts';
import { codeName } from './v8Frame.ts';
import { isObject } from '../../model/domain/isObject.ts';

const format = 'V8 log';
const tiers: Readonly<Record<string, CodeTier>> = {
  Unopt: 'interpreted',
  Ignition: 'interpreted',
  Baseline: 'baseline',
  Sparkplug: 'baseline',
  Maglev: 'optimised',
  Opt: 'optimised',
  Turbofan: 'optimised',
};
/** What V8 was doing, by its number in a tick, where it says more than the stack. */
const states: Readonly<Record<number, string>> = { 1: '(garbage collector)', 7: '(idle)' };

/**
 * Reads what `node --prof-process --preprocess` makes of a log of V8 (`node --prof`): event `cpu`, each tick counted once. A tick while V8 collects garbage
 * or is idle ends in a frame that says so.
 */
export function readV8Log(document: JsonObject): CallTree {
  const builder = new CallTreeBuilder([{ name: 'cpu', unit: 'count' }]);
  const codes = listOf(document['code'], format, '“code”');
  const frames = codes.map((code) => (isObject(code) ? codeFrame(builder, code) : null));
  const ticks = listOf(document['ticks'], format, '“ticks”');
  if (ticks.length === 0) throw damaged(format, 'it has no ticks');
  const timesUs = ticks.map((tick) => numberOr(isObject(tick) ? tick['tm'] : 0, 0));
  const firstUs = timesUs[0] ?? 0;
  for (const [row, value] of ticks.entries()) {
    const tick = objectOf(value, format, 'a tick');
    // Pairs of a code and an offset in it, the leaf first.
    const stack = listOf(tick['s'], format, 'the stack of a tick');
    let node = 0;
    for (let index = stack.length - (stack.length % 2) - 2; index >= 0; index -= 2) {
      const code = stack[index];
      const frame = typeof code === 'number' ? frames[code] : undefined;
      // Nothing is known of addresses outside of code.
      if (frame === undefined || frame === null) continue;
      node = builder.child(node, frame.func);
      builder.tier(node, frame.tier);
    }
    // Code of Node itself, of which no name is known, is no work of who called it.
    if (stack.length > 1 && typeof stack[0] === 'number' && (frames[stack[0]] ?? null) === null)
      node = builder.child(node, builder.func('[unknown]', '', 0, 'native'));
    const state = states[numberOr(tick['vm'], 0)];
    if (state !== undefined) node = builder.child(node, builder.func(state, '', 0, classifyFrame(state, '')));
    builder.sample((timesUs[row] ?? 0) - firstUs, node, -1, 0, 1);
  }
  return builder.build();
}

function codeFrame(builder: CallTreeBuilder, code: JsonObject): { func: number; tier: CodeTier } {
  // Before V8 7 names are in quotes.
  const name = textOr(code['name'], '').replace(/^"|"$/g, '');
  const kind = textOr(code['kind'], '');
  if (code['type'] !== 'JS') {
    const shown = name === '' ? '[unknown]' : name;
    const classified = classifyFrame(shown, '');
    return { func: builder.func(shown, '', 0, classified === 'gc' || classified === 'jit' ? classified : 'native'), tier: 'unknown' };
  }
  const { name: called, file, line } = codeName(name);
  return { func: builder.func(called, file, line, classifyFrame(called, file)), tier: tiers[kind] ?? 'unknown' };
}

/**
 * Reads the ticks that 0x writes, and Clinic Flame after it: `[[code, …], …]`, the code objects of a preprocessed log of V8 for each stack, from the root
 * on. There is one event, `cpu`, each tick counted once; when they were is not kept.
 */
export function readStackTicks(bytes: Uint8Array): CallTree {
  const whole = Buffer.concat([Buffer.from('{"ticks":'), bytes, Buffer.from('}')]);
  const ticks = listOf(parseJsonDocument(whole, stackTicks)['ticks'], stackTicks, 'it');
  const builder = new CallTreeBuilder([{ name: 'cpu', unit: 'count' }]);
  for (const tick of ticks) {
    let node = 0;
    for (const code of listOf(tick, stackTicks, 'a stack')) {
      const { func, tier } = codeFrame(builder, objectOf(code, stackTicks, 'a frame'));
      node = builder.child(node, func);
      builder.tier(node, tier);
    }
    builder.add(node, 0, 1);
  }
  return builder.build();
}

const stackTicks = 'ticks of 0x';
