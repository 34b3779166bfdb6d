import type { Route } from '../model/domain/target.ts';
import { askedRoute } from './initRoutes.ts';
import { flag, many } from './options.ts';
import type { Values } from './options.ts';

/** What `init` is to do. */
export interface InitOptions {
  yes: boolean;
  filesOnly: boolean;
  routes: readonly Route[];
  /** The words that start the service; none where it is looked for. */
  command: readonly string[];
}

export const initOptions = {
  yes: flag('-y, --yes', 'start each service once to look at it, and write what was found, without asking'),
  filesOnly: flag('--files-only', 'say what the files say alone: nothing is started'),
  route: many('--route <route>', 'a route that the service answers, e.g. /items or "POST /orders"; may be repeated', askedRoute),
};

/** A variadic argument comes as a list of its own. */
export function initMeans({ yes, filesOnly, route }: Values<typeof initOptions>, words: readonly (string | string[])[]): InitOptions {
  return { yes, filesOnly, routes: route, command: words.flat() };
}
