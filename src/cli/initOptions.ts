import { type Asked, type Given, command } from './command.ts';
import { askedRoute } from './initRoutes.ts';
import { flag, many } from './options.ts';

export const initCommand = command({
  words: 'init [command...]',
  description:
    'look for the services of this folder, or take the one that a command starts (init -- node server.js), start each once to see what it does, and declare them in benchside.json',
  options: {
    yes: flag('-y, --yes', 'start each service once to look at it, and write what was found, without asking'),
    filesOnly: flag('--files-only', 'say what the files say alone: nothing is started'),
    route: many('--route <route>', 'a route that the service answers, e.g. /items or "POST /orders"; may be repeated', askedRoute),
  },
  means: ({ yes, filesOnly, route }, ...words) => ({ yes, filesOnly, routes: route, command: words }),
});

/** How a person answers: they agree to everything, or are not asked. */
export type Answering = Pick<Given<Asked<typeof initCommand>>, 'yes' | 'json'>;
