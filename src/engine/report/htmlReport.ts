import { capital } from '../../model/sentence.ts';
import { findingText } from '../../model/findings.ts';
import { conditionSentence, disturbanceSentence, hasDisturbance } from '../../model/disturbanceWords.ts';
import { bytesPhrase, figure, wholeNumber } from '../../model/format.ts';
import type { Recommendation, RunRecord, Trial } from '../../model/run.ts';
import { instanceTable, presentedRun, resourceTable, runTable, tableNote } from '../../model/runTable.ts';
import { disturbedChip, openRange, runBadge, runSubtitle, statusWord } from '../../model/runWords.ts';
import { trialPhrase } from '../../model/settingWords.ts';
import { whyText } from '../../model/tuningAnswers.ts';
import type { Table } from '../../model/table.ts';
import { witnessText } from '../../model/witness.ts';
import { disagreement, witnessNames, witnessSays } from '../../model/witnessWords.ts';
import { cspHash, escapeHtml, jsonForScript, scriptText, sha256, styleText } from './html.ts';
import { markPath, targetHueCount, targetMarkOf } from '../../model/targetHue.ts';
import { repeatCommand } from '../../model/repeatCommand.ts';
import { reportStyle } from './reportStyle.ts';
import { studyHtml, verdictsHtml } from './studyHtml.ts';
import type { Remark } from './words.ts';
import { environmentFacts, methodFacts, remarks, timePhrase } from './words.ts';

/** What draws the charts. Empty texts give a report without charts that is whole otherwise. */
export interface ReportAssets {
  /**
   * JavaScript; it reads the record from `script#run-record` (JSON) and draws into `div#charts`. Style elements that it adds
   * must carry the nonce in `<meta property="csp-nonce">`.
   */
  script: string;
  /** CSS of the charts. */
  styles: string;
}

/**
 * The run as one self-contained page: no request leaves it, and nothing in it runs but the given script (Content-Security-Policy with
 * the hashes of exactly these texts). Every name in the record is untrusted and stands there as text only.
 */
