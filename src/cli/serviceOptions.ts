import { defined } from '../model/domain/defined.ts';
import { type LeakRequest, leakBudgetS, leakRequestSchema } from '../model/domain/leak.ts';
import { budgetRangeS } from '../model/domain/runOptions.ts';
import {
  type StartupRequest,
  startsRange,
  startupRequestSchema,
  startupStarts,
  startupSteadyS,
  steadyRangeS,
} from '../model/domain/startup.ts';
import { command } from './command.ts';
import { many, one } from './options.ts';
import { seconds, singleSettings, whole, word } from './values.ts';

const targetOptions = {
  target: one('-t, --target <id>', 'the target (default: the only one that the folder declares)', word),
  set: many('-s, --set <name=value>', 'a setting that is not at its default, e.g. pool=4; may be repeated', word),
};

/** A request whose target may be left to be the folder's. */
type Untargeted<R extends { target: string }> = Omit<R, 'target'> & { target?: string };

export interface LeakAsked {
  request: Untargeted<LeakRequest>;
}
export interface StartupAsked {
  request: Untargeted<StartupRequest>;
}

export const leakCommand = command({
  words: 'leak',
  description: 'does it keep memory of requests that are over? Cycles of load, rest and full collection; exit status 3 where it does',
  options: {
    ...targetOptions,
    load: one('--load <profile>', 'load profile (default: steady)', word),
    route: one('--route <route>', 'one route instead of the mix, e.g. /ads/:id or "POST /ads"', word),
    connections: one('--connections <n>', 'connections of the closed loop', whole(1, 10_000)),
    budgetS: one('--budget <time>', `for all cycles (default: ${leakBudgetS}s)`, seconds({ min: 20, max: budgetRangeS.max })),
  },
  measures: true,
  means: ({ target, set, load, route, connections, budgetS }): LeakAsked => {
    const asked = { target: '', settings: singleSettings(set), ...defined({ load, route, connections, budgetS }) };
    const { target: _, ...request } = leakRequestSchema.parse(asked);
    return { request: { ...request, ...defined({ target }) } };
  },
});

export const startupCommand = command({
  words: 'startup',
  description: 'how long a start takes until it is ready and has answered, and where that time goes',
  options: {
    ...targetOptions,
    starts: one(
      '--starts <n>',
      `starts that count, of each way to start (default: ${startupStarts})`,
      whole(startsRange.min, startsRange.max),
    ),
    steadyS: one(
      '--steady <time>',
      `at most so long each way is put under its load, until it is warm (default: ${startupSteadyS}s; 0: not at all)`,
      seconds(steadyRangeS),
    ),
  },
  measures: true,
  means: ({ target, set, starts, steadyS }): StartupAsked => {
    const asked = { target: '', settings: singleSettings(set), ...defined({ starts, steadyS }) };
    const { target: _, ...request } = startupRequestSchema.parse(asked);
    return { request: { ...request, ...defined({ target }) } };
  },
});
