import { defined } from '../../model/domain/defined.ts';
import type { AskedOf } from '../../model/protocol/measureRequest.ts';
import type { VersionMetricId } from '../../model/domain/versionDiff.ts';
import { measure } from '../measuring/measure.ts';
import type { Services } from '../services/services.ts';
import { fittingOptions } from './compareOptions.ts';
import { askOptions, askSides, askTarget } from './compareQuestions.ts';

/** Of the addresses that the editor gives a commit of its history. */
const historyScheme = 'scm-history-item';

type Request = AskedOf<'diff'>;

/** Compares two versions of the workspace’s code; asks for those that the argument does not name. A comparison that is repeated may take `budgetS`. */
export async function compareCode(services: Services, what: unknown, budgetS?: number): Promise<void> {
  const again = typeof what === 'string' ? await requestOf(services, what) : null;
  const repeated = again === null || budgetS === undefined ? again : { ...again, budgetS };
  const request = repeated ?? (await askedFor(services, commitOf(what)));
  if (request !== undefined) await measure(services, { kind: 'diff', ...request });
}

/** What a stored comparison asked for; null of any other run. */
async function requestOf({ engine, inventory }: Services, id: string): Promise<Request | null> {
  if (!(await inventory.runs.get()).some((run) => run.id === id)) return null;
  const { run } = await engine.request('runs/get', { id });
  const { result, request, delta } = run;
  if (result.kind !== 'diff' || result.asked === undefined) return null;
  const { load, route, connections, budgetS, slo } = request;
  const judgeBy = result.metrics.flatMap(({ id, counts }): VersionMetricId[] => (id !== undefined && counts === true ? [id] : []));
  return {
    ...result.asked,
    load,
    delta,
    ...defined({ route, connections: connections?.[0], budgetS, slo, judgeBy: judgeBy.length === 0 ? undefined : judgeBy }),
  };
}

/** What is asked for, with last time’s answers chosen beforehand: Enter, Enter repeats them. What is answered is remembered, whether it can be measured or not. */
async function askedFor(services: Services, commit: string | null): Promise<Request | undefined> {
  const memory = await services.memory.comparison();
  const sides = commit === null ? await askSides(services, memory) : { request: { base: commit }, memory };
  if (sides === undefined) return undefined;
  const target = await askTarget(services, memory.targetId);
  if (target === undefined) return undefined;
  const options = await askOptions(services, target, fittingOptions(memory.options[target.id], target));
  if (options === undefined) return undefined;
  await services.memory.rememberComparison({
    ...sides.memory,
    targetId: target.id,
    options: { ...memory.options, [target.id]: options },
  });
  return { ...sides.request, ...options, target: target.id };
}

/**
 * The commit of a row of the editor’s timeline, or of the page on which the editor shows what a commit of its history changed, as far as it says one; null of anything
 * else, such as a source-control provider.
 */
function commitOf(what: unknown): string | null {
  if (typeof what !== 'object' || what === null) return null;
  if ('scheme' in what && 'path' in what && 'query' in what && what.scheme === historyScheme) {
    // Its path ends in “older..newer”; later editors have a query and a path of their own.
    const { path, query } = what as { path: string; query: string };
    return /"historyItemId":"([0-9a-f]{7,64})"/.exec(query)?.[1] ?? /\.\.([0-9a-f]{7,64})$/.exec(path)?.[1] ?? null;
  }
  for (const key of ['ref', 'id'] as const) {
    const value = key in what ? (what as Record<typeof key, unknown>)[key] : undefined;
    if (typeof value === 'string' && /^[0-9a-f]{7,64}$/.test(value)) return value;
  }
  return null;
}
