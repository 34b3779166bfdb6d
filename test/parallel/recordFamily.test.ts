import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { coverageNotes, cpuCoverage } from '../../src/calltree/cpuCoverage.ts';
import { chooseEvent, eventTotal, functionTable, nodeTotals } from '../../src/calltree/totals.ts';
import { childrenOf } from '../../src/engine/load/slices/threadClocks.ts';
import { ProbeServer } from '../../src/engine/probe/probeServer.ts';
import { openRecording } from '../../src/engine/profiles/recordingFiles.ts';
import { v8Recorder } from '../../src/engine/record/node/v8Recorder.ts';
import type { FinishedRecording } from '../../src/engine/record/recorder.ts';
import { ofFamily } from '../../src/engine/record/recordFamily.ts';
import { recordingRecord } from '../../src/engine/record/recordingRecord.ts';
import { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import type { CallTree } from '../../src/model/domain/callTree.ts';
import type { RecordingRecord } from '../../src/model/domain/recording.ts';
import { type FixtureApp, RecordingFolders, startNodeApp } from '../support/nodeRecording.ts';
import { longTest, slowHalf } from '../support/testTags.ts';
import { cpuUsed } from '../support/cpuUsed.ts';
import { waitFor } from '../support/waitFor.ts';

const supervisor = new Supervisor();
const folders = new RecordingFolders();
let server: ProbeServer;

beforeAll(async () => {
  server = await ProbeServer.start();
});
afterAll(async () => {
  await supervisor.stopAll();
  await server.close();
  folders.remove();
}, 30_000);

interface Recorded {
  record: RecordingRecord;
  tree: CallTree;
  folder: string;
}

/** Records an app and all that belongs to it for two seconds. */
async function recorded({ child, probes }: FixtureApp, during: () => Promise<unknown> = () => Promise.resolve()): Promise<Recorded> {
  const folder = folders.make();
  const options = { events: ['cpu' as const], maxMs: 60_000, outputDir: folder, signal: new AbortController().signal };
  const active = await ofFamily(v8Recorder()).start({ pid: child.pid, runtime: 'node', probes }, options);
  const from = performance.now();
  let finished: FinishedRecording;
  try {
    await during();
    await cpuUsed(child.pid, 2.5);
    finished = await active.stop();
  } finally {
    await active.abandon();
  }
  const files = finished.files.map((file) => ({ ...file, bytes: new Uint8Array() }));
  const window = { ...finished, files, startedAt: new Date(), durationMs: performance.now() - from, load: null };
  const subject = {
    title: '',
    runtime: 'node' as const,
    pid: child.pid,
    command: '',
    target: null,
    trialKey: null,
    settings: {},
    sourceRoots: [],
  };
  const { record } = recordingRecord(window, subject, { id: 'v8' }, { prefix: '', cost: null, notes: [] });
  return { record, tree: await openRecording(folder, record), folder };
}

/** The share of CPU time that is in a function, by its name, and the names of the outermost frames with their shares. */
function shares(tree: CallTree): { of: (name: string) => number; roots: [name: string, share: number][] } {
  const cpu = chooseEvent(tree, 'cpu');
  const all = eventTotal(cpu);
  const totals = nodeTotals(tree, cpu);
  const rows = functionTable(tree, cpu);
  const roots = [...tree.depth.keys()]
    .filter((node) => tree.depth[node] === 1)
    .map((node): [string, number] => [tree.functions.name[tree.func[node] as number] ?? '', (totals[node] as number) / all]);
  return { of: (name) => (rows.find((row) => row.name === name)?.total ?? 0) / all, roots };
}

function covered({ record, tree }: Recorded): number {
  const coverage = cpuCoverage(record.cpu, tree);
  if (coverage === null) throw new Error('nothing is known of the CPU time');
  return (coverage.recordedNs + coverage.recorderNs) / coverage.kernelNs;
}

describe.each(['from within'] as const)('a cluster, recorded %s,', isItsWorkers);
describe.each(['over its port'] as const)('a cluster, recorded %s,', slowHalf, isItsWorkers);

function isItsWorkers(way: 'from within' | 'over its port'): void {
  it('is its workers, each under a frame of its own, with all of the CPU time', { timeout: 60_000, ...longTest }, async () => {
    const app = await startNodeApp(supervisor, 'clusterBusy.cjs', { within: way === 'from within' ? server : undefined });
    await waitFor(() => app.child.log.text().match(/listening/g)?.length === 2, { what: 'both workers listen' });
    // On a busy machine one worker may be recorded a second before the other, or be given most of the time.
    const one = await recorded(app, () => Promise.all(childrenOf(app.child.pid).map((worker) => cpuUsed(worker, 1.25))));
    const { of, roots } = shares(one.tree);
    expect(of('burnInClusterWorker')).toBeGreaterThan(0.8);
    expect(roots.filter(([name, share]) => /^\[process \d+ · clusterBusy\.cjs\]$/.test(name) && share > 0.2)).toHaveLength(2);
    expect(covered(one)).toBeGreaterThan(0.9);
    const [worker] = one.record.files.flatMap(({ process }) => process ?? []);
    const alone = await openRecording(one.folder, one.record, worker ?? 0);
    expect(shares(alone).roots.some(([name]) => name.startsWith('[process'))).toBe(false);
    expect(eventTotal(chooseEvent(alone, 'cpu'))).toBeLessThan(eventTotal(chooseEvent(one.tree, 'cpu')));
    await app.child.stop();
  });
}

describe('worker threads', () => {
  it(
    'are in the recording, each under a frame of its own, also one that comes while it lasts',
    { timeout: 60_000, ...longTest },
    async () => {
      const app = await startNodeApp(supervisor, 'threadsBusy.mjs', { within: server });
      const one = await recorded(app, () => app.ask('/more'));
      const { of, roots } = shares(one.tree);
      expect(of('burnInThread')).toBeGreaterThan(0.8);
      expect(roots.filter(([name, share]) => /^\[worker \d+ · threadsBusy\.mjs\]$/.test(name) && share > 0.15)).toHaveLength(2);
      expect(covered(one)).toBeGreaterThan(0.9);
      expect(one.tree.threads.filter((name) => name.startsWith('worker'))).toHaveLength(2);
      await app.child.stop();
    },
  );

  it('leave nothing behind: the app answers, and is recorded once more', { timeout: 60_000, ...slowHalf }, async () => {
    const app = await startNodeApp(supervisor, 'threadsBusy.mjs');
    await recorded(app);
    expect(await app.ask()).toBe('ok');
    expect(shares((await recorded(app)).tree).of('burnInThread')).toBeGreaterThan(0.8);
    await app.child.stop();
  });
});

describe('what is not recorded', () => {
  it('is told with its CPU time: a process of another kind that the app has started', { timeout: 60_000, ...longTest }, async () => {
    const app = await startNodeApp(supervisor, 'shellsOut.mjs', { within: server });
    const one = await recorded(app);
    const { kernelNs = 0, processes = [] } = one.record.cpu ?? {};
    expect(processes.find(({ recorded: known }) => !known)?.kernelNs).toBeGreaterThan(0.5 * kernelNs);
    const elsewhere = coverageNotes(one.record.cpu, one.tree).flatMap((note) => (note.code === 'cpu-covered' ? note.elsewhere : []));
    expect(elsewhere.map(({ in: where }) => where)).toContainEqual({ pid: expect.any(Number) as number, title: 'sh' });
    await app.child.stop();
  });
});
