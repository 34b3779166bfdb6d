import { type TemplateResult, html, nothing, svg } from 'lit';

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
  back: svg`<path d="M7 3.5 2.5 8 7 12.5M2.5 8h11" />`,
  forward: svg`<path d="M9 3.5 13.5 8 9 12.5M13.5 8h-11" />`,
  reset: svg`<path d="M3 3v3.5h3.5M3.3 6.3A5.2 5.2 0 1 1 2.8 9" />`,
  icicle: svg`<path d="M2 3h12M2 6.5h8M2 10h5M2 13.5h2.5" />`,
  upright: svg`<path d="M2 13h12M2 9.5h8M2 6h5M2 2.5h2.5" />`,
  table: svg`<path d="M2.5 3.5h11v9h-11zM2.5 6.5h11M6.5 6.5v6" />`,
  threads: svg`<path d="M2 4h5m2 0h5M2 8h9m1.5 0H14M2 12h3m2 0h7" />`,
  palette: svg`<rect x="2.5" y="2.5" width="4.5" height="4.5" /><rect x="9" y="2.5" width="4.5" height="4.5" /><rect x="2.5" y="9" width="4.5" height="4.5" /><rect x="9" y="9" width="4.5" height="4.5" fill="currentColor" />`,
  dots: svg`<path d="M3 8h.01M8 8h.01M13 8h.01" stroke-width="2.2" />`,
  search: svg`<circle cx="7" cy="7" r="4.2" /><path d="m10.2 10.2 3.6 3.6" />`,
  up: svg`<path d="m4 10 4-4 4 4" />`,
  close: svg`<path d="m4 4 8 8m0-8-8 8" />`,
} as const;
export type IconName = keyof typeof paths;

/** A drawn icon, 16 px, in the colour of its text; it says nothing to a screen reader. */
export function icon(name: IconName, slot?: 'start' | 'end'): TemplateResult {
  const drawing = svg`<g fill="none" stroke="currentColor" stroke-width="1.1" stroke-linejoin="round" stroke-linecap="round">${paths[name]}</g>`;
  return html`<svg slot=${slot ?? nothing} class="icon" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">${drawing}</svg>`;
}
