import { adviseCommand } from './adviseOptions.ts';
import { baselineCommands } from './baselineCommand.ts';
import { checkRoutesCommand } from './checkRoutesOptions.ts';
import type { Command } from './command.ts';
import { compareCommand } from './compareOptions.ts';
import { databasesCommand } from './databasesCommand.ts';
import { experimentCommand } from './experimentOptions.ts';
import { otlpCommand, prometheusCommand } from './exportOptions.ts';
import { flameGraphCommand } from './flameGraphOptions.ts';
import { initCommand } from './initOptions.ts';
import { k6ExportCommand, k6ImportCommand } from './k6Options.ts';
import { checkCommand, stopCommand } from './machineCommands.ts';
import { mcpCommand } from './mcpOptions.ts';
import { runCommand, tuneCommand } from './measuredOptions.ts';
import { predictCommand } from './predictOptions.ts';
import { rawCommands, rawListCommand } from './rawOptions.ts';
import { leakCommand, startupCommand } from './serviceOptions.ts';
import { deleteCommand, reportCommand, runsCommand } from './storedOptions.ts';
import { trafficCommand } from './trafficOptions.ts';
import { bisectCommand, diffCommand } from './versionOptions.ts';

/** Every command of the terminal, in the order of the help. */
export const commandList: readonly Command[] = [
  tuneCommand,
  adviseCommand,
  leakCommand,
  startupCommand,
  predictCommand,
  experimentCommand,
  runCommand,
  ...rawCommands,
  runsCommand,
  compareCommand,
  diffCommand,
  bisectCommand,
  ...baselineCommands,
  reportCommand,
  deleteCommand,
  flameGraphCommand,
  checkCommand,
  checkRoutesCommand,
  databasesCommand,
  initCommand,
  k6ExportCommand,
  otlpCommand,
  prometheusCommand,
  k6ImportCommand,
  trafficCommand,
  mcpCommand,
  stopCommand,
];

interface Group {
  description: string;
  /** What the word of the group means alone; left out: nothing. */
  alone?: Command;
}

/** The first words of commands that have two. */
export const commandGroups: Readonly<Record<string, Group>> = {
  raw: { description: 'raw samples that runs have kept', alone: rawListCommand },
  baseline: { description: 'the runs that later ones of the same targets are compared with' },
  export: { description: 'export for other programs: k6, otlp, prometheus' },
  import: { description: 'import from other programs: k6' },
};
