import { type TemplateResult, html } from 'lit';
import { noFigure, orDash, wholeNumber } from '../../src/model/domain/format.ts';
import type { LiveControl, LiveSegment } from '../../src/model/protocol/live.ts';
import { type SettingLabels, humanName } from '../../src/model/presentation/settingWords.ts';
import { plainTable, titledColumns } from '../../src/model/presentation/table.ts';
import { tableView } from '../kit/controls/tableView.ts';

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
  const table = plainTable(
    titledColumns(['from – to s', ...shown.map(title), 'req/s', 'p50 ms', 'p99 ms', 'requests', 'errors'], 1),
    [...segments]
      .reverse()
      .map((one) => [
        `${(one.fromMs / 1000).toFixed(1)} – ${(one.toMs / 1000).toFixed(1)}`,
        ...shown.map((name) => String(one.settings[name] ?? noFigure)),
        wholeNumber(one.throughput),
        orDash(one.p50Ms),
        orDash(one.p99Ms),
        wholeNumber(one.requests),
        wholeNumber(one.errors),
      ]),
  );
  return html`<section class="segments" aria-labelledby="segments">
    <h2 id="segments">Between changes</h2>
    <p class="note">
      One row for each stretch at the same settings; it is added when the next change is made or the load stops. Latencies are of all its
      requests.
    </p>
    ${tableView(table, { labelledBy: 'segments', empty: 'Nothing has been changed yet.' })}
  </section>`;
}
