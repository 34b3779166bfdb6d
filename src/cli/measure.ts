import { stepText } from '../model/domain/progress/stepKinds.ts';
import { failure } from '../model/domain/failure.ts';
import { figure, wholeNumber } from '../model/domain/format.ts';
import type { MeasureInput } from '../model/protocol/measureRequest.ts';
import type { Measured } from '../model/protocol/protocol.ts';
import type { RunRecord } from '../model/domain/run.ts';
import type { RunEvent } from '../model/protocol/runEvent.ts';
import { noteText } from '../model/presentation/runNotes.ts';
import { headlineWithStatus } from '../model/presentation/runWords.ts';
import { timeLeft, timeLeftPhrase } from '../model/presentation/timeLeft.ts';
import type { EngineClient } from '../engine/rpc/engineClient.ts';
import type { StatusLine } from './output.ts';
import type { Terminal } from './terminal.ts';

/**
 * Carries out what measures, with its progress on standard error. A first interrupt cancels it, and what was measured until then is kept. `also`: what else the engine
 * is listened to for meanwhile.
 */
export async function measured(
  engine: EngineClient,
  { signal, line, tell }: Terminal,
  request: MeasureInput,
  also: readonly { dispose: () => void }[] = [],
): Promise<Measured> {
  const progress = new ProgressLine(line, tell);
  const subscriptions = [engine.on('run/event', (event) => progress.show(event)), ...also];
  const cancel = (): void => void engine.request('run/cancel', {}).catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    // The first event comes once the engine has read what it measures.
    line?.show('Starting …');
    if (signal.aborted) return { runId: '', outcome: 'cancelled', stored: false, run: null };
    return await engine.request('measure/start', { request });
  } finally {
    signal.removeEventListener('abort', cancel);
    progress.clear();
    for (const subscription of subscriptions) subscription.dispose();
  }
}

/** Says of what was cancelled, and ends in an answer all the same, that there is one. */
export function tellKept({ outcome, stored, advised }: Measured, tell: Terminal['tell']): void {
  if (outcome === 'cancelled' && (stored || advised !== undefined)) tell('Cancelled: what was measured until then is kept.');
}

/** What `work` gives. What is shown of its progress until then ends with it. */
export async function withProgress<T>({ line }: Terminal, progress: { dispose(): void }, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    progress.dispose();
    line?.clear();
  }
}

/** As {@link measured}, of what ends in a stored run; when no whole round was measured, it fails with `cancelled`. */
export async function measure(
  engine: EngineClient,
  terminal: Terminal,
  request: MeasureInput,
): Promise<{ record: RunRecord; outcome: 'complete' | 'cancelled' }> {
  const done = await measured(engine, terminal, request);
  const { run, outcome } = done;
  if (run === null) throw failure('cancelled', 'Cancelled. No whole round had been measured, so nothing was stored.');
  tellKept(done, terminal.tell);
  return { record: run, outcome };
}

/** Progress of a run on a terminal: one line that is rewritten; where there is no terminal, a line for each phase. */
export class ProgressLine {
  #phase = '';
  #live = '';
  #tuning = '';

  constructor(
    private readonly line: StatusLine | null,
    private readonly tell: (text: string) => void,
  ) {}

  show(event: RunEvent): void {
    switch (event.type) {
      case 'phase': {
        const left = timeLeft(event, 0);
        const rest = left === null || left.mostMs < 1000 ? '' : ` · ${timeLeftPhrase(left)}`;
        const phase = `[${event.step}/${event.steps}] ${stepText(event.doing)}`;
        if (this.line === null && phase !== this.#phase) this.tell(phase);
        // In a tuning, what is known so far says more than which block is being measured.
        if (this.line !== null && this.#tuning !== '' && event.phase === 'measure') break;
        this.#phase = this.line === null ? phase : `${phase}${rest}`;
        this.#live = '';
        this.#draw();
        break;
      }
      case 'tick': {
        const { throughput, p99Ms, errors } = event.tick;
        this.#live = ` · ${wholeNumber(throughput)} req/s${p99Ms === null ? '' : `, p99 ${figure(p99Ms)} ms`}${errors === 0 ? '' : `, ${wholeNumber(errors)} errors`}`;
        this.#draw();
        break;
      }
      case 'tuning': {
        const known = event.answers.map((answer) => `${answer.targetLabel}: ${headlineWithStatus(answer)}`);
        const news = [stepText(event.doing), ...known].join(' · ');
        const spent = `${wholeNumber(event.spentS)} of ${wholeNumber(event.budgetS)} s`;
        if (this.line === null && news !== this.#tuning) this.tell(`${news} · ${spent}`);
        this.#tuning = news;
        this.#phase = `${spent} · ${news}`;
        this.#live = '';
        this.#draw();
        break;
      }
      case 'note':
        this.clear();
        this.tell(noteText(event.note));
        break;
    }
  }

  clear(): void {
    this.line?.clear();
  }

  #draw(): void {
    this.line?.show(`${this.#phase}${this.#live}`);
  }
}
