import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { nodeTotals, functionTable } from '../../src/calltree/totals.ts';
import { readJfr } from '../../src/engine/calltree/jfr/readJfr.ts';
import { FailureError } from '../../src/model/domain/failure.ts';
import type { CallTree } from '../../src/model/domain/callTree.ts';
import { longTest } from '../support/testTags.ts';

const run = promisify(execFile);
const program = join(import.meta.dirname, '../fixtures/jfr/BusyThreads.java');

/** The parts of `jfr print --json` that are compared. */
const threadSchema = z.object({ javaName: z.string().nullable(), osName: z.string().nullable() }).nullish();
const methodSchema = z.object({ name: z.string(), type: z.object({ name: z.string() }) });
const valuesSchema = z.object({
  startTime: z.string(),
  sampledThread: threadSchema,
  eventThread: threadSchema,
  state: z.string().nullish(),
  duration: z.string().optional(),
  weight: z.number().optional(),
  stackTrace: z.object({ frames: z.array(z.object({ method: methodSchema, lineNumber: z.number().nullish() })) }).nullish(),
});
const printedSchema = z.object({
  recording: z.object({ events: z.array(z.object({ type: z.string(), values: valuesSchema })) }),
});
type Printed = z.infer<typeof valuesSchema>;

/** The place of the `jfr` tool next to a `java`. */
function jdkHome(java: string): string {
  return dirname(realpathSync(java));
}

function defaultJava(): string {
  return execFileSync('sh', ['-c', 'command -v java'], { encoding: 'utf8' }).trim();
}

const javas: [string, string][] = [
  ['the Java of this machine', jdkHome(defaultJava())],
  ['JDK 25', '/usr/lib/jvm/temurin-25-jdk-amd64/bin'],
];

for (const [label, bin] of javas) {
  describe.skipIf(!existsSync(join(bin, 'jfr')))(`a recording of ${label} is read as the JDK's own tool reads it`, longTest, () => {
    let folder: string;
    let tree: CallTree;
    const printed = new Map<string, Printed[]>();
    const of = (type: string): Printed[] => printed.get(type) ?? [];

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'benchside-jfr-'));
      const file = join(folder, 'busy.jfr');
      await run(join(bin, 'java'), [`-XX:StartFlightRecording=settings=profile,filename=${file}`, program, '2000']);
      const types = [
        'jdk.ExecutionSample',
        'jdk.NativeMethodSample',
        'jdk.ObjectAllocationSample',
        'jdk.JavaMonitorEnter',
        'jdk.ThreadPark',
      ];
      const args = ['print', '--json', '--stack-depth', '512', '--events', types.join(','), file];
      const { stdout } = await run(join(bin, 'jfr'), args, { maxBuffer: 512 * 1024 * 1024 });
      for (const event of printedSchema.parse(JSON.parse(stdout)).recording.events) {
        printed.set(event.type, [...of(event.type), event.values]);
      }
      tree = readJfr(readFileSync(file));
    });
    afterAll(() => {
      rmSync(folder, { recursive: true, force: true });
    });

    it('the same number of samples, each of the same weight', () => {
      const expected = of('jdk.ExecutionSample').length;
      expect(expected).toBeGreaterThan(10);
      const weights = weightsOf(tree, 'cpu');
      expect(weights).toHaveLength(expected);
      expect(new Set(weights).size).toBe(1);
      expect(weights[0]).toBeGreaterThanOrEqual(1e6);
      expect(tree.events.find((event) => event.name === 'cpu')?.unit).toBe('ns');
      expect(weightsOf(tree, 'native')).toHaveLength(of('jdk.NativeMethodSample').length);
    });

    it('the same functions by self and by total', () => {
      const column = columnOf(tree, 'cpu');
      const period = weightsOf(tree, 'cpu')[0] ?? 0;
      const ours = functionTable(tree, column);
      const self = new Map(ours.filter((row) => row.self > 0).map((row) => [row.name, Math.round(row.self / period)]));
      const total = new Map(ours.map((row) => [row.name, Math.round(row.total / period)]));
      const theirs = countFunctions(of('jdk.ExecutionSample'));
      expect(top(self)).toEqual(top(theirs.self));
      expect(top(total)).toEqual(top(theirs.total));
      expect(total.size).toBe(theirs.total.size);
    });

    it('the same lines, threads and states', () => {
      const samples = tree.samples;
      const event = tree.events.findIndex((one) => one.name === 'cpu');
      const ours: string[] = [];
      samples?.node.forEach((node, row) => {
        if (samples.event[row] !== event) return;
        const thread = tree.threads[samples.thread[row] ?? -1] ?? '';
        ours.push(`${thread}|${tree.states?.[samples.state?.[row] ?? 0] ?? ''}|${stackText(tree, node)}`);
      });
      const theirs = of('jdk.ExecutionSample').map((values) => {
        const frames = (values.stackTrace?.frames ?? []).map(
          (frame) => `${methodName(frame.method)}:${Math.max(0, frame.lineNumber ?? 0)}`,
        );
        return `${values.sampledThread?.javaName ?? values.sampledThread?.osName ?? ''}|${values.state ?? ''}|${frames.join(';')}`;
      });
      expect(ours.sort()).toEqual(theirs.sort());
      expect(theirs.some((text) => text.startsWith('worker-Ω|STATE_RUNNABLE|'))).toBe(true);
    });

    it('the same bytes, and the same time in locks', () => {
      const bytes = of('jdk.ObjectAllocationSample').reduce((sum, values) => sum + (values.weight ?? 0), 0);
      expect(bytes).toBeGreaterThan(0);
      expect(nodeTotals(tree, columnOf(tree, 'alloc'))[0]).toBe(bytes);
      const waits = [...of('jdk.JavaMonitorEnter'), ...of('jdk.ThreadPark')];
      const waitedNs = waits.reduce((sum, values) => sum + secondsOf(values.duration ?? '') * 1e9, 0);
      expect(waits.length).toBeGreaterThan(0);
      expect(Math.abs((nodeTotals(tree, columnOf(tree, 'lock'))[0] ?? 0) - waitedNs)).toBeLessThan(waits.length * 1000);
    });

    it('the samples stand in the order of time, at the times of the events', () => {
      const times = tree.samples?.timeUs ?? new Float64Array();
      expect([...times]).toEqual([...times].sort((a, b) => a - b));
      const started = [...printed.values()].flat().map((values) => Date.parse(values.startTime));
      const spanMs = Math.max(...started) - Math.min(...started);
      expect(Math.abs(((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000 - spanMs)).toBeLessThan(2);
    });

    it('cut off or with changed bytes, it is read or refused with one sentence, in bounded time', () => {
      const bytes = readFileSync(join(folder, 'busy.jfr'));
      const random = generator(20_261_121);
      for (let round = 0; round < 60; round += 1) {
        const changed = Buffer.from(bytes);
        // The types and the chunk's header carry the structure: half of the changes go there.
        const from = round % 2 === 0 ? 0 : Number(bytes.readBigInt64BE(24));
        const length = round % 2 === 0 ? bytes.length : bytes.length - from;
        for (let flip = 0; flip <= round % 8; flip += 1) changed[from + Math.floor(random() * length)] = Math.floor(random() * 256);
        const tried = round % 3 === 0 ? changed.subarray(0, Math.floor(random() * bytes.length)) : changed;
        const startedMs = performance.now();
        expect(outcome(tried)).toMatch(/^(read|profile-damaged|profile-too-large|jfr-[a-z-]+)$/);
        expect(performance.now() - startedMs).toBeLessThan(10_000);
      }
    });
  });
}

