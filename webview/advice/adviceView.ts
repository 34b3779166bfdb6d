import { stepText } from '../../src/model/domain/progress/stepKinds.ts';
import { capital } from '../../src/model/domain/sentence.ts';
import { type PropertyValues, type TemplateResult, html, LitElement, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { type Advice, isAdvised, isUseful } from '../../src/model/domain/advice.ts';
import { headlineOf } from '../../src/model/domain/diagnosis.ts';
import { type AdviceProgress, type AdviceRecord, advicePhrase, adviceStagePhrase } from '../../src/model/domain/adviceRecord.ts';
import { changes, notTriedItems } from '../../src/model/presentation/documents/adviceDocument.ts';
import { durationPhrase, settingsPhrase, spanPhrase, wholeNumber } from '../../src/model/domain/format.ts';
import type { TargetState } from '../../src/model/protocol/protocol.ts';
import { budgetRangeS } from '../../src/model/domain/runOptions.ts';
import type { SettingValues } from '../../src/model/domain/setting.ts';
import { forestStyles } from '../kit/charts/forestMarks.ts';
import { button, linkButton } from '../kit/controls/buttons.ts';
import { icon } from '../kit/controls/icons.ts';
import '../kit/controls/menuButton.ts';
import { titled } from '../kit/controls/sections.ts';
import { messageBox, messageStyles } from '../kit/controls/messageBox.ts';
import { choicesOf, nativeSelect } from '../kit/controls/nativeSelect.ts';
import { progressBar, progressStyles } from '../kit/controls/progressBar.ts';
import { clockPhrase, unbroken } from '../kit/figures/words.ts';
import { ask } from '../kit/page/ask.ts';
import { sharedStyles } from '../kit/style/sharedStyles.ts';
import type { RunSoFar } from '../progress/runSoFar.ts';
import { type AdviceRow, type Ways, adviceAnswerOf, adviceRows } from './adviceRows.ts';
import { type AdviceState, initialAdvice } from './adviceState.ts';
import { adviceStyles } from './adviceStyles.ts';
import { adviceTables } from './adviceTable.ts';

const formats = choicesOf({ html: 'HTML', markdown: 'Markdown' });

/** What would help: the answer, what was tried in the order of effect, how to have it; what is tried now; or how to begin. */
@customElement('benchside-advice')
export class AdviceView extends LitElement {
  static override styles = [sharedStyles, messageStyles, forestStyles, progressStyles, adviceStyles];

  @property({ attribute: false }) advice: AdviceState = initialAdvice(null);
  /** The run of the search that is under way. */
  @property({ attribute: false }) run: RunSoFar | null = null;
  @property({ attribute: false }) targets: readonly TargetState[] = [];
  @property({ attribute: false }) applied: Readonly<Record<string, SettingValues>> = {};
  @property({ type: Boolean }) starting = false;
  @property({ type: Boolean }) canRun = true;
  @state() now = performance.now();

  #toldAt = 0;
  #timer: ReturnType<typeof setInterval> | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.advice.list === null) ask(this, { type: 'showAdvice', id: this.advice.awaited });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#tick(false);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const { progress } = this.advice;
    if (changed.has('advice') && changed.get('advice')?.progress !== progress) this.#toldAt = this.now = performance.now();
    this.#tick(progress !== null);
  }

  /** The clock goes on between two messages. */
  #tick(on: boolean): void {
    if (on === (this.#timer !== null)) return;
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = on ? setInterval(() => (this.now = performance.now()), 1000) : null;
  }

  protected override render(): TemplateResult {
    const { progress, record, list } = this.advice;
    if (progress !== null) return this.#underWay(progress);
    if (this.starting) return messageBox({ title: 'Starting…' });
    if (record !== null) return this.#found(record);
    if (list === null) return html``;
    return messageBox({
      title: 'What would help?',
      text: 'Changes that could help a service (sizes of pools, collectors, heaps, indexes that its statements lack) are tried against today’s settings, within five minutes. What helps is told with its interval and its cost, and so is what does nothing. Nothing is applied by itself.',
      actions: this.canRun ? [{ text: 'Try What Could Help', primary: true, run: () => ask(this, { type: 'whatWouldHelp' }) }] : [],
    });
  }

  #underWay(progress: AdviceProgress): TemplateResult {
    const { budgetS, advice } = progress;
    const spentS = progress.spentS + (this.now - this.#toldAt) / 1000;
    const share = Math.min(1, spentS / budgetS);
    const known = advice !== null && advice.tried.length > 0;
    return html`<section class="answer framed" aria-label="Progress">
        <h2 class="headline">${adviceStagePhrase(progress)}</h2>
        ${advice === null ? nothing : nowLimits(advice)} ${progressBar('Budget spent', share)}
        <div class="times note">
          <span>${this.run?.phase == null ? '' : stepText(this.run.phase.doing)}</span>
          <span>${durationPhrase(Math.max(1000, Math.floor(spentS) * 1000)).replace('.0 s', ' s')} of ${spanPhrase(budgetS)}</span>
        </div>
        <div class="actions">
          ${button('Cancel', () => ask(this, { type: 'cancelRun' }), { drawn: 'stop' })}
          <span class="note">Cancelled, it keeps what is known until then.</span>
        </div>
      </section>
      ${known ? html`${this.#tables(advice, null)}` : nothing}`;
  }

  #found(record: AdviceRecord): TemplateResult {
    const { advice } = record;
    const { title, figures, ways } = adviceAnswerOf(advice, this.#settingsOf(advice));
    return html`${this.#asked(record)}
      <section class=${`answer framed ${ways === null ? '' : 'better'}`} aria-label="Answer">
        <h2 class="headline">${unbroken(title)}</h2>
        ${figures === '' ? nothing : html`<p>${unbroken(figures)}</p>`} ${nowLimits(advice)}
        ${
          record.outcome === 'cancelled'
            ? html`<p class="note">The search was cancelled: what was not measured until then is below.</p>`
            : nothing
        }
        <div class="actions">${ways === null ? nothing : this.#allOf(record, ways)}${this.#longer(record)}</div>
      </section>
      ${advice.tried.length === 0 ? nothing : this.#tables(advice, record)} ${this.#ways(record)} ${notTried(advice)}
      ${this.#evidence(advice)}`;
  }

  /** What was asked for, in a line, and what can be done with it. */
  #asked(record: AdviceRecord): TemplateResult {
    const { id, advice, request } = record;
    const { list } = this.advice;
    const what = [
      request.route ?? `load ${request.load}`,
      ...(request.connections === undefined ? [] : [`${request.connections} connections`]),
      ...(Object.keys(advice.settings).length === 0 ? ['today’s settings'] : [settingsPhrase(advice.settings)]),
    ];
    const found = (list ?? []).map((one) => ({ value: one.id, text: `${clockPhrase(one.startedAt, new Date())} · ${advicePhrase(one)}` }));
    return html`<div class="askedLine flow">
      <span class="said"
        ><strong>${capital(changes(advice.tried.length))}</strong> tried in ${unbroken(durationPhrase(advice.spentS * 1000))}, each against
        what is <span class="muted">· ${what.join(' · ')}</span></span
      >
      <span class="tools flow">
        ${
          found.length < 2
            ? nothing
            : nativeSelect(found, id, (other) => ask(this, { type: 'showAdvice', id: other }), {
                look: 'earlier',
                label: 'What was found before',
              })
        }
        <benchside-menu
          label="Export"
          .items=${formats}
          @choose=${(event: CustomEvent<'html' | 'markdown'>) => ask(this, { type: 'exportAdvice', id, format: event.detail })}
        ></benchside-menu>
        ${button(icon('trash'), () => ask(this, { type: 'deleteAdvice', id }), { title: 'Delete this advice', label: 'Delete this advice' })}
        ${this.canRun ? button('Try again', () => ask(this, { type: 'whatWouldHelp', adviceId: id })) : nothing}
      </span>
    </div>`;
  }

  /** More time, where that is what was missing. */
  #longer({ id, advice, outcome }: AdviceRecord): TemplateResult | typeof nothing {
    const budgetS = Math.min(budgetRangeS.max, 2 * advice.budgetS);
    const isOpen = advice.notTried.some(({ why }) => why === 'time') || !advice.tried.some(isUseful);
    if (!this.canRun || outcome === 'cancelled' || !isOpen || budgetS <= advice.budgetS) return nothing;
    return linkButton(`Try for ${spanPhrase(budgetS)}`, () => ask(this, { type: 'whatWouldHelp', adviceId: id, budgetS }));
  }

  /** `record`: `null` while it goes on. */
  #tables(advice: Advice, record: AdviceRecord | null): TemplateResult {
    const { groups, scale } = adviceRows(advice, this.#settingsOf(advice), record !== null);
    const have = (row: AdviceRow): TemplateResult | typeof nothing => (record === null ? nothing : this.#rowAction(record, row));
    return adviceTables(groups, { scale, delta: advice.delta, have });
  }

  #rowAction({ id, advice }: AdviceRecord, { name, ways }: AdviceRow): TemplateResult | typeof nothing {
    if (ways === null) return nothing;
    const [step, another] = this.#steps(advice, ways);
    // Where it takes more than one step, the answer has a button for each.
    if (another !== undefined) return nothing;
    const how = step?.how ?? 'copy';
    const words = { apply: this.#isApplied(advice, ways) ? 'Applied' : 'Apply', file: 'Apply', sql: 'Open SQL', copy: 'Copy' }[how];
    const take = (): void => ask(this, { type: 'haveAdvice', id, changes: ways.changes, how });
    return linkButton(words, take, { label: `${words}: ${name}` });
  }

  /** The buttons of the answer: values are applied, SQL is opened as text; the first is what to do next. */
  #allOf({ id, advice }: AdviceRecord, ways: Ways): TemplateResult {
    const take = (how: 'apply' | 'file' | 'sql' | 'copy') => (): void => ask(this, { type: 'haveAdvice', id, changes: ways.changes, how });
    return html`${this.#steps(advice, ways).map(({ how, words }, index) =>
      button(words, take(how), { primary: index === 0 && !words.startsWith('Applied') }),
    )}${linkButton('Copy as text', take('copy'))}`;
  }

  /** What has to be done to have it all, as far as it can be done from here, with the words of a button for each. */
  #steps(advice: Advice, ways: Ways): { how: 'apply' | 'file' | 'sql'; words: string }[] {
    const { values } = ways;
    const applied = this.#isApplied(advice, ways);
    const isDeclared = this.targets.some(({ id, origin }) => id === advice.target && origin === 'workspace');
    return [
      ...(values === null
        ? []
        : [
            {
              how: 'apply' as const,
              words: applied ? `Applied: ${settingsPhrase(values)}` : `Apply ${settingsPhrase(values)} to ${advice.targetLabel}`,
            },
          ]),
      ...(ways.hasVariables && isDeclared ? [{ how: 'file' as const, words: 'Write into benchside.json…' }] : []),
      ...(ways.hasSql ? [{ how: 'sql' as const, words: 'Open the SQL' }] : []),
    ];
  }

  #isApplied({ target }: Pick<Advice, 'target'>, { values }: Ways): boolean {
    const applied = this.applied[target];
    return applied !== undefined && Object.entries(values ?? {}).every(([name, value]) => applied[name] === value);
  }

  #settingsOf({ target }: Pick<Advice, 'target'>): ReadonlySet<string> {
    return new Set(Object.keys(this.targets.find(({ id }) => id === target)?.settings ?? {}));
  }

  /** What a person does to have each change. */
  #ways({ id, advice }: AdviceRecord): TemplateResult | typeof nothing {
    const advised = advice.tried.filter(isAdvised);
    if (advised.length === 0) return nothing;
    const list = html`<dl class="ways">
      ${advised.map(
        ({ id: change, apply }) =>
          html`<dt>${change}</dt>
            <dd>
              ${apply.map(({ where, text }) => html`<div><span class="note">${places[where]}</span> <code>${text}</code></div>`)}
              ${linkButton('Copy', () => ask(this, { type: 'haveAdvice', id, changes: [change], how: 'copy' }), { label: `Copy ${change} as text` })}
            </dd>`,
      )}
    </dl>`;
    return titled('ways', 'How to have it', 'nothing was applied; SQL is never run on your database', list);
  }

  #evidence({ runs }: Advice): TemplateResult {
    const stages = { look: 'first look', screen: 'screening', sure: 'measured', together: 'together' } as const;
    return html`<details>
      <summary>Measured in ${runs.length} ${runs.length === 1 ? 'run' : 'runs'}</summary>
      <ul class="plain">
        ${runs.map(
          ({ stage, id }) =>
            html`<li>
              ${linkButton(stages[stage], () => ask(this, { type: 'openRun', id }))}
              <span class="note">${id}</span>
            </li>`,
        )}
      </ul>
    </details>`;
  }
}

const places = {
  environment: 'environment',
  'benchside.json': 'benchside.json',
  'command line': 'command line',
  code: 'code',
  sql: 'SQL',
} as const;

function nowLimits({ verdict, throughput }: Advice): TemplateResult | typeof nothing {
  if (verdict === null) return nothing;
  return html`<p class="muted">Now${throughput === null ? '' : ` ${wholeNumber(throughput)} requests/s`}: ${headlineOf(verdict)}</p>`;
}

function notTried({ notTried: all }: Advice): TemplateResult | typeof nothing {
  if (all.length === 0) return nothing;
  return html`<details>
    <summary>Not tried, and why (${all.length})</summary>
    <ul class="plain">
      ${notTriedItems(all).map(({ text }) => html`<li>${text}</li>`)}
    </ul>
  </details>`;
}
