import type { AskedOf } from '../model/protocol/measureRequest.ts';
import { adviceBudgetS } from '../model/domain/advice.ts';
import { defined } from '../model/domain/defined.ts';
import { budgetRangeS } from '../model/domain/runOptions.ts';
import { command } from './command.ts';
import { many, one } from './options.ts';
import { seconds, singleSettings, whole, word } from './values.ts';

/** What `advise` asks for; the run is resolved later. */
export interface AdviseAsked {
  request: AskedOf<'advise'>;
  markdown: string | null;
  html: string | null;
}

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
  means: ({ target, set, load, route, connections, budgetS, from, markdown, html }): AdviseAsked => {
    const values = set.length === 0 ? undefined : singleSettings(set, 'name one value, that which is. What else it could be is tried.');
    return {
      request: defined({ target, settings: values, load, route, connections, budgetS, from }),
      markdown: markdown ?? null,
      html: html ?? null,
    };
  },
});
