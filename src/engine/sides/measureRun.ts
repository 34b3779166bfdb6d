import type { RunRequest } from '../../model/domain/run.ts';
import { loadProfileNamed } from '../run/loadProfileNamed.ts';
import { effectiveLoad } from '../run/plan.ts';
import { runBenchmark } from '../run/runBenchmark.ts';
import type { RunContext } from '../run/runContext.ts';
import type { RunOutcome } from '../run/runLife.ts';
import { findTarget } from '../targets/catalog.ts';
import { varied } from '../variants/varied.ts';
import { answersSaid, sidesSaid } from './sidesSaid.ts';

/** Without a budget of its own, the seconds that a comparison may use for each side after the first. */
const budgetS = 120;
/** More than these are a grid, whose rounds are those of any other run. */
const mostSides = 8;

/**
 * A run. Where its trials are values of the catalogue, of one target and under one load, they are sides: processes that are started more than once, until it is
 * known of each against the first, and the run says what each costs.
 */
export function measureRun(request: RunRequest, context: RunContext): Promise<RunOutcome> {
  const sides = sidesOf(request, context);
  if (sides < 2 || sides > mostSides)
    return runBenchmark(request, context, {
      says: (record) => ({ recommendations: record.recommendations, notes: [...answersSaid(record), ...record.notes] }),
    });
  const asked = { ...request, budgetS: request.budgetS ?? budgetS * (sides - 1) };
  return runBenchmark(asked, context, {
    versus: { of: 'values', p99: sides === 2 ? 'mix' : 'none' },
    // The smallest that is enough is no question of words: each side says what it costs.
    says: (record) => ({ recommendations: [], notes: [...sidesSaid(record), ...record.notes] }),
  });
}

/** How many sides a request compares; 0 of one whose rounds are those of any other run. */
function sidesOf(request: RunRequest, context: RunContext): number {
  const { targets, settings, rounds, raw, generator, topology } = request;
  const ids = [...new Set(targets)];
  if (ids.length !== 1 || rounds !== undefined || raw !== undefined || generator !== undefined || topology !== undefined) return 0;
  const load = effectiveLoad(loadProfileNamed(context.declarations, request.load), request);
  if (load.ratePerS !== undefined || load.stages !== undefined || load.roles !== undefined || load.requests !== undefined) return 0;
  if ([load.connections].flat().length > 1) return 0;
  const found = varied(
    ids.map((id) => findTarget(context.declarations, id)),
    settings,
    context.toolchain,
  );
  if (found.names.every((name) => (found.settings[name] ?? []).length < 2)) return 0;
  return Object.values(found.settings).reduce((product, values) => product * values.length, 1);
}
