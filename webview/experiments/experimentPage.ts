import { type TemplateResult, html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { RunRecord, Trial } from '../../src/model/domain/run.ts';
import type { RunNote } from '../../src/model/domain/runNoteKinds.ts';
import { verdictText } from '../../src/model/domain/verdict/verdictKinds.ts';
import { noteTexts } from '../../src/model/presentation/runNotes.ts';
import type { ListedExperiment, ExperimentRecord } from '../../src/model/domain/experiment.ts';
import { tierOfExperiment, tierWords } from '../../src/model/domain/answerTier.ts';
import { defaultDelta } from '../../src/model/domain/margin.ts';
import { tableView } from '../kit/controls/tableView.ts';
import { tierMark, tierStyles } from '../kit/controls/tierMark.ts';
import {
  agreementWords,
  measuredTables,
  publishedTable,
  stepsTable,
  experimentSentence,
  successTable,
} from '../../src/model/presentation/experimentTables.ts';
import { basisWords, experimentSummary, shapeWords } from '../../src/model/presentation/shapeWords.ts';
import '../result/interferenceStrip.ts';
import '../result/metricsTable.ts';
import { ask } from '../kit/page/ask.ts';
import { button, linkButton } from '../kit/controls/buttons.ts';
import { icon } from '../kit/controls/icons.ts';
import { notesList } from '../kit/controls/sections.ts';
import { lowerFirst, unbroken } from '../kit/figures/words.ts';
import { sharedStyles } from '../kit/style/sharedStyles.ts';
import '../verdict/verdictCards.ts';
import { messageStyles } from '../kit/controls/messageBox.ts';
import { agreementMark, aboutPhrase } from './listedExperiments.ts';
import { nextStep, verdictTrials } from './nextStep.ts';
import './experimentCharts.ts';
import { experimentPageStyles, experimentTableStyles } from './experimentPageStyles.ts';
import type { SettingLabels } from '../../src/model/presentation/settingWords.ts';

/** The report of an experiment: whether it agrees, published figures next to those measured here, and why it may be so. It builds up while the experiment runs. */
@customElement('benchside-experiment')
export class ExperimentPage extends LitElement {
  static override styles = [sharedStyles, messageStyles, experimentPageStyles, experimentTableStyles, tierStyles];

  @property({ attribute: false }) record: ExperimentRecord | null = null;
  @property({ attribute: false }) trials: readonly Trial[] = [];
  /** The stored run; null while it goes on. */
  @property({ attribute: false }) run: RunRecord | null = null;
  @property({ attribute: false }) listed: readonly ListedExperiment[] = [];
  @property({ attribute: false }) labels: SettingLabels = {};
  @property({ attribute: false }) notes: readonly RunNote[] = [];
  @property({ type: Boolean }) canRun = false;

  protected override render(): TemplateResult | typeof nothing {
    const { record, run, trials } = this;
    if (!record) return nothing;
    const { experiment, success, steps } = record;
    // The answer first; but while figures stream in, growing parts are below those that keep their place.
    return html`
      <p class="asks">${experiment.asks}</p>
      <p class="note source">${experiment.id} · ${experiment.source} · ${record.form === 'short' ? 'short form' : 'full form'}</p>
      ${this.#answer(record)} ${run ? this.#verdicts(record) : nothing} ${this.#beside(record)}
      <benchside-experiment-charts class="part" .record=${record}></benchside-experiment-charts>
      <benchside-interference class="part" .trials=${trials}></benchside-interference>
      ${this.#reasons(record)} ${run ? nothing : this.#verdicts(record)}
      ${success.length === 0 ? nothing : part('Before against after', tableView(successTable(success), { label: 'Before against after' }), 'tables')}
      ${steps.length === 0 ? nothing : part('Steps of the roles', tableView(stepsTable(steps), { label: 'Steps of the roles', look: 'steps' }), 'tables')}
      <benchside-figures class="part" .trials=${trials} .labels=${this.labels} .runId=${run?.id ?? null}></benchside-figures>
      ${notesList(noteTexts(this.notes))}
    `;
  }

  #verdicts(record: ExperimentRecord): TemplateResult {
    const { trials, preferred } = verdictTrials(record, this.trials);
    return html`<benchside-verdicts
      class="part"
      .trials=${trials}
      .preferred=${preferred}
      .runId=${this.run?.id ?? null}
      ?canRun=${this.canRun}
      ?secondary=${record.experiment.then !== undefined}
    ></benchside-verdicts>`;
  }

  #answer(record: ExperimentRecord): TemplateResult {
    const { run } = this;
    const measured = record.points.length > 0 || record.series.length > 0 || record.steps.length > 0;
    const agrees = run || measured ? record.agrees : null;
    const delta = run ? run.delta : defaultDelta;
    const tier = tierOfExperiment(record, delta);
    // Over intervals that could hold anything nothing is marked as good or as bad.
    const mark = tier === 'seen' && agrees !== null ? ({ icon: 'warning', kind: 'bad' } as const) : agreementMark(agrees);
    const words = run
      ? experimentSentence(record, delta)
      : measured && agrees !== null
        ? `So far: ${lowerFirst(agreementWords({ experiment: record.experiment, agrees }))}`
        : measured && record.shape.length > 0
          ? `So far: ${experimentSentence(record, delta)}`
          : 'Nothing to say yet';
    // What a summary advises (run it again, run the full form) is for a run that is over.
    const summary =
      run || agrees !== null ? experimentSummary(record) : 'Whether it agrees is said here as soon as enough of it is measured.';
    return html`<section class=${`part answer framed ${mark.kind === 'bad' ? 'warning' : mark.kind}`} aria-label="The answer">
      <span class="edge" aria-hidden="true"></span>
      <p class="sure">${run ? tierMark(tier, tierWords[tier]) : nothing}</p>
      <h2 class="agrees">${icon(mark.icon)}<span>${unbroken(words)}</span></h2>
      <p class="summary">${summary}</p>
      ${run ? this.#actions(record) : nothing}
    </section>`;
  }

  #actions(record: ExperimentRecord): TemplateResult {
    const { experiment, form } = record;
    const next = nextStep(record, this.listed);
    const own = this.listed.find((one) => one.id === experiment.id);
    const start = (id: string, which: 'short' | 'full'): void =>
      ask(this, { type: 'measure', request: { kind: 'experiment', id, form: which } });
    const time = (which: 'short' | 'full'): string => (own ? `, ${aboutPhrase(which === 'short' ? own.shortS : own.fullS)}` : '');
    const again: ExperimentStep = {
      words: `Run ${experiment.id} again`,
      take: () => start(experiment.id, form),
      hint: `The ${form} form${time(form)}`,
    };
    const full: ExperimentStep[] =
      form === 'full' ? [] : [{ words: `Run the full form${time('full')}`, take: () => start(experiment.id, 'full') }];
    const further: ExperimentStep[] =
      next === null ? [] : [{ words: next.label, take: () => start(next.id, form), blocked: next.missing.length > 0 }];
    // What is only seen wants more rounds before the next question.
    const seen = this.run !== null && tierOfExperiment(record, this.run.delta) === 'seen';
    const lookOf = ({ hint, blocked }: ExperimentStep) => ({ disabled: !this.canRun || blocked === true, title: hint });
    const [first, ...others] = seen ? [...full, again, ...further] : [...further, again, ...full];
    return html`<div class="actions">
        ${first === undefined ? nothing : button(first.words, first.take, { ...lookOf(first), primary: true, drawn: 'play' })}
        ${others.map((step) => linkButton(step.words, step.take, lookOf(step)))}
      </div>
      ${next === null || next.title === '' ? nothing : html`<p class="note next">Next, ${next.id}: ${next.title}</p>`}
      ${next?.missing.map((missing) => html`<p class="note">${missing.message} ${missing.cure}</p>`) ?? nothing}`;
  }

  #beside(record: ExperimentRecord): TemplateResult {
    const tables = measuredTables(record);
    const { heading } = basisWords[record.experiment.basis];
    return html`<div class="part beside pair">
      <section class="tables" aria-label=${heading}>
        <h2>${heading}</h2>
        ${record.experiment.published.map((table) => tableView(publishedTable(table), {}))}
      </section>
      <section class="tables" aria-label="Measured here">
        <h2>Measured here</h2>
        ${
          tables.length > 0
            ? tables.map((table) => tableView(table, {}))
            : html`<p class="waiting">${this.run ? 'No point was measured.' : 'The first figures appear here as they are measured.'}</p>`
        }
      </section>
    </div>`;
  }

  /** The rules of the shape with what came of each, what the ladders show, and why today’s result may differ. */
  #reasons(record: ExperimentRecord): TemplateResult {
    const { shape, ladders, experiment } = record;
    const variants = new Map(experiment.variants.map((variant) => [variant.name, variant.label]));
    const signs = ladders
      .map(({ variant, sign }) => ({ variant, sign: sign.sign, text: verdictText(sign.said) }))
      .filter(({ text }) => text !== '');
    const judged = html`<ul class="rules">
      ${
        shape.length > 0
          ? shape.map((rule) => {
              const { agrees, because } = rule;
              const mark = agreementMark(agrees);
              const word = agrees === null ? 'Undecided: ' : agrees ? 'Agrees: ' : 'Does not agree: ';
              return html`<li class=${mark.kind}>
                ${icon(mark.icon)}<span><span class="visuallyHidden">${word}</span>${shapeWords(rule, experiment).sentence}</span>
                <span class="note because">${because}</span>
              </li>`;
            })
          : experiment.shape.map(({ because }) => html`<li class="plain">${icon('info')}<span class="muted">${because}</span></li>`)
      }
    </ul>`;
    const ladder = html`<ul class="rules">
      ${signs.map(
        ({ variant, sign, text }) =>
          html`<li class="plain">
            ${icon(sign === 'queue-before-fixed-resource' || sign === 'collapses' ? 'warning' : 'info')}
            <span>${signs.length > 1 ? html`<strong>${variants.get(variant) ?? variant}</strong>: ` : nothing}${text}</span>
          </li>`,
      )}
    </ul>`;
    const today = record.agrees === true ? 'What may differ today' : 'Why it may not agree today';
    return html`${part('What it was judged by', judged)} ${signs.length === 0 ? nothing : part('What the ladder shows', ladder)}
    ${part(today, html`<p class="today muted">${experiment.notToday}</p>`)}`;
  }
}

function part(title: string, content: TemplateResult, look = ''): TemplateResult {
  return html`<section class=${`part ${look}`}>
    <h2>${title}</h2>
    ${content}
  </section>`;
}

interface ExperimentStep {
  words: string;
  take: () => void;
  hint?: string;
  blocked?: boolean;
}
