import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { failure, FailureError } from '../../../model/domain/failure.ts';
import type { Proxy } from '../../../model/domain/topology.ts';
import { descriptorLimits } from '../../limits/descriptorLimits.ts';
import { poll } from '../../supervise/pause.ts';
import { runProgram, toolSpec } from '../../supervise/runTool.ts';
import { readSmallFile } from '../../supervise/smallFile.ts';
import { sendSignal } from '../../supervise/stopLadder.ts';
import { exitPhrase } from '../../../model/domain/exitWords.ts';
import type { Child, Supervisor } from '../../supervise/supervisor.ts';
import { onFreePort, startReady } from '../startReady.ts';
import { findSystemProgram } from '../systemPrograms.ts';
import { makeCertificate } from './certificate.ts';
import { findNginx, nginxMissing } from './findNginx.ts';
import { type NginxPlan, nginxConfig } from './nginxConfig.ts';
import { type Reach, plainReach, socketOf } from '../../load/connection.ts';
import { childrenOf } from '../../load/slices/threadClocks.ts';
import { smallAnswer } from '../../load/smallAnswer.ts';
import { placeStatic, staticName } from './staticFolder.ts';

export interface NginxOptions {
  proxy: Proxy;
  /** Ports on which the instances listen, or the numbers of their Unix sockets; at least one. */
  upstreamPorts: readonly number[];
  /** How the instances are spoken to; without it, in HTTP at 127.0.0.1. */
  upstreamReach?: Reach;
  /** The folder that is answered below /static/ when `proxy.staticFiles` is set. */
  staticDir: string | null;
  /** A folder that is the proxy's alone; `stop` empties it, its access log excepted. */
  folder: string;
  /** Write the access log; it costs the proxy some CPU. */
  log?: boolean;
  signal?: AbortSignal | undefined;
}

const testTimeoutMs = 20_000;
const readyTimeoutMs = 10_000;
const reloadTimeoutMs = 15_000;
/** The number of consecutive connections that must reach the new configuration: for a moment old and new workers accept from the same queue. */
const answersInARow = 5;
/** What is wanted for 8,192 clients and as many connections to instances, with some to spare. */
const wantedDescriptors = 20_000;
const mostDescriptors = 65_536;
const accessLogName = 'access.jsonl';

/**
 * An nginx that Benchside starts, on loopback only, in front of the instances of a target. Nothing of it lies or runs outside its folder and its process group.
 */
export class NginxProxy {
  readonly pid: number;
  readonly port: number;
  readonly tls: boolean;
  /** JSON lines: see `logLines`. There is none unless `log` was asked for; its last lines are there after `stop`. */
  readonly accessLog: string;
  #generation = 1;
  #changes: Promise<unknown> = Promise.resolve();

  private constructor(
    readonly child: Child,
    private readonly supervisor: Supervisor,
    private readonly nginx: string,
    private readonly folder: string,
    private readonly plan: NginxPlan,
    /** The certificate's file (PEM), for clients that want to check it; null without TLS. */
    readonly certificate: string | null,
  ) {
    this.pid = child.pid;
    this.port = plan.port;
    this.tls = plan.proxy.tls;
    this.accessLog = path.join(folder, accessLogName);
  }

