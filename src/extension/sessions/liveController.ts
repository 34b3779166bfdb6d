import { stepText } from '../../model/domain/progress/stepKinds.ts';
import type { LiveEvent, LiveRequest, LiveSample } from '../../model/protocol/live.ts';
import type { ResultOf } from '../../model/protocol/protocol.ts';
import type { WindowEngine } from '../connection/windowEngine.ts';
import { Owner } from '../kit/owner.ts';
import { setContext } from '../kit/setContext.ts';
import { liveStatusText } from './progressText.ts';
import { LiveReplay } from './replays.ts';
import { StatusItem } from '../kit/safeUi/statusItem.ts';

interface Session {
  target: string;
  doing: string;
  stopping: boolean;
  latest: LiveSample | null;
  /** Settled when the session is over, however it ended. */
  over: Promise<void>;
  abort: AbortController;
}

/**
 * The one live session of this window. It goes on when the panel is closed, since what it keeps under load was started on purpose: the status
 * bar says so and has its Stop, and the engine ends it after the time that was asked for.
 */
export class LiveController extends Owner {
  readonly replay = new LiveReplay();
  #current: Session | undefined;
  readonly #status = new StatusItem('benchside.live', 'Benchside Live', 48, 'live');
  readonly #eventEmitter = this.emitter<LiveEvent>();
  readonly #changedEmitter = this.emitter<void>();
  /** Something happened in the session; also its end, however it came about. */
  readonly onEvent = this.#eventEmitter.event;
  /** A session began or ended. */
  readonly onChanged = this.#changedEmitter.event;

  constructor(private readonly engine: WindowEngine) {
    super();
    this.owns(
      this.#status,
      engine.on('live/event', (event) => this.#take(event)),
    );
  }

  get isRunning(): boolean {
    return this.#current !== undefined;
  }

  /** The target under load; empty when there is no session. */
  get target(): string {
    return this.#current?.target ?? '';
  }

  /** Keeps load on a target until the session ends. Rejects with a `FailureError`. */
  async run(request: LiveRequest, label: string): Promise<ResultOf<'live/start'>> {
    const { failure, toFailure } = await import('../../model/domain/failure.ts');
    if (this.#current !== undefined) throw failure('busy', 'A live session is already running in this window.', 'Stop it first.');
    let tellOver = (): void => undefined;
    const over = new Promise<void>((resolve) => (tellOver = resolve));
    this.#current = { target: label, doing: 'starting', stopping: false, latest: null, over, abort: new AbortController() };
    this.replay.clear();
    setContext({ liveRunning: true });
    this.#showStatus();
    this.#changedEmitter.fire();
    try {
      return await this.engine.request('live/start', request, this.#current.abort.signal);
    } catch (error) {
      // An engine that is gone does not report the end of its session; the panel must learn of it all the same.
      const why = toFailure(error);
      if (this.replay.end === undefined)
        this.#take({
          type: 'ended',
          reason: { code: 'failed', message: why.message },
          failure: why.code === 'cancelled' ? null : why,
          runId: null,
        });
      throw error;
    } finally {
      this.#current = undefined;
      this.#status.hide();
      setContext({ liveRunning: false });
      tellOver();
      this.#changedEmitter.fire();
    }
  }

  /** Ends the session and waits until it is over. Does nothing when there is none. */
  async stop(): Promise<void> {
    if (this.#current === undefined) return;
    const session = this.#current;
    session.stopping = true;
    this.#showStatus();
    try {
      const { stopped } = await this.engine.request('live/stop', {});
      // It has not started yet: its wait is cancelled.
      if (!stopped) session.abort.abort();
      await session.over;
    } catch (error) {
      session.stopping = false;
      throw error;
    }
  }

  #take(event: LiveEvent): void {
    if (this.#current === undefined) return;
    this.replay.add(event);
    if (event.type === 'sample') this.#current.latest = event.sample;
    if (event.type === 'starting') this.#current.doing = stepText(event.doing);
    this.#showStatus();
    this.#eventEmitter.fire(event);
  }

  #showStatus(): void {
    if (this.#current === undefined) return;
    const { target, doing, stopping, latest } = this.#current;
    const text = stopping ? `stopping ${target}` : liveStatusText(target, this.replay.values, latest, doing);
    this.#status.show({
      icon: 'pulse',
      text: `Live: ${text}`,
      tooltip: 'Load is kept on this target. It goes on when the Workbench is closed. Click to open it.',
      offer: { label: 'Stop', command: 'stopLive', after: '' },
      spoken: `Benchside keeps load on ${text}`,
    });
  }
}
