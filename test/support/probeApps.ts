import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import { withProbe } from '../../src/engine/probe/probeLaunch.ts';
import type { ProbeGroup, ProbeServer } from '../../src/engine/probe/probeServer.ts';
import type { ProbeSession } from '../../src/engine/probe/probeSession.ts';
import type { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import { type FixtureApp, startNodeApp } from './nodeRecording.ts';
import { repositoryDir } from './samples.ts';
import { waitFor } from './waitFor.ts';

const fixturesDir = path.join(repositoryDir, 'test/fixtures/nodeProbe');
const cacheDir = path.join(repositoryDir, '.cache/nodeProbe');
const run = promisify(execFile);

/** What the Node probe's file is. */
export const nodeProbeFile = path.join(repositoryDir, 'dist/nodeProbe.cjs');

/**
 * A folder with the apps of test/fixtures/nodeProbe and, above it, the packages that their lockfile names, which are fetched when they are
 * not in the cache.
 */
export async function copyProbeApps(): Promise<{ folder: string; remove: () => void }> {
  await installPackages();
  const folder = mkdtempSync(path.join(cacheDir, 'apps-'));
  cpSync(fixturesDir, folder, { recursive: true, filter: (file) => !file.includes('node_modules') });
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

async function installPackages(): Promise<void> {
  const lock = readFileSync(path.join(fixturesDir, 'package-lock.json'));
  const hash = createHash('sha256').update(lock).digest('hex');
  const marker = path.join(cacheDir, 'packages.sha256');
  if (existsSync(marker) && readFileSync(marker, 'utf8') === hash) return;
  mkdirSync(cacheDir, { recursive: true });
  // In a folder of its own: another test process may be doing the same.
  const work = mkdtempSync(path.join(cacheDir, 'install-'));
  try {
    for (const name of ['package.json', 'package-lock.json']) cpSync(path.join(fixturesDir, name), path.join(work, name));
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    await run(npm, ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--engine-strict=false'], {
      cwd: work,
      shell: process.platform === 'win32',
    });
    const packages = path.join(cacheDir, 'node_modules');
    rmSync(packages, { recursive: true, force: true });
    renameSync(path.join(work, 'node_modules'), packages);
    writeFileSync(marker, hash);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** An app of somebody else that was launched with the Node probe. */
export interface ProbedApp extends FixtureApp {
  group: ProbeGroup;
}

/** Starts an app with the probe, as the engine launches a target. */
export async function startProbedApp(
  supervisor: Supervisor,
  server: ProbeServer,
  file: string,
  { node = process.execPath, env = {} }: { node?: string; env?: Record<string, string> } = {},
): Promise<ProbedApp> {
  const probed = withProbe({ argv: [], env }, 'node', { server, assetsDir: repositoryDir });
  if (probed.group === null) throw new Error('The Node probe was not built.');
  const app = await startNodeApp(supervisor, file, { node, env: probed.env });
  return { ...app, group: probed.group };
}

/** The probe of the process that runs `script`. */
export async function probeOf(group: ProbeGroup, script: string): Promise<ProbeSession> {
  return waitFor(() => group.sessions.find(({ hello }) => path.basename(hello.main) === path.basename(script)), {
    what: `a probe in ${script}`,
  });
}

/** Callers that ask an app without pause, each as soon as it was answered, and the answers that they got. */
export class Callers {
  readonly statuses = new Map<number | string, number>();
  readonly #agent: Agent;
  readonly #all: Promise<void>[];
  #stopped = false;

  constructor(port: number, paths: readonly string[], count: number) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: count });
    this.#all = Array.from({ length: count }, (_, index) => this.#call(port, paths, index));
  }

  /** How many were answered so far. */
  get answered(): number {
    return [...this.statuses.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Waits until so many more were answered. */
  async until(more: number): Promise<void> {
    const goal = this.answered + more;
    await waitFor(() => this.answered >= goal, { timeoutMs: 20_000, what: `${more} more answers` });
  }

  /** Lets those that are on their way finish. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#all);
    this.#agent.destroy();
  }

  async #call(port: number, paths: readonly string[], first: number): Promise<void> {
    for (let turn = first; !this.#stopped; turn += 1) {
      const status = await ask(this.#agent, port, paths[turn % paths.length] ?? '/').catch((error: Error) => error.message);
      this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    }
  }
}

function ask(agent: Agent, port: number, target: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path: target, agent, timeout: 20_000 }, (incoming) => {
      incoming.resume();
      incoming.on('end', () => resolve(incoming.statusCode ?? 0));
      incoming.on('error', reject);
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error('no answer')));
    outgoing.on('error', reject);
    outgoing.end();
  });
}
