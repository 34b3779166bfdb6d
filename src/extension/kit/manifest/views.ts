import { type CommandName, commandId } from '../commandId.ts';
import { type ViewName, thisFolder, viewIds } from '../ids.ts';
import { commands } from './commands.ts';
import { type Condition, all, idle } from './conditions.ts';

/** A link that runs a command, with an argument where one is given. In a welcome text, a link that is alone in its line is a button. */
export const link = (name: CommandName, label: string = commands[name].title, argument?: string): string =>
  `[${label}](command:${commandId(name)}${argument === undefined ? '' : `?${encodeURIComponent(JSON.stringify([argument]))}`})`;

const icon = 'media/benchside.svg';
// The editor makes a command “Focus on … View” of each name: a name with “run” in it would come before Run Benchmark in the palette.
const named = (view: ViewName, name: string) => ({ id: viewIds[view], name, icon, contextualTitle: 'Benchside' });

/** There is no run: before the list is known, a view with runs is empty, too. */
const withoutRuns = all('!benchside.engineFailed', idle, 'benchside.loaded', '!benchside.hasRuns');

/** What an empty view says, line by line. */
const welcome = (view: ViewName, when: Condition, ...lines: readonly string[]) => ({
  view: viewIds[view],
  when,
  contents: lines.join('\n'),
});

/** The container in the activity bar, its views, and their texts. */
export const viewContributions = {
  viewsContainers: { activitybar: [{ id: 'benchside', title: 'Benchside', icon }] },
  views: { benchside: [named('targets', 'Targets'), named('runs', 'Results')] },
  viewsWelcome: [
    welcome('targets', 'benchside.engineFailed', 'The Benchside engine is not running.', link('refresh', 'Restart'), link('showLog')),
    welcome(
      'runs',
      all(withoutRuns, 'benchside.hasUndeclared'),
      'No runs yet. This folder has a service that can be measured.',
      link('runBenchmark', 'Measure This Folder’s Service', thisFolder),
      link('tune'),
      `You are asked before it is started once to see its routes, its pool and its database, which are written to ${link('createWorkspaceFile', 'benchside.json')}. The first answer takes about a minute more.`,
    ),
    welcome(
      'runs',
      all(withoutRuns, '!benchside.hasUndeclared'),
      'No runs yet. Tuning starts an app and PostgreSQL, puts load on them, and says which pool size to use; the first answer stands there within a minute of measuring and gets surer.',
      link('tune'),
      link('runBenchmark'),
      `The two samples need nothing of yours; ${link('createWorkspaceFile', 'benchside.json')} declares your own services.`,
    ),
    welcome('runs', 'benchside.engineFailed', 'Stored runs are shown again when the engine runs.', link('refresh', 'Restart')),
  ],
};
