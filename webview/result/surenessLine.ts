import type { TemplateResult } from 'lit';
import { html, nothing } from 'lit';

/** How sure an answer is, and its figures: “Likely: 7,940 req/s”. One of them may be left out; without both there is no line. */
export function surenessLine(status: string, figures: TemplateResult | null): TemplateResult | typeof nothing {
  if (status === '' && figures === null) return nothing;
  return html`<p>
    ${status === '' ? nothing : html`<strong>${status}</strong>`}${status !== '' && figures !== null ? ': ' : ''}${figures ?? '.'}
  </p>`;
}