  /** Starts the proxy and waits until it answers. Fails when there is no nginx or openssl, or with nginx's own words. */
  static async start(supervisor: Supervisor, options: NginxOptions): Promise<NginxProxy> {
    const nginx = findNginx();
    if (nginx === null) throw new FailureError(nginxMissing());
    const { folder, proxy, signal } = options;
    signal?.throwIfAborted();
    requireUpstreams(options.upstreamPorts);
    mkdirSync(path.join(folder, 'temp'), { recursive: true, mode: 0o700 });
    const asRoot = process.getuid?.() === 0;
    const upstreamReach = options.upstreamReach ?? plainReach;
    const { socketPath } = upstreamReach;
    if (asRoot && socketPath !== undefined) for (const one of options.upstreamPorts) requireOpenSocket(socketOf(socketPath, one));
    // As root the workers run as another user: they may pass through to their own files, and list nothing.
    for (const one of [folder, path.join(folder, 'temp')]) chmodSync(one, asRoot ? 0o711 : 0o700);
    try {
      if (options.log === true) writeFileSync(path.join(folder, accessLogName), '', { flag: 'a', mode: 0o600 });
      const staticLink = proxy.staticFiles ? await placeStatic(folder, options.staticDir, asRoot) : null;
      const certificate = proxy.tls ? await makeCertificate(supervisor, folder, signal) : null;
      const { child, ready, plan } = await onFreePort(async (port) => {
        const own: NginxPlan = {
          proxy,
          port,
          upstreamPorts: options.upstreamPorts,
          upstreamReach,
          staticLink,
          accessLog: options.log === true ? accessLogName : null,
          descriptors: Math.min(descriptorLimits()?.hard ?? wantedDescriptors, mostDescriptors),
          markPath: `/${randomBytes(16).toString('hex')}`,
          generation: 1,
          workersAs: asRoot ? workerUser() : null,
        };
        writeFileSync(path.join(folder, 'nginx.conf'), nginxConfig(own), { mode: 0o600 });
        await testConfig(supervisor, nginx, folder, 'nginx.conf', signal);
        const spec = toolSpec('nginx', [...endedWithUs(), nginx, ...commonArguments(folder, 'nginx.conf')], folder);
        const answers = async (): Promise<true | null> => (await markOf(own)) === String(own.generation) || null;
        return { ...(await startReady(supervisor, spec, answers, { timeoutMs: readyTimeoutMs, signal })), plan: own };
      });
      if (ready !== null) return new NginxProxy(child, supervisor, nginx, folder, plan, certificate);
      throw failure(
        'nginx-failed',
        `nginx did not start: it ${exitPhrase(await child.exited)}.`,
        'Look at its output below.',
        child.log.tail(20),
      );
    } catch (error) {
      emptyFolder(folder);
      throw error;
    }
  }

  /**
   * Sends requests to these instances from now on; resolves when no request uses the old list. Requests that are in progress are finished, connections of
   * clients that are idle may be closed. When nginx refuses the list, it continues with the old one.
   */
  setUpstreams(ports: readonly number[]): Promise<void> {
    const change = this.#changes.then(() => this.#change(ports));
    this.#changes = change.catch(() => undefined);
    return change;
  }

  /** Ends it and clears its folder, except for the access log. */
  async stop(): Promise<void> {
    await this.child.stop();
    emptyFolder(this.folder);
  }

  async #change(ports: readonly number[]): Promise<void> {
    requireUpstreams(ports);
    const generation = this.#generation + 1;
    const next = path.join(this.folder, 'next.conf');
    writeFileSync(next, nginxConfig({ ...this.plan, upstreamPorts: ports, generation }), { mode: 0o600 });
    await testConfig(this.supervisor, this.nginx, this.folder, 'next.conf');
    renameSync(next, path.join(this.folder, 'nginx.conf'));
    this.#generation = generation;
    const before = childrenOf(this.pid);
    sendSignal(this.pid, 'SIGHUP', 'process');
    let inARow = 0;
    const done = await poll(
      async () => {
        if (!this.child.running) return 'ended';
        inARow = before.every(acceptsNoMore) && (await markOf(this.plan)) === String(generation) ? inARow + 1 : 0;
        return inARow >= answersInARow * this.plan.proxy.workers ? 'changed' : null;
      },
      { timeoutMs: reloadTimeoutMs, everyMs: 2 },
    );
    if (done === 'changed') return;
    const what =
      done === 'ended'
        ? `nginx ${exitPhrase(await this.child.exited)}`
        : `nginx has not taken its new list of instances within ${reloadTimeoutMs / 1000} s`;
    throw failure('nginx-reload', `${what}.`, 'Look at its output below; run it again.', this.child.log.tail(20));
  }
}

