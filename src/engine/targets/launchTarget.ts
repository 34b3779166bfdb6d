import { cpuLimitFailure } from '../../model/domain/cpuLimitProblem.ts';
import { FailureError, failure, isCancellation } from '../../model/domain/failure.ts';
import type { SettingSpecs, SettingValues } from '../../model/domain/setting.ts';
import { preparationOf } from '../../model/domain/target.ts';
import { type Reach, socketOf } from '../load/connection.ts';
import { type DatabaseWants, databaseName } from '../services/prepareDatabase.ts';
import { type DatabaseAddress, connectionOf, jdbcUrl, postgresUrl, r2dbcUrl } from '../services/serverUrl.ts';
import { type CpuLimitMeans, limitCpu } from '../services/cpuShare.ts';
import { freePort, isPortFree } from '../services/freePort.ts';
import { ownerAddress } from '../services/databaseOwner.ts';
import { findApache } from '../services/apache/findApache.ts';
import type { PgBouncer } from '../services/bouncer/pgBouncer.ts';
import type { DatabaseDistance } from '../services/distance/databaseDistance.ts';
import { childEnvironment } from '../supervise/environment.ts';
import { politeLadder } from '../supervise/stopLadder.ts';
import { type LaunchCommand, type ProbeSource, withProbe } from '../probe/probeLaunch.ts';
import type { ProbeGroup } from '../probe/probeServer.ts';
import type { Child, Supervisor } from '../supervise/supervisor.ts';
import { type DeclaredTarget, workingDirectory } from './catalog.ts';
import { groupListener } from './listener.ts';
import { type RequirePeers, PeerWatch, declaredWords } from './peers.ts';
import { saysPortInUse } from './portInUse.ts';
import { waitUntilReady } from './readiness.ts';
import { type TargetJava, assertJava, targetJava } from './targetJava.ts';
import type { Toolchain } from './toolchain.ts';
import { removeSocket, requireFreeSocket, socketPathOf } from './unixSocket.ts';
import path from 'node:path';

/** The process of a target: one that Benchside started, or one that runs already. */
export type TargetProcess = Pick<Child, 'name' | 'pid' | 'pgid' | 'log' | 'exited' | 'running' | 'stop' | 'kill'>;

/** A target that runs and answers. */
export interface RunningTarget {
  declared: DeclaredTarget;
  settings: SettingValues;
  child: TargetProcess;
  /** For a Unix socket, the number that represents it. */
  port: number;
  reach: Reach;
  /** How it was started: for the record. Names of variables only; values may be secret. */
  command: { argv: string[]; cwd: string; env: string[]; cpu?: { cores: number; means: CpuLimitMeans } };
  /** Its probes, connected or still to come; null when it was started without. */
  probe: ProbeGroup | null;
  /** Additional processes of the same target with the same settings, which share its load. */
  siblings: readonly RunningTarget[];
  /** From the start of its process until it was ready; absent of one that ran already. */
  startUpMs?: number;
  /** What is in front of all of them and receives the load in their place. */
  front?: Front | undefined;
  /** What is between all of them and PostgreSQL. */
  bouncer?: PgBouncer | undefined;
  distance?: DatabaseDistance | undefined;
}

/** A reverse proxy as the load generator sees it. */
export interface Front {
  port: number;
  pid: number;
  workers: number;
  /** The cores that it may use: one for each worker, or the limit that is in force. */
  cores: number;
  tls: boolean;
  /** Whether a client's connection may carry more than one request. */
  clientKeepAlive: boolean;
}

/** The process that serves: the one that was started, or what it has started in its place (npm, a shell). */
export function serverPid({ child, port, reach }: RunningTarget): number {
  return groupListener(child.pgid, port, reach) ?? child.pid;
}

export interface LaunchOptions {
  supervisor: Supervisor;
  toolchain: Toolchain;
  /** Marks every process of this engine. */
  cookieEnvironment: Readonly<Record<string, string>>;
  database: DatabaseAddress | null;
  name: string;
  signal?: AbortSignal | undefined;
  /** Decides which hosts it may connect to. One that does not come up because of another is refused for that. */
  server?: { requirePeers: RequirePeers } | undefined;
  /** Load a probe into it, so that its pools are seen and can be resized. */
  probes?: ProbeSource | null | undefined;
}

