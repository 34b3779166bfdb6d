import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { poolThresholdUs, cpuIntervalMs, wallIntervalMs } from '../../src/engine/record/jvm/asyncProfilerCommand.ts';
import { asyncProfilerRecorder } from '../../src/engine/record/jvm/asyncProfilerRecorder.ts';
import { AttachSocket } from '../../src/engine/record/jvm/attachSocket.ts';
import { flightRecorder } from '../../src/engine/record/jvm/flightRecorder.ts';
import { inspectJvm } from '../../src/engine/record/jvm/jvmProcess.ts';
import type { CallTree } from '../../src/model/domain/callTree.ts';
import { connections, everyEvent, ownJava, readTree, totalBelow, totalOf, useJvmBench } from '../support/jvmRecording.ts';
import { repositoryDir } from '../support/samples.ts';
import { slowHalf } from '../support/testTags.ts';

const run = promisify(execFile);
const jfrTool = join(dirname(ownJava), 'jfr');

/** The JDKs to try: those that BENCHSIDE_TEST_JDKS lists (paths of `java` programs), else the one of this machine. */
const javas = process.env['BENCHSIDE_TEST_JDKS']?.split(delimiter).filter((file) => existsSync(file)) ?? [ownJava];

function majorOf(java: string): number {
  const text = execFileSync(java, ['-version'], { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] }) || versionText(java);
  return Number(/version "(?:1\.)?(\d+)/.exec(text)?.[1] ?? 0);
}

/** `java -version` speaks on standard error. */
function versionText(java: string): string {
  return execFileSync('sh', ['-c', '"$1" -version 2>&1', 'sh', java], { encoding: 'utf8' });
}
const harness = useJvmBench();

/** Lines of the frames of functions whose name begins so; what the JVM made for a lambda has none. */
function linesOf(tree: CallTree, prefix: string): number[] {
  return [...tree.func].flatMap((func, node) => {
    const name = tree.functions.name[func] ?? '';
    return name.startsWith(prefix) && !name.includes('$$Lambda') ? [tree.line[node] ?? 0] : [];
  });
}

const poolCall = 'com.zaxxer.hikari.HikariDataSource.getConnection';

const printedSchema = z.object({
  recording: z.object({
    events: z.array(
      z.object({
        type: z.string(),
        values: z.object({
          duration: z.string().optional(),
          samples: z.number().optional(),
          allocationSize: z.number().optional(),
          tlabSize: z.number().optional(),
          weight: z.number().optional(),
        }),
      }),
    ),
  }),
});

/** The sums that the JDK's own tool sees in a recording, in ns and bytes. */
async function sumsOfJdk(file: string): Promise<Map<string, { count: number; durationNs: number; samples: number; bytes: number }>> {
  const types = 'profiler.WallClockSample,jdk.ExecutionSample,jdk.MethodTrace,jdk.ObjectAllocation*,jdk.JavaMonitorEnter,jdk.ThreadPark';
  const { stdout } = await run(jfrTool, ['print', '--json', '--stack-depth', '1', '--events', types, file], { maxBuffer: 1 << 29 });
  const sums = new Map<string, { count: number; durationNs: number; samples: number; bytes: number }>();
  for (const { type, values } of printedSchema.parse(JSON.parse(stdout)).recording.events) {
    const sum = sums.get(type) ?? { count: 0, durationNs: 0, samples: 0, bytes: 0 };
    sum.count += 1;
    sum.durationNs += secondsOf(values.duration ?? '') * 1e9;
    sum.samples += values.samples ?? 0;
    sum.bytes += values.tlabSize ?? values.weight ?? values.allocationSize ?? 0;
    sums.set(type, sum);
  }
  return sums;
}

