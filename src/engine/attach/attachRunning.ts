import path from 'node:path';
import { failure, isCancellation } from '../../model/domain/failure.ts';
import type { SettingValues } from '../../model/domain/setting.ts';
import { AttachSocket } from '../record/jvm/attachSocket.ts';
import { inspectJvm } from '../record/jvm/jvmProcess.ts';
import { type ProbeSource, probeFiles, probeProblem } from '../probe/probeLaunch.ts';
import type { ProbeGroup } from '../probe/probeServer.ts';
import { BoundedLog } from '../supervise/boundedLog.ts';
import { type ProcessIdentity, isSameProcess, processIdentity, processStat } from '../supervise/identity.ts';
import type { DeclaredTarget } from '../targets/catalog.ts';
import { placeName } from '../load/connection.ts';
import { silenceWords } from '../targets/askStatus.ts';
import { hear, http2Only } from '../targets/hearing.ts';
import { type LaunchOptions, type RunningTarget, type TargetProcess, launchTarget } from '../targets/launchTarget.ts';
import { type PortAnswerer, answererOf } from '../targets/listener.ts';

const lookEveryMs = 500;

/**
 * Starts a target, or finds it where it runs already. Fails as {@link launchTarget} does, and with `not-running` where nothing of the user’s listens on its
 * port.
 */
export function startOrFind(declared: DeclaredTarget, settings: SettingValues, options: LaunchOptions): Promise<RunningTarget> {
  const { running } = declared.target;
  return running === undefined ? launchTarget(declared, settings, options) : find(declared, settings, running.port, options);
}

/**
 * The process that listens on a port of this machine. Into a JVM the probe is loaded; of Node, whose pools a probe sees only when they are made after it, and of
 * anything else nothing is changed.
 */
async function find(
  declared: DeclaredTarget,
  settings: SettingValues,
  port: number,
  { name, signal, probes }: LaunchOptions,
): Promise<RunningTarget> {
  const { ready, runtime } = declared.target;
  // The address that answers first, in the order in which requests try them.
  const [host, answerer] = answererAt(port);
  // Load goes there with the headers of its routes, which may hold a token: who answers has to be who is measured.
  if (answerer !== null && answerer.uid !== (process.geteuid?.() ?? answerer.uid))
    throw failure(
      'not-running',
      `${name} is to run already on port ${port}, and what answers at ${placeName({ host, tls: false }, port)} belongs to another user.`,
      'Start it as your own user so that it listens on 127.0.0.1, and run again.',
    );
  const identity = answerer?.pid == null ? null : processIdentity(answerer.pid);
  if (identity === null)
    throw failure(
      'not-running',
      `${name} is to run already on port ${port}, and no process that can be looked at listens there at 127.0.0.1 or ::1.`,
      process.platform === 'linux'
        ? 'Start it as your own user, and run again.'
        : 'A process is found by its port on Linux only: let Benchside start it, by a command.',
    );
  const heard = await hear({ port }, ready.path, signal);
  if ('speaks' in heard) throw http2Only(name, { reach: heard.reach, port }, heard.speaks, '');
  if ('silence' in heard || heard.status < 200 || heard.status >= 400 || heard.reach.host !== host)
    throw failure(
      'not-running',
      `${name} listens on port ${port}, but ${'silence' in heard ? silenceWords[heard.silence] : `${ready.path} answered ${heard.status}`}.`,
      'Check "ready.path", and that it answers on 127.0.0.1 or ::1.',
    );
  const group =
    probes != null && probes.inspectorOnly !== true && runtime === 'jvm' ? await loadedProbe(identity.pid, probes, signal) : null;
  const child = new AttachedProcess(name, identity, () => group?.close());
  return {
    declared,
    settings,
    child,
    port,
    reach: heard.reach,
    command: { argv: [`(runs on port ${port})`], cwd: declared.baseDir, env: [] },
    probe: group,
    siblings: [],
  };
}

/** Who answers on a port of this machine, and at which of its addresses. */
function answererAt(port: number): [host: string, answerer: PortAnswerer | null] {
  const answerer = answererOf(port);
  const six = answerer === null ? answererOf(port, '::1') : null;
  return six === null ? ['127.0.0.1', answerer] : ['::1', six];
}

/** Loads the probe into a running JVM; null where that is not possible: it is then measured without. */
async function loadedProbe(pid: number, probes: ProbeSource, signal: AbortSignal | undefined): Promise<ProbeGroup | null> {
  if (probeProblem('jvm', probes.assetsDir) !== null) return null;
  const group = probes.server.expect();
  try {
    const jvm = inspectJvm(pid);
    // In a container of its own it can open neither the jar nor the socket.
    if (jvm.rootDir !== '') throw failure('attach-failed', `The JVM ${pid} runs in a container of its own.`, 'Let Benchside start it.');
    const socket = await AttachSocket.open(jvm, signal === undefined ? {} : { signal });
    const options = `address=${group.env['BENCHSIDE_PROBE_ADDRESS'] ?? ''},token=${group.env['BENCHSIDE_PROBE_TOKEN'] ?? ''}`;
    await socket.loadJavaAgent(path.join(probes.assetsDir, probeFiles.jvm), options);
    return group;
  } catch (error) {
    group.close();
    if (isCancellation(error)) throw error;
    return null;
  }
}

/** Another program’s process, which is observed and never signalled: to stop it is to end the observation. */
class AttachedProcess implements TargetProcess {
  readonly log = new BoundedLog();
  readonly exited: Promise<{ code: null; signal: null }>;
  readonly pid: number;
  readonly pgid: number;
  #ended: () => void = () => undefined;
  readonly #timer: NodeJS.Timeout;

  constructor(
    readonly name: string,
    private readonly identity: ProcessIdentity,
    /** Undoes what was put into it. */
    private readonly release: () => void,
  ) {
    this.pid = identity.pid;
    this.pgid = processStat(identity.pid)?.pgid ?? identity.pid;
    this.exited = new Promise((resolve) => (this.#ended = () => resolve({ code: null, signal: null })));
    this.#timer = setInterval(() => {
      if (!this.running) this.#end();
    }, lookEveryMs).unref();
  }

  get running(): boolean {
    return isSameProcess(this.identity);
  }

  /** Ends the observation; the process runs as before. */
  stop(): Promise<void> {
    this.#end();
    return Promise.resolve();
  }

  kill(): Promise<void> {
    return Promise.reject(failure('runs-already', `${this.name} runs already, and is not ended.`, 'Let Benchside start it, by a command.'));
  }

  #end(): void {
    clearInterval(this.#timer);
    this.release();
    this.#ended();
  }
}
