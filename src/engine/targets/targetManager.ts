import { type Failure, failure, isCancellation, toFailure } from '../../model/domain/failure.ts';
import type { TargetState } from '../../model/protocol/protocol.ts';
import type { SettingValues } from '../../model/domain/setting.ts';
import { exitPhrase } from '../../model/domain/exitWords.ts';
import type { DeclaredTarget } from './catalog.ts';
import { type RunningTarget, serverPid } from './launchTarget.ts';

interface Held {
  state: TargetState['state'];
  running: RunningTarget | null;
  problem: Failure | null;
  starting: AbortController | null;
  /** Settles when the start has ended, in every case. */
  started: Promise<unknown>;
  log: string;
}

/** The targets that the user starts and stops by hand, outside of any run. */
export class TargetManager {
  readonly #held = new Map<string, Held>();

  constructor(
    private readonly launch: (declared: DeclaredTarget, settings: SettingValues, signal: AbortSignal) => Promise<RunningTarget>,
    private readonly onChange: () => void,
  ) {}

  state(id: string): Pick<TargetState, 'state' | 'port' | 'pid' | 'problem'> {
    const held = this.#held.get(id);
    return {
      state: held?.state ?? 'stopped',
      port: held?.running?.port ?? null,
      pid: held?.running?.child.pid ?? null,
      problem: held?.problem ?? null,
    };
  }

  /** Starts a target and waits until it answers; returns its port. One that runs already is left as it is. */
  async start(declared: DeclaredTarget, settings: SettingValues, signal: AbortSignal): Promise<number> {
    const { id } = declared.target;
    const before = this.#held.get(id);
    if (before?.state === 'running' && before.running !== null) return before.running.port;
    if (before?.starting != null)
      throw failure('target-busy', `${declared.target.label ?? id} is being started already.`, 'Wait until it is ready, or stop it.');
    const starting = new AbortController();
    const held: Held = { state: 'starting', running: null, problem: null, starting, started: Promise.resolve(), log: '' };
    this.#held.set(id, held);
    this.onChange();
    const start = this.#start(held, declared, settings, AbortSignal.any([signal, starting.signal]), before);
    held.started = start.catch(() => undefined);
    return start;
  }

  async #start(
    held: Held,
    declared: DeclaredTarget,
    settings: SettingValues,
    signal: AbortSignal,
    before: Held | undefined,
  ): Promise<number> {
    const { id } = declared.target;
    try {
      // One that is just being stopped may still hold its port.
      await before?.running?.child.exited;
      const running = await this.launch(declared, settings, signal);
      if (signal.aborted) {
        await running.child.stop();
        signal.throwIfAborted();
      }
      held.running = running;
      held.state = 'running';
      void running.child.exited.then((exit) => {
        held.log = running.child.log.text();
        if (held.state === 'running') {
          held.state = 'failed';
          held.problem = {
            code: 'target-exited',
            message: `${declared.target.label ?? id} ${exitPhrase(exit)}.`,
            cure: 'Its last output is in its log; start it again when the cause is mended.',
            detail: running.child.log.tail(20),
          };
        }
        held.running = null;
        this.onChange();
      });
      return running.port;
    } catch (error) {
      held.state = isCancellation(error) ? 'stopped' : 'failed';
      held.problem = isCancellation(error) ? null : toFailure(error);
      held.log = held.problem?.detail ?? '';
      throw error;
    } finally {
      held.starting = null;
      this.onChange();
    }
  }

  /** The process that was started for a target; null where none runs. */
  runningOf(id: string): RunningTarget | null {
    const held = this.#held.get(id);
    return held?.state === 'running' ? held.running : null;
  }

  async stop(id: string): Promise<void> {
    const held = this.#held.get(id);
    if (held === undefined) return;
    held.starting?.abort();
    await held.started;
    if (held.running !== null) {
      held.state = 'stopping';
      this.onChange();
      await held.running.child.stop();
    }
    held.state = 'stopped';
    held.problem = null;
    this.onChange();
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.#held.keys()].map((id) => this.stop(id)));
  }

  /** The processes that serve, with their targets. */
  pids(): Map<number, string> {
    return new Map(
      [...this.#held].flatMap(([id, { running }]): [number, string][] => (running === null ? [] : [[serverPid(running), id]])),
    );
  }

  /** The probes of the target that this process serves; null where Benchside did not start it. */
  probesOf(pid: number): RunningTarget['probe'] {
    const found = [...this.#held.values()].find(({ running }) => running !== null && serverPid(running) === pid);
    return found?.running?.probe ?? null;
  }

  log(id: string): { text: string; droppedBytes: number } {
    const held = this.#held.get(id);
    const live = held?.running?.child.log;
    return { text: live?.text() ?? held?.log ?? '', droppedBytes: live?.droppedBytes ?? 0 };
  }
}
