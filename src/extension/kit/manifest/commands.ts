import type { ContextName } from '../ids.ts';
import {
  all,
  any,
  differs,
  editorKey,
  equals,
  idle,
  inFlameGraph,
  inView,
  matches,
  never,
  not,
  notRecording,
  oneRow,
  ours,
  untilKnown,
  withRecordings,
  withRuns,
  type Condition,
  type ViewName,
} from './conditions.ts';

/** The menus of the editor that contain commands. */
export const menus = [
  'view/title',
  'view/item/context',
  'editor/title',
  'explorer/context',
  'scm/title',
  'timeline/item/context',
  'editor/title/context',
  'scm/sourceControl',
] as const;

/** Where in a menu: its group, and the place in it from 1 on. */
type Group = `${string}@${number}`;

export interface Place {
  menu: (typeof menus)[number];
  group: Group;
  when: Condition;
}

interface Keys {
  key: string;
  mac: string;
  when?: Condition;
}

/** All that the manifest says of a command. Its name in the table is its id after `benchside.`. */
export interface Command {
  title: string;
  icon: `$(${string})`;
  /** The state of the window in which it can be used. In any other it is disabled, and the palette, its keys and its menus have nothing of it. */
  during?: Condition;
  /** When it can be used, where it is shown nevertheless; left out: always. */
  enablement?: Condition;
  /** When the palette lists it; left out: always, or `during` its state. */
  palette?: Condition;
  keys?: Keys;
  places?: readonly Place[];
}

/** Makes commands that have this in common. */
const those =
  (common: Omit<Command, 'title' | 'icon' | 'places'>) =>
  (title: string, icon: Command['icon'], ...places: readonly Place[]): Command => ({ title, icon, ...common, places });

const always = those({});
const whileIdle = those({ during: idle });
const during = (state: ContextName) => those({ during: ours(state) });
/** For what is stored: shown, but disabled, while there is nothing that it needs. */
const withStored = (needed: ContextName, palette = withRuns) => those({ enablement: untilKnown(needed), palette });
const ofRuns = withStored('hasRuns');
const ofRecordings = withStored('hasRecordings', withRecordings);
/** Above the handler of a route: it knows its target and route from there, so that the palette does not have it. */
const ofRoute = (state: Condition) => those({ during: state, palette: never });

/** Ctrl+K (on a Mac Cmd+K), then this key. */
const chord = (key: string): Keys => ({ key: `ctrl+k ${key}`, mac: `cmd+k ${key}` });

/** In the title of a view. */
const inTitle = (view: ViewName, group: Group, ...conditions: readonly Condition[]): Place => ({
  menu: 'view/title',
  group,
  when: all(inView(view), ...conditions),
});

/** On rows of a view, by their `contextValue`: one, or those of a pattern. The group `inline` is the row itself. */
const onRows = (view: ViewName, rows: string | RegExp, group: Group, ...conditions: readonly Condition[]): Place => ({
  menu: 'view/item/context',
  group,
  when: all(inView(view), typeof rows === 'string' ? equals('viewItem', rows) : matches('viewItem', rows), ...conditions),
});

/** Rows of the Targets view (`targets/targetsView.ts`): target or service, and its state. */
const onTargets = (rows: RegExp, group: Group): Place => onRows('targets', rows, group);
const anyTarget = /^target\./;
const startable = /^(target|service)\.(stopped|failed)$/;
const stoppable = /^(target|service)\.(running|starting)$/;
const withOutput = /^(target|service)\.(running|starting|stopping|failed)$/;
/** On targets that can be measured now. */
const onTarget = (group: Group, ...conditions: readonly Condition[]): Place =>
  onRows('targets', /^target\.(stopped|running|failed)$/, group, ...conditions);

/** Rows of runs in the Results view (`runs/runRow.ts`): pinned or not, tuned or not. */
const readable = /^run(\.pinned)?(\.tuned)?$/;
const unpinned = /^run(\.tuned)?$/;
const pinned = /^run\.pinned(\.tuned)?$/;
const tuned = /^run(\.pinned)?\.tuned$/;
/** On one run. */
const onRun = (rows: RegExp, group: Group, ...conditions: readonly Condition[]): Place =>
  onRows('runs', rows, group, oneRow, ...conditions);
/** Recordings there: on demand, and of runs. */
const recordings = /^recording(\.run)?$/;

