import { command } from './command.ts';
import { many } from './options.ts';
import { word } from './values.ts';

/** What `benchside check-routes` is to ask. */
export interface CheckRoutesAsked {
  /** Empty: all that the folder declares. */
  targets: readonly string[];
  /** Empty: all that a target declares. */
  routes: readonly string[];
}

export const checkRoutesCommand = command({
  words: 'check-routes',
  description:
    'one request to each route: its statements and rows, counted, against the budgets of benchside.json; exit status 1 where one takes more',
  options: {
    target: many('-t, --target <id>', 'a target (default: all that the folder declares); may be repeated', word),
    route: many('--route <route>', 'a route instead of all, e.g. "GET /items/:id"; may be repeated', word),
  },
  means: ({ target, route }): CheckRoutesAsked => ({
    targets: [...new Set(target.flatMap((list) => list.split(',')).filter((id) => id !== ''))],
    routes: [...new Set(route)],
  }),
});
