import type { TemplateResult } from 'lit';
import { html } from 'lit';
import { wholeNumber } from '../../src/model/format.ts';
import type { LiveControl, LiveSegment } from '../../src/model/live.ts';
import type { SettingLabels } from '../kit/figures/words.ts';
import { humanName, orDash } from '../kit/figures/words.ts';

/** What was measured between changes, the latest first: the table of the charts above it, and what keeping makes a run of. */
export function segmentTable(segments: readonly LiveSegment[], controls: readonly LiveControl[], labels: SettingLabels): TemplateResult {
  const names = [
    ...new Set([...controls.map((control) => control.setting), ...segments.flatMap((segment) => Object.keys(segment.settings))]),
  ];
  const shown = names.filter(
    (name) =>
      controls.some((control) => control.setting === name && control.problem === null) ||
      new Set(segments.map((segment) => segment.settings[name])).size > 1,
  );
  const title = (name: string): string => controls.find((control) => control.setting === name)?.label ?? labels[name] ?? humanName(name);
  return html`<section class="segments" aria-labelledby="segments">
    <h2 id="segments">Between changes</h2>
    <p class="note">
      One row for each stretch at the same settings; it is added when the next change is made or the load stops. Latencies are of all its
      requests.
    </p>
    <div class="scroller" role="region" aria-labelledby="segments" tabindex="0">
      <table>
        <thead>
          <tr>
            <th scope="col">from – to s</th>
            ${shown.map((name) => html`<th scope="col" class="numeric">${title(name)}</th>`)}
            ${['req/s', 'p50 ms', 'p99 ms', 'requests', 'errors'].map((column) => html`<th scope="col" class="numeric">${column}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${
            segments.length === 0
              ? html`<tr>
                  <td class="muted" colspan=${shown.length + 6}>Nothing has been changed yet.</td>
                </tr>`
              : [...segments].reverse().map(
                  (segment) =>
                    html`<tr>
                      <td>${(segment.fromMs / 1000).toFixed(1)} – ${(segment.toMs / 1000).toFixed(1)}</td>
                      ${shown.map((name) => html`<td class="numeric">${segment.settings[name] ?? '–'}</td>`)}
                      <td class="numeric">${wholeNumber(segment.throughput)}</td>
                      <td class="numeric">${orDash(segment.p50Ms)}</td>
                      <td class="numeric">${orDash(segment.p99Ms)}</td>
                      <td class="numeric">${wholeNumber(segment.requests)}</td>
                      <td class="numeric">${wholeNumber(segment.errors)}</td>
                    </tr>`,
                )
          }
        </tbody>
      </table>
    </div>
  </section>`;
}
