import { leakBudgetS, leakRequestSchema } from '../model/domain/leak.ts';
import type { LeakRequest } from '../model/domain/leak.ts';
import { budgetRangeS } from '../model/domain/runOptions.ts';
import type { SettingValues } from '../model/domain/setting.ts';
import { startsRange, startupRequestSchema, startupStarts, startupSteadyS, steadyRangeS } from '../model/domain/startup.ts';
import type { StartupRequest } from '../model/domain/startup.ts';
import { command } from './command.ts';
import { many, one } from './options.ts';
import type { Values } from './options.ts';
import { seconds, settings, whole, word, wrong } from './values.ts';

const targetOptions = {
  target: one('-t, --target <id>', 'the target (default: the only one that the folder declares)', word),
  set: many('-s, --set <name=value>', 'a setting that is not at its default, e.g. pool=4; may be repeated', word),
};

const leakOptions = {
  ...targetOptions,
  load: one('--load <profile>', 'load profile (default: steady)', word),
  route: one('--route <route>', 'one route instead of the mix, e.g. /ads/:id or "POST /ads"', word),
  connections: one('--connections <n>', 'connections of the closed loop', whole(1, 10_000)),
  budgetS: one('--budget <time>', `for all cycles (default: ${leakBudgetS}s)`, seconds({ min: 20, max: budgetRangeS.max })),
};

const startupOptions = {
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
};

/** A request whose target may be left to be the folder's. */
type Untargeted<R extends { target: string }> = Omit<R, 'target'> & { target?: string };

export interface LeakAsked {
  request: Untargeted<LeakRequest>;
}
export interface StartupAsked {
  request: Untargeted<StartupRequest>;
}

function leakMeans({ target, set, load, route, connections, budgetS }: Values<typeof leakOptions>): LeakAsked {
  const { target: _, ...request } = leakRequestSchema.parse({
    target: '',
    settings: settingsOf(set),
    ...(load === undefined ? {} : { load }),
    ...(route === undefined ? {} : { route }),
    ...(connections === undefined ? {} : { connections }),
    ...(budgetS === undefined ? {} : { budgetS }),
  });
  return { request: { ...request, ...(target === undefined ? {} : { target }) } };
}

function startupMeans({ target, set, starts, steadyS }: Values<typeof startupOptions>): StartupAsked {
  const { target: _, ...request } = startupRequestSchema.parse({
    target: '',
    settings: settingsOf(set),
    ...(starts === undefined ? {} : { starts }),
    ...(steadyS === undefined ? {} : { steadyS }),
  });
  return { request: { ...request, ...(target === undefined ? {} : { target }) } };
}

function settingsOf(set: readonly string[]): SettingValues {
  return Object.fromEntries(
    Object.entries(settings(set)).map(([name, values]) => {
      const [value] = values;
      if (value === undefined || values.length > 1) throw wrong(`--set ${name}: name one value.`);
      return [name, value] as const;
    }),
  );
}

export const leakCommand = command({
  words: 'leak',
  description: 'does it keep memory of requests that are over? Cycles of load, rest and full collection; exit status 3 where it does',
  options: leakOptions,
  measures: true,
  means: leakMeans,
});

export const startupCommand = command({
  words: 'startup',
  description: 'how long a start takes until it is ready and has answered, and where that time goes',
  options: startupOptions,
  measures: true,
  means: startupMeans,
});
