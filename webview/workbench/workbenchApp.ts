import type { TemplateResult } from 'lit';
import { html, LitElement, nothing } from 'lit';
import type { Form, ToPanel } from '../../src/model/panel.ts';
import type { Catalog } from '../../src/model/protocol.ts';
import type { RunRequest } from '../../src/model/run.ts';
import type { Hues } from '../shared/hues.ts';
import { assignHues } from '../shared/hues.ts';
import { sharedStyles } from '../shared/sharedStyles.ts';
import { keep, kept, listen, post } from '../shared/vscodeApi.ts';
import type { SettingLabels } from '../shared/words.ts';
import './compareView.ts';
import type { FormCheck } from './formCheck.ts';
import { checkForm, settingLabels } from './formCheck.ts';
import { deliverFlame } from './flameView.ts';
import { isRunning } from './liveRun.ts';
import './liveView.ts';
import { failureBox, messageBox } from './messageBox.ts';
import { messageStyles } from './messageStyles.ts';
import { panelHead } from './panelHead.ts';
import type { PanelState, View } from './panelState.ts';
import { initialState, reduceMessage, views, withForm } from './panelState.ts';
import './rawFigures.ts';
import './resultView.ts';
import './runHeader.ts';
import { readSavedState, toSavedState } from './savedState.ts';
import './settingsForm.ts';
import './statusLine.ts';
import { workbenchStyles } from './workbenchStyles.ts';

const viewTitles: Record<View, string> = { result: 'Result', live: 'Live', flame: 'Flame graph', compare: 'Compare', raw: 'Raw figures' };
/** How long Run stays disabled when nothing is heard of the run that was asked for. */
const startPatienceMs = 8_000;
const nothingChecked: FormCheck = { request: null, problems: {}, estimate: null };

/** The Workbench panel: holds the state, passes it down, and turns what is done in it into messages. */
export class WorkbenchApp extends LitElement {
  static override properties = { state: { attribute: false }, more: { state: true } };
  static override styles = [sharedStyles, messageStyles, workbenchStyles];

  declare state: PanelState;
  declare more: boolean;

  private savedScrollY: number | null;
  private scrollTimer: ReturnType<typeof setTimeout> | undefined;
  private startTimer: ReturnType<typeof setTimeout> | undefined;
  private announced = '';

  constructor() {
    super();
    const saved = readSavedState(kept());
    this.state = initialState(saved);
    this.more = saved.moreSettings;
    this.savedScrollY = saved.scrollY;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    listen((message) => this.receive(message));
    window.addEventListener('scroll', () => {
      clearTimeout(this.scrollTimer);
      this.scrollTimer = setTimeout(() => this.save(), 150);
    });
    post({ type: 'ready', shownRunId: this.state.awaitedRunId });
  }

  private receive(message: ToPanel): void {
    if (message.type === 'flame') {
      deliverFlame(message.recordingId, message.message);
      return;
    }
    const before = this.state;
    this.state = reduceMessage(before, message);
    if (message.type === 'run')
      this.announced =
        message.run.recommendations.map((recommendation) => recommendation.headline).join('. ') || 'The run has been loaded.';
    if (isRunning(this.state.live) && this.state.live.phase) this.announced = this.state.live.phase.message;
    if (message.type === 'failure') this.announced = `${message.failure.message} ${message.failure.cure}`;
  }

  protected override updated(): void {
    this.save();
    if (this.savedScrollY === null || (this.state.view !== 'live' && !this.state.run && this.state.view !== 'compare')) return;
    const top = this.savedScrollY;
    this.savedScrollY = null;
    // Charts have a fixed height, so one frame after the first drawing the page is as long as it was.
    requestAnimationFrame(() => requestAnimationFrame(() => window.scrollTo(0, top)));
  }

  private save(): void {
    keep(toSavedState(this.state, this.savedScrollY ?? window.scrollY, this.more));
  }

