import type { CommandTable } from '../command.ts';
import { idle, never, notRecording } from '../conditions.ts';

/** The commands above the handler of a route: each knows its target and route from there, so that the palette has none of them. */
export const routeCommands = {
  measureRoute: {
    title: 'Measure a Route',
    icon: '$(play)',
    during: idle,
    palette: never,
  },
  flameRoute: {
    title: 'Record a Flame Graph of a Route',
    icon: '$(flame)',
    during: notRecording,
    palette: never,
  },
  compareRoute: {
    title: 'Compare a Route with HEAD',
    icon: '$(git-compare)',
    during: idle,
    palette: never,
  },
} satisfies CommandTable;
