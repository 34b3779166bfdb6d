import type { TemplateResult } from 'lit';
import { html, svg } from 'lit';

const paths = {
  back: svg`<path d="M7 3.5 2.5 8 7 12.5M2.5 8h11" />`,
  forward: svg`<path d="M9 3.5 13.5 8 9 12.5M13.5 8h-11" />`,
  compare: svg`<path d="M5 2.5v8a2 2 0 0 0 2 2h2.5m-2-2 2 2-2 2M11 13.5v-8a2 2 0 0 0-2-2H6.5m2-2-2 2 2 2" />`,
  export: svg`<path d="M2.5 3v10M5 8h8.5m-3-3 3 3-3 3" />`,
  reset: svg`<path d="M3 3v3.5h3.5M3.3 6.3A5.2 5.2 0 1 1 2.8 9" />`,
  icicle: svg`<path d="M2 3h12M2 6.5h8M2 10h5M2 13.5h2.5" />`,
  flame: svg`<path d="M2 13h12M2 9.5h8M2 6h5M2 2.5h2.5" />`,
  table: svg`<path d="M2.5 3.5h11v9h-11zM2.5 6.5h11M6.5 6.5v6" />`,
  threads: svg`<path d="M2 4h5m2 0h5M2 8h9m1.5 0H14M2 12h3m2 0h7" />`,
  palette: svg`<rect x="2.5" y="2.5" width="4.5" height="4.5" /><rect x="9" y="2.5" width="4.5" height="4.5" /><rect x="2.5" y="9" width="4.5" height="4.5" /><rect x="9" y="9" width="4.5" height="4.5" fill="currentColor" />`,
  more: svg`<path d="M3 8h.01M8 8h.01M13 8h.01" stroke-width="2.2" />`,
  search: svg`<circle cx="7" cy="7" r="4.2" /><path d="m10.2 10.2 3.6 3.6" />`,
  up: svg`<path d="m4 10 4-4 4 4" />`,
  down: svg`<path d="m4 6 4 4 4-4" />`,
  close: svg`<path d="m4 4 8 8m0-8-8 8" />`,
  check: svg`<path d="m2.5 8.5 3.5 3.5 7.5-8" />`,
  info: svg`<circle cx="8" cy="8" r="6" /><path d="M8 7.2v4m0-6.6v1" />`,
  warning: svg`<path d="M8 2 1.5 13.5h13zM8 6.5v3.5m0 1.2v1" />`,
  error: svg`<circle cx="8" cy="8" r="6" /><path d="m5.7 5.7 4.6 4.6m0-4.6-4.6 4.6" />`,
  source: svg`<path d="M9 2.5H4v11h8V5.5zM9 2.5v3h3M6 8.5h4m-4 2.5h4" />`,
  stop: svg`<path d="M2.5 8h4m3 0h4M6.5 5v6m3-6v6" />`,
} as const;
export type FlameIcon = keyof typeof paths;

/** A drawn icon, 16 px, in the colour of its text; it says nothing to a screen reader. */
export function flameIcon(name: FlameIcon): TemplateResult {
  return html`<svg class="icon" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
    <g fill="none" stroke="currentColor" stroke-width="1.1" stroke-linejoin="round" stroke-linecap="round">${paths[name]}</g>
  </svg>`;
}
