import { FailureError, isCancellation } from '../../model/domain/failure.ts';
import type { PlainFinding } from '../../model/domain/findingKinds.ts';
import type { AnswerDigest, ComparedAnswers } from '../../model/domain/routeCheck.ts';
import type { RunNote } from '../../model/domain/runNoteKinds.ts';
import type { SettingValues } from '../../model/domain/setting.ts';
import { remembered } from '../../model/domain/remembered.ts';
import { HeardAnswers } from '../answers/heardAnswers.ts';
import { calledByGroup } from '../probe/groupReport.ts';
import { askRoutes, hearAnswers } from '../targets/askRoutes.ts';
import { allowedCores } from '../observe/cpuAllowance.ts';
import { PeerWatch, declaredWords } from '../targets/peers.ts';
import type { LaunchOptions, RunningTarget } from '../targets/launchTarget.ts';
import { databaseSettings, databaseWantsWith, withValues } from '../variants/varied.ts';
import { startOrFind } from '../attach/attachRunning.ts';
import type { PgBouncer } from '../services/bouncer/pgBouncer.ts';
import { ensureSide } from '../services/databaseOwner.ts';
import type { DatabaseDistance, DistanceCost } from '../services/distance/databaseDistance.ts';
import { databaseName } from '../services/prepareDatabase.ts';
import type { DatabaseAddress } from '../services/serverUrl.ts';
import { distanceNote, startDistance } from './startDistance.ts';
import { bouncerNote, startBouncer, trapOf, withTrap } from './startBouncer.ts';
import { AroundProcess, type GroupTopology, bare } from './aroundProcess.ts';
import type { PlannedProcess } from './plan.ts';
import { notInForce } from './processView.ts';
import { instancesOf } from './runningTargets.ts';
import { givenValues, setByProbe } from './setByProbe.ts';
import type { RunContext } from './runContext.ts';

/** How a process was started, what it answered to the first requests, and what is known of its log in the record. */
export type StartedCommand = RunningTarget['command'] & { log?: { file: string; lastLine: string }; answers?: AnswerDigest[] };

type Options = Omit<LaunchOptions, 'name'> & { signal: AbortSignal };

const longestLine = 500;
/** Of so many starts after the first the answers are compared. */
const startsHeard = 2;
/** What is cancelled waits no longer than this on any rung of a stop ladder. */
export const hurryMs = 500;

function lastLine(text: string): string {
  const line = text.trimEnd().split(/\r?\n/).at(-1) ?? '';
  return line.length > longestLine ? `${line.slice(0, longestLine)}…` : line;
}

/** Starts a process with what brings its values about; it is known by what is declared. */
async function started({ declared, settings, asked }: PlannedProcess, options: LaunchOptions): Promise<RunningTarget> {
  return { ...(await startOrFind(withValues(declared, asked), settings, options)), declared };
}

/** A process of a run did not start: as {@link FailureError}, with the values that were asked for it. */
export class NotStarted extends FailureError {
  constructor(
    cause: FailureError,
    readonly asked: SettingValues,
  ) {
    super(cause.failure, { cause });
  }
}

/** Launches all of them, as many at a time as there are cores; the first failure stops the rest. `launch` is what launches one. */
export async function launchAll(
  processes: readonly PlannedProcess[],
  launch: (process: PlannedProcess, stop: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const waiting = [...processes];
  const failed = new AbortController();
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined && !failed.signal.aborted; next = waiting.shift())
      await launch(next, failed.signal);
  };
  const results = await Promise.allSettled(
    Array.from({ length: Math.max(1, Math.min(Math.floor(allowedCores()), processes.length)) }, () =>
      worker().catch((error: unknown) => {
        failed.abort(error);
        throw error;
      }),
    ),
  );
  const first = results.find((result) => result.status === 'rejected');
  if (first !== undefined) throw failed.signal.reason ?? first.reason;
}

/** What is around the processes of a pool. */
interface Surroundings {
  topologyOf: (process: PlannedProcess) => GroupTopology;
  /** Takes the access log of a proxy that has ended; absent: it writes none. */
  keepLog?: ((file: string) => Promise<void>) | undefined;
}

