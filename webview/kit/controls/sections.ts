import { type TemplateResult, html, nothing } from 'lit';
import { icon } from './icons.ts';

/** A section with its title, and `note`, quieter, next to it. */
export function titled(id: string, title: string, note: string, content: unknown): TemplateResult {
  return html`<section aria-labelledby=${id}>
    <h2 id=${id}>${title}${note === '' ? nothing : html` <span class="note">${note}</span>`}</h2>
    ${content}
  </section>`;
}

/** What a run noted, each with its icon. */
export function notesList(notes: readonly string[]): TemplateResult | typeof nothing {
  if (notes.length === 0) return nothing;
  return html`<ul class="notes note" aria-label="Notes">
    ${notes.map((note) => html`<li>${icon('info')} ${note}</li>`)}
  </ul>`;
}
