import { type TemplateResult, css, html, nothing } from 'lit';
import { targetMarkOf } from '../../../src/model/presentation/targetHue.ts';
import { hueColor } from '../style/hues.ts';
import { targetMark } from './targetMark.ts';

export const cardStyles = css`
  .cards {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(380px, 100%), 1fr));
    gap: 16px;
  }
  .card {
    position: relative;
    display: flex;
    flex-direction: column;
    min-height: 116px;
    padding: 12px 18px 12px 19px;
    --bs-ground: var(--bs-card);
  }
  .edge {
    position: absolute;
    inset: -1px auto -1px -1px;
    width: 3px;
    height: calc(100% + 2px);
    border-radius: 4px 0 0 4px;
  }
  .top {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0 16px;
  }
  .headline {
    margin: 4px 0 6px;
    font-size: 19px;
    line-height: 26px;
  }
  .headline .aside {
    /* Where it does not fit next to the headline it begins a line of its own, rather than in the middle of a sentence. */
    display: inline-block;
    line-height: 18px;
    font-size: var(--vscode-font-size, 13px);
    font-weight: 400;
    color: var(--bs-muted);
  }
  .why {
    margin-top: 6px;
    color: var(--bs-muted);
  }
`;

/** The card of one target: its hue at the edge, its name above what is said of it, and `beside`, next to the name, how sure that is. */
export function cardFrame(
  target: string,
  label: string,
  content: TemplateResult,
  beside: TemplateResult | typeof nothing = nothing,
): TemplateResult {
  return html`<section class="card framed" aria-label=${label}>
    <svg class="edge" aria-hidden="true"><rect width="100%" height="100%" fill=${hueColor(targetMarkOf(target))} /></svg>
    <p class="muted top"><span>${targetMark(target)}${label}</span>${beside}</p>
    ${content}
  </section>`;
}
