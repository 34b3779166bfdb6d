import { type CommandName, commandId } from '../commandId.ts';
import { link } from './views.ts';

/** A step, whose picture in `media/walkthrough` has its id: its text is above a button for a command, and `more` below it. Other commands complete it, too. */
const step = (
  id: string,
  title: string,
  text: string,
  command: CommandName,
  altText: string,
  alsoDoneBy: readonly CommandName[] = [],
  more: readonly string[] = [],
) => ({
  id,
  title,
  description: [text, link(command), ...more].join('\n'),
  media: { svg: `media/walkthrough/${id}.svg`, altText },
  completionEvents: [command, ...alsoDoneBy].map((name) => `onCommand:${commandId(name)}`),
});

export const walkthroughs = [
  {
    id: 'benchside.start',
    title: 'Get Started with Benchside',
    description: 'Find out which pool size, thread count or instance count a service should use.',
    steps: [
      step(
        'check',
        'Check this machine',
        'Says which differences this machine can resolve within a minute, and whether all is there. PostgreSQL comes along; the Node sample runs at once, the Java sample needs a JDK 17 or later. Benchside sends nothing anywhere: there is no telemetry.',
        'checkThisMachine',
        'An app between a load generator and a PostgreSQL, all on this machine',
      ),
      step(
        'run',
        'Run a benchmark',
        'Choose the samples, a load profile and pool sizes. Next time Enter, Enter, Enter repeats it.',
        'runBenchmark',
        'Three steps: target, load profile, pool sizes',
      ),
      step(
        'read',
        'Read the answer',
        'The answer comes first, in a sentence: proven, likely or only seen, with one thing to do next. Under it stand throughput and latency for each pool size, with the interval they are known to.',
        'openWorkbench',
        'A curve of throughput against pool size, the recommended size ringed',
        ['openRun'],
      ),
      step(
        'tune',
        'Tune a setting',
        'Name a setting, its range and how long it may take. Benchside measures what decides, and says which value to use, how sure that is, and why.',
        'tune',
        'Rounds of measurements that narrow five pool sizes down to one',
        ['tuneAgain', 'live'],
        ['Or keep an app under load and move its pool yourself.', link('live', 'Live')],
      ),
      step(
        'record',
        'Record a flame graph',
        'See where the time goes in a running Java or Node app, waiting included. A click on a frame opens its line, and hot lines are marked in the source.',
        'recordFlameGraph',
        'A flame graph whose widest frame points to a line of source',
        ['openFlameGraph'],
      ),
      step(
        'own',
        'Measure your own service',
        'It is found by its files, and started once if you agree, to see its routes, its pool and its database. A file benchside.json then says how to start it.',
        'createWorkspaceFile',
        'A file benchside.json that names a target, its routes and its settings',
      ),
    ],
  },
];
