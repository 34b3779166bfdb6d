import type { PropertyValues, TemplateResult } from 'lit';
import { css, html, LitElement } from 'lit';
import { durationPhrase } from '../../src/model/format.ts';
import { sharedStyles } from '../kit/style/sharedStyles.ts';
import type { FormCheck } from '../form/formCheck.ts';
import type { RunSoFar } from './runSoFar.ts';
import { isRunning } from './runSoFar.ts';

/** One line under the form, always there: what is wrong with the form, how long a run takes, or how far the run in progress is. */
export class StatusLine extends LitElement {
  static override properties = {
    check: { attribute: false },
    run: { attribute: false },
    starting: { type: Boolean },
    blocked: { attribute: false },
    now: { state: true },
  };

  static override styles = [
    sharedStyles,
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
      /* What is open and how long it may take is said in full: two lines are kept for it, so that nothing moves when it grows. */
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
      progress {
        display: block;
        appearance: none;
        width: 100%;
        height: 2px;
        margin-bottom: 6px;
        border: 0;
        background: var(--bs-grid);
      }
      progress[hidden] {
        display: block;
        visibility: hidden;
      }
      progress::-webkit-progress-bar {
        background: transparent;
      }
      progress::-webkit-progress-value {
        background: var(--vscode-progressBar-background, var(--vscode-focusBorder));
      }
    `,
  ];

  declare check: FormCheck;
  declare run: RunSoFar | null;
  declare starting: boolean;
  /** Why nothing can be started although the form is right. */
  declare blocked: string | null;
  declare now: number;

  /** When the latest event arrived, so that the clock goes on between events. */
  #heardAt = 0;
  #timer: ReturnType<typeof setInterval> | null = null;

  constructor() {
    super();
    this.check = { start: null, problems: {}, estimate: null };
    this.run = null;
    this.starting = false;
    this.blocked = null;
    this.now = performance.now();
  }

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
        : problems[0] !== undefined
          ? html`<span class="message problem" role="status">${this.#problemText(problems[0], problems.length)}</span>`
          : html`<span class="message muted">${this.check.estimate ? `${capital(this.check.estimate)}.` : ''}</span>`;
    return html`<progress hidden max="1" value="0" aria-hidden="true"></progress>
      <div class="line">${words}</div>`;
  }

  #problemText(first: string, count: number): string {
    return count > 1 ? `${first} (and ${count - 1} more)` : first;
  }

  #progress(run: RunSoFar): TemplateResult {
    const { phase } = run;
    const sinceMs = this.now - this.#heardAt;
    const elapsedMs = Math.floor((run.timeMs + sinceMs) / 1000) * 1000;
    const passedMs = run.timeMs - (phase?.elapsedMs ?? 0) + sinceMs;
    const remainingMs = phase?.remainingMs === null || phase === null ? null : Math.max(0, phase.remainingMs - passedMs);
    const { tuning } = run;
    if (tuning) return this.#search(tuning, sinceMs);
    const share = phase && phase.steps > 0 ? Math.min(1, phase.step / phase.steps) : 0;
    return html`<progress max="1" value=${share} aria-label="Progress of the run"></progress>
      <div class="line running">
        <span class="message">${phase?.message ?? 'Starting…'}</span>
        <span class="times"
          >${phase ? `step ${phase.step} of ${phase.steps} · ` : ''}${durationPhrase(Math.max(1000, elapsedMs)).replace('.0 s', ' s')}
          elapsed${
            remainingMs === null
              ? ''
              : ` · about ${durationPhrase(Math.max(1000, Math.round(remainingMs / 1000) * 1000)).replace('.0 s', ' s')} left`
          }</span
        >
      </div>`;
  }

  /** A search tells what it is doing and what of its budget is spent. */
  #search(tuning: NonNullable<RunSoFar['tuning']>, sinceMs: number): TemplateResult {
    const spentS = tuning.spentS + sinceMs / 1000;
    return html`<progress max=${tuning.budgetS} value=${Math.min(tuning.budgetS, spentS)} aria-label="Budget spent"></progress>
      <div class="line running">
        <span class="message">${tuning.stage}</span>
        <span class="times">${Math.floor(spentS)} s of ${Math.round(tuning.budgetS)} s</span>
      </div>`;
  }
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

customElements.define('benchside-status', StatusLine);
