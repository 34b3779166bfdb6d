import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { readProfile } from '../../../src/engine/calltree/openProfile.ts';
import { readCollapsed } from '../../../src/engine/calltree/readCollapsed.ts';
import { writeCollapsed } from '../../../src/engine/calltree/writeCollapsed.ts';
import { writePprof } from '../../../src/engine/calltree/writePprof.ts';
import { writeSpeedscope } from '../../../src/engine/calltree/writeSpeedscope.ts';
import { ProbeLines } from '../../../src/engine/probe/probeLines.ts';
import { windowBetween } from '../../../src/engine/probe/probeWindow.ts';
import { csvFile } from '../../../src/engine/raw/csvFile.ts';
import { ProxyTimes } from '../../../src/engine/raw/proxyTimes.ts';
import { type RawRow, RawFrames, rawRows } from '../../../src/engine/raw/rawFile.ts';
import { csvReport } from '../../../src/engine/report/csvReport.ts';
import { htmlReport } from '../../../src/engine/report/htmlReport.ts';
import { markdownReport } from '../../../src/engine/report/markdownReport.ts';
import { parseRun } from '../../../src/engine/runs/parseRun.ts';
import { summarizeRun } from '../../../src/engine/runs/summarizeRun.ts';
import { loadWorkspaceFile } from '../../../src/engine/targets/workspaceFile.ts';
import { FailureError } from '../../../src/model/domain/failure.ts';
import { type FromProbe, probeReportSchema } from '../../../src/model/domain/probe.ts';
import { rawCommand, writeBlock } from '../../support/rawFiles.ts';
import type { Chance } from './chance.ts';
import { checkTree, useTree } from './checkTree.ts';
import { makeFolder, readFolder } from './folders.ts';
import { changedFrames, changedStacks, framesOf } from './lines.ts';
import { changedBytes, changedJson, changedMessage, jsonSpans, randomBytes, tokensOf } from './mutate.ts';
import { changedRecording, plainRecording } from './recordings.ts';

/** What became of an input: it was read, or refused as is declared. Anything else is thrown. */
export type Outcome = 'read' | 'refused';

