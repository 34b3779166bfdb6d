import { settingsPhrase } from '../../model/domain/format.ts';
import type { ServiceState, TargetState } from '../../model/protocol/protocol.ts';
import type { SettingSpec, SettingValues } from '../../model/domain/setting.ts';
import { escapeMarkdown, type Row } from '../kit/row.ts';

/**
 * The row of a target or of PostgreSQL. A target that cannot start says why instead of its state. `applied` are the values with which it starts instead
 * of its defaults. `load`: what a run does with it now.
 */
export function processRow(item: TargetState | ServiceState, applied: SettingValues = {}, load?: string): Row {
  // The processes of a run are its own: what was started by hand says nothing of them.
  if (load !== undefined && item.state === 'stopped') {
    const row = processRow({ ...item, state: 'running', problem: null }, {});
    return { ...row, description: load, spoken: `${item.label}, ${load}` };
  }
  const problem = item.state === 'stopped' || item.state === 'failed' ? item.problem : null;
  const changed = settingsPhrase(applied);
  const description = problem?.message ?? [stateText(item), changed].filter((part) => part !== '').join(' · ');
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

function stateText(item: TargetState | ServiceState): string {
  if (item.state === 'running') return item.port === null ? 'running' : `running on ${item.port}`;
  return item.state === 'stopped' && 'external' in item && item.external ? 'your own server' : item.state;
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
