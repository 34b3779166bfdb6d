import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { RunStore } from '../../../src/engine/runs/runStore.ts';
import { cookieName } from '../../../src/engine/supervise/environment.ts';
import { type ProcessIdentity, isSameProcess, processIdentity, processStat } from '../../../src/engine/supervise/identity.ts';
import { readJournals } from '../../../src/engine/supervise/journal.ts';
import { processesMarked } from '../../../src/engine/supervise/marked.ts';
import { commandLine, repositoryDir, temporaryFolder } from '../../support/engine.ts';
import { startOwned, withDescendants } from '../../support/ownedProcesses.ts';
import { writeWorkspace } from './activities.ts';
import { ClientSide } from './clientSide.ts';
import type { ClientTask } from './clientTalk.ts';

const mostRuns = 8;
const startedMs = Date.now();

/** Everything that ran for an engine at one moment, and the ports that it listened on. */
export interface Snapshot {
  cookies: string[];
  /** But for the guardians. */
  processes: ProcessIdentity[];
  /** What waits next to each engine to end what is left of it, and then ends itself. */
  guardians: ProcessIdentity[];
  ports: number[];
}

export function allPids(): number[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
}

/** Folders in which one injection after the other takes place: a workspace, a storage, a database home and a folder of temporary files of its own. */
export class Lane {
  readonly folder = temporaryFolder('faults');
  readonly workspaceDir = path.join(this.folder, 'workspace');
  readonly storageDir = path.join(this.folder, 'storage');
  /** Apart and short: the path of a socket in it may have about 100 bytes. */
  readonly temporaryDir = mkdtempSync('/tmp/bsf-');
  readonly databaseHome = path.join(this.folder, 'postgres');
  readonly triggerFile = path.join(this.folder, 'trigger');
  readonly #clientFile: string;
  /** How names of temporary folders begin that apps make, wherever they do so. */
  readonly #leaves = `left-${path.basename(this.temporaryDir)}-`;
  #isMounted = false;
  #standing: ClientSide | null = null;

