import { findingTexts } from '../../model/domain/findings.ts';
import { noticeablePercent } from '../../model/domain/interference.ts';
import { baselineSentence } from '../../model/presentation/baselineWords.ts';
import { interferencePhrase, interferencePercentPhrase } from '../../model/presentation/interferenceWords.ts';
import { settingsPhrase } from '../../model/domain/format.ts';
import type { RunSummary, Trial } from '../../model/domain/run.ts';
import { escapeMarkdown, whenPhrase, type Row } from '../kit/row.ts';

export type StoredRun = Extract<RunSummary, { kind: 'run' }>;

/** The row of one run: reads like a sentence, the rest in the description. */
export function runRow(run: RunSummary, now: Date): Row {
  if (run.kind === 'unreadable') {
    const what = run.problem === 'newer' ? 'made by a newer Benchside' : 'damaged';
    return {
      label: `Run ${run.id.slice(0, 8)}`,
      description: what,
      icon: run.problem === 'newer' ? 'info' : 'error',
      ...(run.problem === 'newer' ? {} : { colour: 'list.errorForeground' }),
      spoken: `Run ${run.id.slice(0, 8)}, ${what}: ${run.reason}`,
      tooltip: escapeMarkdown(run.reason),
    };
  }
  const when = whenPhrase(run.startedAt, now);
  const found = run.headline === '' ? run.title : run.headline;
  const { name, tags, baseline } = run.marks;
  const label = name ?? found;
  const state = run.state !== 'complete' ? run.state : run.valid ? '' : 'not valid';
  const standing = baseline ? 'baseline' : standingText(run.againstBaseline);
  // A name is shown in place of the answer; the description then contains the answer.
  const taken = run.takenPercent !== null && run.takenPercent >= noticeablePercent ? run.takenPercent : null;
  const disturbed = taken === null ? '' : `interference ${interferencePercentPhrase(taken)}`;
  const said = [name === null ? '' : found, when, state, disturbed, standing, ...tags.map((tag) => `#${tag}`)].filter(
    (part) => part !== '',
  );
  const lines = [`**${escapeMarkdown(run.title)}**`, `${new Date(run.startedAt).toLocaleString()}${state === '' ? '' : ` · ${state}`}`];
  if (taken !== null) lines.push(`${interferencePhrase(taken)} while it was measured. It counts, with wider intervals.`);
  if (run.againstBaseline !== null && !baseline) lines.push(escapeMarkdown(baselineSentence(run.againstBaseline)));
  if (run.reasons.length > 0)
    lines.push(
      findingTexts(run.reasons)
        .map((reason) => `- ${escapeMarkdown(reason)}`)
        .join('\n'),
    );
  return {
    label,
    description: said.join(' · '),
    ...runIcon(run),
    spoken: [
      label,
      name === null ? '' : found,
      state === '' ? 'valid' : state,
      when,
      disturbed,
      standing,
      ...tags.map((tag) => `tag ${tag}`),
    ]
      .filter((part) => part !== '')
      .join(', '),
    tooltip: lines.join('\n\n'),
  };
}

/** The run against the baseline, in words; nothing where that is not known. */
function standingText(against: StoredRun['againstBaseline']): string {
  if (against === null || against.verdict === 'unknown') return '';
  if (against.verdict === 'same') return 'same as baseline';
  const percent = against.basis.code === 'setting' ? Math.round((against.basis.ratio.mean - 1) * 100) : 0;
  const by = percent === 0 ? '' : ` (${percent > 0 ? '+' : '−'}${Math.abs(percent)} %)`;
  return `${against.verdict} than baseline${by}`;
}

function runIcon({ state, valid, marks, againstBaseline, tuned }: StoredRun): { icon: string; colour?: string } {
  if (state === 'failed') return { icon: 'error', colour: 'list.errorForeground' };
  if (!valid && state === 'complete') return { icon: 'warning', colour: 'list.warningForeground' };
  if (marks.baseline) return { icon: 'pinned' };
  if (againstBaseline?.verdict === 'worse') return { icon: 'warning', colour: 'list.warningForeground' };
  if (state === 'cancelled') return { icon: 'circle-slash' };
  return { icon: tuned ? 'graph-scatter' : 'graph-line' };
}

/** "Java · pool 8 · threads 50". */
export function trialLabel({ targetLabel, settings }: Pick<Trial, 'targetLabel' | 'settings'>): string {
  return [targetLabel, settingsPhrase(settings)].filter((part) => part !== '').join(' · ');
}
