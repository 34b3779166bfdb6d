import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toFailure } from '../../src/model/domain/failure.ts';
import { chooseEvent, eventTotal, functionTable } from '../../src/calltree/totals.ts';
import { ProbeServer } from '../../src/engine/probe/probeServer.ts';
import { listNodes } from '../../src/engine/record/node/listNodes.ts';
import { processPorts } from '../../src/engine/targets/listener.ts';
import { childEnvironment } from '../../src/engine/supervise/environment.ts';
import { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import { beginRecording, heaviest, nodeOfMajor, recordDuring, RecordingFolders, startNodeApp } from '../support/nodeRecording.ts';
import { SampleStack, repositoryDir } from '../support/samples.ts';
import { longTest, slowHalf } from '../support/testTags.ts';
import { waitFor } from '../support/waitFor.ts';

const stack = new SampleStack();
const supervisor = new Supervisor();
const folders = new RecordingFolders();
let probeServer: ProbeServer;

beforeAll(async () => {
  await stack.start();
  probeServer = await ProbeServer.start();
}, 60_000);

afterAll(async () => {
  await supervisor.stopAll();
  await probeServer.close();
  await stack.stop();
  folders.remove();
}, 30_000);

const ways = ['from within', 'over its port'] as const;
describe.each([[20, ways[0]]] as const)('CPU and heap of Node %i, recorded %s,', cpuAndHeap);
describe.each([[20, ways[1]] as const, ...[22, 24].flatMap((major) => ways.map((way) => [major, way] as const))])(
  'CPU and heap of Node %i, recorded %s,',
  slowHalf,
  cpuAndHeap,
);

function cpuAndHeap(major: number, way: (typeof ways)[number]): void {
  const within = (): ProbeServer | undefined => (way === 'from within' ? probeServer : undefined);

  it('name the busy function with its hot line, add up, and leave no open port', async ({ skip }) => {
    const node = await nodeOfMajor(major);
    if (node === null) {
      console.warn(`Node ${major} could not be had from npm: not tried on it.`);
      skip();
      return;
    }
    const app = await startNodeApp(supervisor, 'busyLines.mjs', { node, within: within() });
    const before = processPorts(app.child.pid);
    // All that are open at any time, from before the recording begins until it has ended.
    const opened = new Set<number>();
    const watch = setInterval(() => {
      for (const port of processPorts(app.child.pid)) if (!before.includes(port)) opened.add(port);
    }, 5);
    const aSecond = async (): Promise<void> => {
      const until = performance.now() + 1_000;
      await waitFor(async () => (await app.ask()) !== '' && performance.now() > until, { what: 'a second of answers' });
    };
    const recording = await recordDuring(app.child.pid, ['cpu', 'heap'], folders.make(), aSecond, app);
    clearInterval(watch);
    if (way === 'from within') expect([...opened]).toEqual([]);
    else expect(opened.size).toBeGreaterThan(0);
    expect(recording.notes.some(({ code }) => code === 'inspector-listened')).toBe(way === 'over its port');
    expect(processPorts(app.child.pid)).toEqual(before);
    expect(recording.runtimeVersion).toMatch(new RegExp(`^v${major}\\.`));
    const tree = await recording.tree('cpu.cpuprofile');
    const cpu = chooseEvent(tree, 'cpu');
    const [top] = functionTable(tree, cpu).filter(({ kind }) => kind === 'app');
    const fixture = path.join(repositoryDir, 'test/fixtures/apps/busyLines.mjs');
    expect(top).toMatchObject({ name: 'hotLoop', file: fixture });
    expect((top?.self ?? 0) / eventTotal(cpu)).toBeGreaterThan(0.5);
    const lines = new Map<number, number>();
    const ticks = tree.lineTicks;
    for (const [index, place] of (ticks?.node ?? []).entries()) {
      if (tree.functions.name[tree.func[place] as number] !== 'hotLoop') continue;
      const line = ticks?.line[index] as number;
      lines.set(line, (lines.get(line) ?? 0) + (ticks?.ticks[index] as number));
    }
    const [hottest] = [...lines].sort((a, b) => b[1] - a[1]);
    expect(readFileSync(fixture, 'utf8').split('\n')[(hottest?.[0] ?? 0) - 1]).toContain('// hot line');

    const raw = JSON.parse(readFileSync(path.join(recording.folder, 'cpu.cpuprofile'), 'utf8')) as {
      nodes: { id: number; callFrame: { functionName: string } }[];
      samples: number[];
      timeDeltas: number[];
    };
    const idle = raw.nodes.find(({ callFrame }) => callFrame.functionName === '(idle)')?.id;
    // V8 may write samples in another order than that of time. One lasts until the next, and the last as long as they do on the mean.
    let atUs = 0;
    const inTime = raw.timeDeltas.map((us, row) => ({ atUs: (atUs += us), node: raw.samples[row] })).sort((a, b) => a.atUs - b.atUs);
    const [first, last] = [inTime[0]?.atUs ?? 0, inTime.at(-1)?.atUs ?? 0];
    const meanUs = (last - first) / (inTime.length - 1);
    const directlyNs = inTime.reduce(
      (sum, { atUs: from, node }, row) => sum + (node === idle ? 0 : (inTime[row + 1]?.atUs ?? last + meanUs) - from) * 1000,
      0,
    );
    expect(eventTotal(cpu) / directlyNs).toBeCloseTo(1, 6);

    const heap = await recording.tree('heap.heapprofile');
    const [keeper] = functionTable(heap, chooseEvent(heap, 'heap')).filter(({ file }) => file === fixture);
    expect(keeper?.self).toBeGreaterThan(100_000);
    expect(heaviest(heap, 'heap', 'keepSome').share).toBeGreaterThan(0.3);
    expect(await app.ask()).not.toBe('');
    await app.child.stop();
  });

  it('gives functions that V8 inlined their time, under their callers and with their lines', slowHalf, async ({ skip }) => {
    const node = await nodeOfMajor(major);
    if (node === null) {
      skip();
      return;
    }
    const app = await startNodeApp(supervisor, 'inlined.mjs', { node, within: within() });
    const answers = async (): Promise<void> => {
      const until = performance.now() + 1_500;
      await waitFor(async () => (await app.ask()) !== '' && performance.now() > until, { what: 'answers for a while' });
    };
    await answers();
    const recording = await recordDuring(app.child.pid, ['cpu'], folders.make(), answers, app);
    const tree = await recording.tree('cpu.cpuprofile');
    const cpu = chooseEvent(tree, 'cpu');
    const rows = functionTable(tree, cpu);
    const busy = eventTotal(cpu);
    for (const [name, file, line, caller] of [
      ['mixNear', 'inlined.mjs', 5, 'hashNear'],
      ['mixFar', 'inlinedLibrary.mjs', 32, 'hashFar'],
    ] as const) {
      const row = rows.find((one) => one.name === name);
      expect(row).toMatchObject({ file: path.join(repositoryDir, 'test/fixtures/apps', file), line });
      expect((row?.self ?? 0) / busy).toBeGreaterThan(0.05);
      // What V8 reports of its own accord may leave out a function between the two.
      expect([caller, 'turn']).toContain(heaviest(tree, 'cpu', name).frames.at(-2)?.name);
    }
    await app.child.stop();
  });

  it('comes with waits for the pool', slowHalf, async ({ skip }) => {
    const node = await nodeOfMajor(major);
    if (node === null) {
      skip();
      return;
    }
    const app = await startNodeApp(supervisor, 'manyWays.cjs', { node, env: { DATABASE_URL: stack.databaseUrl }, within: within() });
    let answer = {};
    const work = async (): Promise<void> => {
      answer = JSON.parse(await app.ask()) as object;
    };
    const recording = await recordDuring(app.child.pid, ['cpu', 'poolWait', 'database', 'heap'], folders.make(), work, app);
    expect([...new Set(Object.values(answer))]).toEqual([true]);
    expect(recording.files.map(({ name }) => name)).toEqual(['cpu.cpuprofile', 'heap.heapprofile', 'waits.pb.gz']);
    expect(recording.events).toEqual(['cpu', 'heap', 'poolWait', 'database']);
    const wait = heaviest(await recording.tree('waits.pb.gz'), 'poolWait', '[pool wait]');
    expect(wait.frames.at(-2)).toMatchObject({ name: 'timeout' });
    await app.child.stop();
  });
}

describe('a process that is recorded from within', () => {
  it('is reached over a socket that no other user can reach', longTest, async () => {
    const app = await startNodeApp(supervisor, 'busyLines.mjs', { within: probeServer });
    const socket = app.probes?.env['BENCHSIDE_PROBE_ADDRESS']?.replace('unix:', '') ?? '';
    const script = `require('net').connect(${JSON.stringify(socket)}).on('connect', () => console.log('connected')).on('error', ({ code }) => console.log(code))`;
    const tried = async (runAs?: { uid: number; gid: number }): Promise<string> => {
      const argv = [process.execPath, '-e', `${script}.unref(); setTimeout(() => process.exit(), 2_000)`];
      const child = await supervisor.start({
        name: 'stranger',
        kind: 'tool',
        argv,
        cwd: '/',
        env: childEnvironment(),
        ...(runAs && { runAs }),
      });
      await child.exited;
      return child.log.text().trim();
    };
    expect(await tried()).toBe('connected');
    // Who is not root cannot become another.
    if (process.getuid?.() === 0) expect(await tried({ uid: 65_534, gid: 65_534 })).toBe('EACCES');
    await app.child.stop();
  });

  it('goes on as before when the recording is abandoned, and when the engine is gone', longTest, async () => {
    const own = await ProbeServer.start();
    const app = await startNodeApp(supervisor, 'busyLines.mjs', { within: own });
    const first = await beginRecording(app.child.pid, ['cpu', 'heap'], folders.make(), app);
    await first.abandon();
    const second = await recordDuring(app.child.pid, ['cpu'], folders.make(), () => app.ask(), app);
    expect(second.files.map(({ name }) => name)).toEqual(['cpu.cpuprofile']);
    const third = await beginRecording(app.child.pid, ['cpu', 'heap'], folders.make(), app);
    await own.close();
    expect(await third.stop().catch((error: unknown) => toFailure(error))).toMatchObject({ code: 'inspector-lost' });
    expect(await app.ask()).not.toBe('');
    await app.child.stop();
  });
});

describe('a process that is recorded', () => {
  it('is left alone when it is not Node', async () => {
    const child = await supervisor.start({ name: 'sleep', kind: 'app', argv: ['sleep', '60'], cwd: '/', env: childEnvironment() });
    const problem = await beginRecording(child.pid, ['cpu'], folders.make()).catch((error: unknown) => toFailure(error));
    expect(problem).toMatchObject({ code: 'not-node' });
    expect(child.running).toBe(true);
    await child.stop();
  });

  it('is left alone when it was told not to listen to the signal', slowHalf, async ({ skip }) => {
    const node = await nodeOfMajor(24);
    if (node === null) {
      skip();
      return;
    }
    const app = await startNodeApp(supervisor, 'busyLines.mjs', { node, options: ['--disable-sigusr1'] });
    const problem = await beginRecording(app.child.pid, ['cpu'], folders.make()).catch((error: unknown) => toFailure(error));
    expect(problem).toMatchObject({ code: 'inspector-disabled' });
    expect(await app.ask()).not.toBe('');
    await app.child.stop();
  });

  it('keeps an inspector that was open before, and two are recorded at once', slowHalf, async () => {
    const open = await startNodeApp(supervisor, 'busyLines.mjs', { options: ['--inspect=127.0.0.1:0'] });
    const [first, second] = [await startNodeApp(supervisor, 'busyLines.mjs'), await startNodeApp(supervisor, 'busyLines.mjs')];
    const apps = [open, first, second];
    const before = apps.map(({ child }) => processPorts(child.pid));
    const active = [];
    for (const { child } of apps) active.push({ recording: await beginRecording(child.pid, ['cpu'], folders.make()) });
    const finished = await Promise.all(active.map(({ recording }) => recording.stop()));
    expect(finished.map(({ files }) => files.length)).toEqual([1, 1, 1]);
    expect(apps.map(({ child }) => processPorts(child.pid))).toEqual(before);
    await Promise.all(apps.map(({ child }) => child.stop()));
  });

  it('says who has the port when the inspector cannot be opened', slowHalf, async () => {
    const holder = await startNodeApp(supervisor, 'busyLines.mjs', { options: ['--inspect=127.0.0.1:9229'] });
    const app = await startNodeApp(supervisor, 'busyLines.mjs');
    const problem = await beginRecording(app.child.pid, ['cpu'], folders.make()).catch((error: unknown) => toFailure(error));
    expect(problem).toMatchObject({
      code: 'inspector-port-taken',
      message: expect.stringContaining(`process ${holder.child.pid}`) as unknown,
    });
    expect(await app.ask()).not.toBe('');
    await Promise.all([holder.child.stop(), app.child.stop()]);
  });

  it('goes on as before when the recording is abandoned, aborted, or at its longest time', slowHalf, async () => {
    const app = await startNodeApp(supervisor, 'busyLines.mjs');
    const before = processPorts(app.child.pid);
    const abandoned = await beginRecording(app.child.pid, ['cpu', 'heap'], folders.make());
    await abandoned.abandon();
    expect(processPorts(app.child.pid)).toEqual(before);
    await expect(abandoned.stop()).rejects.toThrow('cancelled');

    const controller = new AbortController();
    await beginRecording(app.child.pid, ['cpu'], folders.make(), { signal: controller.signal });
    controller.abort();
    await waitFor(() => processPorts(app.child.pid).length === before.length, { what: 'the inspector is closed after an abort' });

    const short = await beginRecording(app.child.pid, ['cpu'], folders.make(), { maxMs: 300 });
    await waitFor(() => processPorts(app.child.pid).length === before.length, { what: 'the recording ends by itself' });
    expect((await short.stop()).files).toHaveLength(1);
    expect(await app.ask()).not.toBe('');
    await app.child.stop();
  });

  it('ends the recording with a sentence when it ends itself', slowHalf, async () => {
    const app = await startNodeApp(supervisor, 'busyLines.mjs');
    const active = await beginRecording(app.child.pid, ['cpu'], folders.make());
    await app.child.stop();
    expect(await active.stop().catch((error: unknown) => toFailure(error))).toMatchObject({ code: 'inspector-lost' });
  });

  it('takes the recording out again when the recorder is killed', slowHalf, async () => {
    const app = await startNodeApp(supervisor, 'manyWays.cjs', { env: { DATABASE_URL: stack.databaseUrl } });
    const before = processPorts(app.child.pid);
    const folder = folders.make();
    const { build } = await import('esbuild');
    const script = `
      import { v8Recorder } from './src/engine/record/node/v8Recorder.ts';
      const options = { events: ['cpu', 'poolWait', 'database', 'heap'], maxMs: 600_000, outputDir: ${JSON.stringify(folder)}, signal: new AbortController().signal };
      await v8Recorder().start({ pid: ${app.child.pid}, runtime: 'node' }, options);
      console.log('recording');
      setInterval(() => undefined, 1000);`;
    await build({
      stdin: { contents: script, resolveDir: repositoryDir, loader: 'ts' },
      bundle: true,
      platform: 'node',
      format: 'esm',
      minify: true,
      keepNames: true,
      outfile: path.join(folder, 'recorder.mjs'),
      banner: { js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);` },
    });
    const recorder = await supervisor.start({
      name: 'recorder',
      kind: 'tool',
      argv: [process.execPath, path.join(folder, 'recorder.mjs')],
      cwd: folder,
      env: childEnvironment(),
    });
    await waitFor(() => recorder.log.text().includes('recording'), { what: 'it records' });
    process.kill(recorder.pid, 'SIGKILL');
    await recorder.exited;
    expect(processPorts(app.child.pid)).not.toEqual(before);
    expect([...new Set(Object.values(JSON.parse(await app.ask()) as object))]).toEqual([true]);
    await waitFor(() => processPorts(app.child.pid).length === before.length, {
      timeoutMs: 20_000,
      everyMs: 100,
      what: 'the app closes its inspector',
    });
    expect([...new Set(Object.values(JSON.parse(await app.ask()) as object))]).toEqual([true]);
    const again = await recordDuring(app.child.pid, ['poolWait', 'database'], folders.make(), () => app.ask());
    const { frames } = heaviest(await again.tree('waits.pb.gz'), 'database', '[query]');
    expect(frames.some(({ file }) => file === 'benchside-waits')).toBe(false);
    await app.child.stop();
  });
});

describe('the list of Node processes', () => {
  it('names ours by package and script, without secrets, and leaves us out', async () => {
    const app = await startNodeApp(supervisor, 'busyLines.mjs');
    const named = await stack.app('node');
    const list = await listNodes();
    expect(list.find(({ pid }) => pid === app.child.pid)).toMatchObject({
      runtime: 'node',
      title: 'benchside · busyLines.mjs',
      version: process.version,
      problem: null,
      targetId: null,
    });
    expect(list.find(({ pid }) => pid === named.child.pid)?.title).toMatch(/ · server\.mjs$/);
    expect(list.some(({ pid }) => pid === process.pid)).toBe(false);
    expect(list.every(({ command, title }) => command.length <= 200 && title.length <= 80)).toBe(true);
    await app.child.stop();
    await named.stop();
  });
});
