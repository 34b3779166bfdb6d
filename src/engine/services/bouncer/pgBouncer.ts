import { chmodSync, closeSync, copyFileSync, fchownSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { failure, FailureError } from '../../../model/domain/failure.ts';
import type { Bouncer } from '../../../model/domain/bouncer.ts';
import type { LiveRefusal } from '../../../model/domain/liveRefusal.ts';
import { poll } from '../../supervise/pause.ts';
import { toolSpec } from '../../supervise/runTool.ts';
import { politeLadder } from '../../supervise/stopLadder.ts';
import { exitPhrase } from '../../../model/domain/exitWords.ts';
import type { Child, ChildSpec, Supervisor } from '../../supervise/supervisor.ts';
import { makeTemporaryFolder } from '../../supervise/temporaryFolder.ts';
import { type Owner, ownerBesideRoot, temporaryParentFor } from '../privateFolder.ts';
import { type DatabaseAddress, serverName } from '../serverUrl.ts';
import { onFreePort, startReady } from '../startReady.ts';
import { type BouncerPlan, bouncerConfig, bouncerUsers } from './bouncerConfig.ts';
import { bouncerClient, BouncerConsole } from './bouncerConsole.ts';
import { findPgBouncer, keepsPrepared, pgBouncerMissing, pgBouncerVersion } from './findPgBouncer.ts';

export interface PgBouncerOptions extends Pick<BouncerPlan, 'bouncer' | 'poolSize' | 'database'> {
  /** The server behind it, with the one database that it lets its clients into. */
  server: DatabaseAddress;
  /** For people: the target in front of which it runs. */
  name: string;
  signal?: AbortSignal | undefined;
}

const readyTimeoutMs = 10_000;
/** Its clients have ended before it: remaining connections are cut. */
const stopGraceMs = 1_000;
const resizeTimeoutMs = 15_000;
const files = { config: 'pgbouncer.ini', users: 'userlist.txt', serverCa: 'server-ca.pem' } as const;

/**
 * A PgBouncer that Benchside starts, on loopback only, between the processes of a target and PostgreSQL. As root it runs as the user that PostgreSQL runs as,
 * since it refuses to be root. Nothing of it lies outside its folder.
 */
export class PgBouncer {
  #poolSize: number;

  private constructor(
    readonly child: Child,
    readonly version: string,
    readonly mode: Bouncer['mode'],
    /** The address for an app: PostgreSQL’s user and password, its own port. */
    readonly address: DatabaseAddress,
    readonly console: BouncerConsole,
    poolSize: number,
    private readonly removeFolder: () => void,
  ) {
    this.#poolSize = poolSize;
  }

  /** Starts it and waits until a statement comes through it. Fails when there is none, or with its own words. */
  static async start(supervisor: Supervisor, options: PgBouncerOptions): Promise<PgBouncer> {
    const program = findPgBouncer();
    if (program === null) throw new FailureError(pgBouncerMissing());
    const { bouncer, server, signal } = options;
    const version = await pgBouncerVersion(supervisor, program, signal);
    if (bouncer.preparedStatements !== undefined && !keepsPrepared(version))
      throw failure(
        'pgbouncer-too-old',
        `PgBouncer ${version} keeps no prepared statements by name in transaction mode.`,
        'Install PgBouncer 1.21 or later, or leave "preparedStatements" out.',
      );
    const owner = ownerBesideRoot();
    const folder = makeTemporaryFolder('bouncer', temporaryParentFor(owner));
    const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });
    try {
      // It stays our user's: a link that the other user could put there would be written through. They may pass through, and read what is their own.
      if (owner !== null) chmodSync(folder, 0o711);
      const plan = {
        ...options,
        admin: { user: `benchside_${randomBytes(6).toString('hex')}`, password: randomBytes(24).toString('hex') },
      };
      const started = await launch(supervisor, program, { ...plan, folder, owner });
      const address: DatabaseAddress = { ...server, host: '127.0.0.1', port: started.port, tls: null };
      return new PgBouncer(started.child, version, bouncer.mode, address, started.console, options.poolSize, removeFolder);
    } catch (error) {
      removeFolder();
      throw error;
    }
  }

  get poolSize(): number {
    return this.#poolSize;
  }

  /** Why its pool cannot be changed while clients are connected; null when it can. */
  get fixed(): LiveRefusal | null {
    return this.mode === 'session' ? { code: 'bouncer-by-session' } : null;
  }

  /**
   * Changes its pool to another size and verifies it. It never closes a server connection that is in demand: when it is to shrink, it is paused, which closes
   * all of them as their transactions end, and continues with the new size.
   */
  async resize(poolSize: number, signal?: AbortSignal): Promise<LiveRefusal | null> {
    if (this.fixed !== null) return this.fixed;
    const shrinks = poolSize < this.#poolSize;
    try {
      if (shrinks) await this.console.run('PAUSE');
      try {
        await this.console.run(`SET default_pool_size = ${poolSize}`);
      } finally {
        if (shrinks) await this.console.run('RESUME');
      }
    } catch (error) {
      return { code: 'bouncer-refused', size: poolSize, said: error instanceof Error ? error.message : String(error) };
    }
    this.#poolSize = poolSize;
    const done = await poll(async () => ((await this.deviation()) === null ? true : null), {
      timeoutMs: resizeTimeoutMs,
      everyMs: 20,
      signal,
    });
    return done === true ? null : this.deviation();
  }

  /** More server connections than its size; null where it keeps to it. */
  async deviation(): Promise<LiveRefusal | null> {
    if (!this.child.running) return { code: 'bouncer-ended' };
    const pool = await this.console.pool();
    if (pool === null) return { code: 'bouncer-silent' };
    return pool.servers > this.#poolSize ? { code: 'bouncer-over', servers: pool.servers, size: this.#poolSize } : null;
  }

  /** Ends it and clears its folder; with `hurryMs` no rung of its stop ladder waits longer than that. */
  async stop(hurryMs?: number): Promise<void> {
    await this.console.close();
    await this.child.stop(hurryMs);
    this.removeFolder();
  }
}

