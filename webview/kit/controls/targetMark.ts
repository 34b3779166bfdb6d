import { type TemplateResult, html, svg } from 'lit';
import { markPath, targetMarkOf } from '../../../src/model/presentation/targetHue.ts';
import { hueColor } from '../style/hues.ts';

/** The mark of a target, 10 px: its hue and its shape, the same as in the charts. */
export function targetMark(target: string): TemplateResult {
  const hue = targetMarkOf(target);
  return html`<svg class="mark" width="10" height="10" viewBox="0 0 10 10" fill=${hueColor(hue)} aria-hidden="true">
    ${svg`<path d=${markPath(hue)} />`}
  </svg>`;
}
