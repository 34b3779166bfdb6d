import { flameGraphCommands } from './commands/flameGraphs.ts';
import { measuringCommands } from './commands/measuring.ts';
import { routeCommands } from './commands/routes.ts';
import { runCommands } from './commands/runs.ts';
import { targetCommands } from './commands/targets.ts';

/** Every command by its name. `src/extension/commands.ts` implements them. */
export const commands = { ...measuringCommands, ...runCommands, ...flameGraphCommands, ...routeCommands, ...targetCommands };
