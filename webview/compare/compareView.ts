import { eventName } from '../../src/model/presentation/eventNames.ts';
import { type PropertyValues, type TemplateResult, css, html, LitElement, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { Draw } from '../kit/charts/chartElement.ts';
import { differencesList, differencesStyles } from './differencesList.ts';
import './forestChart.ts';
import type { ComparedLine } from './forestChart.ts';
import { type NextRun, recordingPairs, nextRun } from './sideBySide.ts';
import { curvesDraw, latencyDistribution, rowDetailStyles, timeBudgets } from './rowDetails.ts';
import { rowsTable, rowsTableStyles } from './rowsTable.ts';
import { methodText } from '../../src/model/domain/comparedMethod.ts';
import { comparisonSaid } from '../../src/model/presentation/comparisonSaid.ts';
import { invalidSides } from '../../src/model/presentation/comparisonTable.ts';
import { withinPhrase } from '../../src/model/domain/margin.ts';
import type { SideNames } from '../../src/model/presentation/comparedWords.ts';
import type { Comparison, ComparisonRow } from '../../src/model/domain/comparison.ts';
import type { RunRecord, RunSummary } from '../../src/model/domain/run.ts';
import { ask } from '../kit/page/ask.ts';
import { button, linkButton } from '../kit/controls/buttons.ts';
import { sharedStyles } from '../kit/style/sharedStyles.ts';
import { clockPhrase, unbroken } from '../kit/figures/words.ts';
import { post } from '../kit/page/vscodeApi.ts';
import { messageBox, messageStyles } from '../kit/controls/messageBox.ts';
import '../kit/controls/selectField.ts';
import { variedPhrase } from '../../src/model/presentation/settingWords.ts';
import { tierOfComparison, tierWords } from '../../src/model/domain/answerTier.ts';
import { tierMark, tierStyles } from '../kit/controls/tierMark.ts';

/** What is compared: two runs, or two trials of them (which may be of one run). */
export interface Chosen {
  a: string;
  b: string;
  trialA?: string | undefined;
  trialB?: string | undefined;
}

type Side = 'a' | 'b';
interface Setting {
  key: string;
  label: string;
}

const figures: readonly { key: 'throughput' | 'p99' | 'cpuPerRequest'; title: string; better: string }[] = [
  { key: 'throughput', title: 'Throughput', better: 'more is better' },
  { key: 'p99', title: 'p99 latency', better: 'less is better' },
  { key: 'cpuPerRequest', title: 'CPU per request', better: 'less is better' },
];

/** Two runs, or two settings, side by side: what differs around them, the verdict, and what it rests on. Dispatches `compare` with {@link Chosen}. */
@customElement('benchside-compare')
export class CompareView extends LitElement {
  static override styles = [
    sharedStyles,
    messageStyles,
    differencesStyles,
    rowsTableStyles,
    rowDetailStyles,
    tierStyles,
    css`
      .choose {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(400px, 100%), 1fr));
        gap: 10px 28px;
        margin-bottom: 18px;
      }
      .pick {
        display: flex;
        flex-wrap: wrap;
        gap: 10px 12px;
      }
      /* The name of a run has more words than a setting. */
      .pick > :first-child {
        flex: 5 1 330px;
      }
      .pick > :last-child {
        flex: 2 1 150px;
      }
      section {
        margin-bottom: 24px;
      }
      .answer {
        padding: 10px 16px 12px;
      }
      .headline {
        max-width: 78ch;
        margin: 4px 0;
        font-size: 19px;
        line-height: 1.35;
      }
      .caution {
        max-width: 90ch;
        margin-top: 4px;
        color: var(--bs-muted);
      }
      .forests {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(330px, 100%), 1fr));
        gap: 20px 28px;
      }
      .closer {
        max-width: 360px;
        margin-bottom: 12px;
      }
      .scroller {
        margin-top: 6px;
      }
      .how ul {
        margin: 1em 0;
        padding-left: 40px;
        list-style: disc;
      }
      .how li {
        margin-top: 2px;
      }
    `,
  ];

  @property({ attribute: false }) runs: readonly RunSummary[] = [];
  @property({ attribute: false }) run: RunRecord | null = null;
  @property({ attribute: false }) chosen: Chosen = { a: '', b: '' };
  @property({ attribute: false }) comparison: Comparison | null = null;
  @property({ type: Boolean }) canRun = false;
  @state() closeLabel: string | null = null;

  /** The settings of runs that were seen here, to choose one from. */
  readonly #settings = new Map<string, readonly Setting[]>();
  #askedFor: string | null = null;
  #drawnRow: ComparisonRow | null = null;
  #draw: Draw | null = null;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('comparison')) this.closeLabel = null;
    const { comparison, run } = this;
    for (const side of comparison === null ? [] : [comparison.a, comparison.b])
      if (side.trials.length > 0) this.#settings.set(side.id, side.trials);
    if (run !== null && !this.#settings.has(run.id)) this.#settings.set(run.id, settingsOf(run));
  }

  protected override updated(): void {
    const { a, b } = this.chosen;
    // The page does not know the settings of a run that was never visible: it asks to compare the run with itself, which lists them.
    if (a === '' || a !== b || this.#settings.has(a) || this.#askedFor === a) return;
    this.#askedFor = a;
    post({ type: 'compare', a, b: a });
  }

  protected override render(): TemplateResult {
    const { comparison } = this;
    const missing = this.#missing();
    // Without an answer the choice is what there is to do.
    if (missing !== null || comparison === null) return html`${this.#choice()} ${missing ?? nothing}`;
    return this.#answer(comparison);
  }

  #choice(): TemplateResult {
    return html`<div class="choose">
      <div class="pick">${this.#runField('a', 'Base')}${this.#settingField('a', 'Setting of the base')}</div>
      <div class="pick">${this.#runField('b', 'Compared with it')}${this.#settingField('b', 'Setting compared with it')}</div>
    </div>`;
  }

  #runField(side: Side, label: string): TemplateResult {
    const now = new Date();
    const choices = this.runs.flatMap((run) =>
      run.kind === 'run'
        ? [
            {
              value: run.id,
              text: `${clockPhrase(run.startedAt, now)} · ${run.marks?.name ?? (run.headline || run.title)}${run.marks?.baseline ? ' · baseline' : ''}`,
            },
          ]
        : [],
    );
    return html`<benchside-select
      .label=${label}
      .value=${this.chosen[side]}
      .choices=${[{ value: '', text: 'choose a run' }, ...choices]}
      @choose=${(event: CustomEvent<string>) => this.#choose(side, event.detail, undefined)}
    ></benchside-select>`;
  }

  #settingField(side: Side, label: string): TemplateResult {
    const id = this.chosen[side];
    const trial = side === 'a' ? this.chosen.trialA : this.chosen.trialB;
    const known = this.#settings.get(id) ?? [];
    const whole = this.chosen.a === this.chosen.b ? 'choose a setting' : 'all that both have';
    return html`<benchside-select
      .label=${label}
      .value=${trial ?? ''}
      .choices=${[{ value: '', text: whole }, ...known.map((one) => ({ value: one.key, text: one.label }))]}
      @choose=${(event: CustomEvent<string>) => this.#choose(side, id, event.detail === '' ? undefined : event.detail)}
    ></benchside-select>`;
  }

  #choose(side: Side, id: string, trial: string | undefined): void {
    const { a, b, trialA, trialB } = this.chosen;
    const detail: Chosen = side === 'a' ? { a: id, b, trialA: trial, trialB } : { a, b: id, trialA, trialB: trial };
    this.dispatchEvent(new CustomEvent<Chosen>('compare', { detail }));
  }

  /** Why there is nothing to show yet, and what to do. */
  #missing(): TemplateResult | null {
    const { a, b, trialA, trialB } = this.chosen;
    const known = new Set(this.runs.flatMap((run) => (run.kind === 'run' ? [run.id] : [])));
    if (a === '' || b === '')
      return info('Choose two runs, or two settings of one run.', 'What differs around them comes first, then the verdict.');
    const gone = !known.has(a) ? 'The base' : !known.has(b) ? 'The run to compare with it' : null;
    if (gone !== null) return info(`${gone} is no longer there.`, 'It was deleted, or belongs to another workspace. Choose another one.');
    if (a === b && (trialA === undefined || trialB === undefined || trialA === trialB))
      return (this.#settings.get(a)?.length ?? 2) < 2
        ? info('This run measured one setting only.', 'Choose another run on either side.')
        : info(
            'Both sides are the same run.',
            'Choose a setting of it on each side: they were measured in the same rounds. Or choose another run.',
          );
    const { comparison } = this;
    if (comparison?.a.id !== a || comparison.b.id !== b) return info('Comparing…');
    if ((comparison.a.trialKey ?? undefined) !== trialA || (comparison.b.trialKey ?? undefined) !== trialB) return info('Comparing…');
    return null;
  }

  /** The answer comes first. */
  #answer(comparison: Comparison): TemplateResult {
    const common = comparison.rows.filter((row) => row.a !== null && row.b !== null);
    if (common.length === 0)
      return html`${this.#choice()} ${differencesList(comparison)}
      ${info('The two have no setting in common.', 'Choose one setting of each side above to compare these, or run one of them again with the values of the other.')}
      ${comparison.rows.length === 0 ? nothing : rowsTable(comparison)}`;
    const close = common.find((row) => row.label === this.closeLabel) ?? mostInformative(common);
    const next = nextRun(comparison, close);
    const cure = common.length === 1 ? close.throughput?.cure : undefined;
    // What would decide is the button, where there is one that does it.
    const { verdict, withoutCure, caution } = comparisonSaid(comparison);
    const figures = common.flatMap(({ throughput }) => throughput ?? []);
    const tier = tierOfComparison(figures, comparison.sameRun);
    return html`<section class="answer framed" aria-labelledby="verdict">
        <p class="sure">${tierMark(tier, tierWords[tier])}</p>
        <h2 class="headline" id="verdict">${unbroken(cure === undefined || next === null ? verdict : withoutCure)}</h2>
        ${caution === '' ? nothing : html`<p class="caution">${caution}</p>`} ${this.#actions(next, recordingPairs(comparison, close))}
      </section>
      ${this.#choice()}
      <section class="forests">${forests(common, comparison)}</section>
      ${differencesList(comparison)}
      <section>
        ${common.length > 1 ? this.#closerField(common, close) : nothing}
        <div class="details">
          ${latencyDistribution(close, comparison, this.#drawOf(close, comparison))}${timeBudgets(close, comparison)}
        </div>
      </section>
      ${rowsTable(comparison)} ${methods(common)}`;
  }

  #actions(next: NextRun | null, recordings: ReturnType<typeof recordingPairs>): TemplateResult | typeof nothing {
    if (next === null && recordings.length === 0) return nothing;
    return html`<div class="actions">
      ${
        next === null
          ? nothing
          : button(next.text, () => ask(this, next.message), {
              primary: next.primary,
              drawn: 'play',
              disabled: !this.canRun,
              title: next.title,
            })
      }
      ${recordings.map(({ a, b, event }) =>
        linkButton(`Differential flame graph${recordings.length > 1 ? ` (${eventName(event)})` : ''}`, () =>
          ask(this, { type: 'compareRecordings', a, b }),
        ),
      )}
    </div>`;
  }

  #closerField(rows: readonly ComparisonRow[], close: ComparisonRow): TemplateResult {
    return html`<div class="closer">
      <benchside-select
        .label=${'Look closer at'}
        .value=${close.label}
        .choices=${rows.map((row) => ({ value: row.label, text: row.label }))}
        @choose=${(event: CustomEvent<string>) => (this.closeLabel = event.detail)}
      ></benchside-select>
    </div>`;
  }

  #drawOf(row: ComparisonRow, sides: Comparison): Draw | null {
    if (row !== this.#drawnRow) {
      this.#drawnRow = row;
      this.#draw = curvesDraw(row, sides);
    }
    return this.#draw;
  }
}