/** The generation of the configuration that a new connection meets; null when nobody answers. */
function markOf({ port, markPath, proxy }: NginxPlan): Promise<string | null> {
  // It is our own proxy on our own machine, known by a path that nobody else knows.
  return smallAnswer(port, markPath, { withinMs: 2_000, longest: 100, tls: proxy.tls });
}

/**
 * Whether a worker has closed the port, which its title says, or has gone. One that waits for the CPU may still take a connection however many new ones have
 * answered.
 */
function acceptsNoMore(worker: number): boolean {
  const title = readSmallFile(`/proc/${worker}/cmdline`) ?? '';
  return title === '' || title.includes('shutting down');
}

function requireUpstreams(ports: readonly number[]): void {
  if (ports.length === 0)
    throw failure(
      'proxy-no-instances',
      'A reverse proxy needs at least one instance behind it.',
      'Keep one instance running, or stop the proxy.',
    );
}

async function testConfig(supervisor: Supervisor, nginx: string, folder: string, config: string, signal?: AbortSignal): Promise<void> {
  const argv = [nginx, '-t', '-q', ...commonArguments(folder, config)];
  const { code, tail } = await runProgram(supervisor, toolSpec('nginx -t', argv, folder), { timeoutMs: testTimeoutMs, signal });
  if (code !== 0) {
    throw failure(
      'nginx-config',
      'nginx refuses the configuration that was made for it.',
      'Install nginx 1.19.5 or later with its usual modules; its own words are below.',
      tail,
    );
  }
}

/**
 * A master that is killed leaves its workers behind, and these have overwritten the environment by which they could be found: when the engine dies, the kernel
 * therefore signals the master to end in order, instead of killing it. Busybox's program of that name cannot.
 */
function endedWithUs(): string[] {
  const setpriv = process.platform === 'linux' ? findSystemProgram('setpriv') : null;
  return setpriv === null || realpathSync(setpriv).endsWith('busybox') ? [] : [setpriv, '--pdeathsig', 'TERM'];
}

function commonArguments(folder: string, config: string): string[] {
  return ['-p', `${folder}/`, '-c', path.join(folder, config), '-e', 'stderr'];
}

function emptyFolder(folder: string): void {
  for (const name of ['nginx.conf', 'next.conf', 'nginx.pid', 'temp', staticName, 'certificate.pem', 'key.pem']) {
    rmSync(path.join(folder, name), { recursive: true, force: true });
  }
}

/** `nobody` with its group, which systems name differently. Fails with `nginx-no-user` where there is none. */
function workerUser(): { user: string; group: string } {
  const entry = (file: string, test: (fields: string[]) => boolean): string[] | undefined =>
    (readSmallFile(file) ?? '')
      .split('\n')
      .map((line) => line.split(':'))
      .find(test);
  const gid = entry('/etc/passwd', ([name]) => name === 'nobody')?.[3];
  const group = entry('/etc/group', (fields) => gid !== undefined && fields[2] === gid)?.[0];
  const plain = /^[A-Za-z_][\w-]*$/;
  if (group !== undefined && plain.test(group)) return { user: 'nobody', group };
  throw failure(
    'nginx-no-user',
    'nginx is started by root here, and there is no user “nobody” as whom its workers could run.',
    'Run Benchside as another user than root, or add that user.',
  );
}

/** Fails with `socket-not-usable` where such a worker, which is nobody, may not connect to a Unix socket of an instance. */
function requireOpenSocket(file: string): void {
  const closed = [file, ...foldersOf(file)].find((place, index) => (statSync(place).mode & (index === 0 ? 0o002 : 0o001)) === 0);
  if (closed === undefined) return;
  throw failure(
    'socket-not-usable',
    `nginx is started by root here, its workers run as “nobody”, and ${closed === file ? `the Unix socket ${file}` : `the folder ${closed} of the Unix socket ${file}`} lets only others in.`,
    'Run Benchside as another user than root, let it listen on a port, or open the socket and its folders to everybody (chmod o+w, o+x).',
  );
}

function foldersOf(file: string): string[] {
  const folder = path.dirname(file);
  return folder === file ? [] : [folder, ...foldersOf(folder)];
}
