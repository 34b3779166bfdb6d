import { defined } from '../../model/domain/defined.ts';
import { durationText, parseDuration } from '../../model/domain/durationText.ts';
import { defaultDelta, withinPhrase } from '../../model/domain/margin.ts';
import { misread, understood, type Parsed } from '../../model/domain/parsed.ts';
import type { TargetState } from '../../model/protocol/protocol.ts';
import { budgetRangeS } from '../../model/domain/runOptions.ts';
import { parseSlo, sloPhrase } from '../../model/domain/sloText.ts';
import { usualMetrics, versionMetrics, type P99Kind } from '../../model/domain/versionDiff.ts';
import type { CompareOptions } from '../services/lastAnswers.ts';

/** Two minutes decide most: what a comparison may take at the most where nothing else is asked for. */
const usualBudgetS = 120;

export const p99Names: Readonly<Record<P99Kind, string>> = {
  mix: 'at a fixed rate',
  routes: 'at a fixed rate, of each route as well',
  none: 'not at a fixed rate',
};

/** One thing that can be chosen otherwise, and what it is now. */
export interface OptionRow {
  option: keyof CompareOptions;
  label: string;
  now: string;
}

/** What can be chosen of a comparison, with what it is now. A service of one route has no mix. */
export function optionRows(options: CompareOptions, { routes }: Pick<TargetState, 'routes'>): OptionRow[] {
  const { load, route, connections, budgetS = usualBudgetS, delta = defaultDelta, judgeBy = usualMetrics, p99 = 'mix', slo } = options;
  return [
    ...(routes.length > 1 ? [{ option: 'route' as const, label: 'Route', now: route ?? `the mix of ${routes.length} routes` }] : []),
    { option: 'load', label: 'Load profile', now: load ?? 'steady' },
    { option: 'connections', label: 'Connections', now: connections === undefined ? 'as the load profile has it' : String(connections) },
    { option: 'budgetS', label: 'Time', now: `${durationText(budgetS)} at the most` },
    { option: 'delta', label: 'The same', now: `within ${withinPhrase(delta)}` },
    { option: 'judgeBy', label: 'Judged by', now: judgeBy.map((id) => versionMetrics[id].name).join(', ') },
    { option: 'p99', label: 'p99', now: p99Names[p99] },
    { option: 'slo', label: 'Objective', now: slo === undefined ? 'none' : sloPhrase(slo) },
  ];
}

/** "the mix of 3 routes · steady · 2 min at the most · within ±5 %": what Enter alone would do. */
export function optionsPhrase(options: CompareOptions, target: Pick<TargetState, 'routes'>): string {
  return optionRows(options, target)
    .filter(({ option, now }) => now !== 'none' && !((option === 'connections' || option === 'p99') && options[option] === undefined))
    .map(({ option, now }) =>
      option === 'connections' ? `${now} connections` : option === 'judgeBy' ? `by ${now}` : option === 'p99' ? `p99 ${now}` : now,
    )
    .join(' · ');
}

/** Reads connections as typed; nothing: as the load profile has it. */
export function parseConnections(text: string): Parsed<number | undefined> {
  if (text.trim() === '') return understood(undefined);
  const value = Number(text);
  return Number.isInteger(value) && value >= 1 && value <= 10_000
    ? understood(value)
    : misread('Type a whole number from 1 to 10,000, or nothing.');
}

/** Reads a budget as typed, in seconds. */
export function parseCompareBudget(text: string): Parsed<number | undefined> {
  return text.trim() === '' ? understood(undefined) : parseDuration(text, budgetRangeS);
}

/** Reads δ as typed in percent: "5", "±2.5 %". A share. */
export function parseDelta(text: string): Parsed<number | undefined> {
  if (text.trim() === '') return understood(undefined);
  const percent = /^±?\s*(\d+(?:\.\d+)?)\s*%?$/.exec(text.trim())?.[1];
  const share = Number(percent) / 100;
  return percent !== undefined && share >= 0.005 && share <= 0.5
    ? understood(share)
    : misread('Type a percentage from 0.5 to 50, such as 5.');
}

/** Reads an objective as typed; nothing: none. */
export function parseObjective(text: string): Parsed<CompareOptions['slo']> {
  return text.trim() === '' ? understood(undefined) : parseSlo(text);
}

/** Options with another value of one of them; none: as it is without a choice. */
export function withOption<K extends keyof CompareOptions>(
  options: CompareOptions,
  option: K,
  value: CompareOptions[K] | undefined,
): CompareOptions {
  return defined({ ...options, [option]: value });
}

/** What of last time’s options still fits the target: a route that it does not declare any more is forgotten. */
export function fittingOptions(options: CompareOptions | undefined, target: Pick<TargetState, 'routes'>): CompareOptions {
  const { route, ...others } = options ?? {};
  return route !== undefined && routeNames(target).includes(route) ? { ...others, route } : others;
}

export function routeNames({ routes }: Pick<TargetState, 'routes'>): string[] {
  return routes.map(({ method, path }) => `${method} ${path}`);
}
