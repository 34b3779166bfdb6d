/** The names that the manifest and the code share. A unit test compares them with package.json. */
export const commandIds = {
  runBenchmark: 'benchside.runBenchmark',
  runBenchmarkAgain: 'benchside.runBenchmarkAgain',
  cancelRun: 'benchside.cancelRun',
  startTarget: 'benchside.startTarget',
  stopTarget: 'benchside.stopTarget',
  showTargetLog: 'benchside.showTargetLog',
  stopEverything: 'benchside.stopEverything',
  openWorkbench: 'benchside.openWorkbench',
  openRun: 'benchside.openRun',
  compareRuns: 'benchside.compareRuns',
  exportReport: 'benchside.exportReport',
  deleteRun: 'benchside.deleteRun',
  checkThisMachine: 'benchside.checkThisMachine',
  createWorkspaceFile: 'benchside.createWorkspaceFile',
  refresh: 'benchside.refresh',
  showLog: 'benchside.showLog',
} as const;
export type CommandId = (typeof commandIds)[keyof typeof commandIds];

export const viewIds = { targets: 'benchside.targets', runs: 'benchside.runs' } as const;
export const panelViewType = 'benchside.workbench';

/** Context keys of `when` clauses. `loaded` is false until the engine told what there is; nothing is hidden before that. */
export const contextKeys = {
  loaded: 'benchside.loaded',
  engineFailed: 'benchside.engineFailed',
  running: 'benchside.running',
  hasRuns: 'benchside.hasRuns',
  hasTwoRuns: 'benchside.hasTwoRuns',
  anyTargetRunning: 'benchside.anyTargetRunning',
  anyTargetStopped: 'benchside.anyTargetStopped',
} as const;
export type ContextKey = (typeof contextKeys)[keyof typeof contextKeys];

export const settingNames = { nodePath: 'nodePath', javaPath: 'javaPath', postgresUrl: 'postgres.url' } as const;
export const configurationSection = 'benchside';
export const workspaceFileName = 'benchside.json';