/** The processes of a run with what is around them: each is launched once and found by its key, until it is stopped. */
export class ProcessPool {
  readonly #running = new Map<string, RunningTarget>();
  readonly #logs = new Map<string, string>();
  readonly #asked = new Set<string>();
  /** How many starts of those that were asked were heard since. */
  readonly #startsHeard = new Map<string, number>();
  readonly #answers = new HeardAnswers();
  readonly #commands = new Map<string, RunningTarget['command']>();
  /** Those between the processes of a key and PostgreSQL. */
  readonly #bouncers = new Map<string, PgBouncer>();
  readonly #bouncerLogs = new Map<string, string>();
  readonly #distances = new Map<string, DatabaseDistance>();
  readonly #distanceCosts = new Map<string, DistanceCost[]>();
  readonly #notInForce = new Map<string, PlainFinding>();
  readonly #around = new Map<string, AroundProcess>();

  constructor(
    private readonly context: Pick<RunContext, 'supervisor' | 'toolchain' | 'cookieEnvironment' | 'signal' | 'assetsDir'> &
      Partial<Pick<RunContext, 'probes' | 'server'>>,
    private readonly database: DatabaseAddress | null,
    /** Receives what may be unintended in an answer, though it is none with an error. */
    private readonly note: (note: RunNote) => void = () => undefined,
    private readonly surroundings: Surroundings = { topologyOf: () => bare },
  ) {}

  /** See {@link launchAll}. */
  launchAll(processes: readonly PlannedProcess[]): Promise<void> {
    return launchAll(processes, (process, stop) => this.launch(process, stop));
  }

  /**
   * Starts as many instances as the process has and waits until they, and the proxy, answer. `stop` ends the start early. Fails with {@link NotStarted} where an
   * instance does not start, with what the proxy fails with, or as cancelled; nothing of it runs then.
   */
  async launch(process: PlannedProcess, stop?: AbortSignal): Promise<RunningTarget> {
    const { key, asked } = process;
    const { topologyOf, keepLog } = this.surroundings;
    const signal = stop === undefined ? this.context.signal : AbortSignal.any([this.context.signal, stop]);
    let launched: RunningTarget | null = null;
    try {
      launched = await this.#launch(process, signal);
      const around = new AroundProcess(process, topologyOf(process), { context: this.context, note: this.note, keepLog });
      this.#around.set(key, around);
      await around.limit(instancesOf(launched));
      const running = await around.standBefore(launched);
      this.#running.set(key, running);
      return running;
    } catch (error) {
      const bouncer = this.#bouncers.get(key);
      await this.stop(key, signal.aborted ? hurryMs : undefined);
      if (launched !== null) throw error;
      const cause = bouncer === undefined ? error : withTrap(error, bouncer);
      throw cause instanceof FailureError && !isCancellation(cause) ? new NotStarted(cause, asked) : cause;
    }
  }

  async #launch(process: PlannedProcess, signal: AbortSignal): Promise<RunningTarget> {
    const bouncer = await startBouncer(process, this.database, { supervisor: this.context.supervisor, signal });
    if (bouncer !== null) {
      this.#bouncers.set(process.key, bouncer);
      this.note(bouncerNote(bouncer));
    }
    const near = await this.#addressOf(process, signal);
    const distance = await startDistance(process, near, { ...this.context, signal });
    if (distance !== null) this.#distances.set(process.key, distance);
    const database = bouncer?.address ?? distance?.address ?? near;
    const options = { ...this.context, database, signal };
    const first = await started(process, { ...options, name: process.name });
    if (this.#asked.has(process.key)) await this.#hear(first, process, signal);
    else await this.#ask(first, process, options);
    const siblings: RunningTarget[] = [];
    const running = { ...first, siblings, ...(bouncer === null ? {} : { bouncer }), ...(distance === null ? {} : { distance }) };
    // Known before the others are started: when one of them fails, all are stopped.
    this.#running.set(process.key, running);
    for (let number = 2; number <= process.instances; number += 1) {
      siblings.push(await started(process, { ...options, name: `${process.name}, instance ${number}` }));
    }
    this.#commands.set(process.key, running.command);
    const problem = (await setByProbe(running, givenValues(process), signal)) ?? (await notInForce(running, process.asked, near, signal));
    if (problem === null) this.#notInForce.delete(process.key);
    else this.#notInForce.set(process.key, problem);
    return running;
  }

