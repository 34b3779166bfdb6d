import { gzipSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readProfile } from '../../../src/engine/calltree/openProfile.ts';
import { parseJsonDocument } from '../../../src/engine/calltree/jsonDocument.ts';
import { readCollapsed } from '../../../src/engine/calltree/readCollapsed.ts';
import { readCpuProfileDocument } from '../../../src/engine/calltree/readCpuProfile.ts';
import { readHeapProfile } from '../../../src/engine/calltree/readHeapProfile.ts';
import { readPprof } from '../../../src/engine/calltree/readPprof.ts';
import { readSpeedscope } from '../../../src/engine/calltree/readSpeedscope.ts';
import { writeCollapsed } from '../../../src/engine/calltree/writeCollapsed.ts';
import { writePprof } from '../../../src/engine/calltree/writePprof.ts';
import { writeSpeedscope } from '../../../src/engine/calltree/writeSpeedscope.ts';
import { writeSvg } from '../../../src/engine/calltree/writeSvg.ts';
import type { CallTree, EventColumn } from '../../../src/model/domain/callTree.ts';
import { FailureError } from '../../../src/model/domain/failure.ts';
import { eventHeads, hostileNames, treeOf } from './trees.ts';
import { cpuMsSince } from '../../support/cpuMsSince.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const tree = treeOf(
  hostileNames.map((name, index) => ({
    frames: [...hostileNames.slice(0, index), name].map((each) => ({ name: each.slice(0, 40), file: '/a.ts', declared: 3, line: 4 })),
    weights: [index + 1, index],
  })),
  eventHeads,
);
const event = (of: CallTree): EventColumn => of.events[0] ?? { name: '', unit: 'count', self: new Float64Array() };
const callFrame = { functionName: 'f', scriptId: '1', url: 'file:///a.ts', lineNumber: 0, columnNumber: 0 };
const cpuProfile = {
  nodes: [
    { id: 1, callFrame: { ...callFrame, functionName: '(root)' }, children: [2, 3] },
    { id: 2, callFrame, hitCount: 1, positionTicks: [{ line: 2, ticks: 1 }] },
    { id: 3, callFrame: { ...callFrame, functionName: '__proto__' } },
  ],
  startTime: 0,
  endTime: 9,
  samples: [2, 3, 2],
  timeDeltas: [1, 2, -3],
};
const heapProfile = { head: { callFrame, selfSize: 1, children: [{ callFrame, selfSize: 2, children: [] }] } };
const evented = {
  shared: { frames: [{ name: 'a' }, { name: 'b' }] },
  profiles: [
    {
      type: 'evented',
      name: 'main',
      unit: 'milliseconds',
      startValue: 0,
      endValue: 10,
      events: [
        { type: 'O', frame: 0, at: 1 },
        { type: 'O', frame: 1, at: 2 },
        { type: 'C', frame: 1, at: 5 },
        { type: 'C', frame: 0, at: 10 },
      ],
    },
  ],
};

const valid: Record<string, { file: Uint8Array; read: (file: Uint8Array) => CallTree }> = {
  collapsed: { file: bytes(writeCollapsed(tree, event(tree))), read: readCollapsed },
  cpuprofile: { file: bytes(JSON.stringify(cpuProfile)), read: (file) => readCpuProfileDocument(parseJsonDocument(file, 'x')) },
  heapprofile: { file: bytes(JSON.stringify(heapProfile)), read: (file) => readHeapProfile(parseJsonDocument(file, 'x')) },
  'speedscope, sampled': {
    file: bytes(writeSpeedscope(tree, tree.events, 'x')),
    read: (file) => readSpeedscope(parseJsonDocument(file, 'x')),
  },
  'speedscope, evented': { file: bytes(JSON.stringify(evented)), read: (file) => readSpeedscope(parseJsonDocument(file, 'x')) },
  pprof: { file: gunzipSync(writePprof(tree, tree.events)), read: readPprof },
  'any, packed': { file: writePprof(tree, tree.events), read: readProfile },
};

/** Reads what may be anything: it either works or says in a sentence why it does not. */
function survives(read: (file: Uint8Array) => CallTree, file: Uint8Array): void {
  try {
    expect(read(file).nodeCount).toBeGreaterThan(0);
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    expect(error.failure.code).toMatch(/^profile-/);
    expect(error.failure.message).toMatch(/^[^\n]{10,300}\.$/);
  }
}

