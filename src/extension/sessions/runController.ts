import { progressOf } from '../../model/protocol/progress.ts';
import type * as vscode from 'vscode';
import { measureKinds } from '../../model/protocol/measureKinds.ts';
import { shortStepText } from '../../model/domain/progress/stepKinds.ts';
import type { AdviceProgress } from '../../model/domain/adviceRecord.ts';
import type { MeasureInput, MeasureKind } from '../../model/protocol/measureRequest.ts';
import type { Measured, ParamsInput } from '../../model/protocol/protocol.ts';
import type { RunEvent } from '../../model/protocol/runEvent.ts';
import type { WindowEngine } from '../connection/windowEngine.ts';
import { Owner } from '../kit/owner.ts';
import type { WorkbenchPanel } from '../panel/workbenchPanel.ts';
import { setContext } from '../kit/setContext.ts';
import { percentDone, percentSpent, progressText, statusText, tuningText } from './progressText.ts';
import { RunReplay } from './replays.ts';
import { UnderLoad } from './underLoad.ts';
import { measuringIcon } from '../kit/row.ts';
import { type ProgressStep, underWay } from '../kit/safeUi/dialogs.ts';
import { StatusItem } from '../kit/safeUi/statusItem.ts';

const progressIntervalMs = 1000;
/** The one running benchmark, tuning or experiment of this window: starts it, shows its progress, cancels it, and remembers what a late panel must get. */
export class RunController extends Owner {
  readonly replay = new RunReplay();
  readonly #load = new UnderLoad();
  readonly #loadEmitter = this.emitter<void>();
  /** Another target, or another setting of it, is under load. */
  readonly onLoadChanged = this.#loadEmitter.event;
  /** What was measured last, or was to be. */
  last: MeasureInput | undefined;
  /** How far a search for what helps is, while there is one. */
  advice: AdviceProgress | null = null;
  readonly #adviceEmitter = this.emitter<AdviceProgress | null>();
  /** A search for what helps is further, or (`null`) over. */
  readonly onAdvice = this.#adviceEmitter.event;
  #current: { kind: MeasureKind; cancelling: boolean } | undefined;
  #phaseAtMs = 0;
  #tuningAtMs = 0;
  readonly #status = new StatusItem('benchside.run', 'Benchside', 50, 'openWorkbench');
  readonly #phaseEmitter = this.emitter<void>();
  readonly #changedEmitter = this.emitter<void>();
  /** The run started, ended, or what it does now changed. */
  readonly onChanged = this.#changedEmitter.event;
  #doing = '';