const portAttempts = 3;

/** What a target wants from PostgreSQL, with absolute paths; null when it wants none. */
export function databaseWants(declared: DeclaredTarget): DatabaseWants | null {
  const { postgres } = declared.target;
  if (postgres === undefined) return null;
  const absolute = (file: string): string => path.resolve(declared.baseDir, file);
  return {
    database: postgres.database,
    folder: declared.baseDir,
    sqlFiles: postgres.sql.map(absolute),
    prepareFiles: preparationOf(declared.target).sql.map(absolute),
  };
}

/** Every setting's value: what was asked for, else the default. Fails on a name the target does not have and on a value outside its range. */
export function completeSettings(label: string, specs: SettingSpecs, asked: SettingValues): SettingValues {
  for (const name of Object.keys(asked)) {
    if (specs[name] === undefined) {
      const known = Object.keys(specs);
      throw failure(
        'setting-unknown',
        `${label} has no setting “${name}”.`,
        known.length === 0 ? 'It declares none in benchside.json.' : `It has: ${known.join(', ')}.`,
      );
    }
  }
  return Object.fromEntries(
    Object.entries(specs).map(([name, spec]) => {
      const value = asked[name] ?? spec.default;
      if (spec.kind === 'choice') {
        if (!spec.choices.includes(String(value)))
          throw failure('setting-value', `${label}: ${name} cannot be “${value}”.`, `Choose one of: ${spec.choices.join(', ')}.`);
        return [name, String(value)];
      }
      if (typeof value !== 'number' || value < spec.min || value > spec.max) {
        throw failure('setting-value', `${label}: ${name} cannot be ${value}.`, `Choose a whole number from ${spec.min} to ${spec.max}.`);
      }
      return [name, value];
    }),
  );
}

/**
 * Starts a target with its settings and waits until it answers. Fails with a sentence and its last output when it cannot be started, ends,
 * or is not ready in time; then nothing of it is left running.
 */
export async function launchTarget(declared: DeclaredTarget, settings: SettingValues, options: LaunchOptions): Promise<RunningTarget> {
  const fixed = declared.target.port.fixed;
  for (let attempt = 1; ; attempt += 1) {
    if (fixed !== undefined && !(await isPortFree(fixed))) {
      throw failure(
        'port-taken',
        `${options.name} always uses port ${fixed}, and another program listens there.`,
        'Stop that program, or let the target take its port from a variable ("port": {"env": "PORT"}).',
      );
    }
    const port = fixed ?? (await freePort());
    try {
      return await launchOnPort(declared, settings, port, options);
    } catch (error) {
      const detail = error instanceof FailureError ? error.failure : null;
      // The port was free a moment ago: another program was quicker. Another port, then.
      const stolen = detail?.code === 'target-exited' && saysPortInUse(detail.detail ?? '');
      if (!stolen || fixed !== undefined || attempt >= portAttempts) throw error;
    }
  }
}