export function htmlReport(run: RunRecord, assets: ReportAssets = { script: '', styles: '' }): string {
  const style = styleText(`${reportStyle}${assets.styles}`);
  const script = scriptText(assets.script);
  const data = script === '' ? '' : jsonForScript(run);
  // Scripts run by hash alone. The nonce is for styles only; names in the record cannot foresee it, since it is a hash over all of them.
  const nonce = sha256(`${data}${script}${style}`);
  const scripts = script === '' ? "'none'" : cspHash(script);
  const styles = script === '' ? cspHash(style) : `${cspHash(style)} 'nonce-${nonce}'`;
  const policy = `default-src 'none'; script-src ${scripts}; style-src ${styles}; img-src data:; base-uri 'none'; form-action 'none'`;
  const hues = targetHues(run);
  const found = remarks(run);
  const validity = runBadge(run);
  const disturbed = disturbedChip(run);
  const shown = presentedRun(run);
  const charts = script === '' ? '' : `<script type="application/json" id="run-record">${data}</script>\n<script>${script}</script>\n`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
${script === '' ? '' : `<meta property="csp-nonce" content="${nonce}">\n`}<title>${escapeHtml(run.title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<header><h1>${escapeHtml(run.title)}</h1><span class="subtitle">${escapeHtml(runSubtitle(run, timePhrase(run.startedAt)))}</span>
<span class="chip ${validity.kind}">${escapeHtml(validity.text)}</span>${disturbed === '' ? '' : `<a class="chip warning" href="#disturbance">${escapeHtml(disturbed)}</a>`}</header>
${run.study === null ? `<section class="answers" aria-label="Answers">\n${answers(run, hues)}\n</section>` : studyHtml(run)}
${verdictsHtml(run)}
${remarkList(found.filter((remark) => remark.kind === 'problem'))}
<div id="charts"></div>
${disturbanceSection(run)}<section>
<h2>Figures</h2>
${table(runTable(shown), hues)}
<p class="note">${escapeHtml(tableNote(shown))}</p>
${remarkList(found.filter((remark) => remark.kind === 'note'))}
</section>
<section>
<h2>Resources</h2>
${table(resourceTable(shown), hues)}
<p class="note">Means over the measured blocks. CPU: 100 % is one core. “Other” and “stolen” CPU are of the whole machine; X·R/C is about 1 when the generator keeps up.</p>
</section>
${instances(run, hues)}<div class="facts">
<section>
<h2>How it was done</h2>
${factList(methodFacts(run))}
</section>
<section>
<h2>Environment</h2>
${factList(environmentFacts(run))}
</section>
</div>
<section>
<h2>To repeat it</h2>
<pre>${escapeHtml(repeatCommand(run))}</pre>
</section>
<footer>Benchside ${escapeHtml(run.environment.benchside)} · run ${escapeHtml(run.id)}${run.files.length === 0 ? '' : ` · ${run.files.length} files, ${bytesPhrase(run.files.reduce((sum, file) => sum + file.bytes, 0))}`}</footer>
</main>
${charts}</body>
</html>
`;
}

function instances(run: RunRecord, hues: ReadonlyMap<string, number>): string {
  const found = instanceTable(presentedRun(run));
  if (found.rows.length === 0) return '';
  return `<section>\n<h2>Instances</h2>\n${table(found, hues)}\n<p class="note">Each process by itself, means over the measured blocks. CPU: 100 % is one core.</p>\n</section>\n`;
}

/** The hue of each target, the same as everywhere. */
function targetHues(run: RunRecord): Map<string, number> {
  return new Map(run.trials.map(({ target }) => [target, targetMarkOf(target) % targetHueCount]));
}

/** The shape of a target, the same as in the charts; its hue is that of the card or the row around it. */
function mark(target: string): string {
  return `<svg class="mark" viewBox="0 0 10 10" aria-hidden="true"><path d="${markPath(targetMarkOf(target))}"/></svg>`;
}

function answers(run: RunRecord, hues: ReadonlyMap<string, number>): string {
  if (run.recommendations.length > 0) return run.recommendations.map((answer) => recommendationCard(run, answer, hues)).join('\n');
  const best = bestTrials(run);
  if (best.length > 0) return best.map((trial) => figureCard(run, trial, hues)).join('\n');
  const [headline, text] = nothingMeasured(run);
  return `<article class="answer"><p class="headline">${escapeHtml(headline)}</p><p>${escapeHtml(text)}</p></article>`;
}

function nothingMeasured(run: RunRecord): [string, string] {
  if (run.failure !== null) return ['The run failed', `${run.failure.message} ${run.failure.cure}`];
  if (run.state === 'cancelled') return ['Cancelled before anything was measured', 'Run it again to see figures.'];
  const [first] = run.trials.flatMap((trial) => trial.reasons);
  return [
    'Something else was measured',
    `${first === undefined ? 'No reason was recorded.' : findingText(first)} No trial counts; what was seen all the same stands in the table.`,
  ];
}

function recommendationCard(run: RunRecord, answer: Recommendation, hues: ReadonlyMap<string, number>): string {
  const range = answer.status === 'confirmed' ? '' : openRange(answer);
  const status = statusWord(answer);
  return `<article class="answer${hueClass(answer.target, hues)}">
<p class="muted">${mark(answer.target)}${escapeHtml(answer.targetLabel)}</p>
<p class="headline">${escapeHtml(answer.headline)}${range === '' ? '' : ` <span>(${escapeHtml(range)})</span>`}</p>
<p><strong>${status}.</strong> ${escapeHtml(whyText(answer))}</p>
${witnesses(answer)}${underWhat(run, answer.trialKey)}</article>`;
}

/** Each witness with what it says of the value, and whether they contradict each other. */
function witnesses({ witnesses: all }: Recommendation): string {
  if (all.length === 0) return '';
  const rows = all.map(
    (witness) =>
      `<dt class="${witness.says}">${witnessNames[witness.kind]} <span>${witnessSays[witness.says]}</span></dt><dd>${escapeHtml(capital(witnessText(witness)))}</dd>`,
  );
  const contradiction = disagreement(all);
  return `<dl class="witnesses">${rows.join('\n')}</dl>\n${contradiction === '' ? '' : `<p class="warning">${contradiction}</p>\n`}`;
}

/** Under what a figure was measured, and what it may be on a machine left alone; empty where nothing is to be said. */
function underWhat(run: RunRecord, trialKey: string | null): string {
  const trial = run.trials.find((one) => one.key === trialKey);
  const words = trial === undefined ? '' : conditionSentence(trial);
  return words === '' ? '' : `<p class="muted">${escapeHtml(words)}</p>\n`;
}

/** What was taken over the run, in words; the script draws the strip in its place. */
function disturbanceSection(run: RunRecord): string {
  if (!hasDisturbance(run.trials)) return '';
  return `<section id="disturbance">\n<h2>Disturbance over the run</h2>\n<div class="strip"></div>\n<p class="note">${escapeHtml(disturbanceSentence(run.trials))}</p>\n</section>\n`;
}

function figureCard(run: RunRecord, trial: Trial, hues: ReadonlyMap<string, number>): string {
  const { ciLow, ciHigh, mean } = trial.throughput;
  const interval = ciLow === null || ciHigh === null ? '' : ` <span>[${wholeNumber(ciLow)} – ${wholeNumber(ciHigh)}]</span>`;
  const details = [
    ...(trial.latencyMs === null ? [] : [`p50 ${figure(trial.latencyMs.p50)} ms, p99 ${figure(trial.latencyMs.p99)} ms`]),
    ...(trial.resources.app.cpuUsPerRequest === null ? [] : [`${figure(trial.resources.app.cpuUsPerRequest)} µs of CPU per request`]),
  ];
  return `<article class="answer${hueClass(trial.target, hues)}">
<p class="muted">${mark(trial.target)}${escapeHtml(trialPhrase(run, trial))}</p>
<p class="headline">${wholeNumber(mean)} requests/s${interval}</p>
<p>${escapeHtml(details.join('; '))}</p>
${underWhat(run, trial.key)}</article>`;
}

/** The best valid trial of each target. */
function bestTrials(run: RunRecord): Trial[] {
  const best = new Map<string, Trial>();
  for (const trial of run.trials) {
    const known = best.get(trial.target);
    if (trial.valid && trial.requests > 0 && (known === undefined || trial.throughput.mean > known.throughput.mean))
      best.set(trial.target, trial);
  }
  return [...best.values()];
}

function hueClass(target: string, hues: ReadonlyMap<string, number>): string {
  const hue = hues.get(target);
  return hue === undefined ? '' : ` hue-${hue}`;
}

function table({ columns, rows }: Table, hues: ReadonlyMap<string, number>): string {
  if (rows.length === 0) return '<p>Nothing was measured.</p>';
  const classes = columns.map((column) =>
    [column.numeric ? 'number' : '', column.muted ? 'muted' : ''].filter((name) => name !== '').join(' '),
  );
  const attribute = (index: number): string => (classes[index] === '' ? '' : ` class="${classes[index] ?? ''}"`);
  const head = columns.map((column, index) => `<th scope="col"${attribute(index)}>${escapeHtml(column.title)}</th>`).join('');
  const body = rows.map((row) => {
    const state = [
      row.mark === 'unsure' ? 'recommended unsure' : (row.mark ?? ''),
      row.valid ? '' : 'invalid',
      hueClass(row.target, hues).trim(),
    ]
      .filter((name) => name !== '')
      .join(' ');
    const cells = row.cells.map(
      (cell, index) => `<td${attribute(index)}>${index === 0 ? mark(row.target) : ''}${escapeHtml(cell.text)}</td>`,
    );
    return `<tr${state === '' ? '' : ` class="${state}"`}>${cells.join('')}</tr>`;
  });
  return `<div class="scroll" tabindex="0" role="region" aria-label="Table"><table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${body.join('\n')}\n</tbody>\n</table></div>`;
}

/** More remarks than these are folded, so that what follows them stays in sight. */
const mostRemarks = 4;

function remarkList(items: readonly Remark[]): string {
  if (items.length === 0) return '';
  const rows = items.map((item) => `<li class="${item.kind}"><b>${escapeHtml(item.about)}:</b> ${escapeHtml(item.text)}</li>`);
  const shown = rows.length > mostRemarks + 1 ? mostRemarks : rows.length;
  const rest = rows.slice(shown);
  const more =
    rest.length === 0
      ? ''
      : `\n<li><details><summary>${rest.length} more</summary><ul class="remarks">\n${rest.join('\n')}\n</ul></details></li>`;
  return `<ul class="remarks">\n${rows.slice(0, shown).join('\n')}${more}\n</ul>`;
}

function factList(facts: readonly (readonly [string, string])[]): string {
  return `<dl>\n${facts.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`).join('\n')}\n</dl>`;
}
