import { describe, expect, it } from 'vitest';
import { type RanFunctions, InlineCandidates } from '../../../../src/engine/record/node/inlineCandidates.ts';
import type { CpuProfile, V8CallFrame } from '../../../../src/engine/record/node/v8Profiles.ts';

/** A script with the functions that ran in it, as V8 counts them: by the text of each, from its first character to its last. */
interface Script {
  name: string;
  text: string;
  functions: Record<string, string>;
}

const url = (name: string): string => `file:///app/${name}`;

function candidatesOf(list: readonly Script[], calls: readonly [V8CallFrame, V8CallFrame][] = []): InlineCandidates {
  const ran: RanFunctions = list.map(({ name, text, functions }, index) => ({
    scriptId: String(index + 1),
    url: url(name),
    functions: [
      { functionName: '', ranges: [{ startOffset: 0, endOffset: text.length }] },
      ...Object.entries(functions).map(([functionName, body]) => {
        const startOffset = text.indexOf(body);
        expect(startOffset).toBeGreaterThan(0);
        return { functionName, ranges: [{ startOffset, endOffset: startOffset + body.length }] };
      }),
    ],
  }));
  const nodes = calls.flatMap(([caller, callee], index) => [
    { id: 2 * index + 1, callFrame: caller, children: [2 * index + 2] },
    { id: 2 * index + 2, callFrame: callee },
  ]);
  const profile: CpuProfile = { nodes, startTime: 0, endTime: 1 };
  return new InlineCandidates(ran, new Map(list.map(({ name, text }) => [url(name), { text, sourceMapUrl: '' }])), profile);
}

/** The frame of a function as V8's profiles have it: at its parameters. */
function frameIn({ name, text }: Script, functionName: string, start: string, scriptId: string): V8CallFrame {
  const at = text.indexOf(start);
  const before = text.slice(0, at).split('\n');
  return { functionName, scriptId, url: url(name), lineNumber: before.length - 1, columnNumber: before.at(-1)?.length ?? 0 };
}

const names = (chain: V8CallFrame[] | null): string[] | null => chain?.map(({ functionName }) => functionName) ?? null;

const mix = 'function mix(h, c) {\n  h ^= c;\n  return h + 7;\n}';
const step = '(h) => {\n  return lib.mix(h, 1);\n}';
const handle = 'async function handle(n) {\n  let h = n;\n  h = step(h);\n  return h;\n}';
const app: Script = { name: 'app.mjs', text: `// app\n${handle}\nconst step = ${step};\n`, functions: { handle, step } };
const lib: Script = { name: 'lib.mjs', text: `${'\n'.repeat(20)}export ${mix}\n`, functions: { mix } };
const handleFrame = frameIn(app, 'handle', '(n)', '1');

describe('code that may have been inlined', () => {
  it('is that of functions that are called by their names, through others and in other files', () => {
    const chain = candidatesOf([app, lib]).chain(handleFrame, 22);
    expect(names(chain)).toEqual(['step', 'mix']);
    expect(chain?.[1]).toEqual(frameIn(lib, 'mix', '(h, c)', '2'));
    expect(names(candidatesOf([app, lib]).chain(handleFrame, 8))).toEqual(['step']);
  });

  it('is that of a function that was seen to be called, whatever it is called by', () => {
    const timers: V8CallFrame = {
      functionName: 'processImmediate',
      scriptId: '9',
      url: 'node:internal/timers',
      lineNumber: 437,
      columnNumber: 4,
    };
    expect(candidatesOf([app, lib]).chain(timers, 22)).toBeNull();
    expect(names(candidatesOf([app, lib], [[timers, handleFrame]]).chain(timers, 22))).toEqual(['handle', 'step', 'mix']);
  });

  it('is not told where functions of two files have such a line, or none that is called has it', () => {
    const other: Script = { ...lib, name: 'other.mjs' };
    expect(candidatesOf([app, lib, other]).chain(handleFrame, 22)).toBeNull();
    expect(candidatesOf([app, lib]).chain(handleFrame, 99)).toBeNull();
    expect(
      candidatesOf([{ ...app, text: app.text.replace('lib.mix(', 'lib.fix('), functions: { handle } }, lib]).chain(handleFrame, 22),
    ).toBeNull();
  });

  it('is that of the file’s own function where a plain name may mean another’s too', () => {
    const nearStep: Script = { name: 'near.mjs', text: `${'\n'.repeat(6)}const step = ${step};\n`, functions: { step } };
    expect(candidatesOf([app, nearStep]).chain(handleFrame, 8)?.[0]?.url).toBe(url('app.mjs'));
  });

  it('ends where functions call each other in a circle', () => {
    const [ping, pong] = ['function ping(n) {\n  return pong(n - 1);\n}', 'function pong(n) {\n  return ping(n - 1);\n}'];
    const script: Script = { name: 'circle.mjs', text: `// circle\n${ping}\n${pong}\n`, functions: { ping, pong } };
    const candidates = candidatesOf([script]);
    expect(names(candidates.chain(frameIn(script, 'ping', '(n)', '1'), 6))).toEqual(['pong']);
    expect(candidates.chain(frameIn(script, 'ping', '(n)', '1'), 3)).toBeNull();
  });

  it('may stand behind lines that only close a block', () => {
    const candidates = candidatesOf([app, lib]);
    expect([2, 3, 5, 6, 9, 99].map((line) => candidates.isBracketsOnly(handleFrame, line))).toEqual([
      false,
      false,
      false,
      true,
      true,
      false,
    ]);
  });
});