describe.each(Object.entries(valid))('a reader of %s', (_name, { file, read }) => {
  it('reads what is valid, by its content too', () => {
    expect(readProfile(file).nodeCount).toBeGreaterThan(1);
    expect(read(file).nodeCount).toBeGreaterThan(1);
  });

  it('says what is wrong with random bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (random) => {
        survives(read, random);
        survives(readProfile, random);
      }),
      { numRuns: 300 },
    );
  });

  it('says what is wrong with a file that was changed or cut short', () => {
    const change = fc.record({ at: fc.nat(file.length - 1), byte: fc.nat(255) });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 6 }), fc.option(fc.nat(file.length)), (changes, end) => {
        const changed = file.slice(0, end ?? file.length);
        for (const { at, byte } of changes) if (at < changed.length) changed[at] = byte;
        survives(read, changed);
        survives(readProfile, changed);
      }),
      { numRuns: 300 },
    );
  });
});

describe.each([
  ['cpuprofile', cpuProfile, readCpuProfileDocument],
  ['heapprofile', heapProfile, readHeapProfile],
  ['speedscope', evented, readSpeedscope],
])('a reader of %s', (_name, document, read) => {
  it('says what is wrong when any value is another one', () => {
    const strange: unknown[] = [null, -1, 1e308, 'x', [], {}, [[]], true, { __proto__: null }, 2 ** 40];
    const paths: (string | number)[][] = [];
    const open: { value: unknown; path: (string | number)[] }[] = [{ value: document, path: [] }];
    for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
      if (entry.path.length > 0) paths.push(entry.path);
      if (typeof entry.value === 'object' && entry.value !== null)
        for (const [key, value] of Object.entries(entry.value)) open.push({ value, path: [...entry.path, key] });
    }
    for (const path of paths) {
      for (const value of strange) {
        const copy = structuredClone(document) as unknown as Record<string, unknown>;
        let holder = copy;
        for (const key of path.slice(0, -1)) holder = holder[key] as Record<string, unknown>;
        holder[path.at(-1) ?? ''] = value;
        survives(() => read(copy), new Uint8Array());
      }
    }
  });
});

describe('a recording that is not one', () => {
  it.each([
    ['nothing', new Uint8Array(), 'The file is empty.'],
    ['blanks', bytes(' \n\n'), 'The file is empty.'],
    ['a picture', bytes('<svg xmlns="…">\n</svg>'), 'This is a page or picture, and no recording of a format that is read here.'],
    ['other JSON', bytes('{"a":1}'), 'This is JSON, and no recording of a format that is read here.'],
    ['half of a JSON', bytes('{"nodes":['), 'This is not a readable .cpuprofile file: its JSON is cut short or not valid.'],
    [
      'half of a packed file',
      gzipSync('a;b 1'.repeat(99)).subarray(0, 20),
      'This is not a readable gzip file: it is cut short or changed.',
    ],
    [
      'lines without a count',
      bytes('a;b 1\n'.repeat(800) + 'a;b\n'.repeat(900)),
      'This is not a readable collapsed stacks file: line 801 does not end in a count',
    ],
  ])('such as %s is told so in one sentence', (_name, file, message) => {
    expect(() => readProfile(file)).toThrow(message);
  });

  it.each([
    ['a name of a million characters', () => bytes(`${'a'.repeat(1_000_000)} 1`)],
    ['JSON of a million brackets', () => bytes(`{"nodes":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`)],
    ['JSON of very many empty objects', () => bytes(`{"nodes":[${'{},'.repeat(12_000_000)}{}]}`)],
    ['a packed file that grows without end', () => gzipSync(new Uint8Array(513 * 1024 * 1024), { level: 1 })],
    ['JSON that is deeper than any stack', () => bytes(`{"head":${'{"a":'.repeat(1_000_000)}1${'}'.repeat(1_000_000)}}`)],
  ])('such as %s ends soon', { timeout: 30_000 }, (_name, make) => {
    const file = make();
    const started = process.cpuUsage();
    expect(() => readProfile(file)).toThrow(FailureError);
    expect(cpuMsSince(started)).toBeLessThan(10_000);
  });

  it.each([
    '<clinit>;main 3\n',
    '<unknown> 3',
    '{main};require;{closure} 3\n',
    '{closure:/app/a.php:3} 3',
    '\ufeff[native];a 3\n',
    '"quoted";a 3',
  ])('is told apart from collapsed stacks, whatever their first frame begins with: %s', (text) => {
    const tree = readProfile(bytes(text));
    expect(tree.functions.name[0]).toBe(text.replace('\ufeff', '').split(/[; ]/)[0]);
    expect(event(tree).self.at(-1)).toBe(3);
  });

  it('whose nodes call each other in a circle is refused', () => {
    const nodes = [1, 2].map((id) => ({ id, callFrame, children: [3 - id] }));
    expect(() => readProfile(bytes(JSON.stringify({ nodes })))).toThrow(/circle/);
  });
});