function info(title: string, text?: string): TemplateResult {
  return messageBox({ title, ...(text === undefined ? {} : { text }) });
}

/** One chart with a line for each figure where there is one row, else one chart for each figure with a line for each row. */
function forests(rows: readonly ComparisonRow[], { a, b, delta }: Comparison): TemplateResult[] {
  const [only] = rows;
  const chart = (heading: string, subtitle: string, lines: ComparedLine[]): TemplateResult =>
    html`<benchside-forest .heading=${heading} .subtitle=${subtitle} .lines=${lines} .delta=${delta}></benchside-forest>`;
  if (only !== undefined && rows.length === 1)
    return [
      chart(
        `From ${a.name} to ${b.name}`,
        `with 95 % interval · band: the same within ${withinPhrase(delta)} · more throughput, less latency and less CPU are better`,
        figures.map(({ key, title }) => lineOf(title, only, key, { a: a.name, b: b.name })),
      ),
    ];
  return figures.map(({ key, title, better }) =>
    chart(
      title,
      `from ${a.name} to ${b.name} · ${better}`,
      rows.map((row) => lineOf(row.label, row, key, { a: a.name, b: b.name })),
    ),
  );
}

/** In the chart in a few words; the table below lists all of them. */
function reasonOf(row: ComparisonRow, names: SideNames): Pick<ComparedLine, 'reason' | 'reasonInFull'> {
  const invalid = invalidSides(row, names);
  return invalid.length === 0
    ? { reason: 'not measured on both sides', reasonInFull: 'not measured on both sides' }
    : { reason: 'not valid: see the table', reasonInFull: invalid.join('. ') };
}

