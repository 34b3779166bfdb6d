import { poolSettingName } from '../../src/model/presentation/formChoice.ts';
import { poolAdvice } from '../../src/model/presentation/liveAdvice.ts';
import { type PropertyValues, type TemplateResult, html, LitElement, nothing, css } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { LiveChange } from '../../src/model/protocol/live.ts';
import { noteTexts } from '../../src/model/presentation/runNotes.ts';
import type { Catalog } from '../../src/model/protocol/protocol.ts';
import { type Draw, chartView } from '../kit/charts/chartElement.ts';
import { drawSessionChart, sessionChartHeight } from './sessionChart.ts';
import { ask } from '../kit/page/ask.ts';
import { hueColor } from '../kit/style/hues.ts';
import { button, linkButton } from '../kit/controls/buttons.ts';
import { sharedStyles } from '../kit/style/sharedStyles.ts';
import { notesList } from '../kit/controls/sections.ts';
import { failureBox, messageBox, messageStyles } from '../kit/controls/messageBox.ts';
import './liveControls.ts';
import { type LiveForm, checkLiveForm, emptyLiveForm } from './liveForm.ts';
import { type LiveProgress, isLive, sessionTimeMs } from './liveProgress.ts';
import './liveStartForm.ts';
import { segmentTable } from './segmentTable.ts';
import { metricsNow, sessionCharts } from './sessionMetrics.ts';
import { type SettingLabels, humanName } from '../../src/model/presentation/settingWords.ts';
import { targetMarkOf } from '../../src/model/presentation/targetHue.ts';

/** The live view: its bar in place of the form, sliders and figures at the left, charts above each other at the right. */
const liveViewStyles = css`
  .advice {
    min-height: 40px;
    margin-top: 10px;
  }
  .bar {
    justify-content: space-between;
    gap: 8px 16px;
    min-height: 36px;
    padding: 4px 5px 4px 12px;
    margin-bottom: 18px;
  }
  .bar p {
    min-width: 0;
    overflow-wrap: anywhere;
  }
  benchside-live-form {
    margin-bottom: 18px;
  }
  .columns {
    display: grid;
    grid-template-columns: minmax(250px, 320px) minmax(0, 1fr);
    gap: 20px 32px;
    margin: 8px 0 24px;
  }
  @media (max-width: 899px) {
    .columns {
      grid-template-columns: minmax(0, 1fr);
    }
    /* Next to code, the controls come before the figures. */
    .side {
      display: contents;
    }
    .now {
      order: 1;
    }
  }
  .now {
    margin-top: 14px;
  }
  .figures {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(230px, 100%), 1fr));
    column-gap: 28px;
    margin: 4px 0 0;
  }
  .figures div {
    display: flex;
    justify-content: space-between;
    gap: 12px;
    padding: 2px 0;
    border-bottom: 1px solid var(--bs-grid);
  }
  .figures dd {
    text-align: right;
    white-space: nowrap;
  }
  .charts {
    display: grid;
    gap: 4px;
    align-content: start;
  }
  ul {
    margin: 12px 0 0;
  }
  .segments h2 {
    margin-bottom: 2px;
  }
`;

/** Lines of a chart have this height to themselves, in px. */
const plotHeight = 104;

/** Load that keeps running while its settings are moved: start it, drag, watch, keep. */
@customElement('benchside-live')
export class LiveView extends LitElement {
  static override styles = [sharedStyles, messageStyles, liveViewStyles];

  @property({ attribute: false }) session: LiveProgress | null = null;
  @property({ attribute: false }) form: LiveForm = emptyLiveForm;
  @property({ attribute: false }) catalog: Catalog | null = null;
  @property({ attribute: false }) labels: SettingLabels = {};
  /** Title of the run in progress, which leaves no room for live load. */
  @property({ attribute: false }) runTitle: string | null = null;
  @property({ type: Boolean }) trusted = true;
  @property({ type: Boolean }) starting = false;
  /** Keep was pressed and is not answered yet. */
  @state() keeping = false;

  #draws: Draw[] = [];

  protected override willUpdate(changed: PropertyValues): void {
    const { session } = this;
    if (!changed.has('session') || !session) return;
    if (session.ended !== null) this.keeping = false;
    const before = changed.get('session') as LiveProgress | null | undefined;
    if (before && before.samples === session.samples && before.changes === session.changes) return;
    const color = hueColor(targetMarkOf(session.target));
    const changes = session.changes.map((change) => ({ change, words: this.#changeWords(change) }));
    this.#draws = sessionCharts(color).map((chart, index, all) => {
      const [topmost, lowest] = [index === 0, index === all.length - 1];
      const input = {
        lines: chart.lines,
        samples: session.samples,
        changes,
        nowMs: sessionTimeMs(session),
        topmost,
        lowest,
      };
      return (width, height) => drawSessionChart(input, width, height);
    });
  }

  protected override render(): TemplateResult {
    const { session } = this;
    return html`${isLive(session) ? this.#bar(session) : this.#startForm()} ${this.#body()}`;
  }

  #startForm(): TemplateResult {
    if (!this.catalog) return messageBox({ title: 'Loading…' });
    const check = checkLiveForm(this.form, this.catalog, this.trusted);
    const blocked = this.runTitle === null ? null : 'A run is being measured: live load can start when it has finished.';
    return html`<benchside-live-form
      .form=${this.form}
      .check=${check}
      .catalog=${this.catalog}
      .blocked=${blocked}
      ?trusted=${this.trusted}
      ?starting=${this.starting}
      @live-form-edited=${(event: CustomEvent<LiveForm>) => this.dispatchEvent(new CustomEvent('live-form-changed', { detail: event.detail }))}
      @start-live=${() => check.request && ask(this, { type: 'startLive', request: check.request })}
    ></benchside-live-form>`;
  }

