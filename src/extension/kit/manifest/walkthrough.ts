import { commandId, type CommandName } from '../commandId.ts';
import { link } from './views.ts';

interface Step {
  /** Of its picture too, in `media/walkthrough`. */
  id: string;
  title: string;
  text: string;
  /** What its button does. */
  command: CommandName;
  /** Below its button. */
  more?: readonly string[];
  altText: string;
  /** Other commands that complete it. */
  alsoDoneBy?: readonly CommandName[];
}

const steps: readonly Step[] = [
  {
    id: 'check',
    title: 'Check this machine',
    text: 'Says which differences this machine can resolve within a minute, and whether all is there. PostgreSQL comes along; the Node sample runs at once, the Java sample needs a JDK 17 or later. Benchside sends nothing anywhere: there is no telemetry.',
    command: 'checkThisMachine',
    altText: 'An app between a load generator and a PostgreSQL, all on this machine',
  },
  {
    id: 'run',
    title: 'Run a benchmark',
    text: 'Choose the samples, a load profile and pool sizes. Next time Enter, Enter, Enter repeats it.',
    command: 'runBenchmark',
    altText: 'Three steps: target, load profile, pool sizes',
  },
  {
    id: 'read',
    title: 'Read the answer',
    text: 'The answer comes first, in a sentence: proven, likely or only seen, with one thing to do next. Under it stand throughput and latency for each pool size, with the interval they are known to.',
    command: 'openWorkbench',
    altText: 'A curve of throughput against pool size, the recommended size ringed',
    alsoDoneBy: ['openRun'],
  },
  {
    id: 'tune',
    title: 'Tune a setting',
    text: 'Name a setting, its range and how long it may take. Benchside measures what decides, and says which value to use, how sure that is, and why.',
    command: 'tune',
    more: ['Or keep an app under load and move its pool yourself.', link('live', 'Live')],
    altText: 'Rounds of measurements that narrow five pool sizes down to one',
    alsoDoneBy: ['tuneAgain', 'live'],
  },
  {
    id: 'record',
    title: 'Record a flame graph',
    text: 'See where the time goes in a running Java or Node app, waiting included. A click on a frame opens its line, and hot lines are marked in the source.',
    command: 'recordFlameGraph',
    altText: 'A flame graph whose widest frame points to a line of source',
    alsoDoneBy: ['openFlameGraph'],
  },
  {
    id: 'own',
    title: 'Measure your own service',
    text: 'It is found by its files, and started once if you agree, to see its routes, its pool and its database. A file benchside.json then says how to start it.',
    command: 'createWorkspaceFile',
    altText: 'A file benchside.json that names a target, its routes and its settings',
  },
];

export const walkthroughs = [
  {
    id: 'benchside.start',
    title: 'Get Started with Benchside',
    description: 'Find out which pool size, thread count or instance count a service should use.',
    steps: steps.map(({ id, title, text, command, more = [], altText, alsoDoneBy = [] }) => ({
      id,
      title,
      description: [text, link(command), ...more].join('\n'),
      media: { svg: `media/walkthrough/${id}.svg`, altText },
      completionEvents: [command, ...alsoDoneBy].map((name) => `onCommand:${commandId(name)}`),
    })),
  },
];
