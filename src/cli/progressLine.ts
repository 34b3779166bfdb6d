import { figure, wholeNumber } from '../model/domain/format.ts';
import type { RunEvent } from '../model/protocol/runEvent.ts';
import { noteText } from '../model/presentation/runNotes.ts';
import { headlineWithStatus } from '../model/presentation/runWords.ts';
import { timeLeft, timeLeftPhrase } from '../model/presentation/timeLeft.ts';
import type { StatusLine } from './output.ts';

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
        const phase = `[${event.step}/${event.steps}] ${event.message}`;
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
        const news = [event.stage, ...known].join(' · ');
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