  /** In place of the form while load is on: what it is, and how to end it. */
  #bar(session: LiveProgress): TemplateResult {
    const running = session.phase === 'running';
    return html`<div class="bar flow framed">
      <p>
        <strong>${session.targetLabel}</strong>
        <span class="muted"
          >${running ? `under load: ${session.routes.join(', ') || 'its mix'} · ${session.connections} connections` : session.message}</span
        >
      </p>
      <div class="buttons">
        ${button(this.keeping ? 'Keeping…' : 'Keep as a run', this.#keep, { disabled: !running || this.keeping || session.samples.length === 0 })}
        ${button('Stop', () => ask(this, { type: 'stopLive' }), { primary: true, drawn: 'stop' })}
      </div>
    </div>`;
  }

  #body(): TemplateResult {
    const { session } = this;
    if (!session) return this.#empty();
    const seen = session.samples.length > 0 || session.phase === 'running';
    return html`${session.ended ? this.#ended(session, session.ended) : nothing}
    ${session.phase === 'starting' ? messageBox({ title: session.message || 'Starting…', text: 'Figures appear as soon as the load is on.' }) : seen ? this.#measured(session) : nothing}`;
  }

  #empty(): TemplateResult {
    if (this.runTitle !== null) {
      return messageBox({
        title: `“${this.runTitle}” is being measured.`,
        text: 'Load of another kind would disturb it; live load can start when it has finished.',
        actions: [{ text: 'Show It', primary: true, run: () => this.dispatchEvent(new CustomEvent('show-view', { detail: 'tune' })) }],
      });
    }
    return messageBox({
      title: 'Nothing is under load.',
      text: 'Press Start: the target runs under steady load, and its pool and threads can be moved with a slider while throughput, p99, pool and CPU answer.',
    });
  }

  #ended(session: LiveProgress, ended: NonNullable<LiveProgress['ended']>): TemplateResult {
    const { runId, failure, reason } = ended;
    const open = runId === null ? [] : [{ text: 'Open the Run', primary: true, run: () => ask(this, { type: 'openRun', id: runId }) }];
    if (failure) return failureBox(failure, { tell: (message) => ask(this, message), target: session.target, before: open });
    const kept = runId === null ? 'Nothing of it was kept as a run.' : 'It was kept as a run.';
    return messageBox({ title: reason || `${session.targetLabel} is no longer under load.`, text: kept, actions: open });
  }

  #measured(session: LiveProgress): TemplateResult {
    const running = session.phase === 'running';
    const charts = sessionCharts('');
    return html`<div class="columns">
        <div class="side">
          ${
            session.controls.length === 0
              ? html`<p class="note">Nothing of this app can be moved while it runs.</p>`
              : html`<benchside-live-controls
                  .controls=${session.controls}
                  .changes=${session.changes}
                  ?disabled=${!running}
                ></benchside-live-controls>`
          }
          ${running ? this.#advice(session) : nothing}
          <div class="now">
            <h2>${running ? 'In the last second' : 'In its last second'}</h2>
            <dl class="figures">
              ${metricsNow(session.samples.at(-1)).map(
                ([name, value]) =>
                  html`<div>
                    <dt>${name}</dt>
                    <dd>${value}</dd>
                  </div>`,
              )}
            </dl>
            ${notesList(noteTexts(session.notes))}
          </div>
        </div>
        <div class="charts">
          ${charts.map((chart, index) => {
            const height = sessionChartHeight(plotHeight, index === 0, index === charts.length - 1);
            const summary = chart.summary(session.samples.at(-1));
            return chartView({ ...chart, summary, height, draw: this.#draws[index] ?? null }, true);
          })}
        </div>
      </div>
      ${segmentTable(session.segments, session.controls, this.labels)}`;
  }

  /** What the pool says, and the size to try. Its place is kept, so that nothing moves when it speaks. */
  #advice(session: LiveProgress): TemplateResult | typeof nothing {
    const control = session.controls.find(({ setting, problem }) => setting === poolSettingName && problem === null);
    if (control === undefined) return nothing;
    const advice = poolAdvice(session.samples, control);
    return html`<p class="advice">
      ${advice?.sentence ?? ''}
      ${
        advice === null || advice.size === null
          ? nothing
          : linkButton(`Try ${advice.size}`, () =>
              ask(this, { type: 'setLive', setting: control.setting, value: advice.size ?? control.value }),
            )
      }
    </p>`;
  }

  readonly #keep = (): void => {
    this.keeping = true;
    ask(this, { type: 'keepLive' });
    // Keeping is answered with a run or with a failure: other views show both.
    setTimeout(() => (this.keeping = false), 3_000);
  };

  #changeWords(change: LiveChange): string {
    const label =
      this.session?.controls.find((control) => control.setting === change.setting)?.label ??
      this.labels[change.setting] ??
      humanName(change.setting);
    return `${label.toLowerCase()} ${change.from} → ${change.to}${change.ok ? '' : ', refused'}`;
  }
}
