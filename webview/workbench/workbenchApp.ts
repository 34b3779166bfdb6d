import { type TemplateResult, html, LitElement, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { Form, FromPanel, ToPanel } from '../../src/model/protocol/panel.ts';
import type { Catalog } from '../../src/model/protocol/protocol.ts';
import { formOfRun, formOfTune } from '../../src/model/presentation/requestForms.ts';
import type { RunRecord } from '../../src/model/domain/run.ts';
import type { Chosen } from '../compare/compareView.ts';
import type { LiveForm } from '../live/liveForm.ts';
import { isLive } from '../live/liveProgress.ts';
import { revealInterference } from '../kit/page/revealInterference.ts';
import { sharedStyles } from '../kit/style/sharedStyles.ts';
import { keep, kept, listen, post } from '../kit/page/vscodeApi.ts';
import { announcement } from './announcement.ts';
import {
  type PanelState,
  type View,
  comparedPair,
  comparisonToAsk,
  obviousPair,
  failureToShow,
  formOf,
  initialState,
  reduceMessage,
  shownInTune,
  shownLine,
  showsAnother,
  showsExperiment,
  readSavedState,
  toSavedState,
} from './panelState.ts';
import { deliverFlame } from '../flame/flameView.ts';
import { type FormCheck, checkForm } from '../form/formCheck.ts';
import { failureBox, messageBox, messageStyles } from '../kit/controls/messageBox.ts';
import { emptyView } from './emptyViews.ts';
import { panelHead } from './panelHead.ts';
import { runLine, runLineStyles } from './runLine.ts';
import './runHeader.ts';
import { failingRoute, failingRouteStyles } from '../progress/failingRoute.ts';
import { isRunning } from '../progress/runSoFar.ts';
import { asking, asksToMeasure, requestOf } from './askedAgain.ts';
import { settingLabels } from '../kit/fields/settingFields.ts';
import '../form/settingsForm.ts';
import type { SettingsForm } from '../form/settingsForm.ts';
import '../progress/statusLine.ts';
import { viewLoaded } from './viewLoader.ts';
import { viewSelect, viewStyles, viewTabs } from './viewTabs.ts';
import { workbenchStyles } from './workbenchStyles.ts';
import type { SettingLabels } from '../../src/model/presentation/settingWords.ts';

const nothingChecked: FormCheck = { start: null, problems: {}, estimate: null, loadTimes: {} };

/** The Workbench panel: holds the state, passes it down, and turns what is done in it into messages. */
@customElement('benchside-workbench')
export class WorkbenchApp extends LitElement {
  static override styles = [sharedStyles, messageStyles, workbenchStyles, viewStyles, runLineStyles, failingRouteStyles];

  @property({ attribute: false }) state!: PanelState;
  @state() more!: boolean;

  #savedScrollY: number | null;
  #scrollTimer: ReturnType<typeof setTimeout> | undefined;
  #announced = '';
  /** The list of experiments may have changed since it was asked for. */
  #experimentsStale = true;

  constructor() {
    super();
    const saved = readSavedState(kept());
    this.state = initialState(saved);
    this.more = saved.moreSettings;
    this.#savedScrollY = saved.scrollY;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    listen((message) => this.#receive(message));
    window.addEventListener('scroll', () => {
      clearTimeout(this.#scrollTimer);
      this.#scrollTimer = setTimeout(() => this.#save(), 150);
    });
    post({ type: 'ready', shownRunId: this.state.awaitedRunId });
  }

  #receive(message: ToPanel): void {
    if (message.type === 'flame') {
      deliverFlame(message.recordingId, message.message);
      return;
    }
    if (message.type === 'runs') this.#experimentsStale = true;
    const before = this.state;
    this.state = reduceMessage(before, message);
    if (showsAnother(before, this.state, message)) this.#toTop();
    this.#announced = announcement(before, this.state, message) ?? this.#announced;
  }

  protected override updated(): void {
    this.#save();
    this.#askExperiments();
    this.#compareObvious();
    const { view, run } = this.state;
    if (this.#savedScrollY === null || (view !== 'live' && view !== 'compare' && !run)) return;
    if (viewLoaded(view, () => this.requestUpdate()) === 'loading') return;
    const top = this.#savedScrollY;
    this.#savedScrollY = null;
    // Charts have a fixed height, so one frame after the first drawing the page is as long as it was.
    requestAnimationFrame(() => requestAnimationFrame(() => window.scrollTo(0, top)));
  }

  /** The answer is at the top: a reader who was at the table of the last one sees it when something else is shown. */
  #toTop(): void {
    this.#savedScrollY = null;
    void this.updateComplete.then(() => window.scrollTo({ top: 0 }));
  }

  /** Compares the obvious pair while nothing was chosen, as soon as there is one: a run may end, and its list arrive, after Compare was opened. */
  #compareObvious(): void {
    const { view, chosen } = this.state;
    if (view !== 'compare' || chosen.a !== '' || chosen.b !== '') return;
    const obvious = obviousPair(this.state);
    if (obvious.a !== '' && obvious.b !== '') this.#compare(obvious);
  }

  /** Asks for the experiments when they are shown; not again during a measurement, which the check of their requirements would disturb. */
  #askExperiments(): void {
    const { view, catalog, experiments, progress } = this.state;
    if (view !== 'experiments' || !catalog || !this.#experimentsStale || (experiments !== null && isRunning(progress))) return;
    this.#experimentsStale = false;
    post({ type: 'listExperiments' });
  }

  #save(): void {
    keep(toSavedState(this.state, this.#savedScrollY ?? window.scrollY, this.more));
  }

  protected override render(): TemplateResult {
    const { state } = this;
    const form = formOf(state);
    const check = state.catalog ? checkForm(form, state.catalog, state.trusted) : nothingChecked;
    const inTune = shownInTune(state);
    const failure = failureToShow(state);
    const onProgress = inTune !== null && 'progress' in inTune;
    const inOther = onProgress && (state.view === 'tune' || state.view === 'experiments' || state.view === 'versions');
    const onRun = state.run !== null && !inOther && state.view !== 'advise' && !(state.view === 'live' && isLive(state.session));
    return html`<main @panel-ask=${(event: CustomEvent<FromPanel>) => this.#ask(event.detail)}>
      <div class="head">
        ${viewSelect(state, (view) => this.#show(view))}<benchside-header
          .head=${panelHead(state, new Date())}
          ?hasRun=${onRun}
          ?bare=${state.view === 'advise'}
          ?hasRaw=${state.run?.raw !== undefined}
          ?busy=${this.#busy()}
          ?canCompare=${(state.runs ?? []).filter((run) => run.kind === 'run').length > 1}
          @show-interference=${() => this.#showInterference()}
          @record-run=${() => state.run && post({ type: 'recordFlameGraph', runId: state.run.id })}
          @query-raw=${() => state.run && post({ type: 'queryRawSamples', runId: state.run.id })}
          @compare-run=${() => (this.state = { ...this.state, view: 'compare', chosen: { a: '', b: '' } })}
          @export-run=${(event: CustomEvent<'html' | 'markdown' | 'csv'>) => state.run && post({ type: 'exportReport', id: state.run.id, format: event.detail })}
          @delete-run=${() => state.run && post({ type: 'deleteRun', id: state.run.id })}
        ></benchside-header>
      </div>
      ${viewTabs(state, (view) => this.#show(view))}
      ${
        failure?.routes
          ? failingRoute(failure.routes, (message) => this.#ask(message), [
              { text: 'Dismiss', run: () => (this.state = { ...this.state, failure: null }) },
            ])
          : failure
            ? failureBox(failure, {
                tell: (message) => this.#cure(message),
                after: [{ text: 'Dismiss', run: () => (this.state = { ...this.state, failure: null }) }],
              })
            : nothing
      }
      ${state.view === 'tune' ? this.#place(form, check) : nothing}
      <div role="tabpanel" id="panel" aria-labelledby=${`tab-${state.view}`}>${this.#view()}</div>
      <p class="visuallyHidden" role="status" aria-live="polite">${this.#announced}</p>
    </main>`;
  }

  /** Sends what a failure’s box asks for; an engine that is restarted is no failure any more. */
  #cure(message: FromPanel): void {
    post(message);
    if (message.type === 'actOnFailure' && message.action === 'restart-engine') this.state = { ...this.state, failure: null };
  }

  #busy(): boolean {
    const { progress, session, starting, advice } = this.state;
    return isRunning(progress) || isLive(session) || starting || advice.progress !== null;
  }

  /** Why no run can be started now, where the form alone would allow one. */
  #blocked(): string | null {
    const { session } = this.state;
    return isLive(session) ? `A live session of ${session.targetLabel} is going on: stop it under Live to run anything else.` : null;
  }

  /** Above a result: what it measured, in a line, and the form only where it is asked for. Without a result the form. */
  #place(form: Form, check: FormCheck): TemplateResult {
    const { state } = this;
    const line = shownLine(state);
    const open = line === null || (state.formOpen && !isRunning(state.progress));
    const run = line !== null && 'run' in line ? line.run : null;
    return html`${
      line === null || state.catalog === null
        ? nothing
        : runLine(line, {
            open,
            canRun: !this.#busy(),
            toggle: () => this.#toggleForm(run),
            again: run === null || run.result.kind === 'experiment' ? null : () => this.#ask(requestOf(run)),
            cancel: () => post({ type: 'cancelRun' }),
          })
    }
    ${open ? html`<div class="formPlace">${this.#form(form, check)}</div>` : this.#catalogProblems()}
    ${
      open || this.#busy()
        ? html`<benchside-status
            .check=${check}
            .run=${state.progress}
            .blocked=${this.#blocked()}
            ?starting=${state.starting}
          ></benchside-status>`
        : html`<div class="afterLine"></div>`
    }`;
  }

  /** Unfolds the form with what the result on show was asked with, or folds it up. */
  #toggleForm(run: RunRecord | null): void {
    const formOpen = !this.state.formOpen;
    this.state = { ...this.state, formOpen };
    if (formOpen && run !== null && run.result.kind !== 'experiment')
      this.#changeForm(run.result.kind === 'tune' ? formOfTune(run.result.request) : formOfRun(run.request));
  }

  #form(form: Form, check: FormCheck): TemplateResult {
    const { state } = this;
    if (!state.catalog) return state.failure ? html`` : messageBox({ title: 'Starting Benchside…' });
    return html`<benchside-form
        .form=${form}
        .catalog=${state.catalog}
        .check=${check}
        ?trusted=${state.trusted}
        ?running=${isRunning(state.progress)}
        ?busy=${state.starting || isLive(state.session)}
        ?more=${this.more}
        @form-changed=${(event: CustomEvent<Form>) => this.#changeForm(event.detail)}
        @more-toggled=${(event: CustomEvent<boolean>) => (this.more = event.detail)}
        @run=${() => check.start && this.#ask(check.start)}
        @cancel=${() => post({ type: 'cancelRun' })}
      ></benchside-form>
      ${this.#catalogProblems()}`;
  }

  /** What keeps targets from being started: no trust, or something wrong in a file. */
  #catalogProblems(): TemplateResult {
    const { catalog, trusted } = this.state;
    const blocked = catalog !== null && !trusted && catalog.targets.some((target) => target.origin === 'workspace');
    return html`${
      blocked
        ? messageBox({
            kind: 'warning',
            title: 'This workspace is not trusted.',
            text: 'Runs can be looked at and the samples can be run; the workspace’s own targets are not started until you trust it.',
          })
        : nothing
    }
    ${(catalog?.problems ?? []).map((problem) => failureBox(problem, { tell: post }))}`;
  }

  #view(): TemplateResult {
    const { state } = this;
    if (!state.catalog && !state.run) return html``;
    const code = viewLoaded(state.view, () => this.requestUpdate());
    if (code === 'loading') return html`<div class="loadingView"></div>`;
    if (code === 'failed') {
      return messageBox({
        kind: 'bad',
        title: 'This view could not be loaded.',
        text: 'Close the panel and open it again. If that does not help, install the extension again.',
        actions: [{ text: 'Show Log', run: () => post({ type: 'showLog' }) }],
      });
    }
    // What failed is shown above, with what to do: that there is no run yet follows from it.
    if (state.view === 'tune' && failureToShow(state) !== null && shownInTune(state) === null && state.runs?.length === 0) return html``;
    const empty = emptyView(state, (view) => this.#show(view));
    if (empty !== null) return empty;
    const canRun = !this.#busy();
    switch (state.view) {
      case 'live':
        return html`<benchside-live
          .session=${state.session}
          .form=${state.liveForm}
          .catalog=${state.catalog}
          .labels=${this.#labels()}
          .runTitle=${isRunning(state.progress) ? state.progress.title : null}
          ?trusted=${state.trusted}
          ?starting=${state.starting}
          @show-view=${(event: CustomEvent<View>) => this.#show(event.detail)}
          @live-form-changed=${(event: CustomEvent<LiveForm>) => (this.state = { ...this.state, liveForm: event.detail })}
        ></benchside-live>`;
      case 'advise':
        return html`<benchside-advice
          .advice=${state.advice}
          .run=${isRunning(state.progress) ? state.progress : null}
          .targets=${state.catalog?.targets ?? []}
          .applied=${state.applied}
          ?starting=${state.starting}
          ?canRun=${canRun}
        ></benchside-advice>`;
      case 'compare':
        return html`<benchside-compare
          .runs=${state.runs ?? []}
          .run=${state.run}
          .chosen=${comparedPair(state)}
          .comparison=${state.comparison}
          ?canRun=${canRun}
          @compare=${(event: CustomEvent<Chosen>) => this.#compare(event.detail)}
        ></benchside-compare>`;
      case 'versions':
        return html`<benchside-versions
          .run=${state.run?.result.kind === 'diff' ? state.run : null}
          ?canRun=${canRun}
        ></benchside-versions>`;
      case 'experiments':
        return this.#experiments(canRun);
      case 'flame':
        return html`<benchside-flame-view .run=${state.run}></benchside-flame-view>`;
      case 'raw':
        if (state.run) return html`<benchside-raw .run=${state.run}></benchside-raw>`;
    }
    const shown = shownInTune(state);
    return html`<benchside-tune
      .progress=${shown && 'progress' in shown ? shown.progress : null}
      .run=${shown && 'run' in shown ? shown.run : null}
      .runs=${state.runs}
      .labels=${this.#labels()}
      .applied=${state.applied}
      ?loading=${state.awaitedRunId !== null}
      ?canRun=${canRun}
      ?lookingBack=${state.lookBack && isRunning(state.progress)}
      @fill-form=${(event: CustomEvent<Partial<Form>>) => this.#fillForm(event.detail)}
      @show-view=${(event: CustomEvent<View>) => this.#show(event.detail)}
      @look-forward=${() => (this.state = { ...this.state, lookBack: false })}
      @close-progress=${() => (this.state = { ...this.state, progress: null })}
    ></benchside-tune>`;
  }

  #experiments(canRun: boolean): TemplateResult {
    const { state } = this;
    const { progress } = state;
    const shown = shownInTune(state);
    return html`<benchside-experiments
      .experiments=${state.experiments}
      .runs=${state.runs}
      .progress=${shown && 'progress' in shown ? shown.progress : null}
      .run=${shown && 'run' in shown ? shown.run : null}
      .labels=${this.#labels()}
      .underWay=${isRunning(progress) ? progress : null}
      .blocked=${this.#blocked()}
      ?starting=${state.starting}
      ?list=${state.experimentList}
      ?awaiting=${state.experimentAsked}
      ?canRun=${canRun}
      @show-list=${() => (this.state = { ...this.state, experimentList: true })}
      @show-page=${() => this.#showExperimentPage()}
      @fill-form=${(event: CustomEvent<Partial<Form>>) => {
        this.#show('tune');
        this.#fillForm(event.detail);
      }}
      @close-progress=${() => (this.state = { ...this.state, progress: null })}
    ></benchside-experiments>`;
  }

  /** From the list back to the page of the experiment on show, or to what is measured instead. */
  #showExperimentPage(): void {
    this.state = { ...this.state, experimentList: false, lookBack: false };
    if (!showsExperiment(this.state)) this.state = { ...this.state, view: 'tune' };
  }

  #show(view: View): void {
    if (view === 'experiments' && view !== this.state.view) this.#experimentsStale = true;
    this.state = { ...this.state, view };
    if (view === 'compare') this.#compare(this.state.chosen);
  }

  /** From the chip to the strip under the charts, which the views of a run have. */
  #showInterference(): void {
    if (this.state.view !== 'tune' && this.state.view !== 'experiments') this.#show('tune');
    revealInterference();
  }

  #changeForm(form: Form): void {
    this.state = { ...this.state, form };
    post({ type: 'formChanged', form, revision: this.state.formRevision });
  }

  /** Puts the values of a row into the form, and the focus on Run: the second click runs it. */
  #fillForm(part: Partial<Form>): void {
    this.#changeForm({ ...formOf(this.state), ...part });
    this.state = { ...this.state, formOpen: true };
    window.scrollTo({ top: 0 });
    void this.updateComplete.then(async () => {
      const form = this.renderRoot.querySelector<SettingsForm>('benchside-form');
      await form?.updateComplete;
      form?.focusRun();
    });
  }

  /** Sends a message that a view asks for; what else changes with it changes here. */
  #ask(message: FromPanel): void {
    if (message.type === 'compare') {
      const { a, b, trialA, trialB } = message;
      this.state = { ...this.state, view: 'compare' };
      this.#compare({ a, b, trialA, trialB });
      return;
    }
    if (asksToMeasure(this.state, message)) {
      this.state = asking(this.state, message);
      post({ ...message, ask: this.state.asked });
      return;
    }
    if (message.type === 'openRun') this.state = { ...this.state, awaitedRunId: message.id };
    post(message);
  }

  #compare(chosen: Chosen): void {
    const question = comparisonToAsk(this.state.comparison, chosen);
    this.state = { ...this.state, chosen };
    if (question !== null) post(question);
  }

  /** The labels that the targets give their settings; the same object until the catalog changes. */
  #labels(): SettingLabels {
    const { catalog } = this.state;
    if (catalog !== this.#labelledCatalog) {
      this.#labelledCatalog = catalog;
      this.#knownLabels = settingLabels(catalog?.targets ?? []);
    }
    return this.#knownLabels;
  }

  #labelledCatalog: Catalog | null = null;
  #knownLabels: SettingLabels = {};
}