function outcome(bytes: Uint8Array): string {
  try {
    readJfr(bytes);
    return 'read';
  } catch (thrown) {
    return thrown instanceof FailureError ? thrown.failure.code : String(thrown instanceof Error ? thrown.stack : thrown);
  }
}

/** Numbers in [0, 1), the same in every run (mulberry32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function columnOf(tree: CallTree, name: string): CallTree['events'][number] {
  const column = tree.events.find((event) => event.name === name);
  if (column === undefined) throw new Error(`no column ${name}`);
  return column;
}

function weightsOf(tree: CallTree, name: string): number[] {
  const event = tree.events.findIndex((one) => one.name === name);
  return [...(tree.samples?.weight ?? [])].filter((_weight, row) => tree.samples?.event[row] === event);
}

/** A stack from the leaf to the root, with lines. */
function stackText(tree: CallTree, leaf: number): string {
  const frames: string[] = [];
  for (let node = leaf; node > 0; node = tree.parent[node] ?? 0) {
    frames.push(`${tree.functions.name[tree.func[node] ?? 0] ?? ''}:${tree.line[node] ?? 0}`);
  }
  return frames.join(';');
}

function methodName(method: z.infer<typeof methodSchema>): string {
  return `${method.type.name.replaceAll('/', '.')}.${method.name}`;
}

function countFunctions(samples: readonly Printed[]): { self: Map<string, number>; total: Map<string, number> } {
  const self = new Map<string, number>();
  const total = new Map<string, number>();
  for (const sample of samples) {
    const names = (sample.stackTrace?.frames ?? []).map((frame) => methodName(frame.method));
    if (names[0] !== undefined) self.set(names[0], (self.get(names[0]) ?? 0) + 1);
    for (const name of new Set(names)) total.set(name, (total.get(name) ?? 0) + 1);
  }
  return { self, total };
}

function top(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 20);
}

/** Seconds of an ISO 8601 duration such as “PT0.025S” or “PT1M2.5S”. */
function secondsOf(duration: string): number {
  const match = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?$/.exec(duration);
  return Number(match?.[1] ?? 0) * 3600 + Number(match?.[2] ?? 0) * 60 + Number(match?.[3] ?? 0);
}