const inEditorTitle = (group: Group, when: Condition): Place => ({ menu: 'editor/title', group, when });
const toHotLine = (key: string) =>
  those({
    palette: ours('hasSourceMarks'),
    keys: { ...chord(key), when: all(editorKey('editorTextFocus'), ours('hasSourceMarks')) },
  });
const ownGroup = '9_benchside@1';

/** Every command by its name. `src/extension/commands.ts` implements them. */
export const commands = {
  // Runs, tunings, live sessions and experiments: what measures, and what is done with its answer.
  runBenchmark: { ...whileIdle('Run Benchmark', '$(play)', inTitle('targets', 'navigation@1'), onTarget('1_run@1')), keys: chord('b') },
  runBenchmarkAgain: those({ during: idle, palette: withRuns, keys: chord('shift+b') })('Run Benchmark Again', '$(debug-rerun)'),
  cancelRun: during('running')(
    'Cancel Benchmark',
    '$(debug-stop)',
    inTitle('targets', 'navigation@1'),
    onRows('runs', 'running', 'inline@1'),
  ),
  tune: { ...whileIdle('Tune a Setting', '$(settings)', inTitle('targets', 'navigation@2'), onTarget('1_run@2')), keys: chord('shift+t') },
  whatWouldHelp: whileIdle('What Would Help?', '$(lightbulb)', onTarget('1_run@6')),
  recordTraffic: whileIdle('Record Traffic', '$(record)', onTarget('1_run@7')),
  tuneAgain: { ...whileIdle('Tune Again', '$(debug-rerun)', inTitle('runs', '1_again@2'), onRun(tuned, '2_again@2')), palette: withRuns },
  applyTuning: withStored('hasTunedRuns')('Apply the Answer of a Tuning', '$(check)', onRun(tuned, '2_again@1')),
  forgetApplied: during('hasApplied')('Use the Default Settings of a Target', '$(discard)', onTargets(anyTarget, '2_log@2')),
  live: { ...always('Live: Move Settings under Load', '$(pulse)', onTarget('1_run@3', idle)), keys: chord('shift+l') },
  stopLive: during('liveRunning')('Stop the Live Session', '$(debug-stop)', onRows('runs', 'live', 'inline@1')),
  runExperiment: whileIdle('Repeat a Saved Tuning…', '$(beaker)', inTitle('runs', '1_again@1')),
  saveExperiment: { ...always('Save This Tuning…', '$(save)', onRun(tuned, '2_again@4')), palette: withRuns },
  repeatPublished: whileIdle('Repeat a Published Experiment…', '$(book)'),
  showPublished: always('Show Experiments', '$(library)', inTitle('runs', '1_again@3')),

  // Stored runs.
  openWorkbench: always('Open Workbench', '$(graph-line)', inTitle('runs', 'navigation@1')),
  openRun: ofRuns('Open Result', '$(go-to-file)', onRun(readable, '1_open@1')),
  compareRuns: withStored('hasTwoRuns')(
    'Compare Results',
    '$(git-compare)',
    inTitle('runs', 'navigation@2', ours('hasTwoRuns')),
    onRows('runs', readable, '1_open@2', ours('hasTwoRuns')),
  ),
  compareSettings: ofRuns('Compare Settings of a Result…', '$(split-horizontal)', onRun(readable, '1_open@5')),
  // Where the editor lets extensions put it: docs/decisions/0038-where-the-editor-has-menus.md
  compareCode: always(
    'Compare Code…',
    '$(git-compare)',
    { menu: 'scm/title', group: ownGroup, when: equals('scmProvider', 'git') },
    { menu: 'scm/sourceControl', group: ownGroup, when: equals('scmProvider', 'git') },
    { menu: 'timeline/item/context', group: ownGroup, when: matches('timelineItem', /git:file:commit\b/) },
    { menu: 'editor/title/context', group: ownGroup, when: equals('resourceScheme', 'scm-history-item') },
  ),
  compareWithBaseline: withStored('hasBaseline')(
    'Compare with Baseline',
    '$(git-compare)',
    onRun(unpinned, '1_open@4', ours('hasBaseline')),
  ),
  runWithOtherValues: ofRuns('Repeat with Other Values…', '$(debug-rerun)', onRun(readable, '2_again@3')),
  renameRun: ofRuns('Rename Result…', '$(edit)', onRun(readable, '3_mark@1')),
  tagRun: ofRuns('Tag Result…', '$(tag)', onRun(readable, '3_mark@2')),
  pinBaseline: ofRuns('Pin as Baseline', '$(pin)', onRun(unpinned, '3_mark@3')),
  unpinBaseline: { ...ofRuns('Unpin Baseline', '$(pinned)', onRun(pinned, '3_mark@3')), enablement: ours('hasBaseline') },
  exportReport: ofRuns('Export Report', '$(export)', onRun(readable, '4_export@1')),
  queryRawSamples: ofRuns('Query Raw Samples', '$(database)', onRun(readable, '4_export@2')),
  // Damaged ones, too.
  deleteRun: ofRuns('Delete Result', '$(trash)', onRows('runs', /^run/, '5_delete@1', differs('viewItem', 'running'))),

  // Recordings, their flame graphs, and their marks in the source. The menu of the explorer follows from the formats: `manifest.ts`.
  recordFlameGraph: those({ during: notRecording, keys: chord('shift+f') })(
    'Record Flame Graph',
    '$(flame)',
    inTitle('runs', 'navigation@3'),
    onTarget('1_run@5'),
  ),
  cancelRecording: during('recording')('Cancel Recording', '$(debug-stop)', inTitle('runs', 'navigation@3')),
  openFlameGraph: always('Open Flame Graph', '$(flame)', onRun(readable, '1_open@3', ours('hasRecordings')), onRun(recordings, '1_open@1')),
  compareFlameGraphs: ofRecordings(
    'Compare Flame Graphs',
    '$(git-compare)',
    onRows('runs', recordings, '1_open@2', ours('hasTwoRecordings')),
    inEditorTitle('navigation@1', inFlameGraph),
  ),
  reloadFlameGraph: { ...always('Reload Flame Graph', '$(refresh)', inEditorTitle('navigation@2', inFlameGraph)), palette: inFlameGraph },
  deleteRecording: ofRecordings('Delete Recording', '$(trash)', onRows('runs', 'recording', '5_delete@1')),
  revealRecording: ofRecordings('Show Files of a Recording', '$(folder-opened)', onRun(recordings, '4_export@1')),
  focusFunction: those({ palette: never })('Show Function in Flame Graph', '$(flame)'),
  nextHotLine: toHotLine('shift+down')('Go to Next Hot Line', '$(arrow-down)'),
  previousHotLine: toHotLine('shift+up')('Go to Previous Hot Line', '$(arrow-up)'),
  clearSourceMarks: during('hasSourceMarks')('Clear Marks in the Source', '$(clear-all)'),
  toggleSourceMarks: always(
    'Toggle Marks in the Source',
    '$(eye)',
    inEditorTitle('navigation@30', all(ours('hasSourceMarks'), equals('resourceScheme', 'file'), not(editorKey('activeCustomEditorId')))),
  ),

  measureRoute: ofRoute(idle)('Measure a Route', '$(play)'),
  flameRoute: ofRoute(notRecording)('Record a Flame Graph of a Route', '$(flame)'),
  compareRoute: ofRoute(idle)('Compare a Route with HEAD', '$(git-compare)'),

  // Targets and services, and what is about the window as a whole.
  startTarget: {
    ...always('Start Target', '$(play)', onTargets(startable, 'inline@1'), onTargets(startable, '1_run@4')),
    enablement: untilKnown('anyTargetStopped'),
  },
  stopTarget: {
    ...always('Stop Target', '$(debug-stop)', onTargets(stoppable, 'inline@1'), onTargets(stoppable, '1_run@4')),
    enablement: ours('anyTargetRunning'),
  },
  showTargetLog: always('Show Output of a Target', '$(output)', onTargets(withOutput, 'inline@2'), onTargets(withOutput, '2_log@1')),
  stopEverything: always(
    'Stop Everything',
    '$(stop-circle)',
    inTitle('targets', 'navigation@3', any(ours('anyTargetRunning'), ours('running'))),
  ),
  createWorkspaceFile: always('Add a Target', '$(add)', inTitle('targets', 'navigation@4')),
  checkThisMachine: always('Check This Machine', '$(checklist)', inTitle('targets', '1_look@1')),
  removeDatabases: always('Remove Databases from Your PostgreSQL Server…', '$(trash)'),
  dismissNextStep: during('hasNextStep')('Dismiss the Next Step', '$(close)', onRows('runs', 'next', 'inline@1')),
  refresh: {
    ...always('Refresh', '$(refresh)', { menu: 'view/title', group: 'navigation@9', when: any(inView('targets'), inView('runs')) }),
    palette: any(ours('loaded'), ours('engineFailed')),
  },
  showLog: always('Show Log', '$(output)', inTitle('targets', '1_look@2')),
} satisfies Readonly<Record<string, Command>>;
