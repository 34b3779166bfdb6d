import { chownSync, existsSync, readFileSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { failure } from '../../model/domain/failure.ts';
import { wholePath } from '../supervise/homeFolder.ts';
import { childEnvironment } from '../supervise/environment.ts';
import { isSameProcess } from '../supervise/identity.ts';
import { poll } from '../supervise/pause.ts';
import { runProgram, toolSpec } from '../supervise/runTool.ts';
import { sendSignal } from '../supervise/stopLadder.ts';
import { exitPhrase } from '../../model/domain/exitWords.ts';
import type { Child, ChildSpec, Supervisor } from '../supervise/supervisor.ts';
import { type ClusterSlot, postgresIn, takeClusterSlot } from './clusterSlot.ts';
import {
  type Owner,
  ensureHome,
  makeFolderFor,
  ownerBesideRoot,
  reachableByOthers,
  readForeignFile,
  removeFolderOf,
} from './privateFolder.ts';
import { type PostgresBinaries, copyOut, findPostgres, hydrateLibraryLinks } from './postgresBinaries.ts';
import type { DatabaseAddress } from './serverUrl.ts';
import { onFreePort, startReady } from './startReady.ts';

export const maxConnections = 400;

/** Durable enough for a workbench: with fsync off a killed server loses nothing that was committed, only a power failure does. */
export const serverSettings: Readonly<Record<string, string>> = {
  max_connections: String(maxConnections),
  shared_buffers: '128MB',
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'on',
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track': 'all',
  track_io_timing: 'on',
  track_functions: 'pl',
};

const sharedFolder = '/dev/shm';
const smallestShared = 16 * 2 ** 20;

/**
 * PostgreSQL's processes share memory in /dev/shm, of which a container may have 64 KB: there they share files of the data folder.
 * Source: postgresql.org, "Resource Consumption", dynamic_shared_memory_type.
 */
function sharedMemory(): Readonly<Record<string, string>> {
  try {
    const { bavail, bsize } = statfsSync(sharedFolder);
    return bavail * bsize < smallestShared ? { dynamic_shared_memory_type: 'mmap' } : {};
  } catch {
    return {};
  }
}

const asOptions = (settings: Readonly<Record<string, string>>): string[] =>
  Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

const readyTimeoutMs = 20_000;
const initdbTimeoutMs = 120_000;
const versionTimeoutMs = 20_000;
/** How long sessions of a server that was killed are waited for. */
const sessionsEndMs = 5_000;
const rootHome = '/var/lib/benchside';

/** An embedded PostgreSQL that this engine owns: loopback only, SCRAM, a random password, a data folder of its own. */
export class PostgresServer {
  readonly #released: Promise<void>;

  private constructor(
    readonly child: Child,
    readonly address: DatabaseAddress,
    readonly version: string,
    slot: ClusterSlot,
  ) {
    this.#released = child.exited.then(async () => {
      await endSessions(slot.dataDir);
      slot.release();
    });
  }

  /**
   * Starts the server, making its data folder when there is none yet.
   * @param storageDir the user's storage; as root `/var/lib/benchside` is used instead, since PostgreSQL must not run as root
   * and the user it runs as must be able to enter the folder. The variable BENCHSIDE_POSTGRES_HOME names another folder.
   */
  static async start(
    supervisor: Supervisor,
    options: { assetsDir: string; storageDir: string; signal?: AbortSignal },
  ): Promise<PostgresServer> {
    const owner = ownerBesideRoot();
    let home = wholePath(process.env['BENCHSIDE_POSTGRES_HOME']) ?? (owner === null ? path.join(options.storageDir, 'postgres') : rootHome);
    let binaries = findPostgres(options.assetsDir);
    if (binaries.origin === 'bundled') hydrateLibraryLinks(binaries.binDir);
    if (owner !== null) {
      home = ensureHome(home, 0o755);
      if (!reachableByOthers(binaries.binDir)) binaries = copyOut(binaries, home, installationId(binaries));
    }
    const version = await serverVersion(supervisor, binaries, owner);
    const slot = takeClusterSlot(home, version.split('.')[0] ?? 'unknown', owner);
    try {
      if (!slot.whole) await initialise(supervisor, binaries, slot, owner, options.signal);
      options.signal?.throwIfAborted();
      const { child, port } = await launch(supervisor, binaries, slot, owner, options.signal);
      const address: DatabaseAddress = {
        host: '127.0.0.1',
        port,
        user: 'benchside',
        password: slot.password,
        database: 'postgres',
        external: false,
        mode: 'own',
        tls: null,
        administers: true,
      };
      return new PostgresServer(child, address, version, slot);
    } catch (error) {
      slot.release();
      throw error;
    }
  }

  async stop(): Promise<void> {
    await this.child.stop();
    await this.#released;
  }
}

/**
 * Ends what a server that was killed has left working in its data folder, which only we use while its lock is held. SIGQUIT ends a session at once; what stays
 * keeps the folder from being used again.
 */
async function endSessions(dataDir: string): Promise<void> {
  const left = postgresIn(dataDir);
  for (const identity of left) if (isSameProcess(identity)) sendSignal(identity.pid, 'SIGQUIT', 'process');
  await poll(() => !left.some((identity) => isSameProcess(identity)), { timeoutMs: sessionsEndMs, everyMs: 20 });
}

