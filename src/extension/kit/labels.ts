import { noticeablePercent } from '../../model/disturbance.ts';
import { disturbedPhrase, takenPercentPhrase } from '../../model/disturbanceWords.ts';
import { settingsPhrase } from '../../model/format.ts';
import type { ServiceState, TargetState } from '../../model/protocol.ts';
import type { RunSummary, Trial } from '../../model/run.ts';
import type { SettingSpec, SettingValues } from '../../model/setting.ts';

type StoredRun = Extract<RunSummary, { kind: 'run' }>;

/** How a row of a tree looks, without any editor type: `icon` is a codicon, `colour` a theme colour. */
export interface Row {
  label: string;
  description: string;
  icon: string;
  colour?: string;
  /** What a screen reader says. */
  spoken: string;
  /** Markdown; texts in it are escaped. */
  tooltip: string;
}

/** Escapes a text for Markdown, so that names from files cannot make links, images or commands. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!|<>~$&]/g, '\\$&').replace(/\r?\n/g, ' ');
}

/** When a run was made, as a person says it: "today 09:41", "yesterday 17:03", "3 Nov 09:41". Nothing that is wrong a minute later. */
export function whenPhrase(startedAt: string, now: Date): string {
  const date = new Date(startedAt);
  if (Number.isNaN(date.getTime())) return 'unknown time';
  const clock = `${String(date.getHours()).padStart(2, '0')}:${String(date.getMinutes()).padStart(2, '0')}`;
  const daysAgo = Math.round((startOfDay(now) - startOfDay(date)) / 86_400_000);
  if (daysAgo === 0) return `today ${clock}`;
  if (daysAgo === 1) return `yesterday ${clock}`;
  const year = date.getFullYear() === now.getFullYear() ? '' : ` ${date.getFullYear()}`;
  return `${date.getDate()} ${date.toLocaleString('en-GB', { month: 'short' })}${year} ${clock}`;
}

function startOfDay(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

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
  // A name takes the place of what was found; that is then said beside it.
  const taken = run.takenPercent !== null && run.takenPercent >= noticeablePercent ? run.takenPercent : null;
  const disturbed = taken === null ? '' : `disturbed ${takenPercentPhrase(taken)}`;
  const said = [name === null ? '' : found, when, state, disturbed, standing, ...tags.map((tag) => `#${tag}`)].filter(
    (part) => part !== '',
  );
  const lines = [`**${escapeMarkdown(run.title)}**`, `${new Date(run.startedAt).toLocaleString()}${state === '' ? '' : ` · ${state}`}`];
  if (taken !== null) lines.push(`${disturbedPhrase(taken)} away while it was measured. It counts, with wider intervals.`);
  if (run.againstBaseline !== null && !baseline) lines.push(escapeMarkdown(run.againstBaseline.sentence));
  if (run.reasons.length > 0) lines.push(run.reasons.map((reason) => `- ${escapeMarkdown(reason)}`).join('\n'));
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

/** How a run stands to the baseline, in words; nothing where that is not known. */
function standingText(against: StoredRun['againstBaseline']): string {
  if (against === null || against.verdict === 'unknown') return '';
  if (against.verdict === 'same') return 'same as baseline';
  const percent = against.ratio === null ? 0 : Math.round((against.ratio.mean - 1) * 100);
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

/**
 * The row of a target or of PostgreSQL. A target that cannot start says why instead of its state. `applied` are the values with which it starts instead
 * of its defaults.
 */
export function processRow(item: TargetState | ServiceState, applied: SettingValues = {}): Row {
  const problem = item.state === 'stopped' || item.state === 'failed' ? item.problem : null;
  const changed = settingsPhrase(applied);
  const description =
    problem === null ? [stateText(item), changed].filter((part) => part !== '').join(' · ') : withoutName(problem.message, item.label);
  const lines = [`**${escapeMarkdown(item.label)}** · ${escapeMarkdown(stateText(item))}`];
  if ('description' in item && item.description !== '') lines.push(escapeMarkdown(item.description));
  if (item.problem !== null) lines.push(`$(warning) ${escapeMarkdown(item.problem.message)}`, escapeMarkdown(item.problem.cure));
  if ('version' in item && item.version !== null) lines.push(escapeMarkdown(item.version));
  if (changed !== '') lines.push(`Starts with ${escapeMarkdown(changed)}, as applied.`);
  if ('settings' in item) lines.push(settingsTable(item.settings));
  return {
    label: item.label,
    description,
    ...stateIcon(item.state, problem !== null),
    spoken: `${item.label}, ${stateText(item)}${problem === null ? '' : `: ${problem.message}`}${changed === '' ? '' : `, starts with ${changed}`}`,
    tooltip: lines.filter((line) => line !== '').join('\n\n'),
  };
}

/** A problem's sentence beside the name it begins with: the name is not said twice. */
function withoutName(message: string, name: string): string {
  return message.startsWith(`${name} `) ? message.slice(name.length + 1) : message;
}

function stateText(item: TargetState | ServiceState): string {
  const where = item.port === null ? '' : ` on ${item.port}`;
  switch (item.state) {
    case 'running':
      return `running${where}`;
    case 'starting':
      return 'starting';
    case 'stopping':
      return 'stopping';
    case 'failed':
      return 'failed';
    case 'stopped':
      return 'external' in item && item.external ? 'your own server' : 'stopped';
  }
}

function stateIcon(state: TargetState['state'], blocked: boolean): { icon: string; colour?: string } {
  if (state === 'running') return { icon: 'pass-filled', colour: 'testing.iconPassed' };
  if (state === 'starting' || state === 'stopping') return { icon: 'loading~spin' };
  if (state === 'failed') return { icon: 'error', colour: 'list.errorForeground' };
  return blocked ? { icon: 'warning', colour: 'list.warningForeground' } : { icon: 'circle-outline' };
}

function settingsTable(settings: Record<string, SettingSpec>): string {
  const names = Object.entries(settings);
  if (names.length === 0) return '';
  const rows = names.map(
    ([name, spec]) =>
      `| ${escapeMarkdown(spec.label ?? name)} | ${escapeMarkdown(String(spec.default))} | ${escapeMarkdown(rangeText(spec))} |`,
  );
  return ['| Setting | Default | Takes |', '|:--|:--|:--|', ...rows].join('\n');
}

function rangeText(spec: SettingSpec): string {
  return spec.kind === 'number' ? `${spec.min} to ${spec.max}${spec.unit === undefined ? '' : ` ${spec.unit}`}` : spec.choices.join(', ');
}
