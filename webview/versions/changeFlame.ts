import { eventName } from '../../src/model/presentation/eventNames.ts';
import { type TemplateResult, css, html } from 'lit';
import type { ChangedFunction, DiffBox, VersionWhy } from '../../src/model/domain/versionDiff.ts';
import { titled } from '../kit/controls/sections.ts';
import { placePhrase, weightChangePhrase, weightPhrase } from '../../src/model/presentation/versionDiffTable.ts';

const rowPx = 23;

export const changeFlameStyles = css`
  .changeFlame {
    position: relative;
    margin-top: 6px;
  }
  .changeFlame .box {
    position: absolute;
    height: 22px;
    padding: 0 6px;
    display: flex;
    gap: 8px;
    align-items: center;
    overflow: hidden;
    border: 1px solid var(--vscode-contrastBorder, transparent);
    border-right-color: var(--vscode-contrastBorder, var(--bs-bg));
    font: 12px var(--vscode-editor-font-family, monospace);
    white-space: nowrap;
    text-align: left;
    container-type: inline-size;
    color: var(--bs-fg);
    background: color-mix(in srgb, var(--bs-fg) 16%, var(--bs-bg));
  }
  /* No stronger than that text on them can be read. */
  .changeFlame .box.more {
    background: color-mix(in srgb, var(--bs-bad) calc(18% + var(--share) * 20%), var(--bs-bg));
  }
  .changeFlame .box.less {
    background: color-mix(in srgb, var(--bs-good) calc(18% + var(--share) * 20%), var(--bs-bg));
  }
  .changeFlame .box .by {
    flex: none;
    margin-left: auto;
    font-weight: 600;
  }
  /* What a narrow box is called comes first; by how much it changed is its colour, and its title. */
  @container (max-width: 150px) {
    .changeFlame .box .by {
      display: none;
    }
  }
  .changeFlame button.box {
    text-decoration: underline;
  }
`;

/** The differential flame graph: as wide as the larger of both sides, red where the newer side takes more; a box on changed lines opens the change. */
export function changeFlame(
  flame: NonNullable<VersionWhy['flame']>,
  headTitle: string,
  open: (place: Pick<ChangedFunction, 'file' | 'line'>) => (() => void) | null,
): TemplateResult {
  const { boxes, event, unit, base, head } = flame;
  const largest = Math.max(...boxes.map((box) => Math.abs(box.head - box.base)), Number.MIN_VALUE);
  const rows = Math.max(0, ...boxes.map(({ depth }) => depth + 1));
  const sides = `${eventName(event)} per request, ${weightPhrase(base, unit)} → ${weightPhrase(head, unit)}`;
  const note = `${sides} · width: the larger of both · figure: by how much ${headTitle} takes more or less`;
  const drawn = html`<div class="changeFlame" role="list" .style=${`height:${rows * rowPx}px`}>
    ${boxes.map((box) => boxTemplate(box, unit, largest, open))}
  </div>`;
  return titled('changed', 'What changed', note, drawn);
}

function boxTemplate(
  box: DiffBox,
  unit: ChangedFunction['unit'],
  largest: number,
  open: (place: Pick<ChangedFunction, 'file' | 'line'>) => (() => void) | null,
): TemplateResult {
  const change = box.head - box.base;
  const share = Math.abs(change) / largest;
  const kind = share < 0.05 ? '' : change > 0 ? 'more' : 'less';
  // As a property: an attribute would be against the panel’s policy.
  const style = `left:${(100 * box.start).toFixed(3)}%;width:${(100 * box.width).toFixed(3)}%;top:${box.depth * rowPx}px;--share:${share.toFixed(3)}`;
  const title = `${placePhrase(box)}: ${weightPhrase(box.base, unit)} → ${weightPhrase(box.head, unit)}${box.touched ? ', on changed lines' : ''}`;
  const inside = html`<span class="what cut">${placePhrase(box)} · ${weightPhrase(box.head, unit)}</span
    ><span class="by">${share < 0.05 ? '±0' : weightChangePhrase(change, unit)}</span>`;
  const opens = box.touched ? open(box) : null;
  return opens === null
    ? html`<div class="box ${kind}" role="listitem" .style=${style} title=${title}>${inside}</div>`
    : html`<button type="button" class="box ${kind}" .style=${style} title=${title} @click=${opens}>${inside}</button>`;
}