type LaunchPlan = PgBouncerOptions & Pick<BouncerPlan, 'admin'> & { folder: string; owner: Owner | null };

async function launch(
  supervisor: Supervisor,
  program: string,
  plan: LaunchPlan,
): Promise<{ child: Child; port: number; console: BouncerConsole }> {
  const { folder, owner, admin, server, database, signal } = plan;
  const {
    child,
    ready: console,
    late,
    port,
  } = await onFreePort((free) => {
    writeConfig(plan, free);
    const spec: ChildSpec = {
      ...toolSpec(`PgBouncer before ${plan.name}`, [program, path.join(folder, files.config)], folder),
      stop: politeLadder(stopGraceMs),
      runAs: owner,
    };
    const open = (): Promise<BouncerConsole | null> => BouncerConsole.open(free, admin, { database, user: server.user }).catch(() => null);
    return startReady(supervisor, spec, open, { timeoutMs: readyTimeoutMs, signal });
  });
  if (console === null) {
    const how = late ? `was not ready after ${readyTimeoutMs / 1000} s` : `did not start: it ${exitPhrase(await child.exited)}`;
    throw failure('pgbouncer-failed', `PgBouncer ${how}.`, 'Look at its output below.', child.log.tail(20));
  }
  try {
    await passThrough(port, server, database);
    return { child, port, console };
  } catch (error) {
    await console.close();
    await child.stop();
    throw failure(
      'pgbouncer-server',
      `PgBouncer runs and does not reach PostgreSQL at ${serverName(server)}: ${error instanceof Error ? error.message : String(error)}.`,
      'Look at its output below; run it again without PgBouncer to see whether the server itself is there.',
      child.log.tail(20),
    );
  }
}

/** The configuration for a port, for no eyes but those of the user that it runs as. */
function writeConfig({ folder, owner, bouncer, poolSize, server, database, admin }: LaunchPlan, port: number): void {
  const rootCertificate = server.tls?.rootCertificate ?? null;
  const inFolder = (name: string): string => path.join(folder, name);
  const serverCaFile = rootCertificate === null ? null : inFolder(files.serverCa);
  const userFile = inFolder(files.users);
  const write = (file: string, text: string): void => {
    rmSync(file, { force: true });
    const descriptor = openSync(file, 'wx', 0o600);
    try {
      writeFileSync(descriptor, text);
      if (owner !== null) fchownSync(descriptor, owner.uid, owner.gid);
    } finally {
      closeSync(descriptor);
    }
  };
  if (rootCertificate !== null && serverCaFile !== null) {
    copyFileSync(rootCertificate, serverCaFile);
    chmodSync(serverCaFile, 0o644);
  }
  write(userFile, bouncerUsers([server, admin]));
  write(inFolder(files.config), bouncerConfig({ bouncer, poolSize, server, database, port, admin, userFile, serverCaFile }));
}

/** A statement, through it to PostgreSQL. */
async function passThrough(port: number, server: DatabaseAddress, database: string): Promise<void> {
  const client = bouncerClient(port, server, database, readyTimeoutMs);
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
  } finally {
    await client.end().catch(() => undefined);
  }
}