/** Seconds of an ISO 8601 duration such as “PT0.025S” or “PT1M2.5S”. */
function secondsOf(duration: string): number {
  const match = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?$/.exec(duration);
  return Number(match?.[1] ?? 0) * 3600 + Number(match?.[2] ?? 0) * 60 + Number(match?.[3] ?? 0);
}
for (const java of javas) {
  const major = majorOf(java);

  describe(`async-profiler in JDK ${major} under load with too small a pool`, () => {
    it('shows the waiting for the pool in the wall view and exactly per call, with lines, and leaves the service as it was', async () => {
      const app = await harness.start({}, java);
      await harness.load(app, 1000);
      const options = harness.options();
      const recording = await asyncProfilerRecorder(repositoryDir).start({ pid: app.child.pid, runtime: 'jvm' }, options);
      const block = await harness.load(app, 4000);
      const finished = await recording.stop();

      expect(finished.events).toEqual(everyEvent);
      expect(finished.recorderVersion).toBe('4.5');
      expect(finished.runtimeVersion).toMatch(new RegExp(`^${major}\\b`));
      expect(finished.notes.map(({ code }) => code)).not.toContain('lines-inexact');
      const tree = readTree(options, finished);
      expect(tree.events.map((event) => event.name)).toEqual(expect.arrayContaining(['cpu', 'wall', 'poolWait', 'alloc']));

      // Almost all connections' requests wait for one of two database connections: their threads' time is in getConnection.
      const waited = totalBelow(tree, 'wall', poolCall);
      expect(waited / totalBelow(tree, 'wall', 'bulletin.database.Connections.holdUnmeasured')).toBeGreaterThan(0.6);
      // Requests wait all the time but for two of them, and settling is recorded as well.
      const exactNs = totalOf(tree, 'poolWait');
      expect(totalBelow(tree, 'poolWait', poolCall)).toBe(exactNs);
      const expectedNs = (connections - 2) * block.windowMs * 1e6;
      expect(exactNs / expectedNs).toBeGreaterThan(0.6);
      expect(exactNs / expectedNs).toBeLessThan(1.3);
      // Two ways of measuring the same time.
      expect(waited / exactNs).toBeGreaterThan(0.7);
      expect(waited / exactNs).toBeLessThan(1.3);
      expect(totalBelow(tree, 'poolWait', 'bulletin.database.Connections.holdUnmeasured')).toBe(exactNs);

      const lines = linesOf(tree, 'bulletin.database.Connections.holdUnmeasured');
      const source = readFileSync(join(repositoryDir, 'samples/java/src/main/java/bulletin/database/Connections.java'), 'utf8').split('\n');
      expect(lines.map((line) => source[line - 1] ?? '').some((text) => text.includes('pool.borrow()'))).toBe(true);
      expect(linesOf(tree, 'bulletin.').filter((line) => line === 0).length).toBe(0);

      expect((await app.ask('/ads/6')).status).toBe(200);
      expect((await app.ask('/wait?ms=1')).text).toBe('{"waitedMs":1}');
      expect(app.child.log.text()).not.toMatch(/Profiling|\[ERROR\]|Full thread dump/);
    });

    it('is read with the sums that the JDK’s own tool sees', slowHalf, async () => {
      const app = await harness.start({}, java);
      const options = harness.options();
      const recording = await asyncProfilerRecorder(repositoryDir).start({ pid: app.child.pid, runtime: 'jvm' }, options);
      await harness.load(app, 2500);
      const tree = readTree(options, await recording.stop());
      const sums = await sumsOfJdk(join(options.outputDir, 'recording.jfr'));
      const of = (type: string): { count: number; durationNs: number; samples: number; bytes: number } =>
        sums.get(type) ?? { count: 0, durationNs: 0, samples: 0, bytes: 0 };
      expect(of('jdk.MethodTrace').count).toBeGreaterThan(20);
      // The tool rounds a duration to whole ns, the recording counts ticks.
      expect(Math.abs(totalOf(tree, 'poolWait') - of('jdk.MethodTrace').durationNs)).toBeLessThan(of('jdk.MethodTrace').count * 1000);
      const leftOut = (name: string): number => tree.leftOut?.find((one) => one.event === name)?.samples ?? 0;
      expect(totalOf(tree, 'wall')).toBe((of('profiler.WallClockSample').samples - leftOut('wall')) * wallIntervalMs * 1e6);
      expect(totalOf(tree, 'cpu')).toBe((of('jdk.ExecutionSample').count - leftOut('cpu')) * cpuIntervalMs * 1e6);
      // Its own timer's thread waits all the time, and its signals interrupt every thread.
      expect(leftOut('wall')).toBeGreaterThan(0);
      expect(leftOut('cpu')).toBeGreaterThan(0);
      expect(tree.functions.name.filter((name) => /^(WallClock|CTimer|Profiler|LockTracer)::|^one\.profiler\./.test(name))).toEqual([]);
      const bytes = [...sums].filter(([type]) => type.startsWith('jdk.ObjectAllocation')).reduce((sum, [, { bytes: own }]) => sum + own, 0);
      expect(bytes).toBeGreaterThan(0);
      expect(totalOf(tree, 'alloc')).toBe(bytes);
      const lockNs = of('jdk.JavaMonitorEnter').durationNs + of('jdk.ThreadPark').durationNs;
      expect(Math.abs(totalOf(tree, 'lock') - lockNs)).toBeLessThan(1e6);
      // No call is shorter than what was asked for.
      const event = tree.events.findIndex((one) => one.name === 'poolWait');
      const weights = [...(tree.samples?.weight ?? [])].filter((_weight, row) => tree.samples?.event[row] === event);
      expect(Math.min(...weights)).toBeGreaterThanOrEqual(poolThresholdUs * 1000 * 0.99);
    });

    it.skipIf(major < 21)('sees the waiting of virtual threads too (there are none before JDK 21)', async () => {
      const app = await harness.start({ HTTP_THREADS_KIND: 'virtual' }, java);
      await harness.load(app, 1000);
      const options = harness.options();
      const recording = await asyncProfilerRecorder(repositoryDir).start({ pid: app.child.pid, runtime: 'jvm' }, options);
      const block = await harness.load(app, 3000);
      const tree = readTree(options, await recording.stop());
      const exactNs = totalOf(tree, 'poolWait');
      const expectedNs = (connections - 2) * block.windowMs * 1e6;
      expect(exactNs / expectedNs).toBeGreaterThan(0.6);
      expect(exactNs / expectedNs).toBeLessThan(1.3);
      expect(totalBelow(tree, 'poolWait', 'bulletin.database.Connections.holdUnmeasured')).toBe(exactNs);
      expect((await app.ask('/ads/6')).status).toBe(200);
    });

    it.each(['socket', 'program'] as const)('Flight Recorder records it too by its %s, and says what is missing', slowHalf, async (way) => {
      const app = await harness.start({}, java);
      await harness.load(app, 1000);
      const options = harness.options();
      const recording = await flightRecorder(way).start({ pid: app.child.pid, runtime: 'jvm' }, options);
      await harness.load(app, 2500);
      const finished = await recording.stop();
      expect(finished.events).toEqual(['cpu', 'alloc', 'lock']);
      expect(finished.recorderVersion).toMatch(new RegExp(`^JDK ${major}\\b`));
      expect(finished.notes[0]).toEqual({ code: 'flight-recorder' });
      expect(finished.notes).toContainEqual({ code: 'events-not-recorded', recorder: 'jfr', events: ['wall', 'poolWait'] });
      const tree = readTree(options, finished);
      for (const name of ['cpu', 'alloc', 'lock']) expect(totalOf(tree, name)).toBeGreaterThan(0);
      expect(totalBelow(tree, 'lock', poolCall)).toBeGreaterThan(0.5 * (connections - 2) * 2500e6);
      expect((await app.ask('/ads/6')).status).toBe(200);
      expect(await (await AttachSocket.open(inspectJvm(app.child.pid))).jcmd('JFR.check')).toMatch(/No (available|current) recordings/i);
    });
  });
}