describe('a value that cannot be', () => {
  const json = (value: unknown): Uint8Array => bytes(JSON.stringify(value));
  const node = (more: object): object => ({ id: 1, callFrame, ...more });
  const heap = (selfSize: number): Uint8Array => json({ head: { callFrame, selfSize, children: [] } });
  const sampled = (more: object): Uint8Array =>
    json({
      shared: { frames: [{ name: 'a' }] },
      profiles: [{ type: 'sampled', name: 't', unit: 'seconds', startValue: 0, endValue: 1, samples: [[0]], weights: [1], ...more }],
    });
  /** One sample without a stack, and its value as ten bytes. */
  const pprofOf = (...value: number[]): Uint8Array =>
    Uint8Array.of(0x0a, 4, 8, 1, 16, 2, 0x12, 2 + value.length, 0x12, value.length, ...value, 0x32, 0, 0x32, 1, 97, 0x32, 1, 98);

  it.each([
    ['two nodes of one id', json({ nodes: [node({}), node({})] }), /two of its nodes have the same id/],
    ['a node that is its own caller', json({ nodes: [node({ parent: 1 })] }), /circle|two callers/],
    ['a node that calls itself', json({ nodes: [node({ children: [1] })] }), /circle/],
    ['a node that calls another twice', json({ nodes: [node({ children: [2, 2] }), node({ id: 2 })] }), /two callers/],
    ['fewer than no hits', json({ nodes: [node({ hitCount: -1 })] }), /weighs -1/],
    ['more hits than a number tells', json({ nodes: [node({ hitCount: 1e300 })] }), /weighs 1e\+300/],
    ['hits without end', bytes('{"nodes":[{"id":1,"callFrame":{},"hitCount":1e999}]}'), /a “hitCount” is not a number/],
    ['no number', bytes('{"nodes":[{"id":1,"callFrame":{},"hitCount":NaN}]}'), /JSON is cut short or not valid/],
    ['fewer than no bytes', heap(-8), /weighs -8/],
    ['more bytes than there are', heap(1e31), /weighs 1e\+31/],
    ['a weight below zero', sampled({ weights: [-1] }), /weighs -1000000000/],
    ['a time that no clock tells', sampled({ startValue: 1e308 }), /no time that a clock can tell/],
    ['a count without end', bytes('a;b 1e999\n'), /weighs Infinity/],
    ['a count below zero', bytes('a;b 1\na;b -1\n'), /line 2 does not end in a count/],
    ['a value of minus one', pprofOf(255, 255, 255, 255, 255, 255, 255, 255, 255, 1), /weighs -1/],
  ])('is told in a sentence: %s', (_name, file, message) => {
    expect(() => readProfile(file)).toThrow(FailureError);
    expect(() => readProfile(file)).toThrow(message);
  });

  it('is read right where it can be: ids that are far apart, clocks that were read late, values of 2⁶³ − 1', () => {
    const far = readProfile(
      json({ nodes: [node({ children: [2 ** 31 - 1] }), node({ id: 2 ** 31 - 1 })], samples: [2 ** 31 - 1, 1], timeDeltas: [-5, 3] }),
    );
    expect(event(far).self.reduce((sum, weight) => sum + weight, 0)).toBe(6000);
    const large = readProfile(pprofOf(255, 255, 255, 255, 255, 255, 255, 255, 127));
    expect(event(large).self[0]).toBe(2 ** 63);
  });
});

describe('an SVG', () => {
  it('shows hostile names as text, and runs nothing', () => {
    const svg = writeSvg(tree, event(tree), '<x>&"');
    expect(svg).toContain('&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;');
    expect(svg).not.toMatch(/<script|<img|<foreignObject|\son\w+="|href=|url\(/i);
    expect(svg).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]|\p{Surrogate}/u);
    const open: string[] = [];
    for (const [, closing, name, empty] of svg.matchAll(/<(\/?)(\w+)(?:\s[\w-]+="[^"<]*")*(\/?)>/g)) {
      if (closing === '/') expect(open.pop()).toBe(name);
      else if (empty !== '/') open.push(name ?? '');
    }
    expect(open).toEqual([]);
    expect(svg.replace(/<(\/?)(\w+)(?:\s[\w-]+="[^"<]*")*(\/?)>/g, '')).not.toMatch(/[<]/);
  });

  it('leaves out what is too narrow to be seen', () => {
    const wide = treeOf(
      Array.from({ length: 50_000 }, (_, index) => ({ frames: [{ name: `f${index}`, file: '', declared: 0, line: 0 }], weights: [1, 0] })),
      eventHeads,
    );
    expect(writeSvg(wide, event(wide), 'x').length).toBeLessThan(10_000);
  });
});
