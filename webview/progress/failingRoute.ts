import { type TemplateResult, css, html, nothing } from 'lit';
import { figure } from '../../src/model/domain/format.ts';
import type { FromPanel } from '../../src/model/protocol/panel.ts';
import { type RouteCheck, failingRoutes, routeHeadline, routeSubline } from '../../src/model/domain/routeCheck.ts';
import { button } from '../kit/controls/buttons.ts';
import { icon } from '../kit/controls/icons.ts';

export const failingRouteStyles = [
  css`
    .failing header {
      display: flex;
      flex-wrap: wrap;
      justify-content: space-between;
      gap: 8px 24px;
      margin: 4px 0 14px;
    }
    .failing .words {
      /* So wide that a route and its status stay on one line; otherwise the buttons are below. */
      flex: 1 1 460px;
    }
    .failing h2.headline {
      display: flex;
      gap: 10px;
      margin: 0;
      font-size: 19px;
      line-height: 26px;
      overflow-wrap: anywhere;
    }
    .failing h2.headline .icon {
      margin-top: 5px;
      color: var(--bs-bad);
    }
    .failing .words p {
      margin-left: 26px;
    }
    .failing .ways {
      align-items: flex-start;
    }
    .failing .parts {
      display: grid;
      grid-template-columns: repeat(auto-fit, minmax(min(300px, 100%), 1fr));
      gap: 16px 24px;
    }
    .failing td {
      white-space: normal;
      overflow-wrap: anywhere;
    }
    .failing td.numeric {
      white-space: nowrap;
    }
    .failing tr.bad .status {
      color: var(--bs-bad);
      font-weight: 600;
    }
    .failing td .icon {
      margin-right: 6px;
    }
    .failing h3 .note {
      margin-left: 8px;
    }
    .failing pre {
      max-height: 260px;
      background: var(--bs-card);
    }
  `,
];

/** The page of a run that did not start because a route failed: which, its answer, the output of the app, and the three things to do. */
export function failingRoute(
  check: RouteCheck,
  tell: (message: FromPanel) => void,
  more: readonly { text: string; run: () => void }[],
): TemplateResult {
  const failing = failingRoutes(check);
  const one = failing.length === 1;
  const others = failing.length < check.routes.length;
  return html`<section class="failing" aria-labelledby="failing-route">
    <header>
      <div class="words">
        <h2 class="headline" id="failing-route">${icon('error')}<span>${check.targetLabel}: ${routeHeadline(check)}</span></h2>
        <p class="muted">${routeSubline(check)}</p>
      </div>
      <div class="ways buttons">
        ${button('Show Output', () => tell({ type: 'actOnFailure', action: 'show-output', target: check.target }), { primary: !others })}
        ${
          others
            ? button(one ? 'Leave This Route Out' : 'Leave These Routes Out', () => tell({ type: 'measureAgain', leaveOut: failing }), {
                primary: true,
                title: failing.join(', '),
              })
            : nothing
        }
        ${button('Run Anyway', () => tell({ type: 'measureAgain', askRoutes: false }))} ${more.map(({ text, run }) => button(text, run))}
      </div>
    </header>
    <div class="parts">
      <div>
        <h3>Routes <span class="note">one request each</span></h3>
        <div class="scroller" role="region" aria-label="Routes" tabindex="0">
          <table>
            <thead class="visuallyHidden">
              <tr>
                <th scope="col">Route</th>
                <th scope="col">Status</th>
                <th scope="col">Time</th>
              </tr>
            </thead>
            <tbody>
              ${check.routes.map(routeRow)}
            </tbody>
          </table>
        </div>
      </div>
      ${material('What it answered', check.asked, check.answer)} ${material('The app’s log', 'its last lines', check.log)}
    </div>
  </section>`;
}

function routeRow({ route, status, tookMs, problem, hints }: RouteCheck['routes'][number]): TemplateResult {
  const state = problem !== null ? 'bad' : hints.length > 0 ? 'hinted' : 'good';
  const said = problem !== null ? 'fails' : 'answers';
  return html`<tr class=${state}>
    <td>
      ${icon(state === 'bad' ? 'error' : state === 'hinted' ? 'warning' : 'check')}<span class="visuallyHidden">${said}: </span>${route}
      ${hints.map((hint) => html`<span class="note"><br />${hint}</span>`)}
    </td>
    <td class="numeric status">${status ?? 'no answer'}</td>
    <td class="numeric muted">${figure(tookMs)} ms</td>
  </tr>`;
}

function material(title: string, about: string, text: string): TemplateResult | typeof nothing {
  if (text === '') return nothing;
  return html`<div>
    <h3>${title} <span class="note">${about}</span></h3>
    <pre class="quoted" tabindex="0" aria-label=${title}>${text}</pre>
  </div>`;
}
