import type { TemplateResult } from 'lit';
import { html, svg } from 'lit';
import type { Shape } from '../style/hues.ts';
import { hueColor, hueShape } from '../style/hues.ts';

const drawings: Record<Shape, TemplateResult> = {
  circle: svg`<circle cx="5" cy="5" r="4.2" />`,
  diamond: svg`<path d="M5 0 9 5 5 10 1 5z" />`,
  triangle: svg`<path d="M5 .6 9.6 9H.4z" />`,
  square: svg`<rect x="1" y="1" width="8" height="8" />`,
  star: svg`<path d="m5 0 1.2 3.5H10L7 5.8 8.1 9.6 5 7.3 1.9 9.6 3 5.8 0 3.5h3.8z" />`,
  wye: svg`<path d="M3.6 10V6.2L.4 4.3l1.4-2.4L5 3.8l3.2-1.9 1.4 2.4-3.2 1.9V10z" />`,
};

/** The mark of a target, 10 px: its hue and its shape, the same as in the charts. */
export function targetMark(hue: number): TemplateResult {
  return html`<svg class="mark" width="10" height="10" viewBox="0 0 10 10" fill=${hueColor(hue)} aria-hidden="true">
    ${drawings[hueShape(hue)]}
  </svg>`;
}
