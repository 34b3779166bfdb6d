import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { readJfrRecording } from '../../src/engine/calltree/jfr/readJfr.ts';
import { functionTable, nodeTotals } from '../../src/calltree/totals.ts';
import { LoadGenerator } from '../../src/engine/load/loadGenerator.ts';
import { poolThresholdUs, wallIntervalMs } from '../../src/engine/record/jvm/asyncProfilerCommand.ts';
import { asyncProfilerRecorder } from '../../src/engine/record/jvm/asyncProfilerRecorder.ts';
import { AttachSocket } from '../../src/engine/record/jvm/attachSocket.ts';
import { flightRecorder } from '../../src/engine/record/jvm/flightRecorder.ts';
import { inspectJvm } from '../../src/engine/record/jvm/jvmProcess.ts';
import { jvmRecorders } from '../../src/engine/record/jvm/jvmRecorders.ts';
import { listJvms } from '../../src/engine/record/jvm/listJvms.ts';
import { profilerLibrary } from '../../src/engine/record/jvm/profilerLibrary.ts';
import type { ActiveRecording, FinishedRecording, RecordingOptions } from '../../src/engine/record/recorder.ts';
import { childEnvironment } from '../../src/engine/supervise/environment.ts';
import { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import type { Child } from '../../src/engine/supervise/supervisor.ts';
import type { CallTree } from '../../src/model/callTree.ts';
import { FailureError } from '../../src/model/failure.ts';
import type { Failure } from '../../src/model/failure.ts';
import type { RecordedEvent } from '../../src/model/recording.ts';
import { bundleLoadWorker } from '../support/loadWorkerBundle.ts';
import { SampleStack, repositoryDir, requireSamples } from '../support/samples.ts';
import type { SampleApp } from '../support/samples.ts';
import { slowHalf } from '../support/slowHalf.ts';
import { waitFor } from '../support/waitFor.ts';

const run = promisify(execFile);
const everyEvent: RecordedEvent[] = ['cpu', 'wall', 'poolWait', 'alloc', 'lock'];
const exactLines = '-XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints';
const connections = 24;

const ownJava = realpathSync(execFileSync('sh', ['-c', 'command -v java'], { encoding: 'utf8' }).trim());
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

const stack = new SampleStack();
const supervisor = new Supervisor();
const folders: string[] = [];
let generator: LoadGenerator;
let bundle: Awaited<ReturnType<typeof bundleLoadWorker>>;
const apps: SampleApp[] = [];
const pids: number[] = [];

beforeAll(async () => {
  requireSamples();
  execFileSync(process.execPath, [join(repositoryDir, 'scripts/fetchAsyncProfiler.mjs')]);
  await stack.start();
  bundle = await bundleLoadWorker();
  generator = await LoadGenerator.start(supervisor, { nodePath: process.execPath, workerPath: bundle.workerPath, env: childEnvironment() });
});
afterEach(async () => {
  for (const app of apps.splice(0)) await app.stop();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  if (pids.length > 0) expect(leftovers()).toEqual([]);
});
afterAll(async () => {
  await supervisor.stopAll();
  await stack.stop();
  await bundle.remove();
});

/** Folders of ours in the temporary folder, and files by which a JVM is asked to listen. */
function leftovers(): string[] {
  const own = new RegExp(`^(benchside-jvm-(${pids.join('|')})-|\\.attach_pid(${pids.join('|')})$)`);
  return readdirSync('/tmp').filter((name) => own.test(name));
}

function ownFolders(pid: number): string[] {
  return readdirSync('/tmp').filter((name) => name.startsWith(`benchside-jvm-${pid}-`));
}

function recordingOptions(more: Partial<RecordingOptions> = {}): RecordingOptions {
  const outputDir = mkdtempSync(join(tmpdir(), 'benchside-recording-'));
  folders.push(outputDir);
  return { events: everyEvent, maxMs: 30_000, outputDir, signal: new AbortController().signal, ...more };
}

async function start(java: string, environment: Record<string, string> = {}): Promise<SampleApp> {
  const app = await stack.app('java', {
    PATH: `${dirname(java)}${delimiter}${process.env['PATH'] ?? ''}`,
    DB_POOL_SIZE: '2',
    JAVA_TOOL_OPTIONS: exactLines,
    ...environment,
  });
  apps.push(app);
  pids.push(app.child.pid);
  return app;
}

/** Half of the requests hold a connection for 5 ms, so that two connections are far too few. */
function load(app: SampleApp, windowMs: number): Promise<{ requests: number; throughput: number; windowMs: number }> {
  const get = { method: 'GET' as const, headers: {}, weight: 1 };
  return generator.runBlock({
    host: '127.0.0.1',
    port: app.port,
    connections,
    settleMs: 200,
    windowMs,
    timeoutMs: 10_000,
    seed: 7,
    mix: [
      { ...get, path: '/wait?ms=5', parameters: {} },
      { ...get, path: '/ads/:id', parameters: { id: { min: 1, max: 100_000 } } },
    ],
  });
}

async function failureOf(promise: Promise<unknown>): Promise<Failure> {
  const thrown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (thrown instanceof FailureError) return thrown.failure;
  throw new Error(`no failure but ${String(thrown)}`);
}

function readTree(options: RecordingOptions, finished: FinishedRecording): CallTree {
  expect(finished.files).toEqual([{ name: 'recording.jfr', format: 'jfr' }]);
  return readJfrRecording(readFileSync(join(options.outputDir, 'recording.jfr'))).tree;
}

function totalOf(tree: CallTree, name: string): number {
  const column = tree.events.find((event) => event.name === name);
  return column === undefined ? 0 : (nodeTotals(tree, column)[0] ?? 0);
}

function totalBelow(tree: CallTree, name: string, method: string): number {
  const column = tree.events.find((event) => event.name === name);
  return column === undefined ? 0 : (functionTable(tree, column).find((row) => row.name === method)?.total ?? 0);
}

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
      const app = await start(java);
      await load(app, 1000);
      const options = recordingOptions();
      const recording = await asyncProfilerRecorder(repositoryDir).start({ pid: app.child.pid, runtime: 'jvm' }, options);
      const block = await load(app, 4000);
      const finished = await recording.stop();

      expect(finished.events).toEqual(everyEvent);
      expect(finished.recorderVersion).toBe('4.5');
      expect(finished.runtimeVersion).toMatch(new RegExp(`^${major}\\b`));
      expect(finished.notes.join('\n')).not.toContain('DebugNonSafepoints');
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
      const app = await start(java);
      const options = recordingOptions();
      const recording = await asyncProfilerRecorder(repositoryDir).start({ pid: app.child.pid, runtime: 'jvm' }, options);
      await load(app, 2500);
      const tree = readTree(options, await recording.stop());
      const sums = await sumsOfJdk(join(options.outputDir, 'recording.jfr'));
      const of = (type: string): { count: number; durationNs: number; samples: number; bytes: number } =>
        sums.get(type) ?? { count: 0, durationNs: 0, samples: 0, bytes: 0 };
      expect(of('jdk.MethodTrace').count).toBeGreaterThan(20);
      // The tool rounds a duration to whole ns, the recording counts ticks.
      expect(Math.abs(totalOf(tree, 'poolWait') - of('jdk.MethodTrace').durationNs)).toBeLessThan(of('jdk.MethodTrace').count * 1000);
      const leftOut = (name: string): number => tree.leftOut?.find((one) => one.event === name)?.samples ?? 0;
      expect(totalOf(tree, 'wall')).toBe((of('profiler.WallClockSample').samples - leftOut('wall')) * wallIntervalMs * 1e6);
      expect(totalOf(tree, 'cpu')).toBe((of('jdk.ExecutionSample').count - leftOut('cpu')) * 10e6);
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
      const app = await start(java, { HTTP_THREADS_KIND: 'virtual' });
      await load(app, 1000);
      const options = recordingOptions();
      const recording = await asyncProfilerRecorder(repositoryDir).start({ pid: app.child.pid, runtime: 'jvm' }, options);
      const block = await load(app, 3000);
      const tree = readTree(options, await recording.stop());
      const exactNs = totalOf(tree, 'poolWait');
      const expectedNs = (connections - 2) * block.windowMs * 1e6;
      expect(exactNs / expectedNs).toBeGreaterThan(0.6);
      expect(exactNs / expectedNs).toBeLessThan(1.3);
      expect(totalBelow(tree, 'poolWait', 'bulletin.database.Connections.holdUnmeasured')).toBe(exactNs);
      expect((await app.ask('/ads/6')).status).toBe(200);
    });

    it('Flight Recorder records it too, and says what is missing', async () => {
      const app = await start(java);
      await load(app, 1000);
      const options = recordingOptions();
      const recording = await flightRecorder().start({ pid: app.child.pid, runtime: 'jvm' }, options);
      await load(app, 2500);
      const finished = await recording.stop();
      expect(finished.events).toEqual(['cpu', 'alloc', 'lock']);
      expect(finished.recorderVersion).toMatch(new RegExp(`^JDK ${major}\\b`));
      expect(finished.notes.join('\n')).toMatch(/no wall view[\s\S]*Not recorded: wall, poolWait/);
      const tree = readTree(options, finished);
      for (const name of ['cpu', 'alloc', 'lock']) expect(totalOf(tree, name)).toBeGreaterThan(0);
      expect(totalBelow(tree, 'lock', poolCall)).toBeGreaterThan(0.5 * (connections - 2) * 2500e6);
      expect((await app.ask('/ads/6')).status).toBe(200);
      expect(await (await AttachSocket.open(inspectJvm(app.child.pid))).jcmd('JFR.check')).toMatch(/No (available|current) recordings/i);
    });
  });
}

