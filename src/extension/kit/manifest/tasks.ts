import { problemMatcher, taskType } from '../ids.ts';

/** Commands of the terminal that are tasks, by what they do; the first is offered where a folder declares targets. */
export const taskCommands = {
  'check-routes': 'One request to each route: statements and rows, counted, against the budgets of benchside.json.',
  run: 'Puts load on the targets and compares settings.',
  tune: 'Finds the smallest setting that is as good as the best.',
  advise: 'Tries what could help, and says what does; applies nothing.',
  leak: 'Says whether a target keeps memory of requests that are over.',
  startup: 'Says how long a target takes to start, and where that time goes.',
  traffic: 'Records the traffic of a target, or reads files of traffic, as a load profile.',
  diff: 'Compares two versions of the code.',
  check: 'Which differences this machine can resolve, and whether all is there.',
} as const;
type TaskCommand = keyof typeof taskCommands;

/** Tasks of the editor, and how what they say becomes problems at lines. */
export const taskContributions = {
  taskDefinitions: [
    {
      type: taskType,
      required: ['command'],
      properties: {
        command: {
          type: 'string',
          enum: Object.keys(taskCommands),
          enumDescriptions: Object.values(taskCommands),
          description: 'A command of benchside.',
        },
        arguments: { type: 'array', items: { type: 'string' }, default: [], description: 'Its options, e.g. ["--target", "shop"].' },
      },
    },
  ],
  problemMatchers: [
    {
      name: problemMatcher,
      label: 'Benchside',
      owner: taskType,
      source: 'Benchside',
      fileLocation: ['autoDetect', '${workspaceFolder}'],
      pattern: { regexp: String.raw`^(\S.*?):(\d+): (error|warning): (.*)$`, file: 1, line: 2, severity: 3, message: 4 },
    },
  ],
};

/** A command of the terminal with its words. */
export interface BenchsideTask {
  command: TaskCommand;
  arguments: readonly string[];
}

/** What a task of somebody’s tasks.json asks for; null where it is not a task of Benchside. */
export function taskOf(definition: Readonly<Record<string, unknown>>): BenchsideTask | null {
  const { command, arguments: words = [] } = definition;
  if (typeof command !== 'string' || !isCommand(command)) return null;
  if (!Array.isArray(words) || !words.every((word) => typeof word === 'string')) return null;
  return { command, arguments: words };
}

function isCommand(name: string): name is TaskCommand {
  return Object.hasOwn(taskCommands, name);
}
