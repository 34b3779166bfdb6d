import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readJfr } from '../../src/engine/calltree/jfr/readJfr.ts';
import { asyncProfilerRecorder } from '../../src/engine/record/jvm/asyncProfilerRecorder.ts';
import { AttachSocket } from '../../src/engine/record/jvm/attachSocket.ts';
import { inspectJvm } from '../../src/engine/record/jvm/jvmProcess.ts';
import { profilerLibrary } from '../../src/engine/record/jvm/profilerLibrary.ts';
import type { ActiveRecording, RecordingOptions } from '../../src/engine/record/recorder.ts';
import { childEnvironment } from '../../src/engine/supervise/environment.ts';
import type { Child } from '../../src/engine/supervise/supervisor.ts';
import { failureOf } from '../support/engine.ts';
import { everyEvent, readTree, totalOf, useJvmBench } from '../support/jvmRecording.ts';
import { type SampleApp, repositoryDir } from '../support/samples.ts';
import { longTest, slowHalf } from '../support/testTags.ts';
import { waitFor } from '../support/waitFor.ts';

const harness = useJvmBench();

describe('a recording of a JVM', () => {
  const recorder = asyncProfilerRecorder(repositoryDir);
  const begin = (app: SampleApp, options: RecordingOptions): Promise<ActiveRecording> =>
    recorder.start({ pid: app.child.pid, runtime: 'jvm' }, options);

  it('has only the events that were asked for', slowHalf, async () => {
    const app = await harness.start();
    for (const event of everyEvent) {
      const options = harness.options({ events: [event] });
      const recording = await begin(app, options);
      await harness.load(app, 500);
      const finished = await recording.stop();
      expect(finished.events).toEqual([event]);
      const columns = readTree(options, finished).events.map((one) => one.name);
      // On an idle machine nothing may have waited for a lock.
      if (event !== 'lock') expect(columns).toContain(event);
      // A wait for a lock or a traced call that was under way when a recording ended is in the next one; samples are not.
      expect(columns.filter((name) => name !== event && ['cpu', 'wall', 'alloc'].includes(name))).toEqual([]);
    }
  });

  it('that is abandoned leaves nothing, and the next one can be made', async () => {
    const app = await harness.start();
    const recording = await begin(app, harness.options());
    await recording.abandon();
    expect(harness.leftovers()).toEqual([]);
    await (await begin(app, harness.options())).abandon();
    const aborted = AbortSignal.abort();
    await expect(begin(app, harness.options({ signal: aborted }))).rejects.toThrow();
    expect((await app.ask('/ads/6')).status).toBe(200);
  });

  it('ends by itself when its time is over, and is there all the same', slowHalf, async () => {
    const app = await harness.start();
    const options = harness.options({ maxMs: 1000 });
    const recording = await begin(app, options);
    await harness.load(app, 2000);
    const socket = await AttachSocket.open(inspectJvm(app.child.pid));
    await waitFor(async () => (await socket.loadAgent(profilerLibrary(repositoryDir), 'status,log=/dev/null')) === 0, {
      what: 'it answers',
    });
    const tree = readTree(options, await recording.stop());
    const timesUs = tree.samples?.timeUs ?? new Float64Array();
    expect(((timesUs.at(-1) ?? 0) - (timesUs[0] ?? 0)) / 1e6).toBeLessThan(1.7);
  });

  it('of a JVM that somebody else records already is refused, and theirs goes on', slowHalf, async () => {
    const app = await harness.start();
    const socket = await AttachSocket.open(inspectJvm(app.child.pid));
    const library = profilerLibrary(repositoryDir);
    const theirs = join(harness.options().outputDir, 'theirs.jfr');
    expect(await socket.loadAgent(library, `start,event=ctimer,timeout=30,jfr,file=${theirs}`)).toBe(0);
    const refused = await failureOf(begin(app, harness.options()));
    expect(refused.code).toBe('profiler-busy');
    expect(refused.detail).toMatch(/running for/);
    await harness.load(app, 500);
    expect(await socket.loadAgent(library, `stop,file=${theirs}`)).toBe(0);
    expect(totalOf(readJfr(readFileSync(theirs)), 'cpu')).toBeGreaterThan(0);
  });

  it('that was left running by an engine that was killed is ended, and that is said', async () => {
    const app = await harness.start();
    const script = join(harness.options().outputDir, 'engine.mjs');
    const child = await killedEngine(script, app.child.pid);
    expect(harness.leftovers()).toHaveLength(1);
    const options = harness.options();
    const recording = await begin(app, options);
    await harness.load(app, 500);
    const finished = await recording.stop();
    expect(finished.notes).toContainEqual({ code: 'left-recording-ended' });
    expect(totalOf(readTree(options, finished), 'wall')).toBeGreaterThan(0);
    expect(child.running).toBe(false);
  });

  it.each(['SIGKILL'] as const)('of a process that ends by %s has what was recorded until then, and says so', longTest, endedBy);
  it.each(['SIGTERM'] as const)('of a process that ends by %s has what was recorded until then, and says so', slowHalf, endedBy);

  async function endedBy(signal: NodeJS.Signals): Promise<void> {
    const app = await harness.start();
    const options = harness.options();
    const recording = await begin(app, options);
    await harness.load(app, 5000);
    process.kill(app.child.pid, signal);
    await app.child.exited;
    const finished = await recording.stop();
    expect(finished.notes).toContainEqual({ code: 'process-ended', recorder: 'async-profiler' });
    expect(totalOf(readTree(options, finished), 'wall')).toBeGreaterThan(0);
    expect(harness.leftovers()).toEqual([]);
  }

  it('says that lines may be off where the JVM was not told to keep them', slowHalf, async () => {
    const app = await harness.start({ JAVA_TOOL_OPTIONS: '' });
    const recording = await begin(app, harness.options({ events: ['wall'] }));
    await harness.load(app, 500);
    expect((await recording.stop()).notes).toContainEqual({ code: 'lines-inexact', recorder: 'async-profiler' });
  });

  it('needs an event that the recorder knows', async () => {
    const refused = await failureOf(
      recorder.start({ pid: process.pid, runtime: 'jvm' }, harness.options({ events: ['database', 'heap'] })),
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
    const child = await harness.supervisor.start({
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
