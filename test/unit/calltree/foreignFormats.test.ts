import { gzipSync, deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tooMuchCpuNotes } from '../../../src/calltree/treeRemarks.ts';
import { eventTotal } from '../../../src/calltree/totals.ts';
import { displayName } from '../../../src/calltree/shownNames.ts';
import { readProfile } from '../../../src/engine/calltree/openProfile.ts';
import { writeCollapsed } from '../../../src/engine/calltree/writeCollapsed.ts';
import { writeFirefox } from '../../../src/engine/calltree/writeFirefox.ts';
import { writeOtlp } from '../../../src/engine/calltree/writePprof.ts';
import type { CallTree } from '../../../src/model/domain/callTree.ts';
import { FailureError } from '../../../src/model/domain/failure.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const json = (value: unknown): Uint8Array => bytes(JSON.stringify(value));
const totals = (tree: CallTree): Record<string, number> => Object.fromEntries(tree.events.map((event) => [event.name, eventTotal(event)]));
function stacks(tree: CallTree, event = 0): string[] {
  const chosen = tree.events[event];
  return chosen === undefined ? [] : writeCollapsed(tree, chosen).replaceAll('_[j]', '').trim().split('\n').sort();
}

const frame = (functionName: string, lineNumber = 0): object => ({
  functionName,
  scriptId: '1',
  url: functionName.startsWith('(') ? '' : '/app/a.js',
  lineNumber,
  columnNumber: 0,
});
const inPieces = [
  { ph: 'M', pid: 1, tid: 2, name: 'thread_name', args: { name: 'main' } },
  { ph: 'P', pid: 1, tid: 2, id: '0x1', name: 'Profile', ts: 5, args: { data: { startTime: 100 } } },
  {
    ph: 'P',
    pid: 1,
    tid: 9,
    id: '0x1',
    name: 'ProfileChunk',
    args: {
      data: {
        cpuProfile: {
          nodes: [
            { id: 1, callFrame: frame('(root)') },
            { id: 2, parent: 1, callFrame: frame('a') },
          ],
          samples: [2, 2],
        },
        timeDeltas: [5, 10],
        lines: [0, 7],
      },
    },
  },
  {
    ph: 'P',
    pid: 1,
    tid: 9,
    id: '0x1',
    name: 'ProfileChunk',
    args: { data: { cpuProfile: { nodes: [{ id: 3, parent: 2, callFrame: frame('b') }], samples: [3] }, timeDeltas: [20] } },
  },
];
const perf = [
  'node  12/34 [001]  100.000000:    2000000 cpu-clock:ppp: ',
  '\tffffffff81 do_it+0x3 ([kernel.kallsyms])',
  '\t     7f01 JS:*hot file:///app/a.js:12:3+0x20 (/tmp/perf-12.map)',
  '\t     7f02 Lcom/acme/App;::run (/tmp/perf-12.map)',
  '\t     7f03 [unknown] (/usr/lib/libc.so.6)',
  '',
  'node  12/34 [001]  100.002000:    4000000 cpu-clock:ppp: ',
  '\t     7f02 Lcom/acme/App;::run (/tmp/perf-12.map)',
  '',
].join('\n');
const firefox = {
  meta: { interval: 2, sampleUnits: { threadCPUDelta: 'ns' } },
  threads: [
    {
      name: 'main',
      tid: 7,
      samples: { length: 2, stack: [1, 0], time: [5, 7], threadCPUDelta: [null, 500] },
      stackTable: { length: 2, frame: [0, 1], prefix: [null, 0] },
      frameTable: { length: 2, func: [0, 1], line: [3, null] },
      funcTable: { length: 2, name: [0, 1], fileName: [2, null], lineNumber: [1, null] },
      stringArray: ['outer', 'inner', '/app/a.js'],
    },
  ],
};
const snapshot = {
  snapshot: {
    meta: { node_fields: ['type', 'name', 'id', 'self_size'], node_types: [['hidden', 'object', 'string'], 'string', 'number', 'number'] },
  },
  nodes: [1, 0, 1, 40, 1, 0, 3, 8, 2, 1, 5, 100],
  edges: [],
  strings: ['Thing', 'text'],
};
const oldTree = {
  head: {
    functionName: '(root)',
    url: '',
    lineNumber: 0,
    id: 1,
    hitCount: 0,
    children: [{ functionName: 'a', url: '/a.js', lineNumber: 5, id: 2, hitCount: 3 }],
  },
  startTime: 1,
  endTime: 2,
  samples: [2, 2, 2],
  timestamps: [100, 130, 160],
};
const plain = readProfile(bytes('main;a;b 3\nmain;a 4\nmain;c 5\n'));