describe('a recording', () => {
  const java = javas[0] ?? ownJava;
  const recorder = asyncProfilerRecorder(repositoryDir);
  const begin = (app: SampleApp, options: RecordingOptions): Promise<ActiveRecording> =>
    recorder.start({ pid: app.child.pid, runtime: 'jvm' }, options);

  it('has only the events that were asked for', slowHalf, async () => {
    const app = await start(java);
    for (const event of everyEvent) {
      const options = recordingOptions({ events: [event] });
      const recording = await begin(app, options);
      await load(app, 500);
      const finished = await recording.stop();
      expect(finished.events).toEqual([event]);
      const columns = readTree(options, finished).events.map((one) => one.name);
      // On an idle machine nothing may have waited for a lock.
      if (event !== 'lock') expect(columns).toContain(event);
      // A wait for a lock or a traced call that was under way when a recording ended is told in the next one; samples are not.
      expect(columns.filter((name) => name !== event && ['cpu', 'wall', 'alloc'].includes(name))).toEqual([]);
    }
  });

  it('that is abandoned leaves nothing, and the next one can be made', async () => {
    const app = await start(java);
    const recording = await begin(app, recordingOptions());
    await recording.abandon();
    expect(leftovers()).toEqual([]);
    await (await begin(app, recordingOptions())).abandon();
    const aborted = AbortSignal.abort();
    await expect(begin(app, recordingOptions({ signal: aborted }))).rejects.toThrow();
    expect((await app.ask('/ads/6')).status).toBe(200);
  });

  it('ends by itself when its time is over, and is there all the same', async () => {
    const app = await start(java);
    const options = recordingOptions({ maxMs: 1000 });
    const recording = await begin(app, options);
    await load(app, 2000);
    const socket = await AttachSocket.open(inspectJvm(app.child.pid));
    await waitFor(async () => (await socket.loadAgent(profilerLibrary(repositoryDir), 'status,log=/dev/null')) === 0, {
      what: 'it answers',
    });
    const tree = readTree(options, await recording.stop());
    const timesUs = tree.samples?.timeUs ?? new Float64Array();
    expect(((timesUs.at(-1) ?? 0) - (timesUs[0] ?? 0)) / 1e6).toBeLessThan(1.7);
  });

  it('of a JVM that somebody else records already is refused, and theirs goes on', async () => {
    const app = await start(java);
    const socket = await AttachSocket.open(inspectJvm(app.child.pid));
    const library = profilerLibrary(repositoryDir);
    const theirs = join(recordingOptions().outputDir, 'theirs.jfr');
    expect(await socket.loadAgent(library, `start,event=ctimer,timeout=30,jfr,file=${theirs}`)).toBe(0);
    const refused = await failureOf(begin(app, recordingOptions()));
    expect(refused.code).toBe('profiler-busy');
    expect(refused.detail).toMatch(/running for/);
    await load(app, 500);
    expect(await socket.loadAgent(library, `stop,file=${theirs}`)).toBe(0);
    expect(totalOf(readJfrRecording(readFileSync(theirs)).tree, 'cpu')).toBeGreaterThan(0);
  });

  it('that was left running by an engine that was killed is ended, and that is said', async () => {
    const app = await start(java);
    const script = join(recordingOptions().outputDir, 'engine.mjs');
    const child = await killedEngine(script, app.child.pid);
    expect(leftovers()).toHaveLength(1);
    const options = recordingOptions();
    const recording = await begin(app, options);
    await load(app, 500);
    const finished = await recording.stop();
    expect(finished.notes.join('\n')).toContain('that an earlier Benchside had left running');
    expect(totalOf(readTree(options, finished), 'wall')).toBeGreaterThan(0);
    expect(child.running).toBe(false);
  });

  it.each(['SIGKILL'] as const)('of a process that ends by %s has what was recorded until then, and says so', endedBy);
  it.each(['SIGTERM'] as const)('of a process that ends by %s has what was recorded until then, and says so', slowHalf, endedBy);

  async function endedBy(signal: NodeJS.Signals): Promise<void> {
    const app = await start(java);
    const options = recordingOptions();
    const recording = await begin(app, options);
    await load(app, 5000);
    process.kill(app.child.pid, signal);
    await app.child.exited;
    const finished = await recording.stop();
    expect(finished.notes.join('\n')).toContain('ended during the recording');
    expect(totalOf(readTree(options, finished), 'wall')).toBeGreaterThan(0);
    expect(leftovers()).toEqual([]);
  }

  it('says that lines may be off where the JVM was not told to keep them', async () => {
    const app = await start(java, { JAVA_TOOL_OPTIONS: '' });
    const recording = await begin(app, recordingOptions({ events: ['wall'] }));
    await load(app, 500);
    expect((await recording.stop()).notes.join('\n')).toContain('-XX:+DebugNonSafepoints');
  });

  it('needs an event that the recorder knows', async () => {
    const refused = await failureOf(
      recorder.start({ pid: process.pid, runtime: 'jvm' }, recordingOptions({ events: ['database', 'heap'] })),
    );
    expect(refused.code).toBe('event-unsupported');
  });

  /** Runs the recorder in a process of its own, and kills that. */
  async function killedEngine(script: string, pid: number): Promise<Child> {
    const { build } = await import('esbuild');
    const file = (name: string): string => JSON.stringify(join(repositoryDir, name));
    const contents = `
      import { asyncProfilerRecorder } from ${file('src/engine/record/jvm/asyncProfilerRecorder.ts')};
      const options = { events: ['wall'], maxMs: 60_000, outputDir: '/nonexistent', signal: new AbortController().signal };
      await asyncProfilerRecorder(${JSON.stringify(repositoryDir)}).start({ pid: ${pid}, runtime: 'jvm' }, options);
      console.log('recording');
      setInterval(() => undefined, 1000);`;
    await build({ stdin: { contents, resolveDir: repositoryDir }, bundle: true, platform: 'node', format: 'esm', outfile: script });
    const child = await supervisor.start({
      name: 'engine',
      kind: 'tool',
      argv: [process.execPath, script],
      cwd: '/',
      env: childEnvironment(),
    });
    await waitFor(() => child.log.text().includes('recording'), { what: 'it records' });
    process.kill(child.pid, 'SIGKILL');
    await child.exited;
    return child;
  }
});