async function launchOnPort(
  declared: DeclaredTarget,
  settings: SettingValues,
  port: number,
  options: LaunchOptions,
): Promise<RunningTarget> {
  const { argv, cwd, env, ownNames } = targetCommand(declared, settings, port, options);
  const socketPath = socketPathOf(declared);
  const socket = socketPath === undefined ? null : socketOf(socketPath, port);
  if (socket !== null) await requireFreeSocket(options.name, socket);
  const java = ownJava(declared);
  if (java !== null) await assertJava(java.program, options.name, options.supervisor);
  const probed = withProbe({ argv, env }, declared.target.runtime, options.probes ?? null);
  const stop = politeLadder(declared.target.stopGraceMs);
  const startedMs = performance.now();
  const runsJvm = declared.target.runtime === 'jvm';
  const child = await options.supervisor.start({ name: options.name, kind: 'app', argv: probed.argv, cwd, env: probed.env, runsJvm, stop });
  void child.exited.then(() => {
    probed.group?.close();
    if (socket !== null) removeSocket(socket);
  });
  const watch = new PeerWatch(child.pgid, { meanwhile: options.server !== undefined });
  let cpu: RunningTarget['command']['cpu'];
  let reach: Reach;
  try {
    cpu = await limitedTo(declared.target.cores, child, options);
    reach = await waitUntilReady(child, declared, port, options);
  } catch (error) {
    const peers = watch.peers();
    await child.stop(isCancellation(error) ? 500 : undefined);
    // A process that has ended reports no pool.
    if (!isCancellation(error))
      await options.server?.requirePeers({
        name: options.name,
        peers,
        given: options.database,
        declared: declaredWords(declared.target),
        poolIsOpen: false,
        called: [],
      });
    throw error;
  } finally {
    watch.stop();
  }
  const startUpMs = performance.now() - startedMs;
  const command = { argv, cwd, env: ownNames, ...(cpu === undefined ? {} : { cpu }) };
  return { declared, settings, child, port, reach, command, probe: probed.group, siblings: [], startUpMs };
}

/**
 * Lets a process, and all that it starts, use at most so many cores. Fails with `cores-not-limited` where that is not possible: its figures would be another’s.
 */
async function limitedTo(
  cores: number | undefined,
  child: Child,
  { supervisor, name }: LaunchOptions,
): Promise<RunningTarget['command']['cpu']> {
  if (cores === undefined) return undefined;
  const limit = await limitCpu([child.pid], cores, supervisor);
  if (typeof limit === 'string') {
    const { message, cure } = cpuLimitFailure(limit);
    throw failure(
      'cores-not-limited',
      `${name} is to use at most ${cores} ${cores === 1 ? 'core' : 'cores'} ("cores"), and that cannot be seen to. ${message}`,
      process.platform === 'linux' ? cure : 'Leave "cores" out here, or on Linux.',
    );
  }
  void child.exited.then(() => limit.undo());
  return { cores, means: limit.means };
}

/** How a target is started on a port: its command line, folder and whole environment; `ownNames` are the variables that are not inherited. */
export function targetCommand(
  declared: DeclaredTarget,
  settings: SettingValues,
  port: number,
  options: Pick<LaunchOptions, 'database' | 'toolchain' | 'cookieEnvironment'>,
): { argv: string[]; cwd: string; env: Record<string, string>; ownNames: string[] } {
  const { target } = declared;
  const home = ownJava(declared)?.home ?? null;
  const own: Record<string, string> = {
    ...(home === null ? {} : { JAVA_HOME: home }),
    ...target.env,
    ...databaseEnvironment(declared, options.database),
    ...settingsEnvironment(target.settings, settings),
    ...(target.port.env === undefined ? {} : { [target.port.env]: placeOf(declared, port) }),
  };
  const argv = commandLine(declared, settings, port, options.toolchain);
  const led = ledCommand(declared, { argv, env: own }, options);
  return {
    argv: led.argv,
    cwd: workingDirectory(declared),
    env: childEnvironment({
      ...searchPathOf(declared, options.toolchain),
      ...led.env,
      // The app need not look for it once more, and does not find another one.
      ...(target.needs.includes('apache-php') ? { APACHE_WITH_PHP: JSON.stringify(findApache()) } : {}),
      ...options.toolchain.programEnvironment(target.command[0] ?? ''),
      ...options.cookieEnvironment,
    }),
    ownNames: Object.keys(own).sort(),
  };
}

/** Where a target has to listen. */
function placeOf(declared: DeclaredTarget, port: number): string {
  const socketPath = socketPathOf(declared);
  return socketPath === undefined ? String(port) : socketOf(socketPath, port);
}

/** A target of the workspace finds the programs of its own packages too, after those of this machine: it may name them, and shadows none. */
function searchPathOf({ origin }: DeclaredTarget, { workspacePath }: Toolchain): Record<string, string> {
  if (origin !== 'workspace' || workspacePath.length === 0) return {};
  return { PATH: [process.env['PATH'] ?? '', ...workspacePath].join(path.delimiter) };
}

