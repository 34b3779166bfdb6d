/** The names that the manifest and the code share. A unit test compares them with package.json. */
export const commandIds = {
  runBenchmark: 'benchside.runBenchmark',
  runBenchmarkAgain: 'benchside.runBenchmarkAgain',
  cancelRun: 'benchside.cancelRun',
  tune: 'benchside.tune',
  tuneAgain: 'benchside.tuneAgain',
  applyTuning: 'benchside.applyTuning',
  forgetApplied: 'benchside.forgetApplied',
  live: 'benchside.live',
  stopLive: 'benchside.stopLive',
  runExperiment: 'benchside.runExperiment',
  saveExperiment: 'benchside.saveExperiment',
  runStudy: 'benchside.runStudy',
  showStudies: 'benchside.showStudies',
  startTarget: 'benchside.startTarget',
  stopTarget: 'benchside.stopTarget',
  showTargetLog: 'benchside.showTargetLog',
  stopEverything: 'benchside.stopEverything',
  openWorkbench: 'benchside.openWorkbench',
  openRun: 'benchside.openRun',
  compareRuns: 'benchside.compareRuns',
  compareSettings: 'benchside.compareSettings',
  compareCode: 'benchside.compareCode',
  compareWithBaseline: 'benchside.compareWithBaseline',
  runWithOtherValues: 'benchside.runWithOtherValues',
  renameRun: 'benchside.renameRun',
  tagRun: 'benchside.tagRun',
  pinBaseline: 'benchside.pinBaseline',
  unpinBaseline: 'benchside.unpinBaseline',
  exportReport: 'benchside.exportReport',
  queryRawSamples: 'benchside.queryRawSamples',
  deleteRun: 'benchside.deleteRun',
  recordFlameGraph: 'benchside.recordFlameGraph',
  cancelRecording: 'benchside.cancelRecording',
  openFlameGraph: 'benchside.openFlameGraph',
  compareFlameGraphs: 'benchside.compareFlameGraphs',
  reloadFlameGraph: 'benchside.reloadFlameGraph',
  deleteRecording: 'benchside.deleteRecording',
  revealRecording: 'benchside.revealRecording',
  focusFunction: 'benchside.focusFunction',
  nextHotLine: 'benchside.nextHotLine',
  previousHotLine: 'benchside.previousHotLine',
  clearSourceMarks: 'benchside.clearSourceMarks',
  toggleSourceMarks: 'benchside.toggleSourceMarks',
  checkThisMachine: 'benchside.checkThisMachine',
  removeDatabases: 'benchside.removeDatabases',
  createWorkspaceFile: 'benchside.createWorkspaceFile',
  refresh: 'benchside.refresh',
  showLog: 'benchside.showLog',
} as const;
export type CommandId = (typeof commandIds)[keyof typeof commandIds];

export const viewIds = { targets: 'benchside.targets', runs: 'benchside.runs' } as const;
export const panelViewType = 'benchside.workbench';
/** The editors for flame graphs: files that the editor has a viewer of its own for, all other files, and recordings of ours. */
export const flameViewTypes = {
  v8Profile: 'benchside.flame.v8',
  profile: 'benchside.flame',
  recording: 'benchside.flame.recording',
} as const;
/** Scheme of the addresses of recordings; they stand for no file. */
export const recordingScheme = 'benchside-recording';

/** Context keys of `when` clauses. `loaded` is false until the engine told what there is; nothing is hidden before that. */
export const contextKeys = {
  loaded: 'benchside.loaded',
  engineFailed: 'benchside.engineFailed',
  running: 'benchside.running',
  liveRunning: 'benchside.liveRunning',
  hasApplied: 'benchside.hasApplied',
  hasBaseline: 'benchside.hasBaseline',
  hasTunedRuns: 'benchside.hasTunedRuns',
  hasRuns: 'benchside.hasRuns',
  hasTwoRuns: 'benchside.hasTwoRuns',
  anyTargetRunning: 'benchside.anyTargetRunning',
  anyTargetStopped: 'benchside.anyTargetStopped',
  recording: 'benchside.recording',
  hasRecordings: 'benchside.hasRecordings',
  hasTwoRecordings: 'benchside.hasTwoRecordings',
  hasSourceMarks: 'benchside.hasSourceMarks',
} as const;
export type ContextKey = (typeof contextKeys)[keyof typeof contextKeys];

export const settingNames = {
  nodePath: 'nodePath',
  javaPath: 'javaPath',
  k6Path: 'k6.path',
  postgresUrl: 'postgres.url',
  postgresMode: 'postgres.mode',
  postgresHosts: 'postgres.allowedHosts',
  probes: 'probes',
  sourceMarks: 'sourceMarks.enabled',
  sourceMarksLens: 'sourceMarks.codeLens',
} as const;
/** Colours that themes and users can change. */
export const colourIds = { sourceMark: 'benchside.sourceMarkForeground', quietSourceMark: 'benchside.quietSourceMarkForeground' } as const;
export const configurationSection = 'benchside';
export const workspaceFileName = 'benchside.json';

/** Language model tools, as the manifest names them: those of `model/agent` in the same order, which activation does without. */
export const toolPrefix = 'benchside_';
export const toolNames = [
  'list_targets',
  'check_machine',
  'start_run',
  'start_tuning',
  'compare_code',
  'get_run',
  'cancel_run',
  'compare_runs',
  'explain_run',
  'get_hot_frames',
  'get_slow_sql',
] as const;
/** What offers the server of the Model Context Protocol where the editor has no tools of its own. */
export const serverProviderId = 'benchside.mcp';
