import { type TemplateResult, html, nothing } from 'lit';
import type { ForestScale } from '../../src/model/presentation/forest.ts';
import { withinPhrase } from '../../src/model/domain/margin.ts';
import { forestAxis, forestLine } from '../kit/charts/forestMarks.ts';
import { unbroken } from '../kit/figures/words.ts';
import type { AdviceGroup, AdviceRow, CostCell } from './adviceRows.ts';

export interface TableContext {
  scale: ForestScale;
  delta: number;
  /** What can be done with a row that helps. */
  have: (row: AdviceRow) => TemplateResult | typeof nothing;
}

/** Each group of changes with its forest; what is folded is there. */
export function adviceTables(groups: readonly AdviceGroup[], context: TableContext): TemplateResult {
  return html`<section aria-labelledby="tried">
    <h2 id="tried">
      Tried, in the order of effect
      <span class="note"
        >${unbroken(`requests per second against today, 95 % intervals · band: the same within ${withinPhrase(context.delta)}`)}</span
      >
    </h2>
    ${groups.map((group) =>
      group.fold
        ? html`<details>
            <summary id=${`group-${group.id}`}>${group.title} (${group.rows.length})</summary>
            ${table(group, context)}
          </details>`
        : html`<h3 class="group" id=${`group-${group.id}`}>${group.title}</h3>
            ${table(group, context)}`,
    )}
  </section>`;
}

/** Its roles are written out: next to code its rows are laid out as a grid. */
function table({ id, rows }: AdviceGroup, context: TableContext): TemplateResult {
  return html`<table class="tried" role="table" aria-labelledby=${`group-${id}`}>
    <thead role="rowgroup">
      <tr role="row">
        <th role="columnheader" scope="col" class="name">Change</th>
        <th role="columnheader" scope="col" class="plot">
          <span class="visuallyHidden">Requests per second, drawn</span>${forestAxis(context.scale)}
        </th>
        <th role="columnheader" scope="col" class="change numeric">Effect</th>
        <th role="columnheader" scope="col" class="range numeric">95 %</th>
        <th role="columnheader" scope="col" class="cost numeric">CPU/request</th>
        <th role="columnheader" scope="col" class="cost numeric">Memory</th>
        <th role="columnheader" scope="col" class="have"><span class="visuallyHidden">To have it</span></th>
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows.map((row) => rowView(row, context))}
    </tbody>
  </table>`;
}

function rowView(row: AdviceRow, { scale, delta, have }: TableContext): TemplateResult {
  const { name, about, ratio, verdict, change, answer, costs } = row;
  return html`<tr role="row">
    <th role="rowheader" scope="row" class="name">
      ${name}${about === '' ? nothing : html`<span class="about note">${about}</span>`}${
        answer === '' ? nothing : html`<span class=${`about note word ${verdict}`}>${answer}</span>`
      }${costs === '' ? nothing : html`<span class="narrow note">${costs}</span>`}
    </th>
    <td role="cell" class="plot">${forestLine(ratio, verdict, scale, delta)}</td>
    <td role="cell" class="change numeric"><strong>${change}</strong><span class="inChange note">${row.interval}</span></td>
    <td role="cell" class="range numeric muted">${row.interval}</td>
    ${costView(row.cpu)}${costView(row.memory)}
    <td role="cell" class="have">${have(row)}</td>
  </tr>`;
}

function costView({ text, look, title }: CostCell): TemplateResult {
  return html`<td role="cell" class=${`cost numeric ${look}`} title=${title === '' ? nothing : title}>${text}</td>`;
}