function commandLine(declared: DeclaredTarget, settings: SettingValues, port: number, toolchain: Toolchain): string[] {
  const { command, settings: specs } = declared.target;
  const added = Object.entries(specs).flatMap(([name, spec]) =>
    (spec.arguments ?? []).map((argument) => argument.replaceAll('{value}', String(settings[name] ?? spec.default))),
  );
  const [program, ...rest] = command;
  const words = rest.includes('{arguments}') ? rest.flatMap((word) => (word === '{arguments}' ? added : [word])) : [...rest, ...added];
  const java = ownJava(declared)?.program ?? toolchain.java ?? 'java';
  const filled = (word: string): string =>
    word.replaceAll('{port}', String(port)).replaceAll('{socket}', placeOf(declared, port)).replaceAll('{java}', java);
  const first = program === 'java' || program === '{java}' ? java : toolchain.program(program ?? '');
  return [first, ...words.map(filled)];
}

/** The JDK that a target names for itself; null where it names none. */
function ownJava({ target, baseDir }: DeclaredTarget): TargetJava | null {
  if (target.java === undefined) return null;
  const java = targetJava(target.java, baseDir, target.label ?? target.id);
  if ('code' in java) throw failure(java.code, java.message, java.cure);
  return java;
}

function settingsEnvironment(specs: SettingSpecs, settings: SettingValues): Record<string, string> {
  return Object.fromEntries(
    Object.entries(specs).flatMap(([name, spec]) => (spec.env === undefined ? [] : [[spec.env, String(settings[name] ?? spec.default)]])),
  );
}

function databaseEnvironment(declared: DeclaredTarget, address: DatabaseAddress | null): Record<string, string> {
  const wants = databaseWants(declared);
  if (wants === null || address === null) return {};
  const names = declared.target.postgres?.env ?? {};
  const database = databaseName(address, wants);
  const login = ownerAddress(address, database);
  const values: Record<keyof typeof names, string> = {
    url: postgresUrl(login, database),
    jdbcUrl: jdbcUrl(address, database, names.user === undefined ? login : null),
    r2dbcUrl: r2dbcUrl(login, database),
    host: address.host,
    port: String(address.port),
    user: login.user,
    password: login.password,
    database,
  };
  const told = Object.fromEntries(Object.entries(names).map(([what, variable]) => [variable, values[what as keyof typeof values]]));
  return { ...tlsEnvironment(address, names), ...told };
}

/** A command whose probe leads the clients of the service to the database, also where nothing else is wanted of a probe. */
function ledCommand(
  declared: DeclaredTarget,
  command: LaunchCommand,
  { database: address, toolchain }: Pick<LaunchOptions, 'database' | 'toolchain'>,
): LaunchCommand {
  const wants = declared.target.postgres?.probe === true ? databaseWants(declared) : null;
  if (wants === null || address === null) return command;
  const database = databaseName(address, wants);
  const login = ownerAddress(address, database);
  const isJvm = declared.target.runtime === 'jvm';
  // What the service asks of TLS is meant for another server.
  const given = isJvm
    ? `${jdbcUrl(login, database, login)}${login.tls === null ? '&sslmode=disable' : ''}`
    : JSON.stringify({ ...connectionOf(login), database });
  const led = { ...command, env: { ...command.env, BENCHSIDE_PROBE_DATABASE: given } };
  return isJvm ? toolchain.withJvmProbe(led) : toolchain.withNodeProbe(led);
}

/** An app that gets host and port separately learns by libpq's variables how the connection is to be secured. */
function tlsEnvironment(
  { tls }: DatabaseAddress,
  names: { url?: string | undefined; jdbcUrl?: string | undefined; r2dbcUrl?: string | undefined },
): Record<string, string> {
  if (tls === null || [names.url, names.jdbcUrl, names.r2dbcUrl].some((name) => name !== undefined)) return {};
  return { PGSSLMODE: tls.mode, ...(tls.rootCertificate === null ? {} : { PGSSLROOTCERT: tls.rootCertificate }) };
}
