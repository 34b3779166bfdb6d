import type { TemplateResult } from 'lit';
import { svg, html } from 'lit';

const paths = {
  play: svg`<path d="M4.5 2.5v11l8.5-5.5z" />`,
  stop: svg`<rect x="3.5" y="3.5" width="9" height="9" rx="1" />`,
  compare: svg`<path d="M5 2.5v8a2 2 0 0 0 2 2h2.5m-2-2 2 2-2 2M11 13.5v-8a2 2 0 0 0-2-2H6.5m2-2-2 2 2 2" />`,
  export: svg`<path d="M2.5 3v10M5 8h8.5m-3-3 3 3-3 3" />`,
  flame: svg`<path d="M8.6 1.8c.6 2.2-2.9 3.6-3.9 6.2a4.6 4.6 0 0 0-.3 1.6 3.9 3.9 0 0 0 3.9 4.1 3.9 3.9 0 0 0 3.9-4c0-1.700-.8-2.900-1.500-3.700 0 1-.5 1.700-1.100 2C9.900 6 10 3.400 8.600 1.800z" />`,
  trash: svg`<path d="M2.5 4.5h11m-7-2h3m-5.5 2 .6 9h6.8l.6-9M6.7 7v4m2.6-4v4" />`,
  again: svg`<path d="M13 8a5 5 0 1 1-1.6-3.7M13.2 2v3h-3" />`,
  check: svg`<path d="m2.5 8.5 3.5 3.5 7.5-8" />`,
  warning: svg`<path d="M8 2 1.5 13.5h13zM8 6.5v3.5m0 1.2v1" />`,
  error: svg`<circle cx="8" cy="8" r="6" /><path d="m5.7 5.7 4.6 4.6m0-4.6-4.6 4.6" />`,
  open: svg`<circle cx="8" cy="8" r="4.5" />`,
  info: svg`<circle cx="8" cy="8" r="6" /><path d="M8 7.2v4m0-6.6v1" />`,
  database: svg`<ellipse cx="8" cy="4" rx="4.8" ry="2" /><path d="M3.2 4v8c0 1.1 2.15 2 4.8 2s4.8-.9 4.8-2V4M3.2 8c0 1.1 2.15 2 4.8 2s4.8-.9 4.8-2" />`,
  down: svg`<path d="m4 6 4 4 4-4" />`,
  more: svg`<circle cx="3.5" cy="8" r=".6" /><circle cx="8" cy="8" r=".6" /><circle cx="12.5" cy="8" r=".6" />`,
} as const;
export type IconName = keyof typeof paths;

/** A drawn icon, 16 px, in the colour of its text; it says nothing to a screen reader. */
export function icon(name: IconName, slot?: 'start' | 'end'): TemplateResult {
  const drawing = svg`<g fill="none" stroke="currentColor" stroke-width="1.1" stroke-linejoin="round" stroke-linecap="round">${paths[name]}</g>`;
  return slot === undefined
    ? html`<svg class="icon" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">${drawing}</svg>`
    : html`<svg slot=${slot} class="icon" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">${drawing}</svg>`;
}
