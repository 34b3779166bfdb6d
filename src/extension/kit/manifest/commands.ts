import type { ViewName } from '../ids.ts';
import { type Condition, all, any, idle, oneRow } from './conditions.ts';

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
/** From where a command is run, in addition to the palette. */
export type Place =
  | { menu: (typeof menus)[number]; group: Group; when: Condition }
  | { menu: 'keybindings'; key: string; mac: string; when: Condition | undefined };

/** When commands can be used, and where they are seen. */
interface Use {
  /** The state of the window in which they can be used. In any other they are disabled, and the palette, their keys and their menus have nothing of them. */
  during?: Condition;
  /** When they can be used, where they are shown nevertheless; left out: always, or `during` their state. */
  enablement?: Condition | undefined;
  /** When the palette lists them; left out: always, or `during` their state. */
  palette?: Condition | undefined;
}

/** Makes commands that have this in common. */
const those =
  ({ during, enablement = during, palette = during }: Use) =>
  (title: string, icon: string, ...places: readonly Place[]) => ({
    title,
    icon: `$(${icon})`,
    enablement,
    palette,
    places: places.map((place): Place => (during === undefined ? place : { ...place, when: all(place.when, during) })),
  });

const hasRuns = 'benchside.hasRuns';
const hasTwoRuns = 'benchside.hasTwoRuns';
const hasBaseline = 'benchside.hasBaseline';
const hasRecordings = 'benchside.hasRecordings';
const hasSourceMarks = 'benchside.hasSourceMarks';
const notRecording = '!benchside.recording';
const inFlameGraph = 'activeCustomEditorId =~ /^benchside\\.flame/';

const always = those({});
const during = (state: Condition) => those({ during: state });
const whileIdle = during(idle);
const again = those({ during: idle, palette: hasRuns });
const beforeRecording = during(notRecording);
const listed = (palette: Condition) => those({ palette });
const enabled = (enablement: Condition, palette?: Condition) => those({ enablement, palette });
/** The condition once the engine has sent the inventory. Nothing is disabled before that. */
const untilKnown = (condition: Condition): Condition => any('!benchside.loaded', condition);
/** For what is stored: shown, but disabled, while there is nothing that it needs. The palette has nothing of a run before there is one. */
const withStored = (needed: Condition) => enabled(untilKnown(needed), hasRuns);
const ofRuns = withStored(hasRuns);
const ofRecordings = enabled(untilKnown(hasRecordings), any(hasRuns, hasRecordings));
/** Above the handler of a route: it knows its target and route from there, so that the palette does not have it. */
const ofRoute = (state: Condition) => those({ during: state, palette: 'false' });

/** Ctrl+K (on a Mac Cmd+K), then this key. */
const chord = (key: string, when?: Condition): Place => ({ menu: 'keybindings', key: `ctrl+k ${key}`, mac: `cmd+k ${key}`, when });

/** In the title of a view; a number is a place among its buttons. */
const inTitle = (view: ViewName, group: Group | number, ...conditions: readonly Condition[]): Place => ({
  menu: 'view/title',
  group: typeof group === 'number' ? `navigation@${group}` : group,
  when: all(`view == benchside.${view}`, ...conditions),
});

/** On rows of a view, by their `contextValue`: one, or those of a pattern. The group `inline` is the row itself. */
const onRows = (view: ViewName, rows: string | RegExp, group: Group, ...conditions: readonly Condition[]): Place => ({
  menu: 'view/item/context',
  group,
  when: all(`view == benchside.${view}`, typeof rows === 'string' ? `viewItem == ${rows}` : `viewItem =~ /${rows.source}/`, ...conditions),
});

/** Rows of the Targets view (`targets/targetsView.ts`): target or service, and its state. */
const onTargets = (rows: RegExp, ...groups: readonly Group[]): Place[] => groups.map((group) => onRows('targets', rows, group));
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

const inEditorTitle = (place: number, when: Condition): Place => ({ menu: 'editor/title', group: `navigation@${place}`, when });
const toHotLine = listed(hasSourceMarks);
const inMarkedSource = all('editorTextFocus', hasSourceMarks);
const ownGroup = '9_benchside@1';