export interface FuzzedReader {
  name: string;
  /** The input of this number. */
  make(chance: Chance): Uint8Array;
  /** `thorough`: also what is done with what was read. */
  read(input: Uint8Array, thorough: boolean): Outcome | Promise<Outcome>;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const fixture = (name: string): Uint8Array => new Uint8Array(readFileSync(path.join(import.meta.dirname, '..', 'fixtures', name)));

/** One input in sixteen is nothing but random bytes; of the rest one in three is changed in its bytes, the others in their structure too. */
function mixed(
  seeds: readonly Uint8Array[],
  tokens: readonly Uint8Array[],
  structured: (chance: Chance) => Uint8Array,
): FuzzedReader['make'] {
  return (chance) => {
    if (chance.once(16)) return randomBytes(chance, 400);
    const inStructure = !chance.once(3);
    let input = inStructure ? structured(chance) : chance.one(seeds);
    if (!inStructure || chance.once(6))
      for (let left = 1 + chance.below(4); left > 0; left -= 1) input = changedBytes(input, chance, tokens);
    return input;
  };
}

function jsonMaker(texts: readonly string[], ...tokens: string[]): FuzzedReader['make'] {
  const documents = texts.map((text) => ({ text, spans: jsonSpans(text) }));
  return mixed(
    texts.map((text) => encoder.encode(text)),
    tokensOf('null', '"', '{', '}', '[', ']', ',', ':', '\\', '\\u', '-1', '1e999', '"__proto__":', '\u0000', ...tokens),
    (chance) => {
      const { text, spans } = chance.one(documents);
      return encoder.encode(changedJson(text, spans, chance));
    },
  );
}

/** Reads a profile; every failure that is declared begins with “profile-” or “jfr-”. */
function profile(read: (input: Uint8Array) => ReturnType<typeof readProfile>): FuzzedReader['read'] {
  return (input, thorough) => {
    let tree;
    try {
      tree = read(input);
    } catch (error) {
      if (error instanceof FailureError && /^(?:profile|jfr)-/.test(error.failure.code)) return 'refused';
      throw error;
    }
    checkTree(tree);
    if (thorough) useTree(tree);
    return 'read';
  };
}

const board = readProfile(fixture('profiles/board.jfr'));
const boardEvent = board.events[0] as (typeof board.events)[number];
// In memory where that is possible: millions of files are written.
const folder = mkdtempSync(path.join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'benchside-fuzz-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const file = (name: string, input: Uint8Array): string => {
  const at = path.join(folder, name);
  writeFileSync(at, input);
  return at;
};

const collapsedSeeds = [
  encoder.encode(writeCollapsed(board, boardEvent)),
  encoder.encode('main;a_[j];b_[k] 12\nmain;a_[j] 3\n<clinit>;x 1\n{main};require 2.5\n\n one 1e3\r\n'),
];
const collapsedTokens = tokensOf(';', ';;', ' ', '\n', '\r\n', '\t', ' 1', ' 1e308', ' 1e999', ' -1', '_[j]', '_[k]', '\u0000', '\ufeff');

const speedscopeSeeds = [
  writeSpeedscope(board, board.events, 'board'),
  JSON.stringify({
    shared: { frames: [{ name: 'a', file: '/a.ts', line: 3 }, { name: 'b' }] },
    profiles: [
      {
        type: 'evented',
        name: 'main',
        unit: 'milliseconds',
        startValue: 0,
        endValue: 10,
        events: [1, 2, 5, 10].map((at, index) => ({ type: index < 2 ? 'O' : 'C', frame: [0, 1, 1, 0][index], at })),
      },
      { type: 'sampled', name: 't', unit: 'seconds', startValue: 0, endValue: 4, samples: [[0, 1], [0]], weights: [3, 1] },
    ],
  }),
];

const pprofSeed = new Uint8Array(gunzipSync(writePprof(board, board.events)));

const report = {
  type: 'report',
  answer: null,
  report: {
    timeUs: 1e6,
    pools: [
      {
        id: 'pg-1',
        kind: 'pg',
        name: 'board',
        max: 10,
        min: null,
        total: 4,
        idle: 1,
        busy: 3,
        pending: 2,
        timeouts: 0,
        resizable: true,
        lendable: true,
        lendLimit: 3,
        note: null,
        acquire: {
          count: 9,
          sumUs: 900,
          maxUs: 300,
          buckets: [
            [3, 4],
            [40, 5],
          ],
        },
        hold: { count: 9, sumUs: 9000, maxUs: 3000, buckets: [[80, 9]] },
      },
    ],
    threadPools: [
      { id: 't', kind: 'jetty', name: 'q', max: 8, min: 1, effectiveMax: 8, threads: 8, busy: 3, queue: 1, resizable: true, note: 'n' },
    ],
    eventLoop: { activeUs: 5e5, idleUs: 5e5, delay: { count: 1, sumUs: 1, maxUs: 1, buckets: [[1, 1]] } },
    gc: { count: 3, pauseUs: 90, maxPauseUs: 40, full: 1, pauses: { count: 3, sumUs: 90, maxUs: 40, buckets: [[20, 3]] } },
    heap: { usedBytes: 1e7, maxBytes: null, afterGcBytes: 5e6 },
    http: { requests: { count: 5, sumUs: 5000, maxUs: 2000, buckets: [[70, 5]] }, inFlight: 2 },
    threads: 12,
    resources: { timers: 2 },
    notes: ['a sentence'],
  },
};
const probeSeeds = [
  JSON.stringify({ type: 'hello', protocol: 1, token: 't', runtime: 'node', pid: 7, version: 'v22.1.0', main: 'a.js' }),
  JSON.stringify(report),
  JSON.stringify({ type: 'applied', answer: 3, ok: true, max: 4, effective: 4, tookMs: 12, message: null }),
];
const earlier = probeReportSchema.parse(report.report);

function readProbe(input: Uint8Array): Outcome {
  const lines = new ProbeLines();
  const text = decoder.decode(input);
  const middle = text.length >> 1;
  for (const piece of [text.slice(0, middle), text.slice(middle), '\n']) {
    lines.add(piece);
    for (let message = lines.next(); message !== undefined; message = lines.next()) {
      if (message === null) return 'refused';
      compareReports(message);
    }
  }
  return 'read';
}

/** What is made of two reports of an app, in either order. */
function compareReports(message: FromProbe): void {
  if (message.type !== 'report') return;
  const [first, second] = [
    { atMs: 0, byProcess: new Map([[1, earlier]]) },
    { atMs: 1_000, byProcess: new Map([[1, message.report]]) },
  ];
  windowBetween(first, second, [second]);
  windowBetween(second, first);
}

function readRecord(input: Uint8Array, thorough: boolean, ids: readonly string[]): Outcome {
  const text = decoder.decode(input);
  const parsed = parseRun(text, ids.find((id) => text.includes(id)) ?? '');
  if (!('record' in parsed)) return 'refused';
  summarizeRun(parsed.record);
  if (thorough) {
    htmlReport(parsed.record);
    markdownReport(parsed.record);
    csvReport(parsed.record);
  }
  return 'read';
}

/** Each target of the samples in parts, since a short file is read more often in the same time; and load profiles. */
function workspaceSeeds(): string[] {
  const text = readFileSync(path.join(import.meta.dirname, '..', '..', 'samples', 'benchside.json'), 'utf8');
  const { targets } = JSON.parse(text.replace(/^\s*\/\/.*$/gm, '')) as { targets: { routes: unknown[]; [part: string]: unknown }[] };
  const parts = targets.flatMap(({ routes, settings, postgres, ...core }) => [
    { targets: [{ ...core, routes: routes.slice(0, 1), settings }] },
    { targets: [{ ...core, routes: routes.slice(1), postgres }] },
  ]);
  const [first, second] = targets;
  const short = (id: unknown): unknown => ({ id, runtime: 'node', command: ['node', 'a.js'], routes: [{ path: '/' }] });
  const loads = [
    { name: 'brief', connections: 4, durationS: 0.5, settleS: 0.1, rounds: 1, warmUp: { minS: 0, maxS: 1, jvmMaxS: 1 }, timeoutMs: 700 },
    { name: 'rate', connections: 4, ratePerS: 20, durationS: 1 },
  ];
  return [...parts, { targets: [short(first?.['id']), short(second?.['id'])], loadProfiles: loads }].map((one) => JSON.stringify(one));
}

function readWorkspace(input: Uint8Array): Outcome {
  const loaded = loadWorkspaceFile(file('benchside.json', input));
  if (loaded === null) throw new Error('there is a file');
  if (loaded.content !== null) return 'read';
  if (loaded.problems.length === 0) throw new Error('it is refused without a sentence');
  return 'refused';
}

/** In two pieces, as from a file; one in sixteen as a file. What begins as a line of a log is read as one, and of the rest one in four too. */
function readRaw(input: Uint8Array, thorough: boolean): Outcome | Promise<Outcome> {
  const asLog = input[0] === 0x7b || input.length % 4 === 0;
  if (thorough) return readRawFile(input, asLog);
  const times = asLog ? new ProxyTimes() : null;
  if (times !== null) {
    const lines = times.logLines();
    lines.push(decoder.decode(input));
    lines.end();
  }
  const frames = new RawFrames('raw', times);
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  const middle = bytes.length >> 1;
  return raw(() => {
    for (const piece of [bytes.subarray(0, middle), bytes.subarray(middle)]) for (const rows of frames.rowsOf(piece)) csvFile.rows(rows);
  });
}

async function readRawFile(input: Uint8Array, asLog: boolean): Promise<Outcome> {
  const at = file('raw-samples.bin', input);
  const all: RawRow[] = [];
  const times = asLog ? await ProxyTimes.read([at]) : null;
  const ended = await (async () => {
    for await (const rows of rawRows(at, times)) all.push(...rows);
  })().then(
    () => null,
    (error: unknown) => error,
  );
  return raw(() => {
    csvFile.rows(all);
    if (ended !== null) throw ended;
  });
}

function raw(work: () => void): Outcome {
  try {
    work();
    return 'read';
  } catch (error) {
    if (error instanceof FailureError && error.failure.code === 'raw-damaged') return 'refused';
    throw error;
  }
}

/** All readers of what may come from anybody. */
export async function fuzzedReaders(): Promise<FuzzedReader[]> {
  await writeBlock(rawCommand(path.join(folder, 'seed.bin')), 12);
  const rawSeeds = [
    new Uint8Array(readFileSync(path.join(folder, 'seed.bin'))),
    encoder.encode('{"id":"run1-1-3","request_time":0.004,"upstream_response_time":"0.001, 0.002"}\n{"id":"x-1z","request_time":"0.1"}\n'),
  ];
  const texts = ['failed', 'cancelled', 'failed', 'cancelled', 'failed', 'cancelled', 'failed', 'complete'].map((name) =>
    JSON.stringify(JSON.parse(decoder.decode(fixture(`runs/v1/${name}.json`)))),
  );
  const ids = [...new Set(texts.map((text) => (JSON.parse(text) as { id: string }).id))];
  const real = fixture('profiles/board.jfr');
  const isReadable = (recording: Uint8Array): boolean => profile(readProfile)(recording, false) === 'read';
  const handMade = mixed([plainRecording], [], (chance) => changedRecording(chance, isReadable));
  const stacks = collapsedSeeds.map((seed) => decoder.decode(seed).split('\n'));
  const rawFrames = framesOf(rawSeeds[0] as Uint8Array);
  const profiles: FuzzedReader[] = [
    {
      name: 'collapsed',
      make: mixed(collapsedSeeds, collapsedTokens, (chance) => changedStacks(chance.one(stacks), chance)),
      read: profile(readCollapsed),
    },
    {
      name: 'cpuprofile',
      make: jsonMaker([decoder.decode(fixture('profiles/board.cpuprofile'))], '"parent":1', '"positionTicks":[]'),
      read: profile(readProfile),
    },
    { name: 'heapprofile', make: jsonMaker([decoder.decode(fixture('profiles/board.heapprofile'))]), read: profile(readProfile) },
    {
      name: 'jfr',
      make: (chance) => (chance.once(100) ? changedBytes(changedBytes(real, chance, []), chance, []) : handMade(chance)),
      read: profile(readProfile),
    },
    { name: 'pprof', make: mixed([pprofSeed], [], (chance) => changedMessage(pprofSeed, chance)), read: profile(readProfile) },
    { name: 'speedscope', make: jsonMaker(speedscopeSeeds), read: profile(readProfile) },
  ];
  return [
    ...profiles,
    {
      name: 'any',
      // Of any format, one in twelve compressed, and some with a few bytes of another before it.
      make: (chance) => {
        const input = chance.one(profiles).make(chance);
        if (chance.once(12)) return changedBytes(new Uint8Array(gzipSync(input, { level: 1 })), chance, []);
        return chance.once(4) ? changedBytes(input, chance, collapsedTokens) : input;
      },
      read: profile(readProfile),
    },
    { name: 'run.json', make: jsonMaker(texts), read: (input, thorough) => readRecord(input, thorough, ids) },
    { name: 'benchside.json', make: jsonMaker(workspaceSeeds(), '//', '/*', '*/'), read: readWorkspace },
    { name: 'folder', make: makeFolder, read: readFolder },
    { name: 'probe', make: jsonMaker(probeSeeds, '\n'), read: readProbe },
    {
      name: 'raw',
      make: mixed(rawSeeds, tokensOf('\n', '"id":"', '-zzzzz'), (chance) =>
        chance.once(4) ? changedBytes(chance.one(rawSeeds), chance, []) : changedFrames(rawFrames, chance),
      ),
      read: readRaw,
    },
  ];
}
