import type { Comparison, ComparisonRow } from '../../src/model/comparison.ts';
import type { RunRequest, Trial } from '../../src/model/run.ts';
import type { SettingValue } from '../../src/model/setting.ts';

/** Enough rounds for a claim about two settings: paired, with four degrees of freedom more than that. */
const leastRounds = 6;

/**
 * The request that measures the two sides of a row in the same rounds; `null` where that is not possible: they were asked for different
 * requests, or they are the same setting (then only something around them differs, which one run cannot have twice).
 */
export function sideBySideRequest(comparison: Comparison, row: ComparisonRow): RunRequest | null {
  const { a, b } = row;
  const [from, other] = [comparison.b.request, comparison.a.request];
  if (a === null || b === null || from === null || other === null) return null;
  if (from.load !== other.load || from.route !== other.route) return null;
  const names = [...new Set([...Object.keys(a.settings), ...Object.keys(b.settings)])];
  const settings = Object.fromEntries(names.map((name) => [name, valuesOf(name, a, b)]));
  const connections = [...new Set([a.connections, b.connections])].sort((x, y) => x - y);
  const differs = a.target !== b.target || connections.length > 1 || Object.values(settings).some((values) => values.length > 1);
  if (!differs) return null;
  return {
    targets: [...new Set([a.target, b.target])],
    settings,
    load: from.load,
    connections,
    rounds: Math.max(leastRounds, from.rounds ?? 0),
    ...(from.route === undefined ? {} : { route: from.route }),
    ...(from.durationS === undefined ? {} : { durationS: from.durationS }),
  };
}

function valuesOf(name: string, a: Trial, b: Trial): SettingValue[] {
  const values = [a.settings[name], b.settings[name]].filter((value) => value !== undefined);
  return [...new Set(values)];
}
