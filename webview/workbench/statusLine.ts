import type { PropertyValues, TemplateResult } from 'lit';
import { css, html, LitElement } from 'lit';
import { durationPhrase } from '../../src/model/format.ts';
import { sharedStyles } from '../shared/sharedStyles.ts';
import { estimatePhrase } from './estimate.ts';
import type { FormCheck } from './formCheck.ts';
import type { LiveRun } from './liveRun.ts';
import { isRunning } from './liveRun.ts';

/** One line under the form, always there: what is wrong with the form, how long a run takes, or how far the run in progress is. */
export class StatusLine extends LitElement {
  static override properties = {
    check: { attribute: false },
    live: { attribute: false },
    starting: { type: Boolean },
    now: { state: true },
  };

  static override styles = [
    sharedStyles,
    css`
      .line {
        display: flex;
        justify-content: space-between;
        gap: 4px 16px;
        min-height: 18px;
        font-size: 12px;
        line-height: 18px;
      }
      .message {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      .message.problem {
        white-space: normal;
      }
      .times {
        flex: none;
        color: var(--bs-muted);
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
  declare live: LiveRun | null;
  declare starting: boolean;
  declare now: number;

  /** When the latest event arrived, so that the clock goes on between events. */
  private heardAt = 0;
  private timer: ReturnType<typeof setInterval> | null = null;

  constructor() {
    super();
    this.check = { request: null, problems: {}, estimate: null };
    this.live = null;
    this.starting = false;
    this.now = performance.now();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('live')) this.heardAt = this.now = performance.now();
    const ticking = isRunning(this.live);
    if (ticking && this.timer === null) this.timer = setInterval(() => (this.now = performance.now()), 1000);
    if (!ticking && this.timer !== null) {
      clearInterval(this.timer);
      this.timer = null;
    }
  }

  protected override render(): TemplateResult {
    const { live } = this;
    if (isRunning(live)) return this.progress(live);
    const problems = Object.values(this.check.problems);
    const words = this.starting
      ? html`<span class="message">Starting…</span>`
      : problems[0] !== undefined
        ? html`<span class="message problem" role="status">${this.problemText(problems[0], problems.length)}</span>`
        : html`<span class="message muted">${this.check.estimate ? capital(estimatePhrase(this.check.estimate)) : ''}</span>`;
    return html`<progress hidden max="1" value="0" aria-hidden="true"></progress>
      <div class="line">${words}</div>`;
  }

  private problemText(first: string, count: number): string {
    return count > 1 ? `${first} (and ${count - 1} more)` : first;
  }

  private progress(live: LiveRun): TemplateResult {
    const { phase } = live;
    const sinceMs = this.now - this.heardAt;
    const elapsedMs = Math.floor((live.timeMs + sinceMs) / 1000) * 1000;
    const passedMs = live.timeMs - (phase?.elapsedMs ?? 0) + sinceMs;
    const remainingMs = phase?.remainingMs === null || phase === null ? null : Math.max(0, phase.remainingMs - passedMs);
    const share = phase && phase.steps > 0 ? Math.min(1, phase.step / phase.steps) : 0;
    return html`<progress max="1" value=${share} aria-label="Progress of the run"></progress>
      <div class="line">
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
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

customElements.define('benchside-status', StatusLine);
