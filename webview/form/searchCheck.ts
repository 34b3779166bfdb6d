import { durationText, parseDuration } from '../../src/model/domain/durationText.ts';
import { listPhrase } from '../../src/model/domain/format.ts';
import { budgetRangeS } from '../../src/model/domain/runOptions.ts';
import type { Form } from '../../src/model/protocol/panel.ts';
import { about, optional } from '../../src/model/domain/parsed.ts';
import type { TargetState } from '../../src/model/protocol/protocol.ts';
import type { SettingValue } from '../../src/model/domain/setting.ts';
import { parseSlo } from '../../src/model/domain/sloText.ts';
import type { TuneRequest } from '../../src/model/domain/tuning.ts';

/** What of a search the form says, or what is wrong with it. `request` is null where a run with fixed rounds is meant. */
export interface SearchCheck {
  /** Run would search, were nothing wrong. */
  searching: boolean;
  request: (Pick<TuneRequest, 'budgetS'> & Partial<Pick<TuneRequest, 'connections' | 'slo'>>) | null;
  problems: Record<string, string>;
}

/** The names of the settings that have two values or more. */
export function variedNames(settings: Readonly<Record<string, readonly SettingValue[]>>): string[] {
  return Object.entries(settings).flatMap(([name, values]) => (values.length > 1 ? [name] : []));
}

/**
 * Checks what belongs to a search: its budget and the objective. With a budget and a setting that has two values or more Run searches;
 * the objective, which only a search knows, is a problem without one. The connections that the instances share are checked by `checkTopology`.
 */
export function checkSearch(
  form: Form,
  settings: Readonly<Record<string, readonly SettingValue[]>>,
  connections: readonly number[],
): SearchCheck {
  const problems: Record<string, string> = {};
  const budget = optional(form.budget, (text) => parseDuration(text, budgetRangeS));
  if (!budget.ok) problems['budget'] = about('Budget', budget.problem);
  const objective = form.slo.trim() === '' ? null : parseSlo(form.slo);
  if (objective && !objective.ok) problems['slo'] = `Objective: ${objective.problem}`;

  const varied = variedNames(settings);
  const searched = budget.ok && budget.value !== null && varied.length > 0;
  if (searched && varied.length > 2)
    problems[`setting:${varied[2] ?? ''}`] =
      `A search is over one or two settings: ${listPhrase(varied)} have several values. Give one value to all but two.`;
  if (searched && connections.length > 1)
    problems['connections'] = 'Connections: a search is at one number of them. Leave the budget empty to measure several.';
  if (!searched && budget.ok && form.slo.trim() !== '') {
    // A run with fixed rounds does not support it: reported rather than silently left out.
    const cure = 'give a budget, such as 2 min, and two values or more of a setting';
    problems['slo'] = `Objective: it belongs to a search; ${cure}. For other runs, write it in the load profile.`;
  }
  if (!searched || Object.keys(problems).length > 0 || !budget.ok || budget.value === null)
    return { searching: searched, request: null, problems };
  return {
    searching: true,
    request: {
      budgetS: budget.value,
      ...(connections[0] === undefined ? {} : { connections: connections[0] }),
      ...(objective?.ok ? { slo: objective.value } : {}),
    },
    problems,
  };
}

/** What a search does, before it runs: "a search of at most 2 min over pool: 5 settings of Java and 5 of Node". */
export function searchPhrase(request: TuneRequest, targets: readonly TargetState[]): string {
  const counts = targets.map((target) => {
    const known = Object.entries(request.settings).filter(([name]) => name in target.settings || name === 'instances');
    const count = known.reduce((product, [, values]) => product * values.length, 1);
    return `${count} setting${count === 1 ? '' : 's'} of ${target.label}`;
  });
  return `a search of at most ${durationText(request.budgetS)}: ${listPhrase(counts)}, with more rounds where they decide`;
}
