import type { TemplateResult } from 'lit';
import { html, LitElement, nothing } from 'lit';
import type { RunRecord, Trial } from '../../src/model/run.ts';
import type { ListedStudy, StudyRecord } from '../../src/model/study.ts';
import { agreementWords, measuredTables } from '../../src/model/studyTables.ts';
import '../result/disturbanceStrip.ts';
import '../result/figuresTable.ts';
import { ask } from '../kit/page/ask.ts';
import type { Hues } from '../kit/style/hues.ts';
import { icon } from '../kit/controls/icons.ts';
import { sharedStyles } from '../kit/style/sharedStyles.ts';
import type { SettingLabels } from '../kit/figures/words.ts';
import '../verdict/verdictCards.ts';
import { messageStyles } from '../kit/controls/messageStyles.ts';
import { agreementMark } from './agreement.ts';
import { aboutPhrase } from './listedStudies.ts';
import { nextStep, verdictTrials } from './nextStep.ts';
import './studyCharts.ts';
import { studyPageStyles } from './studyPageStyles.ts';
import { measuredTable, publishedTable, stepsTable, studyTableStyles, successTable } from './studyTables.ts';

/** The report of a study: whether it agrees, what was published beside what was measured here, and why it may be so. It builds up while the study runs. */
export class StudyPage extends LitElement {
  static override properties = {
    record: { attribute: false },
    trials: { attribute: false },
    /** The stored run; null while it goes on. */
    run: { attribute: false },
    listed: { attribute: false },
    hues: { attribute: false },
    labels: { attribute: false },
    notes: { attribute: false },
    canRun: { type: Boolean },
  };

  static override styles = [sharedStyles, messageStyles, studyPageStyles, studyTableStyles];

  declare record: StudyRecord | null;
  declare trials: readonly Trial[];
  declare run: RunRecord | null;
  declare listed: readonly ListedStudy[];
  declare hues: Hues;
  declare labels: SettingLabels;
  declare notes: readonly string[];
  declare canRun: boolean;

  constructor() {
    super();
    this.record = null;
    this.trials = [];
    this.run = null;
    this.listed = [];
    this.hues = new Map();
    this.labels = {};
    this.notes = [];
    this.canRun = false;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { record, run, trials } = this;
    if (!record) return nothing;
    const { study, success, steps } = record;
    // The answer first; but while figures stream in, what grows stands below what keeps its place.
    return html`
      <p class="asks">${study.asks}</p>
      <p class="note source">${study.id} · ${study.source} · ${record.form === 'short' ? 'short form' : 'full form'}</p>
      ${this.answer(record)} ${run ? this.verdicts(record) : nothing} ${this.beside(record)}
      <benchside-study-charts class="part" .record=${record} .trials=${trials}></benchside-study-charts>
      <benchside-disturbance class="part" .trials=${trials}></benchside-disturbance>
      ${this.reasons(record)} ${run ? nothing : this.verdicts(record)}
      ${
        success.length === 0
          ? nothing
          : html`<section class="part tables">
              <h2>Before against after</h2>
              ${successTable(success)}
            </section>`
      }
      ${
        steps.length === 0
          ? nothing
          : html`<section class="part tables">
              <h2>Steps of the roles</h2>
              ${stepsTable(steps)}
            </section>`
      }
      <benchside-figures
        class="part"
        .trials=${trials}
        .hues=${this.hues}
        .labels=${this.labels}
        .runId=${run?.id ?? null}
      ></benchside-figures>
      ${
        this.notes.length === 0
          ? nothing
          : html`<ul class="notes note" aria-label="Notes">
              ${this.notes.map((note) => html`<li>${icon('info')} ${note}</li>`)}
            </ul>`
      }
    `;
  }

  private verdicts(record: StudyRecord): TemplateResult {
    const { trials, preferred } = verdictTrials(record, this.trials);
    return html`<benchside-verdicts
      class="part"
      .trials=${trials}
      .preferred=${preferred}
      .hues=${this.hues}
      .runId=${this.run?.id ?? null}
      ?canRun=${this.canRun}
      ?secondary=${record.study.then !== undefined}
    ></benchside-verdicts>`;
  }