const files: Record<string, Uint8Array> = {
  'a trace of a browser, as an object': json({ traceEvents: inPieces }),
  'a trace of a browser, as a list': json(inPieces),
  'a trace of spans': json([
    { ph: 'B', pid: 0, tid: 0, ts: 0, name: 'a' },
    { ph: 'X', pid: 0, tid: 0, ts: 2, dur: 5, name: 'b' },
    { ph: 'E', pid: 0, tid: 0, ts: 10, name: 'a' },
  ]),
  'what perf prints': bytes(perf),
  'a profile of Firefox': json(firefox),
  'a profile of Firefox that was written here': bytes(writeFirefox(plain, plain.events, 'x')),
  'a heap snapshot': json(snapshot),
  'V8’s old form': json(oldTree),
  'a processed log of V8': json({
    code: [
      { name: 'a /app/a.js:3:1', type: 'JS', kind: 'Opt' },
      { name: 'node', type: 'SHARED_LIB' },
    ],
    functions: [],
    ticks: [
      { tm: 5, vm: 0, s: [1, 9, 0, 4] },
      { tm: 9, vm: 1, s: [0, 4] },
    ],
  }),
  'OTLP profiles': writeOtlp(plain, plain.events),
};

describe.each(Object.entries(files))('%s', (_name, file) => {
  it('is read, packed too', () => {
    const tree = readProfile(file);
    expect(tree.events.some((event) => eventTotal(event) > 0)).toBe(true);
    expect(totals(readProfile(gzipSync(file)))).toEqual(totals(tree));
  });

  it('is read or told by a failure wherever it is cut short, and whatever is changed in it', () => {
    const survives = (changed: Uint8Array): void => {
      try {
        expect(readProfile(changed).nodeCount).toBeGreaterThan(0);
      } catch (error) {
        if (!(error instanceof FailureError)) throw error;
        expect(error.failure.code).toMatch(/^profile-/);
      }
    };
    for (let end = 0; end < file.length; end += Math.max(1, Math.floor(file.length / 300))) survives(file.subarray(0, end));
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(file.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }), (changes) => {
        const changed = file.slice();
        for (const [at, byte] of changes) changed[at] = byte;
        survives(changed);
      }),
      { numRuns: 200 },
    );
  });
});

describe('a trace with a CPU profile in pieces', () => {
  it('gives the time of the profiled thread, with the lines that were seen', () => {
    for (const document of [inPieces, { traceEvents: inPieces }]) {
      const tree = readProfile(json(document));
      // The last sample lasts as long as they do on the mean.
      expect(stacks(tree)).toEqual(['a 30000', 'a;b 15000']);
      expect(tree.threads).toEqual(['main']);
      expect(tree.lineTicks?.line).toEqual(Int32Array.from([7]));
    }
  });

  it('is read as far as it goes where its end is missing, and says so', () => {
    const text = JSON.stringify(inPieces);
    const tree = readProfile(bytes(text.slice(0, text.lastIndexOf('{"ph"') + 9)));
    expect(totals(tree)).toEqual({ cpu: 20_000 });
    expect(tree.remarks).toEqual([{ code: 'cut-short' }]);
  });

  it('says where callers are missing', () => {
    const tree = readProfile(json([inPieces[1], inPieces[3]]));
    expect(stacks(tree)).toEqual(['b 20000']);
    expect(tree.remarks).toEqual([{ code: 'callers-missing', samples: 1 }]);
  });

  it('counts time once where two profilers looked at one thread', () => {
    const other = inPieces.map((event) => ('id' in event ? { ...event, id: '0x2' } : event));
    const tree = readProfile(json([...inPieces, ...other]));
    expect(totals(tree)).toEqual({ cpu: 45_000 });
    expect(tree.remarks).toEqual([{ code: 'profiles-overlap', leftOut: 1 }]);
  });
});