  protected override render(): TemplateResult {
    const { state } = this;
    const check = state.catalog ? checkForm(state.form, state.catalog, state.trusted) : nothingChecked;
    const hues = this.hues();
    const head = panelHead(state, new Date());
    return html`<main>
      <benchside-header
        .heading=${head.heading}
        .subtitle=${head.subtitle}
        .badge=${head.badge}
        ?hasRun=${state.run !== null && state.view !== 'live'}
        ?canCompare=${(state.runs ?? []).filter((run) => run.kind === 'run').length > 1}
        @compare-run=${() => this.startCompare()}
        @export-run=${(event: CustomEvent<'html' | 'markdown' | 'csv'>) => state.run && post({ type: 'exportReport', id: state.run.id, format: event.detail })}
        @delete-run=${() => state.run && post({ type: 'deleteRun', id: state.run.id })}
      ></benchside-header>
      <div role="tablist" aria-label="Views" @keydown=${this.onTabKey}>${views.map((view) => this.tab(view))}</div>
      <div class="formPlace">${this.form(check, hues)}</div>
      <benchside-status .check=${check} .live=${state.live} ?starting=${state.starting}></benchside-status>
      ${
        state.failure
          ? failureBox(state.failure, [
              { text: 'Show Log', run: () => post({ type: 'showLog' }) },
              { text: 'Check This Machine', run: () => post({ type: 'checkMachine' }) },
              { text: 'Dismiss', run: () => (this.state = { ...this.state, failure: null }) },
            ])
          : nothing
      }
      <div
        role="tabpanel"
        id="panel"
        aria-labelledby=${`tab-${state.view}`}
        @open-run=${(event: CustomEvent<string>) => this.openRun(event.detail)}
        @show-log=${() => post({ type: 'showLog' })}
        @check-machine=${() => post({ type: 'checkMachine' })}
        @run-again=${(event: CustomEvent<RunRequest>) => this.start(event.detail)}
      >
        ${this.view(hues, check)}
      </div>
      <p class="visuallyHidden" role="status" aria-live="polite">${this.announced}</p>
    </main>`;
  }

  private form(check: FormCheck, hues: Hues): TemplateResult {
    const { state } = this;
    if (!state.catalog) return state.failure ? html`` : messageBox({ icon: 'info', title: 'Starting Benchside…' });
    const blocked = !state.trusted && state.catalog.targets.some((target) => target.origin === 'workspace');
    return html`<benchside-form
        .form=${state.form}
        .catalog=${state.catalog}
        .check=${check}
        .hues=${hues}
        ?trusted=${state.trusted}
        ?running=${isRunning(state.live)}
        ?busy=${state.starting}
        ?more=${this.more}
        @form-changed=${(event: CustomEvent<Form>) => this.changeForm(event.detail)}
        @more-toggled=${(event: CustomEvent<boolean>) => (this.more = event.detail)}
        @run=${() => check.request && this.start(check.request)}
        @cancel=${() => post({ type: 'cancelRun' })}
      ></benchside-form>
      ${
        blocked
          ? messageBox({
              icon: 'warning',
              kind: 'warning',
              title: 'This workspace is not trusted.',
              text: 'Runs can be looked at and the samples can be run; the workspace’s own targets are not started until you trust it.',
            })
          : nothing
      }
      ${state.catalog.problems.map((problem) => messageBox({ icon: 'warning', kind: 'warning', title: problem.message, text: problem.cure, detail: problem.detail }))}`;
  }

  private view(hues: Hues, check: FormCheck): TemplateResult {
    const { state } = this;
    const canRun = check.request !== null && !isRunning(state.live) && !state.starting;
    if (!state.catalog && !state.run) return html``;
    switch (state.view) {
      case 'live':
        return html`${this.ended()}<benchside-live .live=${state.live} .hues=${hues} .labels=${this.labels()}></benchside-live>`;
      case 'compare':
        return html`<benchside-compare
          .runs=${state.runs ?? []}
          .chosen=${state.chosen}
          .comparison=${state.comparison}
          @compare=${(event: CustomEvent<{ a: string; b: string }>) => this.compare(event.detail)}
        ></benchside-compare>`;
      case 'flame':
        return html`<benchside-flame-view .run=${state.run}></benchside-flame-view>`;
      case 'raw':
        if (state.run) return html`<benchside-raw .run=${state.run} .hues=${hues}></benchside-raw>`;
    }
    return html`<benchside-result
      .run=${state.run}
      .runs=${state.runs}
      .hues=${hues}
      .labels=${this.labels()}
      ?loading=${state.awaitedRunId !== null}
      ?canRun=${canRun}
    ></benchside-result>`;
  }

