import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openProfile } from '../../src/engine/calltree/openProfile.ts';
import { stackRoles } from '../../src/calltree/stackRoles.ts';
import { chooseEvent, eventTotal, functionTable } from '../../src/calltree/totals.ts';
import { type CallTree, nodeRoles } from '../../src/model/domain/callTree.ts';
import { longTest, slowHalf } from '../support/testTags.ts';

const root = path.resolve(import.meta.dirname, '../..');
let folder = '';
let file = '';

/** Profiles itself at work: recursion, JSON, regular expressions and sorting. */
const workload = `
const { Session } = require('node:inspector');
const { parentPort } = require('node:worker_threads');
const session = new Session();
session.connect();
function fibonacci(n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
function even(n) { return n === 0 ? 0 : 1 + odd(n - 1); }
function odd(n) { return n === 0 ? 0 : 1 + even(n - 1); }
function work() {
  // So much of its own time, however long others keep the processor from it: the samples are counted below.
  const begun = process.cpuUsage();
  const usedUs = () => { const { user, system } = process.cpuUsage(begun); return user + system; };
  let sum = 0;
  while (usedUs() < 1_000_000) {
    sum += fibonacci(18) + even(500);
    sum += JSON.stringify(JSON.parse(JSON.stringify(Array.from({ length: 500 }, (_, i) => ({ i, text: 'x' + i }))))).replace(/x(\\d)/g, 'y$1').length;
    sum += Array.from({ length: 500 }, (_, i) => (i * 7919) % 503).sort((a, b) => a - b)[3];
  }
  return sum;
}
session.post('Profiler.enable');
session.post('Profiler.setSamplingInterval', { interval: 200 });
session.post('Profiler.start');
work();
session.post('Profiler.stop', (error, result) => parentPort.postMessage(error ?? JSON.stringify(result.profile)));
`;

interface RawProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number }; children?: number[] }[];
  samples: number[];
  timeDeltas: number[];
}

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'benchside-calltree-'));
  file = path.join(folder, 'real.cpuprofile');
  const worker = new Worker(workload, { eval: true });
  const [text] = (await once(worker, 'message')) as [string];
  await worker.terminate();
  writeFileSync(file, text);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Self and total per function in ns, straight from samples × the time until the next (of the last: the mean), each sample walked from its node to the root. */
function directly(profile: RawProfile): { total: number; functions: Map<string, { self: number; total: number }> } {
  const byId = new Map(profile.nodes.map((node) => [node.id, node]));
  const parent = new Map(profile.nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node.id])));
  const functions = new Map<string, { self: number; total: number }>();
  let total = 0;
  const lasting = profile.timeDeltas.slice(1);
  const meanUs = lasting.reduce((sum, one) => sum + one, 0) / lasting.length;
  for (const [index, sample] of profile.samples.entries()) {
    const ns = Math.round((lasting[index] ?? meanUs) * 1000);
    total += ns;
    const seen = new Set<string>();
    for (let id: number | undefined = sample; id !== undefined; id = parent.get(id)) {
      const frame = byId.get(id)?.callFrame;
      if (frame === undefined || frame.functionName === '(root)') continue;
      const line = frame.url === '' ? 0 : frame.lineNumber + 1;
      const key = `${frame.functionName || '(anonymous)'} ${frame.url} ${line}`;
      const sums = functions.get(key) ?? { self: 0, total: 0 };
      functions.set(key, sums);
      if (id === sample) sums.self += ns;
      if (!seen.has(key)) sums.total += ns;
      seen.add(key);
    }
  }
  return { total, functions };
}

