import { describe, expect, it } from 'vitest';
import { FailureError } from '../../../src/model/domain/failure.ts';
import { loadProfileSchema } from '../../../src/model/domain/loadProfile.ts';
import { tuneRequestSchema } from '../../../src/model/domain/tuning.ts';
import { planTuning, refuseShortBudget } from '../../../src/engine/run/tuning/tunePlan.ts';
import { declared } from '../../support/declaredTarget.ts';

const load = loadProfileSchema.parse({ name: 'mine', connections: 8 });
const node = declared('node');
const java = declared('java', {
  runtime: 'jvm',
  settings: { pool: { default: 10, env: 'POOL' }, threads: { default: 50, env: 'THREADS' } },
});

/** The cure of what is refused; null where it is not. */
function cureOf(more: Record<string, unknown>, targets = [node]): string | null {
  const request = tuneRequestSchema.parse({ targets: targets.map(({ target }) => target.id), load: 'mine', ...more });
  try {
    refuseShortBudget(planTuning(targets, load, request), request);
    return null;
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    expect(error.failure.code).toBe('budget-short');
    return error.failure.cure;
  }
}

/** The figure of a cure after these words. */
const figureAfter = (words: RegExp, cure: string | null): number => Number(new RegExp(`${words.source} (\\d+)`).exec(cure ?? '')?.[1]);

const pool = [2, 4, 8, 16, 32, 64];

describe('a tuning in too little time', () => {
  it.each(['auto', 'process-per-setting'])('is refused with the time that all values take, and how many fit (%s)', (mode) => {
    const needed = figureAfter(/Allow/, cureOf({ mode, budgetS: 1, settings: { pool } }));
    expect(cureOf({ mode, budgetS: needed, settings: { pool } })).toBeNull();
    const short = cureOf({ mode, budgetS: needed - 1, settings: { pool } });
    const fitting = figureAfter(/at most/, short);
    expect(fitting).toBe(5);
    expect(cureOf({ mode, budgetS: needed - 1, settings: { pool: pool.slice(0, fitting) } })).toBeNull();
  });

  it('names a number of values that is the largest that fits', () => {
    const needed = figureAfter(/Allow/, cureOf({ budgetS: 1, settings: { pool: pool.slice(0, 3) } }));
    expect(cureOf({ budgetS: needed, settings: { pool } })).toMatch(/, or name at most 3 values\.$/);
    expect(cureOf({ budgetS: needed, settings: { pool: pool.slice(0, 4) } })).not.toBeNull();
  });

  it('does not advise fewer values where two do not fit', () => {
    expect(cureOf({ budgetS: 1, settings: { pool } })).toMatch(/^Allow \d+ s or more\.$/);
  });

  it('counts combinations where two settings vary, and values of each target where there are several', () => {
    const grid = { settings: { pool: [2, 4, 8], threads: [10, 20] } };
    const needed = figureAfter(/Allow/, cureOf({ budgetS: 1, ...grid }, [java]));
    expect(cureOf({ budgetS: needed - 1, ...grid }, [java])).toMatch(/ or name at most 5 combinations of values\.$/);
    const both = { settings: { pool } };
    const neededByBoth = figureAfter(/Allow/, cureOf({ budgetS: 1, ...both }, [node, java]));
    expect(cureOf({ budgetS: neededByBoth - 1, ...both }, [node, java])).toMatch(/ or name at most 5 values for each target\.$/);
  });
});
