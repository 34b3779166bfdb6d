import { type PropertyValues, type TemplateResult, css, html, LitElement, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { wholeNumber } from '../../src/model/domain/format.ts';
import { refusalText } from '../../src/model/domain/liveRefusal.ts';
import type { LiveChange, LiveControl } from '../../src/model/protocol/live.ts';
import { ask } from '../kit/page/ask.ts';
import { icon } from '../kit/controls/icons.ts';
import { sharedStyles } from '../kit/style/sharedStyles.ts';
import { clampValue, keyedValue, sliderPosition, sliderSteps, sliderValue } from './sliderScale.ts';

/** A slider reports many values while it is dragged: only the last one within this time is sent. */
const debounceMs = 150;
/** A value that was sent and is not answered by then is no longer waited for. */
const patienceMs = 15_000;

/** A slider and a number for each setting that can be moved while the load runs. The last value wins. */
@customElement('benchside-live-controls')
export class LiveControls extends LitElement {
  static override styles = [
    sharedStyles,
    css`
      .controls {
        display: grid;
        gap: 14px;
      }
      .control {
        display: grid;
        grid-template-columns: 1fr 84px;
        gap: 2px 12px;
        align-items: center;
      }
      label,
      .name {
        font-weight: 600;
      }
      .state {
        grid-column: 1 / -1;
        min-height: 17px;
      }
      .ends {
        display: flex;
        justify-content: space-between;
        font-size: 11px;
        color: var(--bs-muted);
      }
      input[type='range'] {
        appearance: none;
        width: 100%;
        height: 18px;
        margin: 0;
        background: none;
        cursor: ew-resize;
      }
      input[type='range']::-webkit-slider-runnable-track {
        height: 3px;
        border-radius: 2px;
        background: color-mix(in srgb, var(--bs-fg) 30%, transparent);
      }
      input[type='range']::-webkit-slider-thumb {
        appearance: none;
        width: 14px;
        height: 14px;
        margin-top: -5.5px;
        border: 1px solid var(--vscode-contrastBorder, transparent);
        border-radius: 50%;
        background: var(--vscode-button-background, var(--vscode-focusBorder));
      }
      input[type='range']:disabled {
        cursor: default;
      }
      input[type='number'] {
        width: 100%;
        height: 26px;
        padding: 2px 6px;
        border: 1px solid var(--vscode-settings-textInputBorder, var(--vscode-input-border, var(--bs-line)));
        border-radius: 2px;
        background: var(--vscode-input-background);
        color: var(--vscode-input-foreground);
        font: inherit;
        font-variant-numeric: tabular-nums;
      }
      input:disabled {
        opacity: 0.5;
      }
      .icon {
        color: var(--bs-warning);
      }
    `,
  ];

  @property({ attribute: false }) controls: readonly LiveControl[] = [];
  /** All changes of the session: each answers a value that was sent. */
  @property({ attribute: false }) changes: readonly LiveChange[] = [];
  @property({ type: Boolean }) disabled = false;
  /** Values that were chosen here and are not in force yet, by setting. */
  @state() wanted: Readonly<Record<string, number>> = {};

  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  /** How many values were sent and not answered yet, by setting. */
  readonly #unanswered = new Map<string, number>();
  #seen: LiveChange | undefined;
  #patience: ReturnType<typeof setTimeout> | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    clearTimeout(this.#patience);
    this.#timers.clear();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has('controls') && !changed.has('changes')) return;
    const fresh = this.changes.slice(this.#seen === undefined ? 0 : this.changes.indexOf(this.#seen) + 1);
    this.#seen = this.changes.at(-1);
    for (const { setting } of fresh) this.#unanswered.set(setting, Math.max(0, (this.#unanswered.get(setting) ?? 0) - 1));
    // What is in force is shown again once all is answered, unless another value was chosen since.
    const waiting = Object.entries(this.wanted).filter(([setting, value]) => {
      const inForce = this.controls.find((control) => control.setting === setting)?.value;
      return inForce !== undefined && inForce !== value && (this.#timers.has(setting) || (this.#unanswered.get(setting) ?? 0) > 0);
    });
    if (waiting.length !== Object.keys(this.wanted).length) this.wanted = Object.fromEntries(waiting);
  }

  protected override render(): TemplateResult {
    return html`<div class="controls">${this.controls.map((control) => this.#control(control))}</div>`;
  }

  #control(control: LiveControl): TemplateResult {
    const { setting, label, unit, min, max, problem } = control;
    const wanted = this.wanted[setting];
    const value = wanted ?? control.value;
    const off = this.disabled || problem !== null;
    const words = `${value}${unit === null ? '' : ` ${unit}`}`;
    return html`<div class="control" role="group" aria-label=${label}>
      <span class="name">${label}${unit === null ? nothing : html` <span class="muted">(${unit})</span>`}</span>
      <input
        type="number"
        aria-label=${label}
        inputmode="numeric"
        min=${min}
        max=${max}
        step="1"
        ?disabled=${off}
        .value=${String(value)}
        @change=${(event: Event) => this.#type(control, event.target as HTMLInputElement)}
      />
      <div>
        <input
          type="range"
          aria-label=${`${label}, slider`}
          aria-valuetext=${words}
          min="0"
          max=${sliderSteps}
          step="1"
          ?disabled=${off}
          .value=${String(sliderPosition(control, value))}
          @input=${(event: Event) => this.#choose(control, sliderValue(control, Number((event.target as HTMLInputElement).value)))}
          @keydown=${(event: KeyboardEvent) => this.#onKey(control, event)}
        />
        <div class="ends" aria-hidden="true"><span>${wholeNumber(min)}</span><span>${wholeNumber(max)}</span></div>
      </div>
      <span></span>
      <p class="state note">
        ${problem !== null ? html`${icon('warning')} ${refusalText(problem)}` : wanted !== undefined && wanted !== control.value ? `${control.value} → ${wanted}, being applied…` : `${control.value} ${this.disabled ? 'at the end' : 'is in force'}`}
      </p>
    </div>`;
  }

  /** The browser's own steps are those of the track, not of the value. */
  #onKey(control: LiveControl, event: KeyboardEvent): void {
    // What was chosen last, not what was drawn last: keys come faster than frames.
    const next = keyedValue(control, this.wanted[control.setting] ?? control.value, event.key);
    if (next === null) return;
    event.preventDefault();
    this.#choose(control, next);
  }

  #type(control: LiveControl, field: HTMLInputElement): void {
    const typed = Number(field.value);
    const value = field.value.trim() === '' || !Number.isFinite(typed) ? control.value : clampValue(control, typed);
    field.value = String(value);
    this.#choose(control, value);
  }

  #choose(control: LiveControl, value: number): void {
    const { setting } = control;
    this.wanted = { ...this.wanted, [setting]: value };
    clearTimeout(this.#timers.get(setting));
    this.#timers.set(
      setting,
      setTimeout(() => this.#send(setting, value), debounceMs),
    );
  }

  #send(setting: string, value: number): void {
    this.#timers.delete(setting);
    const open = this.#unanswered.get(setting) ?? 0;
    const inForce = this.controls.find((control) => control.setting === setting)?.value;
    if (open === 0 && inForce === value) {
      this.wanted = Object.fromEntries(Object.entries(this.wanted).filter(([name]) => name !== setting));
      return;
    }
    this.#unanswered.set(setting, open + 1);
    ask(this, { type: 'setLive', setting, value });
    clearTimeout(this.#patience);
    this.#patience = setTimeout(() => this.#giveUp(), patienceMs);
  }

  #giveUp(): void {
    this.#unanswered.clear();
    this.wanted = {};
  }
}