describe('a trace without a CPU profile', () => {
  it('gives what begins and ends its own time, without that of what is in it', () => {
    const tree = readProfile(files['a trace of spans'] ?? new Uint8Array());
    expect(stacks(tree)).toEqual(['thread 0;a 5000', 'thread 0;a;b 5000']);
  });

  it('keeps who is around whom where all begin and end at the same times, as samplers write them', () => {
    const sample = (names: string[], ts: number): object[] => [
      ...names.map((name) => ({ ph: 'B', pid: 0, tid: 0, ts, name })),
      ...names.toReversed().map((name) => ({ ph: 'E', pid: 0, tid: 0, ts: ts + 5, name })),
    ];
    const tree = readProfile(json([...sample(['main', 'work', 'inner'], 0), ...sample(['main', 'other'], 5)]));
    expect(stacks(tree)).toEqual(['thread 0;main;other 5000', 'thread 0;main;work;inner 5000']);
  });
});

describe('a CPU profile whose clock went back', () => {
  it('is put into the order of time, so that it lasts as long as it took', () => {
    const nodes = [1, 2, 3].map((id) => ({
      id,
      callFrame: frame(['(root)', 'a', 'b'][id - 1] ?? ''),
      ...(id === 1 ? { children: [2, 3] } : {}),
    }));
    const tree = readProfile(json({ nodes, samples: [2, 3, 2], timeDeltas: [10, 20, -15] }));
    // The samples were taken at 10, 30 and 15 µs.
    expect(stacks(tree)).toEqual(['a 20000', 'b 10000']);
    expect(Array.from(tree.samples?.timeUs ?? [])).toEqual([10, 15, 30]);
  });
});

describe('a CPU profile', () => {
  it('has nothing of the time in which the profiler started, and gives each sample the time until the next', () => {
    const nodes = [1, 2, 3].map((id) => ({
      id,
      callFrame: frame(['(root)', 'a', 'b'][id - 1] ?? ''),
      ...(id === 1 ? { children: [2, 3] } : {}),
    }));
    const tree = readProfile(json({ nodes, startTime: 0, samples: [2, 3, 3, 3], timeDeltas: [400_000, 3_000, 1_000, 2_000] }));
    expect(stacks(tree)).toEqual(['a 3000000', 'b 5000000']);
    expect(stacks(readProfile(json({ nodes, samples: [2], timeDeltas: [700] })))).toEqual(['a 700000']);
  });
});

describe('a processed log of V8', () => {
  it('has ticks in code without a name below who called it, not in it', () => {
    const code = [{ name: 'a /app/a.js:3:1', type: 'JS', kind: 'Opt' }];
    const tree = readProfile(
      json({ code, functions: [], ticks: [1, 2].map((tm) => ({ tm, vm: 0, s: tm === 1 ? [0, 4] : [-1, 99, 0, 4] })) }),
    );
    expect(stacks(tree)).toEqual(['a 1', 'a;[unknown] 1']);
  });
});

describe('V8’s old form', () => {
  it('has the time between samples, and lines from 1', () => {
    const tree = readProfile(json(oldTree));
    expect(totals(tree)).toEqual({ cpu: 90_000 });
    expect(tree.functions.line[tree.functions.name.indexOf('a')]).toBe(5);
  });

  it('ends its last sample where one time more than samples says so', () => {
    expect(totals(readProfile(json({ ...oldTree, timestamps: [100, 130, 160, 167] })))).toEqual({ cpu: 67_000 });
  });
});

describe('what perf prints', () => {
  it('has the names that a map gives to code of Node and Java', () => {
    const tree = readProfile(bytes(perf));
    expect(totals(tree)).toEqual({ cpu: 6_000_000 });
    expect(stacks(tree)).toEqual(['[libc.so.6];com.acme.App.run;hot;do_it_[k] 2000000', 'com.acme.App.run 4000000']);
    const hot = tree.functions.name.indexOf('hot');
    expect([tree.functions.file[hot], tree.functions.line[hot]]).toEqual(['/app/a.js', 12]);
    expect(tree.threads).toEqual(['node 34']);
  });

  it('has the names of code with the marks of newer versions of V8', () => {
    for (const mark of ["*'", 'o*', "o+'", ''])
      expect(readProfile(bytes(perf.replace('JS:*hot', `JS:${mark}hot`))).functions.name).toContain('hot');
    expect(readProfile(bytes(perf.replace('JS:*hot', 'JS:order'))).functions.name).toContain('order');
  });
});