describe('attaching', () => {
  const java = javas[0] ?? ownJava;

  it('to a process that is no JVM fails, and that process lives on', async () => {
    const child = await supervisor.start({
      name: 'sleeper',
      kind: 'tool',
      argv: [process.execPath, '-e', 'setInterval(() => undefined, 1000); console.log("ready")'],
      cwd: '/',
      env: childEnvironment(),
    });
    await waitFor(() => child.log.text().includes('ready'), { what: 'it runs' });
    for (const recorder of jvmRecorders(repositoryDir)) {
      expect((await failureOf(recorder.start({ pid: child.pid, runtime: 'jvm' }, recordingOptions()))).code).toBe('not-a-jvm');
    }
    expect(child.running).toBe(true);
    await child.stop();
    expect((await failureOf(recorderOf(child.pid))).code).toBe('process-gone');
  });

  it.each([
    ['-XX:+DisableAttachMechanism', 'attach-disabled'],
    ['-Xrs', 'attach-disabled'],
  ])('to a JVM with %s fails with a cure, without a signal, and the list says so', async (option, code) => {
    const program = join(repositoryDir, 'test/fixtures/jfr/BusyThreads.java');
    const argv = [ownJava, option, '-Ddb.password=hunter2-is-secret', program, '60000'];
    const child = await supervisor.start({ name: 'busy', kind: 'app', argv, cwd: '/', env: childEnvironment() });
    const listed = await waitFor(async () => (await listJvms()).find((one) => one.pid === child.pid), { what: 'the JVM is listed' });
    expect(listed).toMatchObject({ runtime: 'jvm', problem: { code } });
    expect(listed?.command).toContain(`${option} -Ddb.password=`);
    expect(listed?.command).not.toContain('hunter2');
    const refused = await failureOf(recorderOf(child.pid));
    expect(refused).toMatchObject({ code, cure: expect.stringMatching(/without/) as unknown });
    expect(child.running).toBe(true);
    expect(child.log.text()).not.toContain('Full thread dump');
    await child.stop();
  });

  it.skipIf(process.geteuid?.() !== 0)('as root to the JVM of another user works, who cannot read our files', async () => {
    const folder = recordingOptions().outputDir;
    chmodSync(folder, 0o755);
    copyFileSync(join(repositoryDir, 'test/fixtures/jfr/BusyThreads.java'), join(folder, 'BusyThreads.java'));
    const assets = recordingOptions().outputDir;
    cpSync(dirname(profilerLibrary(repositoryDir)), dirname(profilerLibrary(assets)), { recursive: true });
    const child = await supervisor.start({
      name: 'busy',
      kind: 'app',
      argv: [ownJava, join(folder, 'BusyThreads.java'), '120000'],
      cwd: '/',
      env: childEnvironment(),
      runAs: { uid: 65_534, gid: 65_534 },
    });
    pids.push(child.pid);
    const isListed = async (): Promise<boolean> => (await listJvms()).some((one) => one.pid === child.pid && one.problem === null);
    await waitFor(isListed, { what: 'the JVM is listed' });
    // Twice: the copy of the library that was made for it the first time is gone by the second.
    for (let round = 0; round < 2; round += 1) {
      const options = recordingOptions({ events: ['cpu'] });
      const recording = await asyncProfilerRecorder(assets).start({ pid: child.pid, runtime: 'jvm' }, options);
      await waitFor(() => existsSync(join('/tmp', ownFolders(child.pid)[0] ?? '', 'recording.jfr')), { what: 'it records' });
      const used = (): number => Number(readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(' ')[13]);
      const before = used();
      await waitFor(() => used() > before + 50, { what: 'half a second of CPU time', timeoutMs: 30_000 });
      expect(totalOf(readTree(options, await recording.stop()), 'cpu')).toBeGreaterThan(0);
      expect(ownFolders(child.pid)).toEqual([]);
    }
    await child.stop();
  });

  it('to a JVM that loads no agents fails with a cure, and Flight Recorder records it', async () => {
    const app = await start(java, { JAVA_TOOL_OPTIONS: '-XX:-EnableDynamicAgentLoading' });
    expect(await failureOf(recorderOf(app.child.pid))).toMatchObject({
      code: 'agent-refused',
      cure: expect.stringContaining('Flight Recorder') as unknown,
    });
    const options = recordingOptions();
    const recording = await flightRecorder().start({ pid: app.child.pid, runtime: 'jvm' }, options);
    await load(app, 1500);
    expect(totalOf(readTree(options, await recording.stop()), 'alloc')).toBeGreaterThan(0);
  });

  it('needs no knowledge of a pid: JVMs are listed with title, version and command line', async () => {
    const app = await start(java, { JAVA_TOOL_OPTIONS: '' });
    const found = (await listJvms()).find((one) => one.pid === app.child.pid);
    expect(found).toMatchObject({ runtime: 'jvm', title: 'bulletin-board.jar', targetId: null, problem: null });
    expect(found?.version).toMatch(/^\d+/);
    expect(found?.command).toMatch(/java -Xmx128m (-\S+ )*-jar target\/bulletin-board\.jar$/);
    expect((await listJvms()).some((one) => one.pid === process.pid)).toBe(false);
  });

  function recorderOf(pid: number): Promise<ActiveRecording> {
    return asyncProfilerRecorder(repositoryDir).start({ pid, runtime: 'jvm' }, recordingOptions());
  }
});
