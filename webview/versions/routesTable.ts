import type { TemplateResult } from 'lit';
import { html, nothing } from 'lit';
import type { RouteDiff } from '../../src/model/versionDiff.ts';
import { routesNote, routeTable } from '../../src/model/versionDiffTable.ts';

/** So many are in sight, and those that are worse. */
const inSight = 4;

/** A row for each route of the mix by itself, the worst first; of many the others are folded. */
export function routesTable(routes: readonly RouteDiff[]): TemplateResult | typeof nothing {
  if (routes.length === 0) return nothing;
  const worse = routes.filter(({ verdict }) => verdict === 'worse').length;
  const seen = routes.length <= inSight + 1 ? routes.length : Math.max(inSight, worse);
  const others = routes.length - seen;
  return html`<section aria-labelledby="routes">
    <h2 id="routes">Routes of the mix <span class="note">${routesNote}</span></h2>
    ${table(routes, routes.slice(0, seen), 'routes')}
    ${
      others === 0
        ? nothing
        : html`<details class="otherRoutes">
            <summary>${others} other ${others === 1 ? 'route' : 'routes'}</summary>
            ${table(routes, routes.slice(seen), 'routes')}
          </details>`
    }
  </section>`;
}

/** The columns are those of all routes, so that both tables have the same. */
function table(all: readonly RouteDiff[], routes: readonly RouteDiff[], label: string): TemplateResult {
  const { columns, rows } = routeTable(all);
  return html`<div class="scroller routes" role="region" aria-labelledby=${label} tabindex="0">
    <table>
      <thead>
        <tr>
          ${columns.map(({ title, numeric }) => html`<th scope="col" class=${numeric ? 'numeric' : ''}>${title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${routes.map((route) => {
          const cells = rows[all.indexOf(route)]?.cells ?? [];
          return html`<tr>
            ${cells.map(
              (cell, column) =>
                html`<td class=${columns[column]?.numeric === true ? 'numeric' : column === columns.length - 1 ? route.verdict : ''}>
                  ${cell}
                </td>`,
            )}
          </tr>`;
        })}
      </tbody>
    </table>
  </div>`;
}