/** Distinguishes versions of the bundled programs, so that a copy is made again after an update. */
function installationId({ binDir }: PostgresBinaries): string {
  const folder = path.resolve(binDir, '../..');
  const file = path.join(folder, 'version.txt');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  const manifest = path.join(folder, 'package.json');
  return existsSync(manifest) ? ((JSON.parse(readFileSync(manifest, 'utf8')) as { version?: string }).version ?? 'unknown') : 'unknown';
}

function toolAs(owner: Owner | null, argv: readonly string[], cwd: string): ChildSpec {
  return { ...toolSpec(path.basename(argv[0] ?? 'tool'), argv, cwd), runAs: owner };
}

async function serverVersion(supervisor: Supervisor, binaries: PostgresBinaries, owner: Owner | null): Promise<string> {
  const argv = [path.join(binaries.binDir, 'postgres'), '--version'];
  const { code, output } = await runProgram(supervisor, toolAs(owner, argv, '/'), { timeoutMs: versionTimeoutMs });
  const version = /\d+(\.\d+)*/.exec(output)?.[0];
  if (code !== 0 || version === undefined) {
    throw failure(
      'postgres-broken',
      'The PostgreSQL programs do not run on this machine.',
      'Set “benchside.postgres.url” to a server of yours, or install PostgreSQL on the PATH.',
      output,
    );
  }
  return version;
}

async function initialise(
  supervisor: Supervisor,
  binaries: PostgresBinaries,
  slot: ClusterSlot,
  owner: Owner | null,
  signal: AbortSignal | undefined,
): Promise<void> {
  signal?.throwIfAborted();
  const unfinished = `${slot.dataDir}.new`;
  for (const folder of [unfinished, slot.dataDir]) await removeFolderOf(owner, folder, supervisor);
  // Next to the data and not in the temporary folder, which may be closed to the user that PostgreSQL runs as.
  const passwordFile = path.join(slot.dir, 'initdb-password');
  try {
    rmSync(passwordFile, { force: true });
    writeFileSync(passwordFile, slot.password, { mode: 0o600, flag: 'wx' });
    // The file is the other user's, the folder remains our user's: the other user may read it, and put nothing in its place.
    if (owner !== null) chownSync(passwordFile, owner.uid, owner.gid);
    makeFolderFor(owner, unfinished);
    const argv = [
      path.join(binaries.binDir, 'initdb'),
      ...['-D', unfinished, '-U', 'benchside', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`],
      ...['--no-locale', '-E', 'UTF8', '--no-sync', '--no-instructions', ...asOptions(sharedMemory())],
    ];
    const { code, output } = await runProgram(supervisor, toolAs(owner, argv, slot.dir), { timeoutMs: initdbTimeoutMs, signal });
    if (code !== 0) throw initdbFailure(slot.dataDir, output);
    renameSync(unfinished, slot.dataDir);
  } catch (error) {
    await removeFolderOf(owner, unfinished, supervisor).catch(() => undefined);
    throw error;
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/** Why initdb, which speaks English here, has made no data folder. */
export function initdbFailure(dataDir: string, output: string): Error {
  const nameless = /could not look up effective user ID (\d+)/.exec(output)?.[1];
  if (nameless !== undefined)
    return failure(
      'postgres-initdb',
      `PostgreSQL does not run as the user with the number ${nameless}, of whom this system knows no name.`,
      `Run Benchside as a user of /etc/passwd, add an entry there (bench:x:${nameless}:${nameless}::/tmp:/bin/sh), or set “benchside.postgres.url” to a server of yours.`,
      output,
    );
  return failure(
    'postgres-initdb',
    `PostgreSQL could not make its data folder ${dataDir}.`,
    'Check that the disk is not full and that the folder may be written.',
    output,
  );
}

async function launch(
  supervisor: Supervisor,
  binaries: PostgresBinaries,
  slot: ClusterSlot,
  owner: Owner | null,
  signal: AbortSignal | undefined,
): Promise<{ child: Child; port: number }> {
  const { child, ready, late, port } = await onFreePort((free) => {
    const own = { listen_addresses: '127.0.0.1', port: String(free), unix_socket_directories: '' };
    const settings = { ...serverSettings, ...sharedMemory(), ...own };
    const spec: ChildSpec = {
      name: 'PostgreSQL',
      kind: 'postgres',
      argv: [path.join(binaries.binDir, 'postgres'), '-D', slot.dataDir, ...asOptions(settings)],
      cwd: slot.dir,
      env: childEnvironment({ LC_ALL: 'C', TZ: 'UTC' }),
      runAs: owner,
    };
    return startReady(supervisor, spec, ({ pid }) => isReady(slot.dataDir, pid) || null, { timeoutMs: readyTimeoutMs, signal });
  });
  if (ready !== null) return { child, port };
  if (late) {
    throw failure(
      'postgres-not-ready',
      `PostgreSQL was not ready after ${readyTimeoutMs / 1000} s.`,
      'See its log; a very busy machine or disk may need a second attempt.',
      child.log.tail(20),
    );
  }
  throw failure(
    'postgres-failed',
    'PostgreSQL did not start.',
    `Look at its output below. If the data folder ${slot.dataDir} is damaged, delete it: it is made again.`,
    `PostgreSQL ${exitPhrase(await child.exited)}.\n${child.log.tail(20)}`,
  );
}

/** Line 8 of postmaster.pid says `ready` once connections are accepted, and line 1 that it is about this very server. */
function isReady(dataDir: string, pid: number): boolean {
  const lines = (readForeignFile(path.join(dataDir, 'postmaster.pid')) ?? '').split('\n');
  return Number(lines[0]) === pid && (lines[7] ?? '').trim() === 'ready';
}
