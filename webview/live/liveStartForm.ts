import { type TemplateResult, css, html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { listed } from '../../src/model/protocol/listed.ts';
import type { Catalog } from '../../src/model/protocol/protocol.ts';
import { button } from '../kit/controls/buttons.ts';
import { sharedStyles } from '../kit/style/sharedStyles.ts';
import { formStyles } from '../kit/fields/formStyles.ts';
import { commonRoutes, isAllowed } from '../kit/fields/settingFields.ts';
import '../kit/controls/selectField.ts';
import { type LiveForm, type LiveFormCheck, emptyLiveForm } from './liveForm.ts';

/** What is put under live load, and from which settings on. Dispatches `live-form-edited` with the new form, and `start-live`. */
@customElement('benchside-live-form')
export class LiveStartForm extends LitElement {
  static override styles = [
    sharedStyles,
    formStyles,
    css`
      .line {
        min-height: 18px;
        margin-top: 6px;
        font-size: 12px;
      }
    `,
  ];

  @property({ attribute: false }) form: LiveForm = emptyLiveForm;
  @property({ attribute: false }) check: LiveFormCheck = { request: null, target: null, fields: [], problems: {} };
  @property({ attribute: false }) catalog!: Catalog;
  /** Why nothing can be started although the form is right. */
  @property({ attribute: false }) blocked: string | null = null;
  @property({ type: Boolean }) trusted = true;
  @property({ type: Boolean }) starting = false;

  protected override render(): TemplateResult {
    const { form, check, catalog } = this;
    const load = catalog.loadProfiles.find((profile) => profile.name === form.load);
    const targets = listed(catalog.targets, ({ id }) => id === form.target).filter((target) => isAllowed(target, this.trusted));
    const routes = check.target ? commonRoutes([check.target]) : [];
    const problem = this.blocked === null ? Object.values(check.problems)[0] : undefined;
    const connections = load ? String([load.connections].flat()[0] ?? '') : '';
    return html`<form
        class="framed"
        aria-label="What to put under load"
        @submit=${(event: Event) => event.preventDefault()}
        @keydown=${this.#onKey}
      >
        <div class="fields">
          ${this.#select(
            'target',
            'Target',
            check.target?.id ?? '',
            targets.map((target) => ({ value: target.id, text: target.label })),
          )}
          ${check.fields.map((field) => this.#text(`setting:${field.name}`, `${field.label} to start with`, form.values[field.name] ?? '', field.placeholder))}
          ${this.#text('connections', 'Connections', form.connections, connections)}
          ${this.#select(
            'load',
            'Load profile',
            form.load,
            listed(catalog.loadProfiles, ({ name }) => name === form.load).map((profile) => ({ value: profile.name, text: profile.name })),
          )}
          ${this.#select('route', 'Route', form.route, [{ value: '', text: 'the mix' }, ...routes.map((route) => ({ value: route, text: route }))])}
          <div class="runCell">
            ${button(this.starting ? 'Starting…' : 'Start', () => this.#start(), {
              primary: true,
              drawn: 'play',
              look: 'run',
              title: this.blocked ?? undefined,
              disabled: !this.#ready(),
            })}
          </div>
        </div>
      </form>
      <p class="line">${problem === undefined ? nothing : html`<span class="problem" role="status">${problem}</span>`}</p>`;
  }

  #text(id: string, label: string, value: string, placeholder: string): TemplateResult {
    const problem = this.check.problems[id];
    return html`<vscode-text-field
      data-field=${id}
      class=${problem ? 'invalid' : ''}
      aria-invalid=${problem ? 'true' : 'false'}
      title=${problem ?? label}
      placeholder=${placeholder}
      .value=${value}
      @input=${(event: Event) => this.#changeText(id, (event.target as HTMLInputElement).value)}
      >${label}</vscode-text-field
    >`;
  }

  #select(id: 'target' | 'load' | 'route', label: string, value: string, choices: { value: string; text: string }[]): TemplateResult {
    return html`<benchside-select
      label=${label}
      .value=${value}
      .choices=${choices}
      ?invalid=${id in this.check.problems}
      @choose=${(event: CustomEvent<string>) => this.#change(id === 'target' ? { target: event.detail, route: '' } : { [id]: event.detail })}
    ></benchside-select>`;
  }

  #changeText(id: string, text: string): void {
    if (id.startsWith('setting:')) this.#change({ values: { ...this.form.values, [id.slice('setting:'.length)]: text } });
    else this.#change({ [id]: text });
  }

  #change(part: Partial<LiveForm>): void {
    this.dispatchEvent(new CustomEvent<LiveForm>('live-form-edited', { detail: { ...this.form, ...part } }));
  }

  #ready(): boolean {
    return this.check.request !== null && this.blocked === null && !this.starting;
  }

  #start(): void {
    if (this.#ready()) this.dispatchEvent(new CustomEvent('start-live'));
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key === 'Enter' && (event.target as Element).localName === 'vscode-text-field') this.#start();
  }
}