describe('a profile of Firefox', () => {
  it('has its samples by the interval, and CPU time where it is told', () => {
    const tree = readProfile(json(firefox));
    expect(totals(tree)).toEqual({ wall: 4_000_000, cpu: 500, alloc: 0 });
    expect(stacks(tree)).toEqual(['outer 2000000', 'outer;inner 2000000']);
  });
});

describe('a heap snapshot', () => {
  it('is what objects of each constructor take', () => {
    const tree = readProfile(json(snapshot));
    expect(stacks(tree)).toEqual(['(object);Thing 48', '(string) 100']);
    expect(totals(tree)).toEqual({ heap: 148, objects: 3 });
  });
});

describe('OTLP profiles', () => {
  it.each([
    ['values before attributes', [8, 1, 0x12, 1, 7, 0x1a, 1, 1], 7],
    ['attributes before values', [8, 1, 0x12, 1, 1, 0x22, 1, 7], 7],
    ['attributes before values, none of them in lists', [8, 1, 0x10, 1, 0x20, 7], 7],
    ['attributes and times, each of which counts', [8, 1, 0x10, 1, 0x2a, 16, ...new Array<number>(16).fill(3)], 2],
  ])('have the same weight in each form that a sample has had: %s', (_name, sample, weight) => {
    /** A field with a length, which may be written in more bytes than it needs. */
    const field = (number: number, content: readonly number[]): number[] => [8 * number + 2, 0x80 | content.length, 0x80, 0, ...content];
    const profile = field(2, field(2, [...field(1, [8, 2, 16, 3]), ...field(2, sample)]));
    const texts = ['', 'f', 'samples', 'count'].flatMap((text) => field(5, [...bytes(text)]));
    const functions = [...field(3, []), ...field(3, [8, 1])];
    const locations = [...field(2, []), ...field(2, field(3, [8, 1]))];
    const attributes = [...field(6, []), ...field(6, [8, 1])];
    const stacksOf = [...field(7, []), ...field(7, [10, 1, 1])];
    const dictionary = [...locations, ...functions, ...texts, ...attributes, ...stacksOf];
    const [profiles, shared] = [field(1, profile), field(2, dictionary)];
    for (const whole of [
      [...profiles, ...shared],
      [...shared, ...profiles],
    ])
      expect(stacks(readProfile(Uint8Array.from(whole)))).toEqual([`f ${weight}`]);
  });

  it('are read as they were written, and told from pprof', () => {
    expect(stacks(readProfile(writeOtlp(plain, plain.events)))).toEqual(stacks(plain));
  });
});

describe('collapsed stacks', () => {
  it('are read in UTF-16, as PowerShell writes them', () => {
    const text = 'main;a 3\r\nmain;ä 4\r\n';
    const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le');
    expect(stacks(readProfile(utf16))).toEqual(['main;a 3', 'main;ä 4']);
    expect(stacks(readProfile(Buffer.from(utf16).swap16()))).toEqual(['main;a 3', 'main;ä 4']);
  });

  it('are read between other lines, which are counted', () => {
    const tree = readProfile(bytes('# made by hand\na;b 1\nnot a stack\na;c 2\n'));
    expect(stacks(tree)).toEqual(['a;b 1', 'a;c 2']);
    expect(tree.remarks).toEqual([{ code: 'lines-skipped', lines: 2, ofLines: 4, first: 1 }]);
  });

  it('may have control characters in names, which are shown as symbols', () => {
    const tree = readProfile(bytes('main;a\u0001b 3\nmain;long name of a function 4\n'));
    expect(tree.functions.name.map((name) => displayName(name))).toContain('a␁b');
  });
});

