import { isCancellation } from '../../model/domain/failure.ts';
import { type Finding, type FoundService, findingsOf } from '../../model/domain/detection.ts';
import type { Seen } from './seen.ts';

/** What a pool is made with at first, or never falls below, by the names of such properties. */
const floor = /^_(?:MIN|INITIAL)(?:IMUM)?(?:_(?:POOL_SIZE|SIZE|IDLE|CONNECTIONS))?$/;
/** A size that nobody’s pool begins with. */
const small = 2;

/** The variables that set how many connections a pool begins with, next to the one that sets its size. */
export function floorsBeside(name: string, variables: Seen['variables']): string[] {
  const stem = name.replace(/_(?:MAX(?:IMUM)?(?:_.*)?|POOL_SIZE|SIZE)$/, '');
  const beside = variables.flatMap((one) => (one.name.startsWith(stem) && floor.test(one.name.slice(stem.length)) ? [one.name] : []));
  return stem === name ? [] : [...new Set(beside)];
}

/**
 * Whether a pool that follows its variable can be small, too: one that begins with more connections than it may have refuses to start. Where it does, the
 * service is started with those variables that say how many these are at 1; what it comes up with is what it needs. Null where nothing has to be said of it.
 *
 * @param run starts it with this size of its pool, and with these variables
 */
export async function smallestPool(
  { findings }: FoundService,
  variables: Seen['variables'],
  run: (size: number, env: Readonly<Record<string, string>>) => Promise<unknown>,
): Promise<Finding | null> {
  const pool = findingsOf(findings, 'setting').find(({ name }) => name === 'pool');
  const [command] = findingsOf(findings, 'command');
  const variable = pool?.spec.env;
  if (pool?.seen !== true || pool.spec.kind !== 'number' || variable === undefined || command === undefined) return null;
  const floors = floorsBeside(variable, variables);
  if (floors.length === 0 || (await comesUp(run, {}))) return null;
  const env = Object.fromEntries(floors.map((name) => [name, '1']));
  if (!(await comesUp(run, env)))
    return { ...pool, because: `${pool.because}; it does not start with ${small}`, spec: { ...pool.spec, min: pool.spec.default } };
  return {
    ...command,
    because: `${command.because}; with ${small} connections it starts only where ${floors.join(', ')} says no more`,
    env: { ...command.env, ...env },
  };
}

async function comesUp(run: Parameters<typeof smallestPool>[2], env: Readonly<Record<string, string>>): Promise<boolean> {
  try {
    await run(small, env);
    return true;
  } catch (error) {
    if (isCancellation(error)) throw error;
    return false;
  }
}