  /** The value of the catalogue, or of the probe, that was not in force in the processes of a key at their last start; null where all are. */
  notInForce(key: string): PlainFinding | null {
    return this.#notInForce.get(key) ?? null;
  }

  /** Where the database of a process is: one with settings of PostgreSQL of its own signs in as a role of its own. */
  async #addressOf({ declared, asked }: PlannedProcess, signal: AbortSignal): Promise<DatabaseAddress | null> {
    const settings = databaseSettings(declared, asked);
    const wants = databaseWantsWith(declared, asked);
    if (this.database === null || wants === null || Object.keys(settings).length === 0) return this.database;
    return ensureSide(this.database, databaseName(this.database, wants), settings, signal);
  }

  /** Requests the routes of a new process, the first time that it is started, and checks which hosts it connects to meanwhile; one that fails is stopped. */
  async #ask(running: RunningTarget, { key, name, asks, isCompared }: PlannedProcess, { signal, database }: Options): Promise<void> {
    const watch = new PeerWatch(running.child.pgid, { meanwhile: true });
    const requirePeers = async (): Promise<void> => {
      // A process that runs already was configured by its user.
      if (running.declared.target.running !== undefined) return;
      signal.throwIfAborted();
      const declared = declaredWords(running.declared.target);
      await this.context.server?.requirePeers({
        name,
        peers: watch.peers(),
        given: database,
        declared,
        ...(await calledByGroup(running.probe)),
      });
    };
    try {
      await requirePeers();
      try {
        if (asks !== undefined) {
          const { hints, heard } = await askRoutes(running, asks, { name, signal });
          for (const hint of hints) this.note(hint);
          this.#answers.hear(key, heard);
          if (isCompared === true) this.#answers.hear(key, await hearAnswers(running, asks, signal));
        }
      } finally {
        await requirePeers();
      }
      if (asks !== undefined) this.#asked.add(key);
    } catch (error) {
      await running.child.stop(signal.aborted ? hurryMs : undefined);
      this.#keepLog(key, running);
      throw error;
    } finally {
      watch.stop();
    }
  }

  /**
   * Requests the routes of a process that is started once more: only then some connect to their database, which shows whether it is the one of their side. What two
   * starts answer otherwise differs by nature.
   */
  async #hear(running: RunningTarget, { key, asks }: PlannedProcess, signal: AbortSignal): Promise<void> {
    if (asks === undefined) return;
    const heard = await hearAnswers(running, asks, signal);
    const starts = this.#startsHeard.get(key) ?? 0;
    this.#startsHeard.set(key, starts + 1);
    if (starts < startsHeard) this.#answers.hear(key, heard);
  }

  /** Hears once more what a process answers that runs; nothing of one that does not. */
  async hearAgain({ key, asks }: PlannedProcess): Promise<void> {
    const running = this.#running.get(key);
    if (asks !== undefined && running?.child.running === true)
      this.#answers.hear(key, await hearAnswers(running, asks, this.context.signal));
  }

  /** Where a process answered the same requests otherwise than another; undefined where both were not asked the same. */
  comparedAnswers(base: string, key: string): ComparedAnswers | undefined {
    return this.#answers.compared(base, key);
  }

  /** Starts one more instance next to those that run, and lets the proxy know of it. It is stopped with them. */
  async grow(process: PlannedProcess): Promise<void> {
    const running = this.of(process.key);
    const name = `${process.name}, instance ${running.siblings.length + 2}`;
    const database = running.bouncer?.address ?? running.distance?.address ?? (await this.#addressOf(process, this.context.signal));
    const one = await started(process, { ...this.context, database, name });
    const problem = await setByProbe(one, givenValues(process), this.context.signal);
    if (problem !== null) this.#notInForce.set(process.key, problem);
    const grown = { ...running, siblings: [...running.siblings, one] };
    this.#running.set(process.key, grown);
    const around = this.#around.get(process.key);
    await around?.limit([one]);
    await around?.tell(grown);
  }

  /** Lifts what the processes of these keys may use of the CPU while `work` lasts. See `AroundProcess.unlimited`. */
  unlimited<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    const [key, ...others] = keys;
    if (key === undefined) return work();
    const inner = (): Promise<T> => this.unlimited(others, work);
    return this.#around.get(key)?.unlimited(inner) ?? inner();
  }

  /** See `AroundProcess.coresAvailable`. */
  coresAvailable(key: string): number | null {
    return this.#around.get(key)?.coresAvailable ?? null;
  }

  /** As the load generator and the meters see it. */
  get(key: string): RunningTarget | undefined {
    return this.#running.get(key);
  }

  /** The same of one that runs. */
  of(key: string): RunningTarget {
    const running = this.#running.get(key);
    if (running === undefined) throw new Error(`${key} is not running`);
    return running;
  }

  /** How a process was started; once it has ended, also where what it printed is kept. */
  command(key: string): StartedCommand | undefined {
    const command = this.#commands.get(key);
    if (command === undefined) return undefined;
    const log = this.keptLogs().find((one) => one.key === key);
    const answers = this.#answers.digests(key);
    return {
      ...command,
      ...(answers === undefined ? {} : { answers }),
      ...(log === undefined ? {} : { log: { file: log.file, lastLine: lastLine(log.text) } }),
    };
  }

  /** Stops the processes of a key and what is around them; with `hurryMs` no rung of a stop ladder waits longer than that. */
  async stop(key: string, hurryMs?: number): Promise<void> {
    const running = this.#running.get(key);
    const around = this.#around.get(key);
    this.#around.delete(key);
    await around?.endProxy();
    if (running !== undefined) await Promise.all(instancesOf(running).map(({ child }) => child.stop(hurryMs)));
    await Promise.all([this.#stopBouncer(key, hurryMs), this.#stopDistance(key, hurryMs)]);
    if (running !== undefined) this.#keepLog(key, running);
    this.#running.delete(key);
    await around?.lift();
  }

  /** Stops all; with `hurryMs` no rung of a stop ladder waits longer than that. */
  async stopAll(hurryMs?: number): Promise<void> {
    const keys = new Set([...this.#running.keys(), ...this.#bouncers.keys(), ...this.#distances.keys()]);
    await Promise.all([...keys].map((key) => this.stop(key, hurryMs)));
    for (const [key, costs] of this.#distanceCosts) for (const note of distanceNote(key, costs)) this.note(note);
    this.#distanceCosts.clear();
  }

  /** What those that have ended printed, if anything, with the name of the file in the run's folder that keeps it. */
  keptLogs(): { key: string; file: string; text: string }[] {
    const logsOf = (program: string, texts: ReadonlyMap<string, string>, of = ''): { key: string; file: string; text: string }[] =>
      [...texts].map(([key, text], index) => ({ key: `${of}${key}`, file: `${program}-${index + 1}.log`, text }));
    const all = [...logsOf('process', this.#logs), ...logsOf('pgbouncer', this.#bouncerLogs, 'pgbouncer of ')];
    return all.filter(({ text }) => text !== '');
  }

  /** Its clients have ended before it. */
  async #stopBouncer(key: string, hurryMs?: number): Promise<void> {
    const bouncer = this.#bouncers.get(key);
    if (bouncer === undefined) return;
    this.#bouncers.delete(key);
    await bouncer.stop(hurryMs);
    this.#bouncerLogs.set(key, (this.#bouncerLogs.get(key) ?? '') + bouncer.child.log.text());
  }

  async #stopDistance(key: string, hurryMs?: number): Promise<void> {
    const distance = this.#distances.get(key);
    if (distance === undefined) return;
    this.#distances.delete(key);
    const cost = await distance.stop(hurryMs);
    if (cost !== null) remembered(this.#distanceCosts, key, () => []).push(cost);
  }

  #keepLog(key: string, running: RunningTarget): void {
    const trap = trapOf(running);
    if (trap !== null) this.note(trap);
    this.#logs.set(
      key,
      (this.#logs.get(key) ?? '') +
        instancesOf(running)
          .map(({ child }) => child.log.text())
          .join(''),
    );
  }
}
