import { baselineCommands } from './baselineCommand.ts';
import { type Command, byEngine, byItself } from './command.ts';
import { databasesCommand } from './databasesCommand.ts';
import { flameGraphCommand } from './flameGraphOptions.ts';
import { initCommand } from './initOptions.ts';
import { k6ExportCommand, k6ImportCommand } from './k6Options.ts';
import { checkCommand, stopCommand } from './machineCommands.ts';
import { mcpCommand } from './mcpOptions.ts';
import { experimentCommand, runCommand, tuneCommand } from './measuredOptions.ts';
import { rawExportCommand, rawListCommand, rawLoadCommand, rawQueryCommand } from './rawOptions.ts';
import { adviseCommand, checkRoutesCommand, leakCommand, startupCommand } from './serviceOptions.ts';
import { deleteCommand, otlpCommand, predictCommand, prometheusCommand, reportCommand, runsCommand } from './storedOptions.ts';
import { trafficCommand } from './trafficOptions.ts';
import { bisectCommand, compareCommand, diffCommand } from './versionOptions.ts';

const raw = async () => (await import('./rawCommand.ts')).raw;
const k6 = async () => (await import('./k6Command.ts')).k6;
const rawList = byEngine(rawListCommand, raw);

/** Every command of the terminal, in the order of the help. */
export const commandList: readonly Command[] = [
  byEngine(tuneCommand, async () => (await import('./tuneCommand.ts')).tune),
  byEngine(adviseCommand, async () => (await import('./serviceCommands.ts')).advise),
  byEngine(leakCommand, async () => (await import('./serviceCommands.ts')).leak),
  byEngine(startupCommand, async () => (await import('./serviceCommands.ts')).startup),
  byEngine(predictCommand, async () => (await import('./storedCommands.ts')).predictElsewhere),
  byEngine(experimentCommand, async () => (await import('./tuneCommand.ts')).experiment),
  byEngine(runCommand, async () => (await import('./runCommand.ts')).run),
  rawList,
  byEngine(rawLoadCommand, raw),
  byEngine(rawQueryCommand, raw),
  byEngine(rawExportCommand, raw),
  byEngine(runsCommand, async () => (await import('./storedCommands.ts')).runs),
  byEngine(compareCommand, async () => (await import('./compareCommand.ts')).compare),
  byEngine(diffCommand, async () => (await import('./diffCommand.ts')).diff),
  byEngine(bisectCommand, async () => (await import('./bisectCommand.ts')).bisect),
  ...baselineCommands,
  byEngine(reportCommand, async () => (await import('./storedCommands.ts')).report),
  byEngine(deleteCommand, async () => (await import('./storedCommands.ts')).deleteStored),
  byItself(flameGraphCommand, async () => (await import('./flamegraph.ts')).flameGraph),
  checkCommand,
  byEngine(checkRoutesCommand, async () => (await import('./checkRoutesCommand.ts')).checkRoutes),
  databasesCommand,
  byEngine(initCommand, async () => (await import('./initCommand.ts')).init),
  byEngine(k6ExportCommand, k6),
  byItself(otlpCommand, async () => (await import('./flamegraph.ts')).flameGraph),
  byEngine(prometheusCommand, async () => (await import('./storedCommands.ts')).prometheus),
  byEngine(k6ImportCommand, k6),
  byEngine(trafficCommand, async () => (await import('./trafficCommand.ts')).traffic),
  byItself(mcpCommand, async () => (await import('./mcpCommand.ts')).mcp),
  stopCommand,
];

interface Group {
  description: string;
  /** What the word of the group means alone; left out: nothing. */
  alone?: Command;
}

/** The first words of commands that have two. */
export const commandGroups: Readonly<Record<string, Group>> = {
  raw: { description: 'raw samples that runs have kept', alone: rawList },
  baseline: { description: 'the runs that later ones of the same targets are compared with' },
  export: { description: 'export for other programs: k6, otlp, prometheus' },
  import: { description: 'import from other programs: k6' },
};