async function benchside(...args: string[]): Promise<{ code: number | null; stdout: Buffer; stderr: string }> {
  const child = spawn(process.execPath, [path.join(root, 'dist/cli.cjs'), ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const out: Buffer[] = [];
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout: Buffer.concat(out), stderr };
}

describe('a CPU profile that V8 wrote', () => {
  it('weighs what its samples and time deltas sum up to, in all and in the top 20 by self and by total', async () => {
    const raw = JSON.parse(readFileSync(file, 'utf8')) as RawProfile;
    const expected = directly(raw);
    expect(raw.samples.length).toBeGreaterThan(500);
    const tree = await openProfile(file);
    const event = chooseEvent(tree, 'cpu');
    expect(eventTotal(event)).toBe(expected.total);
    const rows = functionTable(tree, event);
    for (const by of ['self', 'total'] as const) {
      const top = [...rows].sort((a, b) => b[by] - a[by]).slice(0, 20);
      const wanted = [...expected.functions.values()].sort((a, b) => b[by] - a[by]).slice(0, 20);
      expect(top.map((row) => row[by])).toEqual(wanted.map((sums) => sums[by]));
      for (const row of top)
        expect({ self: row.self, total: row.total }).toEqual(expected.functions.get(`${row.name} ${row.file} ${row.line}`));
    }
    expect(rows.map((row) => row.name)).toEqual(expect.arrayContaining(['fibonacci', 'work']));
    expect(tree.lineTicks?.line.length).toBeGreaterThan(5);
  });
});

describe('benchside flamegraph', () => {
  it('prints the functions as JSON, the heaviest by self time first', async () => {
    const { code, stdout, stderr } = await benchside('flamegraph', file, '--json');
    expect(code, stderr).toBe(0);
    // The answer comes first, and is in the document too.
    const { sentence } = JSON.parse(stdout.toString('utf8')) as { sentence: string };
    expect(stderr.startsWith(`${sentence}.\n`)).toBe(true);
    const document = JSON.parse(stdout.toString()) as { event: string; unit: string; total: number; functions: { self: number }[] };
    const raw = JSON.parse(readFileSync(file, 'utf8')) as RawProfile;
    expect(document).toMatchObject({ event: 'cpu', unit: 'ns', total: directly(raw).total });
    const selfs = document.functions.map(({ self }) => self);
    expect(selfs).toEqual([...selfs].sort((a, b) => b - a));
    expect(Object.keys(document.functions[0] ?? {})).toEqual(['name', 'file', 'line', 'hotLine', 'self', 'total', 'own']);
  });

  it.each(['pprof'])('writes %s that it reads again with the same total', readsAgain);
  it.each(['collapsed', 'speedscope'])('writes %s that it reads again with the same total', slowHalf, readsAgain);

  async function readsAgain(format: string): Promise<void> {
    const { total } = directly(JSON.parse(readFileSync(file, 'utf8')) as RawProfile);
    const written = await benchside('flamegraph', file, '--format', format);
    expect(written.code, written.stderr).toBe(0);
    const again = path.join(folder, `again.${format}`);
    writeFileSync(again, written.stdout);
    const { stdout } = await benchside('flamegraph', again, '--format', 'json');
    expect(JSON.parse(stdout.toString())).toMatchObject({ total });
  }

  it('writes a picture by the ending of the file', async () => {
    const { code } = await benchside('flamegraph', file, '-o', 'picture.svg');
    expect(code).toBe(0);
    expect(readFileSync(path.join(folder, 'picture.svg'), 'utf8')).toMatch(/^<svg [\s\S]*fibonacci[\s\S]*<\/svg>\n$/);
  });

  it.each([
    ['an event that was not recorded', ['flamegraph', 'real.cpuprofile', '--event', 'wall'], 2, /no event “wall”/],
    ['a file that is not there', ['flamegraph', 'none.jfr'], 1, /could not be read/],
    ['a folder without a recording', ['flamegraph', 'nothing'], 1, /no recording of a format that is read here/],
    ['no file', ['flamegraph'], 2, /missing required argument “recording”/],
    ['a run that is not there', ['flamegraph', 'last'], 1, /no file, run or recording “last”/],
  ])('says what is wrong with %s', async (_name, args, exit, message) => {
    mkdirSync(path.join(folder, 'nothing'), { recursive: true });
    const { code, stdout, stderr } = await benchside(...args);
    expect({ code, stdout: stdout.toString() }).toEqual({ code: exit, stdout: '' });
    expect(stderr).toMatch(message);
  });
});

/** Weight of a column by the role of its nodes, in ms, and the frames at which each role begins. */
function byRole(tree: CallTree, name: string): { ms: Map<string, number>; begins: Set<string> } {
  const role = stackRoles(tree);
  const { self } = chooseEvent(tree, name);
  const ms = new Map<string, number>();
  const begins = new Set<string>();
  for (let node = 1; node < tree.nodeCount; node += 1) {
    const own = nodeRoles[role?.[node] ?? 0] ?? 'none';
    ms.set(own, (ms.get(own) ?? 0) + (self[node] ?? 0) / 1e6);
    if (own !== 'none' && (role?.[tree.parent[node] ?? 0] ?? 0) === 0)
      begins.add(`${own} ${tree.functions.name[tree.func[node] ?? 0] ?? ''}`);
  }
  return { ms, begins };
}

describe('a recording of Jetty and HikariCP, with a pool of two for ten workers', () => {
  it('tells the wait for the pool from the wait for a lock and from workers without work', { timeout: 120_000, ...longTest }, async () => {
    const jfr = path.join(folder, 'pool.jfr');
    const jar = path.join(root, 'samples/java/target/bulletin-board.jar');
    const recording = `-XX:StartFlightRecording=settings=profile,filename=${jfr},jdk.ThreadPark#threshold=0ms`;
    const child = spawn('java', [recording, '-cp', jar, path.join(root, 'test/fixtures/jfr/PoolWait.java')], { stdio: 'ignore' });
    const [code] = (await once(child, 'close')) as [number | null];
    expect(code).toBe(0);
    const tree = await openProfile(jfr);
    const { ms, begins } = byRole(tree, 'lock');
    expect([...begins]).toEqual(
      expect.arrayContaining([
        'poolWait com.zaxxer.hikari.util.ConcurrentBag.borrow',
        'lockWait java.util.concurrent.locks.AbstractQueuedSynchronizer.acquire',
        'idle org.eclipse.jetty.util.thread.QueuedThreadPool$Runner.idleJobPoll',
        'idle java.util.concurrent.ThreadPoolExecutor.getTask',
      ]),
    );
    // 60 tasks hold one of two connections for 20 ms each, and then 30 the lock for 10 ms, while the others of the ten workers wait.
    expect(ms.get('poolWait')).toBeGreaterThan(200);
    expect(ms.get('lockWait')).toBeGreaterThan(200);
    expect(tree.states).toContain('STATE_RUNNABLE');
    expect(tree.tier?.some((tier) => tier !== 0)).toBe(true);
  });
});

describe('benchside flamegraph --diff', () => {
  it('of a recording and itself finds no change, in each of its formats', slowHalf, async () => {
    const { code, stdout } = await benchside('flamegraph', file, '--diff', file, '--json');
    expect(code).toBe(0);
    const document = JSON.parse(stdout.toString()) as { unit: string; functions: { name: string; change: number }[] };
    expect(document.unit).toBe('share');
    expect(document.functions.map(({ name }) => name)).toContain('fibonacci');
    expect(document.functions.every(({ change }) => change === 0)).toBe(true);
    const columns = (await benchside('flamegraph', file, '--diff', file, '--format', 'collapsed')).stdout.toString().trimEnd().split('\n');
    expect(columns.every((line) => /^.* (\d+(?:\.\d+)?) \1$/.test(line))).toBe(true);
    expect((await benchside('flamegraph', file, '--diff', file)).stdout.toString()).toMatch(/^<svg [\s\S]*compared with[\s\S]*<\/svg>\n$/);
  });

  it('says that requests are not known of files', async () => {
    const { code, stderr } = await benchside('flamegraph', file, '--diff', file, '--normalise', 'request');
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('not known how many requests') as string });
  });
});