function lineOf(label: string, row: ComparisonRow, key: (typeof figures)[number]['key'], names: SideNames): ComparedLine {
  return { label, figure: row[key], names, ...reasonOf(row, names) };
}

/** The row that is selected first: the one with a verdict that moved most, else the first. */
function mostInformative(rows: readonly ComparisonRow[]): ComparisonRow {
  const moved = (row: ComparisonRow): number => {
    const figure = row.throughput;
    return figure === null
      ? -1
      : (figure.verdict === 'better' || figure.verdict === 'worse' ? 10 : 0) + Math.abs(Math.log(figure.ratio.mean));
  };
  return rows.reduce((most, row) => (moved(row) > moved(most) ? row : most));
}

/** What the intervals rest on: each way once. */
function methods(rows: readonly ComparisonRow[]): TemplateResult | typeof nothing {
  const said = figures.flatMap(({ key, title }) => {
    const ways = new Set(rows.flatMap((row) => (row[key] === null ? [] : [methodText(row[key].method)])));
    return [...ways].map((way) => `${title}: ${way}`);
  });
  if (said.length === 0) return nothing;
  return html`<details class="how quiet">
    <summary>How the intervals were made</summary>
    <ul class="note">
      ${said.map((line) => html`<li>${line}</li>`)}
    </ul>
  </details>`;
}

function settingsOf(run: RunRecord): Setting[] {
  const names = [...new Set(run.trials.flatMap((trial) => Object.keys(trial.settings)))];
  const connections = new Set(run.trials.map((trial) => trial.connections)).size > 1 ? ['connections'] : [];
  return run.trials.map((trial) => ({ key: trial.key, label: variedPhrase(trial, [...names, ...connections]) }));
}
