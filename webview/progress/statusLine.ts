import { type PropertyValues, type TemplateResult, css, html, LitElement } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { type Step, stepText } from '../../src/model/domain/progress/stepKinds.ts';
import { capital } from '../../src/model/domain/sentence.ts';
import { durationPhrase } from '../../src/model/domain/format.ts';
import { progressBar, progressStyles } from '../kit/controls/progressBar.ts';
import { sharedStyles } from '../kit/style/sharedStyles.ts';
import type { FormCheck } from '../form/formCheck.ts';
import { type RunSoFar, isRunning } from './runSoFar.ts';
import { timeLeft, timeLeftPhrase } from '../../src/model/presentation/timeLeft.ts';

/** One line under the form, always there: what is wrong with the form, how long a run takes, or how far the run in progress is. */
@customElement('benchside-status')
export class StatusLine extends LitElement {
  static override styles = [
    sharedStyles,
    progressStyles,
    css`
      .line {
        display: flex;
        justify-content: space-between;
        gap: 0 16px;
        min-height: 18px;
        font-size: 12px;
        line-height: 18px;
      }
      .message {
        min-width: 0;
        overflow-wrap: anywhere;
      }
      /* The open question and its time are written in full: two lines are reserved for it, so that nothing moves when it grows. */
      .line.running {
        min-height: 36px;
      }
      .times {
        flex: none;
        color: var(--bs-muted);
      }
      @media (max-width: 599px) {
        .line {
          flex-direction: column;
          min-height: 36px;
        }
        .line.running {
          min-height: 72px;
        }
      }
      .bar.idle {
        visibility: hidden;
      }
    `,
  ];

  @property({ attribute: false }) check: FormCheck = { start: null, problems: {}, estimate: null, loadTimes: {} };
  @property({ attribute: false }) run: RunSoFar | null = null;
  @property({ type: Boolean }) starting = false;
  /** Why nothing can be started although the form is right. */
  @property({ attribute: false }) blocked: string | null = null;
  @state() now = performance.now();

  /** When the latest event arrived, so that the clock goes on between events. */
  #heardAt = 0;
  #timer: ReturnType<typeof setInterval> | null = null;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('run')) this.#heardAt = this.now = performance.now();
    const ticking = isRunning(this.run);
    if (ticking && this.#timer === null) this.#timer = setInterval(() => (this.now = performance.now()), 1000);
    if (!ticking && this.#timer !== null) {
      clearInterval(this.#timer);
      this.#timer = null;
    }
  }

  protected override render(): TemplateResult {
    const { run } = this;
    if (isRunning(run)) return this.#progress(run);
    const problems = Object.values(this.check.problems);
    const words = this.starting
      ? html`<span class="message">Starting…</span>`
      : this.blocked !== null
        ? html`<span class="message problem" role="status">${this.blocked}</span>`
        : problems.length > 0
          ? html`<div class="message problem" role="status">${problems.map((problem) => html`<div>${problem}</div>`)}</div>`
          : html`<span class="message muted">${this.check.estimate ? `${capital(this.check.estimate)}.` : ''}</span>`;
    return html`<div class="bar idle"></div>
      <div class="line">${words}</div>`;
  }

  #progress(run: RunSoFar): TemplateResult {
    const { phase } = run;
    const sinceMs = this.now - this.#heardAt;
    const elapsedMs = Math.floor((run.timeMs + sinceMs) / 1000) * 1000;
    const passedMs = run.timeMs - (phase?.elapsedMs ?? 0) + sinceMs;
    const left = phase === null ? null : timeLeft(phase, passedMs);
    if (run.found?.kind === 'tune') return this.#search(run.found, sinceMs);
    const share = phase && phase.steps > 0 ? Math.min(1, phase.step / phase.steps) : 0;
    const wholeMs = elapsedMs + (left?.mostMs ?? 0);
    const bar =
      left === null || wholeMs === 0
        ? this.#bar(share, 0, 'Progress of the run')
        : this.#bar(elapsedMs / wholeMs, (left.mostMs - left.surelyMs) / wholeMs, 'Progress of the run');
    return html`${bar}
      <div class="line running">
        <span class="message">${phase === null ? 'Starting…' : stepText(phase.doing)}</span>
        <span class="times"
          >${phase !== null && left === null ? `step ${phase.step} of ${phase.steps} · ` : ''}${durationPhrase(Math.max(1000, elapsedMs)).replace('.0 s', ' s')}
          elapsed${left === null ? '' : ` · ${timeLeftPhrase(left)}`}</span
        >
      </div>`;
  }

  #bar(done: number, perhaps: number, label: string): TemplateResult {
    return progressBar(label, done, perhaps, perhaps > 0.005 ? 'Hatched: only while an answer stays undecided' : label);
  }

  /** A search shows what it is doing and what of its budget is spent. */
  #search({ doing, spentS: toldS, budgetS }: { doing: Step; spentS: number; budgetS: number }, sinceMs: number): TemplateResult {
    const spentS = toldS + sinceMs / 1000;
    return html`${this.#bar(Math.min(1, spentS / budgetS), 0, 'Budget spent')}
      <div class="line running">
        <span class="message">${stepText(doing)}</span>
        <span class="times">${Math.floor(spentS)} s of ${Math.round(budgetS)} s</span>
      </div>`;
  }
}