  constructor({ clientFile, javaClasses }: { clientFile: string; javaClasses: string }) {
    this.#clientFile = clientFile;
    // PostgreSQL may run as another user, who must be able to pass through.
    chmodSync(this.folder, 0o755);
    mkdirSync(path.join(this.workspaceDir, '.benchside'), { recursive: true });
    chmodSync(this.temporaryDir, 0o777);
    writeWorkspace(this.workspaceDir, { javaClasses, triggerFile: this.triggerFile, leaves: this.#leaves });
  }

  /** Puts the store on a small disk of its own, which can be filled up. Needs root; elsewhere the fault of a full disk does nothing. */
  async mount(): Promise<void> {
    const tool = await startOwned('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', this.storeRoot], { stdio: 'ignore' });
    await tool.exited;
    this.#isMounted = tool.process.exitCode === 0;
  }

  async unmount(): Promise<void> {
    const left = this.#standing === null ? [] : await this.#letGo(this.#standing);
    for (const one of left) console.error(one);
    rmSync(this.temporaryDir, { recursive: true, force: true });
    if (this.#isMounted) await (await startOwned('umount', [this.storeRoot], { stdio: 'inherit' })).exited;
  }

  get isMounted(): boolean {
    return this.#isMounted;
  }

  get storeRoot(): string {
    return path.join(this.workspaceDir, '.benchside');
  }

  get store(): RunStore {
    return new RunStore(this.storeRoot);
  }

  /**
   * A client whose engine has been started with these variables. Without any it is the one that has shown that the next run works, so that a run after a fault, and
   * the fault after that run, need one engine. `left` receives what that one left where it had to go.
   */
  async clientWith(env: Readonly<Record<string, string>> | undefined, left: string[]): Promise<ClientSide> {
    const standing = this.#standing;
    this.#standing = null;
    if (standing !== null && env === undefined && !standing.hasEnded) {
      standing.forget();
      return standing;
    }
    if (standing !== null) left.push(...(await this.#letGo(standing)));
    return this.newClient(env);
  }

  /** A client with an engine of its own, which is started with these variables. */
  newClient(env: Readonly<Record<string, string>> = {}): Promise<ClientSide> {
    return ClientSide.start(this.#clientArguments(env), this.temporaryDir);
  }

  /** Keeps a client whose engine has nothing to do for what comes next. */
  keep(client: ClientSide): void {
    this.#standing = client;
  }

  async #letGo(client: ClientSide): Promise<string[]> {
    const seen = this.snapshot([client.engine]);
    const left = (await client.leave()) ? [] : ['an engine that had nothing to do did not end'];
    left.push(...this.running(seen, null).map(({ pid }) => `process ${describeProcess(pid)}`));
    return [...left, ...(await this.leftovers(seen.processes, [], () => undefined, null))].map((one) => `at the end of an engine: ${one}`);
  }

  #clientArguments(env: Readonly<Record<string, string>>): string[] {
    const task: ClientTask = {
      nodePath: process.execPath,
      enginePath: path.join(repositoryDir, 'dist', 'engine.cjs'),
      env: { TMPDIR: this.temporaryDir, BENCHSIDE_POSTGRES_HOME: this.databaseHome, ...env },
      initialize: {
        client: 'test',
        workspaceDir: this.workspaceDir,
        storageDir: this.storageDir,
        assetsDir: repositoryDir,
        trusted: true,
        nodePath: process.execPath,
        javaPath: null,
        postgresUrl: null,
      },
    };
    return [this.#clientFile, JSON.stringify(task)];
  }

  /** What runs for these engines now, the engines among it. */
  snapshot(engines: readonly ProcessIdentity[]): Snapshot {
    const pids = allPids();
    const cookies = readJournals(path.join(this.storageDir, 'journals'))
      .filter(({ engine }) => engines.some(({ pid }) => pid === engine.pid))
      .map(({ cookie }) => cookie);
    const found = new Map(
      [
        ...withDescendants(engines, pids),
        ...cookies.flatMap((cookie) => processesMarked(cookieName, cookie)),
        ...this.#databases(pids),
      ].map((identity) => [identity.pid, identity]),
    );
    const all = [...found.values()];
    const guardians = all.filter(({ pid }) => /benchside-guardian|reaper\.cjs/.test(commandLine(pid)));
    const processes = all.filter((one) => !guardians.includes(one));
    return { cookies, processes, guardians, ports: listeners([...found.keys()]).map(({ port }) => port) };
  }

  /**
   * What of it runs still: by what each was, by the mark in its environment, and by PostgreSQL's working folder. `living`: an engine that has taken over, whose
   * own processes are none of it.
   */
  running({ cookies, processes }: Pick<Snapshot, 'cookies' | 'processes'>, living: ProcessIdentity | null): ProcessIdentity[] {
    const pids = allPids();
    const own = new Set(living === null ? [] : withDescendants([living], pids).map(({ pid }) => pid));
    const databases = this.#databases(pids).filter(({ pid }) => !own.has(pid));
    const found = new Map(
      [...processes.filter(isSameProcess), ...cookies.flatMap((cookie) => processesMarked(cookieName, cookie)), ...databases].map(
        (identity) => [identity.pid, identity],
      ),
    );
    return [...found.values()];
  }

  /**
   * What an injection has left on the disk, in words. `seen`: what ran; `acknowledged`: runs that a client knows to be stored; `endOf`: how the engine with this
   * pid ended; `living`: an engine that lives on, whose journal and folders are none of it.
   */
  async leftovers(
    seen: readonly ProcessIdentity[],
    acknowledged: readonly string[],
    endOf: (enginePid: number) => string | undefined,
    living: ProcessIdentity | null,
  ): Promise<string[]> {
    const ofOthers = entries(this.temporaryDir).filter((name) => living === null || !name.includes(`-${living.pid}.`));
    const ofApps = ['/tmp', tmpdir()].flatMap((parent) =>
      entries(parent).flatMap((name) => (name.startsWith(this.#leaves) ? [path.join(parent, name)] : [])),
    );
    for (const folder of ofApps) rmSync(folder, { recursive: true, force: true });
    // A socket of before is somebody else's, of a process that had the same number.
    const sockets = seen.filter(({ pid }) => (statSync(`/tmp/.java_pid${pid}`, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= startedMs);
    const left = [...ofApps.map(() => 'temporary folder of an app'), ...sockets.map(() => 'socket of a JVM')];
    left.push(...ofOthers.map((name) => `temporary folder ${name.replace(/\d+/g, 'N').replace(/-[^-]{6}$/, '')}`));
    const journals = readJournals(path.join(this.storageDir, 'journals')).filter(({ engine }) => engine.pid !== living?.pid);
    left.push(...journals.map(({ engine }) => `journal of an engine that ended by ${endOf(engine.pid) ?? 'a signal'}`));
    const names = entries(path.join(this.storeRoot, 'runs'));
    left.push(...names.filter((name) => name.startsWith('.tmp-')).map(() => 'unfinished run'));
    const { store } = this;
    for (const row of await store.list()) {
      if (row.kind === 'unreadable') left.push(`damaged run: ${row.reason}`);
      else await store.read(row.id).catch((error: unknown) => left.push(`damaged run: ${String(error)}`));
    }
    left.push(...acknowledged.filter((id) => !names.includes(id)).map(() => 'stored run lost'));
    // What was found is reported once.
    for (const name of ofOthers) rmSync(path.join(this.temporaryDir, name), { recursive: true, force: true });
    // They have been looked at: many of them would fill the small disk.
    if (names.length > mostRuns)
      for (const name of names) rmSync(path.join(this.storeRoot, 'runs', name), { recursive: true, force: true });
    return left;
  }

  /** Processes of PostgreSQL, which hide their environment, by the folder in which they work. */
  #databases(pids: readonly number[]): ProcessIdentity[] {
    return pids.flatMap((pid) => (isBelow(linkOf(pid, 'cwd'), this.databaseHome) ? (processIdentity(pid) ?? []) : []));
  }
}

/** For how long somebody on this machine has waited for a processor, ms since boot; 0 where the kernel does not report it. */
export function waitedForCpuMs(): number {
  try {
    return Number(/some .*total=(\d+)/.exec(readFileSync('/proc/pressure/cpu', 'latin1'))?.[1] ?? 0) / 1000;
  } catch {
    return 0;
  }
}

export function entries(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** What a process is, for a list of what was left: its program and the script that it runs. */
export function describeProcess(pid: number): string {
  return commandLine(pid)
    .split(' ')
    .slice(0, 2)
    .map((word) => path.basename(word))
    .join(' ');
}

function linkOf(pid: number, name: string): string {
  try {
    return readlinkSync(`/proc/${pid}/${name}`);
  } catch {
    return '';
  }
}

function isBelow(file: string, folder: string): boolean {
  return file === folder || file.startsWith(`${folder}${path.sep}`);
}

/** Who of these processes listens on which TCP port; /proc/net/tcp has them in hexadecimal with the socket's inode, state 0A is LISTEN. */
function listeners(pids: readonly number[]): { port: number; pid: number }[] {
  const inodes = new Map<string, number>();
  for (const table of ['tcp', 'tcp6']) {
    for (const line of readFileSync(`/proc/net/${table}`, 'latin1').split('\n').slice(1)) {
      const fields = line.trim().split(/\s+/);
      if (fields[3] === '0A') inodes.set(fields[9] ?? '', Number.parseInt(fields[1]?.split(':').at(-1) ?? '', 16));
    }
  }
  return pids.flatMap((pid) =>
    entriesOf(`/proc/${pid}/fd`).flatMap((name) => {
      const port = inodes.get(/^socket:\[(\d+)\]$/.exec(linkOf(pid, `fd/${name}`))?.[1] ?? '');
      return port === undefined ? [] : [{ port, pid }];
    }),
  );
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** What clock ticks since boot, in which the kernel reports the start of a process, have come to. */
export function ticksNow(): number {
  return Math.floor(100 * Number(readFileSync('/proc/uptime', 'latin1').split(' ')[0]));
}

/** Who still listens on one of these ports and was there at that time: somebody who has come since was given a port that had become free, by another lane for instance. */
export function stillListening(ports: readonly number[], thereAtTicks: number): number[] {
  const found = listeners(allPids()).filter(
    ({ port, pid }) => ports.includes(port) && Number(processStat(pid)?.startTime ?? Infinity) <= thereAtTicks,
  );
  return [...new Set(found.map(({ pid }) => pid))];
}