describe('a speedscope file of several profiles', () => {
  it('has each below its name where they are not measured in time', () => {
    const profile = (name: string): object => ({
      type: 'sampled',
      name,
      unit: 'none',
      startValue: 0,
      endValue: 2,
      samples: [[0]],
      weights: [2],
    });
    const tree = readProfile(json({ shared: { frames: [{ name: 'f' }] }, profiles: [profile('one'), profile('two')] }));
    expect(stacks(tree)).toEqual(['one;f 2', 'two;f 2']);
  });
});

describe('a packed file', () => {
  const text = 'main;a 3\nmain;b 4\n'.repeat(400);
  /** A zip of one file, by the format's description. */
  function zip(content: Uint8Array): Uint8Array {
    const packed = deflateRawSync(content);
    const name = Buffer.from('x.txt');
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50);
    local.writeUInt16LE(8, 8);
    local.writeUInt16LE(name.length, 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50);
    central.writeUInt16LE(8, 10);
    central.writeUInt32LE(packed.length, 20);
    central.writeUInt32LE(content.length, 24);
    central.writeUInt16LE(name.length, 28);
    const end = Buffer.alloc(22);
    end.writeUInt32LE(0x06054b50);
    end.writeUInt16LE(1, 10);
    end.writeUInt32LE(46 + name.length, 12);
    end.writeUInt32LE(30 + name.length + packed.length, 16);
    return Buffer.concat([local, name, packed, central, name, end]);
  }
  // The frame's head (no sums, blocks apart), a block of “ab” and 20 more bytes from 2 before, 5 literals, and the end; the head's sum is not looked at.
  const lz4 = Uint8Array.from([
    4, 0x22, 0x4d, 0x18, 0x60, 0x40, 0, 12, 0, 0, 0, 0x2f, 0x61, 0x62, 2, 0, 1, 0x50, 0x20, 0x31, 0x32, 0x33, 0x0a, 0, 0, 0, 0,
  ]);

  it('is read out of a zip', () => expect(totals(readProfile(zip(bytes(text))))).toEqual({ samples: 2800 }));

  it('is read out of lz4', () => expect(stacks(readProfile(lz4))).toEqual([`${'ab'.repeat(11)} 123`]));

  it('is told by a failure wherever it is cut short', () => {
    for (const whole of [zip(bytes(text)), lz4])
      for (let end = 5; end < whole.length; end += 1) expect(() => readProfile(whole.subarray(0, end))).toThrow(FailureError);
  });
});

describe('what is refused', () => {
  const word = (value: number): number[] => [value & 255, (value >> 8) & 255, 0, 0];
  it.each([
    ['gperftools', Uint8Array.from([0, 3, 1, 10_000, 0, 1, 2, 3, 4, 5].flatMap(word)), 'old C++ form of pprof'],
    ['a text', bytes('Profile of nothing in particular.\nSee above.\n'), 'This is a text'],
    ['a table', bytes('name,value\na,b\n'), 'This is a text'],
    ['the data of perf', bytes('PERFILE2xxxxxxxxxxx'), 'the data of perf'],
    ['other JSON', json({ name: 'package' }), 'This is JSON'],
    ['an archive', bytes('7z\xbc\xaf'), 'and no recording'],
  ])('%s is called what it is', (_name, file, sentence) => {
    expect(() => readProfile(file)).toThrow(sentence);
  });
});

describe('CPU time that cannot have been', () => {
  const timed = (threads: string, deltaUs: number): CallTree =>
    readProfile(
      json({
        shared: { frames: [{ name: 'f' }] },
        profiles: [...threads].map((name) => ({
          type: 'sampled',
          name,
          unit: 'microseconds',
          startValue: 0,
          endValue: 1,
          samples: new Array(100).fill([0]),
          weights: new Array(100).fill(deltaUs),
        })),
      }),
    );

  it('is told, and what is possible is not', () => {
    const tree = timed('ab', 1000);
    expect(tooMuchCpuNotes(tree)).toEqual([]);
    expect(tooMuchCpuNotes({ ...tree, cores: 4 })).toEqual([]);
    const [note] = tooMuchCpuNotes({ ...tree, cores: 1 });
    expect(note).toMatchObject({ code: 'too-much-cpu', event: 'cpu', cpuNs: 0.2e9, threads: 1 });
  });
});
