import { type TemplateResult, html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { loadPhrase } from '../../src/model/presentation/loadWords.ts';
import { listed } from '../../src/model/protocol/listed.ts';
import { k6Choices, k6Phrase } from '../../src/model/domain/generator.ts';
import type { LoadProfile } from '../../src/model/domain/loadProfile.ts';
import type { Form } from '../../src/model/protocol/panel.ts';
import type { Catalog, TargetState } from '../../src/model/protocol/protocol.ts';
import { type RunFlagName, eachRunFlag } from '../../src/model/domain/runFlags.ts';
import { balanceWords } from '../../src/model/domain/topologyText.ts';
import { button } from '../kit/controls/buttons.ts';
import { icon } from '../kit/controls/icons.ts';
import { lowerFirst } from '../kit/figures/words.ts';
import { tell } from '../kit/page/ask.ts';
import { sharedStyles } from '../kit/style/sharedStyles.ts';
import { targetMark } from '../kit/controls/targetMark.ts';
import type { FormCheck } from './formCheck.ts';
import { optionFields } from './optionFields.ts';
import { formStyles } from '../kit/fields/formStyles.ts';
import { type Choice, choicesOf } from '../kit/controls/nativeSelect.ts';
import '../kit/controls/selectField.ts';
import {
  type SettingField,
  bouncerField,
  chosenTargets,
  commonRoutes,
  instancesField,
  isAllowed,
  settingFields,
  variantFields,
} from '../kit/fields/settingFields.ts';
import { listPhrase } from '../../src/model/domain/format.ts';

/** More targets than this have the whole width of the form. */
const manyTargets = 4;

/** The fields that are one of a few. */
type SelectField = 'load' | 'route' | 'bouncer' | 'proxy' | 'k6' | 'rawShare';
/** The fields that are on or off. */
type FlagField = RunFlagName | 'record' | 'raw' | 'upstreamKeepAlive' | 'staticFiles';

const bouncerChoices = choicesOf<Form['bouncer']>({ none: 'none', transaction: 'by transaction', session: 'by session' });
const proxyChoices = choicesOf<Form['proxy']>({ none: 'none', ...balanceWords });

const generators: { value: Form['k6']; text: string }[] = [
  { value: '', text: 'Benchside’s own' },
  ...k6Choices.map((value) => ({ value, text: k6Phrase(Number(value)) })),
];
const generatorHint =
  'Benchside’s own has one core. k6 uses several, and takes more CPU for a request: it helps where the service, not this machine, has cores to spare';

/** The requests of which a row is kept. */
const rawShares = choicesOf<Form['rawShare']>({ '1': 'all', '0.1': '1 in 10', '0.01': '1 in 100' });
const rawHint =
  'Keeps a row of 40 bytes for each request, to be queried and exported. It costs the load generator and the app some CPU for each request; the run measures how much and says it';

/** The settings form. Dispatches `form-changed` with the new form, `run`, `cancel` and `more-toggled`. */
@customElement('benchside-form')
export class SettingsForm extends LitElement {
  static override styles = [sharedStyles, formStyles];

  @property({ attribute: false }) form!: Form;
  @property({ attribute: false }) catalog!: Catalog;
  @property({ attribute: false }) check!: FormCheck;
  @property({ type: Boolean }) trusted!: boolean;
  @property({ type: Boolean }) running!: boolean;
  @property({ type: Boolean }) busy!: boolean;
  @property({ type: Boolean }) more!: boolean;

  protected override render(): TemplateResult {
    const chosen = chosenTargets(this.form, this.catalog, this.trusted);
    const fields = settingFields(chosen);
    const primary = fields.filter((field) => field.primary);
    const others = [...fields.filter((field) => !field.primary), ...instancesField(chosen), ...bouncerField(this.form, chosen)];
    const variants = variantFields(chosen);
    const searching = this.check.start?.request.kind === 'tune';
    const load = this.catalog.loadProfiles.find((profile) => profile.name === this.form.load);
    const targets = listed(this.catalog.targets, ({ id }) => this.form.targets.includes(id));
    const loads = listed(this.catalog.loadProfiles, ({ name }) => name === this.form.load).map((profile) => ({
      value: profile.name,
      text: [profile.name, loadPhrase(profile, this.check.loadTimes[profile.name])].filter((words) => words !== '').join(' · '),
    }));
    const routes = commonRoutes(chosen);
    const shownRoutes = this.form.route !== '' && !routes.includes(this.form.route) ? [...routes, this.form.route] : routes;
    return html`
      <form class="framed" aria-label="What to measure" @submit=${(event: Event) => event.preventDefault()} @keydown=${this.#onKey}>
        <div class="fields">
          <fieldset class=${`targets${targets.length > manyTargets ? ' many' : ''}`}>
            <legend>Targets</legend>
            <div class="targetBox flow">${targets.map((target) => this.#target(target))}</div>
          </fieldset>
          ${primary.map((field) => this.#setting(field))}
          ${this.#text('connections', 'Connections', this.form.connections, load ? listPhrase([load.connections].flat()).replace(' and', ',') : '')}
          ${this.#select('load', 'Load profile', loads, load?.description ?? '')}
          ${this.#select('route', 'Route', [{ value: '', text: 'the mix' }, ...shownRoutes.map((route) => ({ value: route, text: route }))])}
          ${this.#text('budget', 'Budget', this.form.budget, 'by the profile', 'How long to search for the answer, such as 2 min; empty: the rounds of the load profile, and more until it is decided')}
          <div class="runCell">${this.#runButton()}</div>
        </div>
        <details ?open=${this.more} @toggle=${this.#onToggle}>
          <summary>More settings<span class="muted"> ${this.#moreSummary(others, variants, load)}</span></summary>
          <div class="fields">
            ${others.map((field) => this.#setting(field))}
            ${this.#text('totalConnections', 'Total connections', this.form.totalConnections, 'not shared', 'Database connections of all instances together: the pool of each is this number divided by the instances')}
            ${this.#text('slo', 'Objective', this.form.slo, 'p99 <= 50 ms, errors < 0.1 %', 'What must hold of every setting')}
            ${optionFields(this.form, load, searching).map(({ name, label, text, placeholder, help, disabled }) => this.#text(name, label, text, placeholder, help, disabled))}
            ${this.#text('cpuShare', 'CPU per process', this.form.cpuShare, 'no limit', 'Cores that each process of a target may use, such as 0.5')}
            ${this.#select('bouncer', 'PgBouncer', bouncerChoices)} ${this.#select('proxy', 'nginx in front', proxyChoices)}
            ${
              this.form.proxy === 'none'
                ? nothing
                : html`<fieldset class="wide">
                    <legend>nginx</legend>
                    <div class="targetBox flow">
                      ${this.#choice('upstreamKeepAlive', 'Keep-alive to instances', 'nginx keeps its connections to the instances open; otherwise each request has a new one')}
                      ${this.#choice('staticFiles', 'Static files', 'nginx answers /static/ itself, from the folder “static” of the target')}
                    </div>
                  </fieldset>`
            }
            ${this.catalog.k6Problem === null || this.form.k6 !== '' ? this.#select('k6', 'Load generator', generators, generatorHint) : nothing}
            <fieldset>
              <legend>Raw samples</legend>
              <div class="targetBox flow">${this.#choice('raw', 'Keep raw samples', rawHint)}</div>
            </fieldset>
            ${this.form.raw ? this.#select('rawShare', 'Requests kept', rawShares) : nothing}
            ${
              variants.length === 0
                ? nothing
                : html`<fieldset class="wide">
                    <legend>What differs</legend>
                    <div class="fields">
                      ${variants.map(({ name, label, placeholder, help }) => this.#text(`setting:${name}`, label, this.form.values[name] ?? '', placeholder, help))}
                    </div>
                  </fieldset>`
            }
            <fieldset class="wide">
              <legend>Afterwards</legend>
              <div class="targetBox flow">
                ${eachRunFlag.map(([name, { form }]) => this.#choice(name, form.label, form.help))}
                ${this.#choice('record', 'Flame graph', 'Records each trial (of a search the answer and the best) in a window of its own after everything was measured, under the same load')}
              </div>
            </fieldset>
          </div>
        </details>
      </form>
    `;
  }

  /** Puts the focus on Run, after the form was filled. */
  focusRun(): void {
    this.renderRoot.querySelector<HTMLElement>('.run')?.focus();
  }

  #runButton(): TemplateResult {
    if (this.running) return button('Cancel', () => tell(this, 'cancel'), { drawn: 'stop', look: 'run' });
    const disabled = this.check.start === null || this.busy;
    return button('Run', () => tell(this, 'run'), { primary: true, drawn: 'play', look: 'run', disabled });
  }

  #target(target: TargetState): TemplateResult {
    const allowed = isAllowed(target, this.trusted);
    const checked = allowed && this.form.targets.includes(target.id);
    const why = allowed
      ? (target.problem?.message ?? target.description)
      : 'This workspace is not trusted, so its own targets are not started.';
    return html`<vscode-checkbox
      title=${why}
      .checked=${checked}
      ?disabled=${!allowed}
      @change=${(event: Event) => this.#toggle(target.id, (event.target as HTMLInputElement).checked)}
      ><span class="targetName"
        >${targetMark(target.id)}${target.label}${target.problem ? html`<span class="flag">${icon('warning')}</span>` : nothing}</span
      ></vscode-checkbox
    >`;
  }

  #setting(field: SettingField): TemplateResult {
    const label = field.owners.length > 0 ? `${field.label} (${field.owners.join(', ')})` : field.label;
    return this.#text(`setting:${field.name}`, label, this.form.values[field.name] ?? '', field.placeholder);
  }

  #choice(id: FlagField, label: string, title: string): TemplateResult {
    return html`<vscode-checkbox
      data-field=${id}
      title=${title}
      .checked=${this.form[id]}
      @change=${(event: Event) => this.#change({ [id]: (event.target as HTMLInputElement).checked })}
      >${label}</vscode-checkbox
    >`;
  }

  #select(name: SelectField, label: string, choices: readonly Choice[], title?: string): TemplateResult {
    return html`<benchside-select
      class=${name}
      data-field=${name}
      label=${label}
      .value=${this.form[name]}
      .choices=${choices}
      ?invalid=${name in this.check.problems}
      title=${title ?? nothing}
      @choose=${(event: CustomEvent<string>) => this.#change({ [name]: event.detail })}
    ></benchside-select>`;
  }

  #text(id: string, label: string, value: string, placeholder: string, help = label, disabled = false): TemplateResult {
    const problem = this.check.problems[id];
    return html`<vscode-text-field
      data-field=${id}
      class=${problem ? 'invalid' : ''}
      aria-invalid=${problem ? 'true' : 'false'}
      title=${problem ?? help}
      placeholder=${placeholder}
      ?disabled=${disabled}
      .value=${value}
      @input=${(event: Event) => this.#changeText(id, (event.target as HTMLInputElement).value)}
      >${label}</vscode-text-field
    >`;
  }

  /** What is set out of sight: every setting with its value, and of the rest what was filled in. */
  #moreSummary(fields: readonly SettingField[], variants: readonly SettingField[], load: LoadProfile | undefined): string {
    const { values, totalConnections, slo, record, raw, rawShare, proxy, bouncer, cpuShare, k6 } = this.form;
    const searching = this.check.start?.request.kind === 'tune';
    const settings = fields
      .filter((field) => field.name !== 'instances' || values['instances']?.trim())
      .map((field) => `${lowerFirst(field.label)} ${values[field.name]?.trim() || field.placeholder}`);
    const rest = [
      ...variants.map(({ name }) => (values[name]?.trim() ? `${name} ${values[name]}` : '')),
      totalConnections.trim() && `${totalConnections.trim()} connections in all`,
      bouncer !== 'none' && `PgBouncer by ${bouncer}`,
      proxy !== 'none' && `behind nginx (${balanceWords[proxy]})`,
      cpuShare.trim() && `${cpuShare.trim()} cores for each process`,
      slo.trim(),
      k6 !== '' && `load by ${k6Phrase(Number(k6))}`,
      ...optionFields(this.form, load, searching).map(({ summary }) => summary),
      raw && `raw samples of ${rawShares.find(({ value }) => value === rawShare)?.text ?? ''}`,
      ...eachRunFlag.map(([name, { form }]) => this.form[name] && form.summary),
      record && 'flame graph afterwards',
    ];
    return [...settings, ...rest.filter((words) => words)].join(' · ');
  }

  #toggle(id: string, checked: boolean): void {
    const others = this.form.targets.filter((target) => target !== id);
    this.#change({ targets: checked ? [...others, id] : others });
  }

  #changeText(id: string, text: string): void {
    if (id.startsWith('setting:')) this.#change({ values: { ...this.form.values, [id.slice('setting:'.length)]: text } });
    else this.#change({ [id]: text });
  }

  #change(part: Partial<Form>): void {
    this.dispatchEvent(new CustomEvent<Form>('form-changed', { detail: { ...this.form, ...part } }));
  }

  #onToggle(event: Event): void {
    tell(this, 'more-toggled', (event.target as HTMLDetailsElement).open);
  }

  #onKey(event: KeyboardEvent): void {
    const inText = (event.target as Element).localName === 'vscode-text-field';
    if (event.key === 'Enter' && inText && !this.running && !this.busy && this.check.start) tell(this, 'run');
  }
}
