import type { AskedRun, RunOverrides } from '../run/runBenchmark.ts';
import { answersSaid, sidesSaid } from './sidesSaid.ts';

/** Without a budget of its own, the seconds that a comparison may use for each side after the first. */
const budgetS = 120;
/** More than these are a grid, whose rounds are those of any other run. */
const mostSides = 8;

/**
 * Where the trials of a run are values of the catalogue, of one target and under one load, they are sides: processes that are started more than once, until it
 * is known of each against the first, and the run says what each costs.
 */
export function asSides(asked: AskedRun): RunOverrides {
  const sides = sidesOf(asked);
  if (sides < 2 || sides > mostSides)
    return { says: (record) => ({ recommendations: record.recommendations, notes: [...answersSaid(record), ...record.notes] }) };
  return {
    budgetS: budgetS * (sides - 1),
    versus: { of: 'values', p99: sides === 2 ? 'mix' : 'none' },
    // The smallest that is enough is no question of words: each side says what it costs.
    says: (record) => ({ recommendations: [], notes: [...sidesSaid(record), ...record.notes] }),
  };
}

/** How many sides a run compares; 0 of one whose rounds are those of any other run. */
function sidesOf({ request, names, load }: AskedRun): number {
  const { targets, settings, rounds, raw, generator, topology } = request;
  if (new Set(targets).size !== 1 || rounds !== undefined || raw !== undefined || generator !== undefined || topology !== undefined)
    return 0;
  if (load.ratePerS !== undefined || load.stages !== undefined || load.roles !== undefined || load.requests !== undefined) return 0;
  if ([load.connections].flat().length > 1) return 0;
  if (names.every((name) => (settings[name] ?? []).length < 2)) return 0;
  return Object.values(settings).reduce((product, values) => product * values.length, 1);
}
