import { adviceBudgetS } from '../model/domain/advice.ts';
import { defined } from '../model/domain/defined.ts';
import { leakBudgetS, leakRequestSchema } from '../model/domain/leak.ts';
import { budgetRangeS } from '../model/domain/runOptions.ts';
import { startsRange, startupRequestSchema, startupStarts, startupSteadyS, steadyRangeS } from '../model/domain/startup.ts';
import type { AskedOf } from '../model/protocol/measureRequest.ts';
import { command } from './command.ts';
import { many, one, orNull } from './options.ts';
import { seconds, singleSettings, whole, word } from './values.ts';

const targetOptions = {
  target: one('-t, --target <id>', 'the target (default: the only one that the folder declares)', word),
  set: many('-s, --set <name=value>', 'a setting that is not at its default, e.g. pool=4; may be repeated', word),
};

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
  means: ({ target, set, load, route, connections, budgetS }) => {
    const asked = defined({ target, settings: singleSettings(set), load, route, connections, budgetS });
    return { request: leakRequestSchema.partial({ target: true }).parse(asked) };
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
  means: ({ target, set, starts, steadyS }) => {
    const asked = defined({ target, settings: singleSettings(set), starts, steadyS });
    return { request: startupRequestSchema.partial({ target: true }).parse(asked) };
  },
});

export const adviseCommand = command({
  words: 'advise',
  description: 'try what could help: settings, indexes, collectors, by what limits now; applies nothing',
  options: {
    target: one('-t, --target <id>', 'the target (default: the only one that the folder declares)', word),
    set: many('-s, --set <name=value>', 'what is, where it is not the default, e.g. pool=1; may be repeated', word),
    load: one('--load <profile>', 'load profile (default: steady)', word),
    route: one('--route <route>', 'one route instead of the mix, e.g. /ads/:id or "POST /ads"', word),
    connections: one('--connections <n>', 'connections of the closed loop', whole(1, 10_000)),
    budgetS: one(
      '--budget <time>',
      `for everything that is tried (default: ${adviceBudgetS / 60}min)`,
      seconds({ min: 30, max: budgetRangeS.max }),
    ),
    from: one('--from <run>', 'a run whose verdict and statements are followed, in place of a first look', word),
    markdown: one('--markdown <file>', 'write the answer as Markdown, too', word),
    html: one('--html <file>', 'write the answer as a page, too', word),
  },
  measures: true,
  means: ({ target, set, load, route, connections, budgetS, from, markdown, html }) => {
    const settings = set.length === 0 ? undefined : singleSettings(set, 'name one value, that which is. What else it could be is tried.');
    const request: AskedOf<'advise'> = defined({ target, settings, load, route, connections, budgetS, from });
    return { request, ...orNull({ markdown, html }) };
  },
});

export const checkRoutesCommand = command({
  words: 'check-routes',
  description:
    'one request to each route: its statements and rows, counted, against the budgets of benchside.json; exit status 1 where one takes more',
  options: {
    target: many('-t, --target <id>', 'a target (default: all that the folder declares); may be repeated', word),
    route: many('--route <route>', 'a route instead of all, e.g. "GET /items/:id"; may be repeated', word),
  },
  means: ({ target, route }) => ({
    targets: [...new Set(target.flatMap((list) => list.split(',')).filter((id) => id !== ''))],
    routes: [...new Set(route)],
  }),
});