  private ended(): TemplateResult | typeof nothing {
    const finished = this.state.live?.finished;
    if (!finished) return nothing;
    const kept = finished.stored ? 'What was measured is kept under Result.' : 'Nothing of it was kept.';
    if (finished.failure && finished.outcome === 'failed')
      return failureBox(finished.failure, [{ text: 'Show Log', run: () => post({ type: 'showLog' }) }]);
    if (finished.outcome === 'cancelled') return messageBox({ icon: 'warning', kind: 'warning', title: 'Cancelled.', text: kept });
    return messageBox({ icon: 'check', title: 'Finished.', text: finished.stored ? 'The result is under Result.' : kept });
  }

  private tab(view: View): TemplateResult {
    const selected = view === this.state.view;
    const running = view === 'live' && isRunning(this.state.live);
    return html`<button
      role="tab"
      type="button"
      id=${`tab-${view}`}
      aria-selected=${selected}
      aria-controls="panel"
      tabindex=${selected ? 0 : -1}
      @click=${() => this.show(view)}
    >
      ${viewTitles[view]}${running ? html`<span class="dot"></span><span class="visuallyHidden"> (running)</span>` : nothing}
    </button>`;
  }

  private onTabKey(event: KeyboardEvent): void {
    const at = views.indexOf(this.state.view);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: views.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const view = views[(next + views.length) % views.length] ?? 'result';
    this.show(view);
    this.renderRoot.querySelector<HTMLElement>(`#tab-${view}`)?.focus();
  }

  private show(view: View): void {
    this.state = { ...this.state, view };
    const { a, b } = this.state.chosen;
    if (view === 'compare') this.compare(a === '' && b === '' ? this.obviousPair() : { a, b });
  }

  private changeForm(form: Form): void {
    this.state = withForm(this.state, form);
    post({ type: 'formChanged', form });
  }

  private start(request: RunRequest): void {
    this.state = { ...this.state, starting: true, failure: null };
    post({ type: 'startRun', request });
    // A run that the extension refuses is told in a notification, not here: let Run be pressed again.
    clearTimeout(this.startTimer);
    this.startTimer = setTimeout(() => (this.state = { ...this.state, starting: false }), startPatienceMs);
  }

  private openRun(id: string): void {
    this.state = { ...this.state, awaitedRunId: id };
    post({ type: 'openRun', id });
  }

  /** The run that is shown, and the one before it; empty where there is none. */
  private obviousPair(): { a: string; b: string } {
    const ids = (this.state.runs ?? []).flatMap((run) => (run.kind === 'run' ? [run.id] : []));
    const b = this.state.run?.id ?? ids[0] ?? '';
    return { a: ids[ids.indexOf(b) + 1] ?? ids.find((id) => id !== b) ?? '', b };
  }

  private startCompare(): void {
    this.state = { ...this.state, view: 'compare' };
    this.compare(this.obviousPair());
  }

  private compare(chosen: { a: string; b: string }): void {
    const { comparison } = this.state;
    this.state = { ...this.state, chosen };
    const ready = chosen.a !== '' && chosen.b !== '' && chosen.a !== chosen.b;
    if (ready && (comparison?.a.id !== chosen.a || comparison.b.id !== chosen.b)) post({ type: 'compare', ...chosen });
  }

  /** The labels that the targets give their settings; the same object until the catalog changes. */
  private labels(): SettingLabels {
    const { catalog } = this.state;
    if (catalog !== this.labelledCatalog) {
      this.labelledCatalog = catalog;
      this.knownLabels = settingLabels(catalog?.targets ?? []);
    }
    return this.knownLabels;
  }

  private labelledCatalog: Catalog | null = null;
  private knownLabels: SettingLabels = {};

  private hues(): Hues {
    const { catalog, run, live } = this.state;
    const trials = [...(run?.trials ?? []), ...(live?.trials ?? [])].map((trial) => ({ id: trial.target, runtime: trial.runtime }));
    const key = JSON.stringify([catalog?.targets.map((target) => [target.id, target.runtime]), trials]);
    if (key !== this.hueKey) {
      this.hueKey = key;
      this.knownHues = assignHues([...(catalog?.targets ?? []), ...trials]);
    }
    return this.knownHues;
  }

  private hueKey = '';
  private knownHues: Hues = new Map();
}

customElements.define('benchside-workbench', WorkbenchApp);