  constructor(
    private readonly engine: WindowEngine,
    private readonly panel: WorkbenchPanel,
  ) {
    super();
    this.owns(
      this.#status,
      engine.on('run/event', (event) => this.#take(event)),
    );
  }

  /** What the run does with a target, in a few words; undefined where it does not use it. */
  loadOn(target: string): string | undefined {
    return this.#current === undefined ? undefined : this.#load.wordsOf(target);
  }

  get isRunning(): boolean {
    return this.#current !== undefined;
  }

  /** What is running: a benchmark, a tuning or an experiment. */
  get kind(): MeasureKind | undefined {
    return this.#current?.kind;
  }

  /** What the run does now, in a few words; empty when none is running. */
  get activity(): string {
    return this.#current === undefined ? '' : this.#doing;
  }

  /** Runs a benchmark, a tuning or an experiment to its end, with progress where the person sees it. Rejects with a `FailureError`. */
  async run(request: MeasureInput, bound: Pick<ParamsInput<'measure/start'>, 'starts'> = {}): Promise<Measured> {
    if (this.#current !== undefined) {
      const { failure } = await import('../../model/domain/failure.ts');
      throw failure(
        'busy',
        `A ${measureKinds[this.#current.kind].noun} is already running in this window.`,
        'Wait for it, or cancel it first.',
      );
    }
    this.#current = { kind: request.kind, cancelling: false };
    this.last = request;
    this.replay.clear();
    setContext({ running: true });
    this.#showStatus('starting');
    const notifying = this.#notifyWhileHidden();
    // Until two versions are built there is no run yet: the status shows what is being built.
    const building = progressOf(this.engine, 'versions', ({ message }) => {
      if (this.#current?.cancelling === false) this.#showStatus(message);
    });
    const advising = this.engine.on('advise/progress', (progress) => this.#advises(progress));
    try {
      return await this.engine.request('measure/start', { request, ...bound });
    } finally {
      building.dispose();
      advising.dispose();
      if (this.advice !== null) this.#advises(null);
      notifying.dispose();
      this.#current = undefined;
      this.replay.clear();
      this.#load.clear();
      this.#loadEmitter.fire();
      this.#status.hide();
      setContext({ running: false });
      this.#changedEmitter.fire();
    }
  }

  /** Progress with Cancel as a notification, while the panel, which shows both, is not to be seen: over the panel it would cover the charts. */
  #notifyWhileHidden(): vscode.Disposable {
    let end: (() => void) | undefined;
    const update = (): void => {
      if (this.panel.isVisible) {
        end?.();
        end = undefined;
      } else end ??= this.#notify();
    };
    const subscription = this.panel.onDidChangeVisibility(update);
    update();
    return {
      dispose: () => {
        subscription.dispose();
        end?.();
      },
    };
  }

  /** Begins the notification; what it gives ends it. */
  #notify(): () => void {
    let end = (): void => undefined;
    const over = new Promise<void>((resolve) => (end = resolve));
    void underWay('Benchside', 'notification with Cancel', async (report, token) => {
      const parts = [token.onCancellationRequested(() => void this.cancel()), this.#showProgress(report)];
      await over;
      for (const part of parts) part.dispose();
    });
    return end;
  }

  /** Asks the engine to stop the run; the run itself then ends as cancelled. Does nothing when none is running. */
  async cancel(): Promise<void> {
    if (this.#current === undefined || this.#current.cancelling) return;
    this.#current.cancelling = true;
    this.#phaseEmitter.fire();
    this.#showStatus('stopping');
    // When the engine is gone the run has ended already, and run() says so.
    await this.engine.request('run/cancel', {}).catch(() => undefined);
  }

  #advises(progress: AdviceProgress | null): void {
    this.advice = progress;
    this.#adviceEmitter.fire(progress);
  }

  #take(event: RunEvent): void {
    if (this.#current === undefined) return;
    this.replay.add(event);
    if (this.#load.take(event)) this.#loadEmitter.fire();
    if (event.type === 'tuning') {
      this.#tuningAtMs = performance.now();
      this.#phaseEmitter.fire();
    }
    if (event.type !== 'phase') return;
    this.#phaseAtMs = performance.now();
    this.#phaseEmitter.fire();
    if (!this.#current.cancelling) this.#showStatus(statusText(shortStepText(event.doing)));
  }

  #showStatus(text: string): void {
    this.#doing = text;
    this.#changedEmitter.fire();
    const noun = measureKinds[this.#current?.kind ?? 'run'].noun;
    const keeps = this.#current !== undefined && this.#current.kind !== 'run' ? ' (keeps what was measured)' : '';
    this.#status.show({
      icon: measuringIcon,
      text: `Benchside: ${text}`,
      tooltip: `A ${noun} is running. Click to open it.`,
      offer: { label: 'Cancel', command: 'cancelRun', after: keeps },
      spoken: `Benchside is running a ${noun}: ${text}`,
    });
  }

  #showProgress(report: (step: ProgressStep) => void): vscode.Disposable {
    let shownPercent = 0;
    const show = (): void => {
      const phase = this.replay.latestPhase;
      const search = this.replay.latestTuning;
      const advance = (percent: number): number => {
        const increment = Math.max(0, percent - shownPercent);
        shownPercent += increment;
        return increment;
      };
      if (this.#current?.cancelling === true) {
        report({ message: 'Cancelling; stopping what was started' });
      } else if (phase === undefined) {
        report({ message: 'Starting' });
      } else if (search !== undefined && (phase.phase === 'measure' || phase.phase === 'warmUp')) {
        const sinceMs = performance.now() - this.#tuningAtMs;
        report({ message: tuningText(search, sinceMs), increment: advance(percentSpent(search, sinceMs)) });
      } else {
        const sinceMs = performance.now() - this.#phaseAtMs;
        report({ message: progressText(phase, sinceMs), increment: advance(percentDone(phase, sinceMs)) });
      }
    };
    show();
    const timer = setInterval(show, progressIntervalMs);
    const subscription = this.#phaseEmitter.event(show);
    return {
      dispose: () => {
        clearInterval(timer);
        subscription.dispose();
      },
    };
  }
}
