import type { RunRecord } from '../../model/run.ts';
import { escapeHtml } from './html.ts';
import type { CaptionedTable } from './studyReport.ts';
import { ruleWord, studyReport } from './studyReport.ts';
import { reportedVerdicts } from './verdicts.ts';

/** The section of a study as HTML; empty for any other run. */
export function studyHtml({ study }: RunRecord): string {
  if (study === null) return '';
  const report = studyReport(study);
  const kind = report.agrees === null ? 'muted' : report.agrees ? 'good' : 'bad';
  const rules = report.rules.map(
    ({ agrees, text, because }) =>
      `<li class="${agrees === false ? 'problem' : 'note'}"><b>${escapeHtml(ruleWord(agrees))}:</b> ${escapeHtml(text)} <span class="muted">${escapeHtml(because)}</span></li>`,
  );
  const ladders = report.ladders.map((sentence) => `<li class="note">${escapeHtml(sentence)}</li>`);
  return `<section>
<p class="muted">${escapeHtml(report.about)}</p>
<p>${escapeHtml(report.asks)}</p>
<article class="answer"><p class="headline ${kind}">${escapeHtml(report.answer)}</p><p>${escapeHtml(report.summary)}</p></article>
</section>
<div class="facts">
<section><h2>${escapeHtml(report.heading)}</h2>${report.published.map(tableHtml).join('\n')}</section>
<section><h2>Measured here</h2>${report.measured.length === 0 ? '<p>No point was measured.</p>' : report.measured.map(tableHtml).join('\n')}</section>
</div>
<section>
<h2>What makes it agree</h2>
<ul class="remarks">${[...rules, ...ladders].join('\n')}</ul>
<h2>Why it may not agree today</h2>
<p>${escapeHtml(report.notToday)}</p>
${report.success === null ? '' : `<h2>Before against after</h2>${tableHtml(report.success)}`}
${report.steps === null ? '' : `<h2>Steps of the roles</h2>${tableHtml(report.steps)}`}
</section>`;
}

/** What limits each trial, as HTML; empty where nothing is known. */
export function verdictsHtml(run: RunRecord): string {
  const verdicts = reportedVerdicts(run);
  if (verdicts.length === 0) return '';
  const items = verdicts.map(({ about, headline, explanation, doubt, evidence, ruledOut, next }) => {
    const lines = [...evidence, ...ruledOut.map((one) => `ruled out: ${one}`)].map((one) => `<li>${escapeHtml(one)}</li>`);
    const after = next.length === 0 ? '' : `<p class="muted">Next: ${escapeHtml(next.join('; '))}</p>`;
    return `<li class="note"><b>${escapeHtml(about)}:</b> ${escapeHtml(headline)}${doubt === '' ? '' : ` <b>${escapeHtml(doubt)}</b>`}
<p class="muted">${escapeHtml(explanation)}</p>${lines.length === 0 ? '' : `<details><summary>Evidence</summary><ul>${lines.join('')}</ul></details>`}${after}</li>`;
  });
  return `<section>\n<h2>What limits it</h2>\n<ul class="remarks">${items.join('\n')}</ul>\n</section>`;
}

function tableHtml({ caption, columns, numeric, rows }: CaptionedTable): string {
  const attribute = (index: number): string => (numeric[index] === true ? ' class="number"' : '');
  const head = columns.map((column, index) => `<th scope="col"${attribute(index)}>${escapeHtml(column)}</th>`).join('');
  const body = rows.map((row) => `<tr>${row.map((cell, index) => `<td${attribute(index)}>${escapeHtml(cell)}</td>`).join('')}</tr>`);
  return `<div class="scroll" tabindex="0" role="region" aria-label="${escapeHtml(caption)}"><table>
<caption>${escapeHtml(caption)}</caption>
<thead><tr>${head}</tr></thead>
<tbody>${body.join('\n')}</tbody>
</table></div>`;
}
