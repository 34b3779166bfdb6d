import { many } from './options.ts';
import type { Values } from './options.ts';
import { word } from './values.ts';

/** What `benchside check-routes` is to ask. */
export interface CheckRoutesOptions {
  /** Empty: all that the folder declares. */
  targets: readonly string[];
  /** Empty: all that a target declares. */
  routes: readonly string[];
}

export const checkRoutesOptions = {
  target: many('-t, --target <id>', 'a target (default: all that the folder declares); may be repeated', word),
  route: many('--route <route>', 'a route instead of all, e.g. "GET /items/:id"; may be repeated', word),
};

export function checkRoutesMeans({ target, route }: Values<typeof checkRoutesOptions>): CheckRoutesOptions {
  return { targets: [...new Set(target.flatMap((list) => list.split(',')).filter((id) => id !== ''))], routes: [...new Set(route)] };
}
