import { chmodSync, copyFileSync, cpSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { asyncProfilerRecorder } from '../../src/engine/record/jvm/asyncProfilerRecorder.ts';
import { flightRecorder } from '../../src/engine/record/jvm/flightRecorder.ts';
import { listJvms } from '../../src/engine/record/jvm/listJvms.ts';
import { profilerLibrary } from '../../src/engine/record/jvm/profilerLibrary.ts';
import type { ActiveRecording } from '../../src/engine/record/recorder.ts';
import { childEnvironment } from '../../src/engine/supervise/environment.ts';
import { failureOf } from '../support/engine.ts';
import { ownJava, readTree, totalOf, useJvmBench } from '../support/jvmRecording.ts';
import { repositoryDir } from '../support/samples.ts';
import { waitFor } from '../support/waitFor.ts';
import { longTest } from '../support/testTags.ts';

const harness = useJvmBench();

describe('attaching a recorder', () => {
  it('to a process that is no JVM fails, and that process lives on', async () => {
    const child = await harness.supervisor.start({
      name: 'sleeper',
      kind: 'tool',
      argv: [process.execPath, '-e', 'setInterval(() => undefined, 1000); console.log("ready")'],
      cwd: '/',
      env: childEnvironment(),
    });
    await waitFor(() => child.log.text().includes('ready'), { what: 'it runs' });
    for (const recorder of [asyncProfilerRecorder(repositoryDir), flightRecorder()]) {
      expect((await failureOf(recorder.start({ pid: child.pid, runtime: 'jvm' }, harness.options()))).code).toBe('not-a-jvm');
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
    const child = await harness.supervisor.start({ name: 'busy', kind: 'app', argv, cwd: '/', env: childEnvironment() });
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
    const folder = harness.options().outputDir;
    chmodSync(folder, 0o755);
    copyFileSync(join(repositoryDir, 'test/fixtures/jfr/BusyThreads.java'), join(folder, 'BusyThreads.java'));
    const assets = harness.options().outputDir;
    cpSync(dirname(profilerLibrary(repositoryDir)), dirname(profilerLibrary(assets)), { recursive: true });
    const child = await harness.supervisor.start({
      name: 'busy',
      kind: 'app',
      argv: [ownJava, join(folder, 'BusyThreads.java'), '120000'],
      cwd: '/',
      env: childEnvironment(),
      runAs: { uid: 65_534, gid: 65_534 },
    });
    harness.watch(child.pid);
    const isListed = async (): Promise<boolean> => (await listJvms()).some((one) => one.pid === child.pid && one.problem === null);
    await waitFor(isListed, { what: 'the JVM is listed' });
    // Twice: the copy of the library that was made for it the first time is gone by the second.
    for (let round = 0; round < 2; round += 1) {
      const options = harness.options({ events: ['cpu'] });
      const recording = await asyncProfilerRecorder(assets).start({ pid: child.pid, runtime: 'jvm' }, options);
      await waitFor(() => existsSync(join('/tmp', harness.leftovers()[0] ?? '', 'recording.jfr')), { what: 'it records' });
      const used = (): number => Number(readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(' ')[13]);
      const before = used();
      await waitFor(() => used() > before + 50, { what: 'half a second of CPU time', timeoutMs: 30_000 });
      expect(totalOf(readTree(options, await recording.stop()), 'cpu')).toBeGreaterThan(0);
      expect(harness.leftovers()).toEqual([]);
    }
    await child.stop();
  });

  it('to a JVM that loads no agents fails with a cure, and Flight Recorder records it, as on Windows by jcmd', longTest, async () => {
    const app = await harness.start({ JAVA_TOOL_OPTIONS: '-XX:-EnableDynamicAgentLoading' });
    expect(await failureOf(recorderOf(app.child.pid))).toMatchObject({
      code: 'agent-refused',
      cure: expect.stringContaining('Flight Recorder') as unknown,
    });
    const options = harness.options();
    const recording = await flightRecorder('program').start({ pid: app.child.pid, runtime: 'jvm' }, options);
    await harness.load(app, 1500);
    expect(totalOf(readTree(options, await recording.stop()), 'alloc')).toBeGreaterThan(0);
  });

  it('needs no knowledge of a pid: JVMs are listed with title, version and command line', async () => {
    const app = await harness.start({ JAVA_TOOL_OPTIONS: '' });
    const found = (await listJvms()).find((one) => one.pid === app.child.pid);
    expect(found).toMatchObject({ runtime: 'jvm', title: 'bulletin-board.jar', targetId: null, problem: null });
    expect(found?.version).toMatch(/^\d+/);
    expect(found?.command).toMatch(/java (-\S+ )*-Xmx128m (-\S+ )*-jar target\/bulletin-board\.jar$/);
    expect((await listJvms()).some((one) => one.pid === process.pid)).toBe(false);
  });

  function recorderOf(pid: number): Promise<ActiveRecording> {
    return asyncProfilerRecorder(repositoryDir).start({ pid, runtime: 'jvm' }, harness.options());
  }
});