/** Every command by its name, which is its id after `benchside.`. `src/extension/commands.ts` implements them. */
export const commands = {
  // Runs, tunings, live sessions and experiments: what measures, and what is done with its answer.
  runBenchmark: whileIdle('Run Benchmark', 'play', chord('b'), inTitle('targets', 1), onTarget('1_run@1')),
  runBenchmarkAgain: again('Run Benchmark Again', 'debug-rerun', chord('shift+b')),
  cancelRun: during('benchside.running')('Cancel Benchmark', 'debug-stop', inTitle('targets', 1), onRows('runs', 'running', 'inline@1')),
  tune: whileIdle('Tune a Setting', 'settings', chord('shift+t'), inTitle('targets', 2), onTarget('1_run@2')),
  whatWouldHelp: whileIdle('What Would Help?', 'lightbulb', onTarget('1_run@6')),
  recordTraffic: whileIdle('Record Traffic', 'record', onTarget('1_run@7')),
  tuneAgain: again('Tune Again', 'debug-rerun', inTitle('runs', '1_again@2'), onRun(tuned, '2_again@2')),
  applyTuning: withStored('benchside.hasTunedRuns')('Apply the Answer of a Tuning', 'check', onRun(tuned, '2_again@1')),
  forgetApplied: during('benchside.hasApplied')('Use the Default Settings of a Target', 'discard', ...onTargets(anyTarget, '2_log@2')),
  live: always('Live: Move Settings under Load', 'pulse', chord('shift+l'), onTarget('1_run@3', idle)),
  stopLive: during('benchside.liveRunning')('Stop the Live Session', 'debug-stop', onRows('runs', 'live', 'inline@1')),
  runExperiment: whileIdle('Repeat a Saved Tuning…', 'beaker', inTitle('runs', '1_again@1')),
  saveExperiment: listed(hasRuns)('Save This Tuning…', 'save', onRun(tuned, '2_again@4')),
  repeatPublished: whileIdle('Repeat a Published Experiment…', 'book'),
  showPublished: always('Show Experiments', 'library', inTitle('runs', '1_again@3')),

  // Stored runs.
  openWorkbench: always('Open Workbench', 'graph-line', inTitle('runs', 1)),
  openRun: ofRuns('Open Result', 'go-to-file', onRun(readable, '1_open@1')),
  compareRuns: withStored(hasTwoRuns)(
    'Compare Results',
    'git-compare',
    inTitle('runs', 2, hasTwoRuns),
    onRows('runs', readable, '1_open@2', hasTwoRuns),
  ),
  compareSettings: ofRuns('Compare Settings of a Result…', 'split-horizontal', onRun(readable, '1_open@5')),
  // Where the editor lets extensions put it: docs/decisions/0038-where-the-editor-has-menus.md
  compareCode: always(
    'Compare Code…',
    'git-compare',
    { menu: 'scm/title', group: ownGroup, when: 'scmProvider == git' },
    { menu: 'scm/sourceControl', group: ownGroup, when: 'scmProvider == git' },
    { menu: 'timeline/item/context', group: ownGroup, when: 'timelineItem =~ /git:file:commit\\b/' },
    { menu: 'editor/title/context', group: ownGroup, when: 'resourceScheme == scm-history-item' },
  ),
  compareWithBaseline: withStored(hasBaseline)('Compare with Baseline', 'git-compare', onRun(unpinned, '1_open@4', hasBaseline)),
  runWithOtherValues: ofRuns('Repeat with Other Values…', 'debug-rerun', onRun(readable, '2_again@3')),
  renameRun: ofRuns('Rename Result…', 'edit', onRun(readable, '3_mark@1')),
  tagRun: ofRuns('Tag Result…', 'tag', onRun(readable, '3_mark@2')),
  pinBaseline: ofRuns('Pin as Baseline', 'pin', onRun(unpinned, '3_mark@3')),
  unpinBaseline: enabled(hasBaseline, hasRuns)('Unpin Baseline', 'pinned', onRun(pinned, '3_mark@3')),
  exportReport: ofRuns('Export Report', 'export', onRun(readable, '4_export@1')),
  queryRawSamples: ofRuns('Query Raw Samples', 'database', onRun(readable, '4_export@2')),
  // Damaged ones, too.
  deleteRun: ofRuns('Delete Result', 'trash', onRows('runs', /^run/, '5_delete@1', 'viewItem != running')),

  // Recordings, their flame graphs, and their marks in the source. The menu of the explorer follows from the formats: `manifest.ts`.
  recordFlameGraph: beforeRecording('Record Flame Graph', 'flame', chord('shift+f'), inTitle('runs', 3), onTarget('1_run@5')),
  cancelRecording: during('benchside.recording')('Cancel Recording', 'debug-stop', inTitle('runs', 3)),
  openFlameGraph: always('Open Flame Graph', 'flame', onRun(readable, '1_open@3', hasRecordings), onRun(recordings, '1_open@1')),
  compareFlameGraphs: ofRecordings(
    'Compare Flame Graphs',
    'git-compare',
    onRows('runs', recordings, '1_open@2', 'benchside.hasTwoRecordings'),
    inEditorTitle(1, inFlameGraph),
  ),
  reloadFlameGraph: listed(inFlameGraph)('Reload Flame Graph', 'refresh', inEditorTitle(2, inFlameGraph)),
  deleteRecording: ofRecordings('Delete Recording', 'trash', onRows('runs', 'recording', '5_delete@1')),
  revealRecording: ofRecordings('Show Files of a Recording', 'folder-opened', onRun(recordings, '4_export@1')),
  focusFunction: listed('false')('Show Function in Flame Graph', 'flame'),
  nextHotLine: toHotLine('Go to Next Hot Line', 'arrow-down', chord('shift+down', inMarkedSource)),
  previousHotLine: toHotLine('Go to Previous Hot Line', 'arrow-up', chord('shift+up', inMarkedSource)),
  clearSourceMarks: during(hasSourceMarks)('Clear Marks in the Source', 'clear-all'),
  toggleSourceMarks: always(
    'Toggle Marks in the Source',
    'eye',
    inEditorTitle(30, all(hasSourceMarks, 'resourceScheme == file', '!activeCustomEditorId')),
  ),

  measureRoute: ofRoute(idle)('Measure a Route', 'play'),
  flameRoute: ofRoute(notRecording)('Record a Flame Graph of a Route', 'flame'),
  compareRoute: ofRoute(idle)('Compare a Route with HEAD', 'git-compare'),

  // Targets and services, and what is about the window as a whole.
  startTarget: enabled(untilKnown('benchside.anyTargetStopped'))('Start Target', 'play', ...onTargets(startable, 'inline@1', '1_run@4')),
  stopTarget: enabled('benchside.anyTargetRunning')('Stop Target', 'debug-stop', ...onTargets(stoppable, 'inline@1', '1_run@4')),
  showTargetLog: always('Show Output of a Target', 'output', ...onTargets(withOutput, 'inline@2', '2_log@1')),
  stopEverything: always('Stop Everything', 'stop-circle', inTitle('targets', 3, any('benchside.anyTargetRunning', 'benchside.running'))),
  createWorkspaceFile: always('Add a Target', 'add', inTitle('targets', 4)),
  checkThisMachine: always('Check This Machine', 'checklist', inTitle('targets', '1_look@1')),
  removeDatabases: always('Remove Databases from Your PostgreSQL Server…', 'trash'),
  dismissNextStep: during('benchside.hasNextStep')('Dismiss the Next Step', 'close', onRows('runs', 'next', 'inline@1')),
  refresh: listed(any('benchside.loaded', 'benchside.engineFailed'))('Refresh', 'refresh', {
    menu: 'view/title',
    group: 'navigation@9',
    when: any('view == benchside.targets', 'view == benchside.runs'),
  }),
  showLog: always('Show Log', 'output', inTitle('targets', '1_look@2')),
};