  private answer(record: StudyRecord): TemplateResult {
    const { run } = this;
    const measured = record.points.length > 0 || record.series.length > 0 || record.steps.length > 0;
    const agrees = run || measured ? record.agrees : null;
    const mark = agreementMark(agrees);
    const words = run
      ? agreementWords(agrees)
      : measured && agrees !== null
        ? `So far: ${lower(agreementWords(agrees))}`
        : 'Nothing to say yet';
    // What a summary advises (run it again, run the full form) is for a run that is over.
    const summary = run || agrees !== null ? record.summary : 'Whether it agrees is said here as soon as enough of it is measured.';
    return html`<section class=${`part answer ${mark.kind}`} aria-label="The answer">
      <span class="edge" aria-hidden="true"></span>
      <h2 class="agrees">${icon(mark.icon)}<span>${words}</span></h2>
      <p class="summary">${summary}</p>
      ${run ? this.actions(record) : nothing}
    </section>`;
  }

  private actions(record: StudyRecord): TemplateResult {
    const { study, form } = record;
    const next = nextStep(record, this.listed);
    const own = this.listed.find((one) => one.id === study.id);
    const start = (id: string, which: 'short' | 'full'): void => ask(this, { type: 'startStudy', request: { id, form: which } });
    const time = (which: 'short' | 'full'): string => (own ? `, ${aboutPhrase(which === 'short' ? own.shortS : own.fullS)}` : '');
    return html`<div class="actions">
        ${
          next === null
            ? nothing
            : html`<vscode-button
                appearance="primary"
                ?disabled=${!this.canRun || next.missing.length > 0}
                @click=${() => start(next.id, form)}
                >${icon('play', 'start')}${next.label}</vscode-button
              >`
        }
        <vscode-button
          appearance="secondary"
          ?disabled=${!this.canRun}
          title=${`The ${form} form${time(form)}`}
          @click=${() => start(study.id, form)}
          >Run ${study.id} again</vscode-button
        >
        ${
          form === 'full'
            ? nothing
            : html`<vscode-button appearance="secondary" ?disabled=${!this.canRun} @click=${() => start(study.id, 'full')}
                >Run the full form${time('full')}</vscode-button
              >`
        }
      </div>
      ${next === null || next.title === '' ? nothing : html`<p class="note next">Next, ${next.id}: ${next.title}</p>`}
      ${next?.missing.map((missing) => html`<p class="note">${missing.message} ${missing.cure}</p>`) ?? nothing}`;
  }

  private beside(record: StudyRecord): TemplateResult {
    const tables = measuredTables(record);
    return html`<div class="part beside">
      <section class="tables" aria-label="Published">
        <h2>Published</h2>
        ${record.study.published.map((table) => publishedTable(table))}
      </section>
      <section class="tables" aria-label="Measured here">
        <h2>Measured here</h2>
        ${
          tables.length > 0
            ? tables.map((table) => measuredTable(table))
            : html`<p class="waiting">${this.run ? 'No point was measured.' : 'The first figures appear here as they are measured.'}</p>`
        }
      </section>
    </div>`;
  }

  /** The rules of the shape with what came of each, what the ladders show, and why today’s result may differ. */
  private reasons(record: StudyRecord): TemplateResult {
    const { shape, ladders, study } = record;
    const arms = new Map(study.arms.map((arm) => [arm.name, arm.label]));
    const signs = ladders.filter(({ sign }) => sign.sentence !== '');
    return html`<section class="part">
        <h2>What makes it agree</h2>
        <ul class="rules">
          ${
            shape.length > 0
              ? shape.map(({ agrees, sentence, because }) => {
                  const mark = agreementMark(agrees);
                  const word = agrees === null ? 'Can’t tell: ' : agrees ? 'Agrees: ' : 'Does not agree: ';
                  return html`<li class=${mark.kind}>
                    ${icon(mark.icon)}<span><span class="visuallyHidden">${word}</span>${sentence}</span>
                    <span class="note because">${because}</span>
                  </li>`;
                })
              : study.shape.map(({ because }) => html`<li class="unsure">${icon('info')}<span class="muted">${because}</span></li>`)
          }
        </ul>
      </section>
      ${
        signs.length === 0
          ? nothing
          : html`<section class="part">
              <h2>What the ladder shows</h2>
              <ul class="rules">
                ${signs.map(
                  ({ arm, sign }) =>
                    html`<li class="unsure">
                      ${icon(sign.sign === 'queue-before-fixed-resource' || sign.sign === 'collapses' ? 'warning' : 'info')}
                      <span>${signs.length > 1 ? html`<strong>${arms.get(arm) ?? arm}</strong>: ` : nothing}${sign.sentence}</span>
                    </li>`,
                )}
              </ul>
            </section>`
      }
      <section class="part">
        <h2>Why it may not agree today</h2>
        <p class="today muted">${study.notToday}</p>
      </section>`;
  }
}

function lower(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1);
}

customElements.define('benchside-study', StudyPage);
