import * as vscode from 'vscode';
import { isMeasureKind } from '../model/protocol/measureKinds.ts';
import type { ReportFormat } from '../model/protocol/protocol.ts';
import { cancelRun } from './measuring/measure.ts';
import { runBenchmark, runBenchmarkAgain } from './benchmark/benchmarkCommands.ts';
import { compareFlameGraphs, deleteRecordings, openFlameGraph, revealRecording } from './flame/flameCommands.ts';
import { commandId, type CommandName } from './kit/commandId.ts';
import { compareRuns, compareSettings, deleteRuns, exportReport, openRun } from './runs/runCommands.ts';
import type { Services } from './services/services.ts';
import { showFailure } from './kit/showFailure.ts';
import { createWorkspaceFile } from './targets/addTarget.ts';
import { recordTraffic } from './tasks/benchsideTasks.ts';
import { checkThisMachine, showTargetLog, startTarget, stopEverything, stopTarget } from './targets/targetCommands.ts';

type Handler = (services: Services, first: unknown, second: unknown) => Promise<void> | void;

// Loaded at their first use: activation needs none of them.
const tuning = () => import('./tuning/tuneCommands.ts');
const lively = () => import('./live/liveCommands.ts');
const experiments = () => import('./tuning/experimentCommands.ts');
const published = () => import('./experiments/experimentCommands.ts');
const marks = () => import('./runs/runMarks.ts');
const routes = () => import('./routes/routeCommands.ts');

/** What each command of the manifest does. The first argument is a row, an id, or nothing (from the palette); the second the selected rows, or another id. */
const handlers: Record<CommandName, Handler> = {
  runBenchmark: (services, target) => runBenchmark(services, idOf(target)),
  runBenchmarkAgain: (services, kind) => runBenchmarkAgain(services, isMeasureKind(kind) ? kind : undefined),
  cancelRun: (services) => cancelRun(services),
  tune: async (services, target) => (await tuning()).tuneSetting(services, idOf(target)),
  whatWouldHelp: async (services, target) => (await import('./advice/adviceCommands.ts')).whatWouldHelp(services, idOf(target)),
  recordTraffic: (services, target) => recordTraffic(services, idOf(target)),
  tuneAgain: async (services, run) => (await tuning()).tuneAgain(services, idOf(run)),
  applyTuning: async (services, run) => (await tuning()).applyTuning(services, idOf(run)),
  forgetApplied: async (services, target) => (await import('./applied/applySettings.ts')).forgetApplied(services, idOf(target)),
  live: async (services, target) => (await lively()).openLive(services, idOf(target)),
  stopLive: async (services) => (await lively()).stopLive(services),
  runExperiment: async (services, name) => (await experiments()).runExperiment(services, idOf(name)),
  saveExperiment: async (services, run) => (await experiments()).saveExperiment(services, idOf(run)),
  repeatPublished: async (services, id) => (await published()).runExperiment(services, idOf(id)),
  showPublished: async (services) => (await published()).showExperiments(services),
  startTarget: (services, target) => startTarget(services, idOf(target)),
  stopTarget: (services, target) => stopTarget(services, idOf(target)),
  showTargetLog: (services, target) => showTargetLog(services, idOf(target)),
  stopEverything: (services) => stopEverything(services),
  openWorkbench: (services) => services.panel.open(),
  openRun: (services, run) => openRun(services, idOf(run)),
  compareRuns: (services, first, second) => compareRuns(services, ...twoIds(first, second)),
  compareSettings: (services, run) => compareSettings(services, idOf(run)),
  compareCode: async (services, what, budgetS) =>
    (await import('./versions/compareCode.ts')).compareCode(services, what, typeof budgetS === 'number' ? budgetS : undefined),
  compareWithBaseline: async (services, run) => (await marks()).compareWithBaseline(services, idOf(run)),
  runWithOtherValues: async (services, run) => (await tuning()).runWithOtherValues(services, idOf(run)),
  renameRun: async (services, run) => (await marks()).renameRun(services, idOf(run)),
  tagRun: async (services, run) => (await marks()).tagRun(services, idOf(run)),
  pinBaseline: async (services, run) => (await marks()).pinBaseline(services, idOf(run)),
  unpinBaseline: async (services, run) => (await marks()).unpinBaseline(services, idOf(run)),
  exportReport: (services, run, format) => exportReport(services, idOf(run), reportFormat(format)),
  queryRawSamples: async (services, run) => (await import('./raw/queryRawSamples.ts')).queryRawSamples(services, idOf(run)),
  deleteRun: (services, run, selected) => deleteRuns(services, idsOf(run, selected)),
  recordFlameGraph: async (services, target) => (await import('./recordings/recordFlameGraph.ts')).recordFlameGraph(services, idOf(target)),
  cancelRecording: (services) => services.recordings.cancel(),
  openFlameGraph: (services, what, trialKey) =>
    openFlameGraph(services, what instanceof vscode.Uri ? what : idOf(what), typeof trialKey === 'string' ? trialKey : undefined),
  compareFlameGraphs: (services, first, second) => compareFlameGraphs(services, ...twoIds(first, second)),
  reloadFlameGraph: ({ flames }) => flames.current?.reload(),
  deleteRecording: (services, recording, selected) => deleteRecordings(services, idsOf(recording, selected)),
  revealRecording: (services, recording) => revealRecording(services, idOf(recording)),
  focusFunction: ({ marks }, name, file) => marks.focusFunction(name, file),
  nextHotLine: ({ marks }) => marks.goToHotLine(1),
  previousHotLine: ({ marks }) => marks.goToHotLine(-1),
  clearSourceMarks: ({ marks }) => marks.clear(),
  toggleSourceMarks: ({ marks }) => marks.toggle(),
  measureRoute: async (services, target, route) => (await routes()).measureRoute(services, target, route),
  flameRoute: async (services, target, route) => (await routes()).flameRoute(services, target, route),
  compareRoute: async (services, target, route) => (await routes()).compareRoute(services, target, route),
  checkThisMachine: (services) => checkThisMachine(services),
  removeDatabases: async (services) => (await import('./targets/removeDatabases.ts')).removeDatabases(services),
  createWorkspaceFile: (services) => createWorkspaceFile(services),
  dismissNextStep: (services) => services.next.done(),
  refresh: ({ engine, inventory }) => {
    // Targets and runs are read again, also after the engine failed.
    engine.forgiveCrashes();
    inventory.reload();
  },
  showLog: (services) => services.log.show(),
};

/** Registers every command; whatever one throws is shown as a failure with its cure. */
export function registerCommands(services: Services): vscode.Disposable[] {
  return Object.entries(handlers).map(([name, handler]) =>
    vscode.commands.registerCommand(commandId(name as CommandName), async (first: unknown, second: unknown) => {
      try {
        await handler(services, first, second);
      } catch (error) {
        // Not awaited: a command is done when its work is, not when its message was read.
        void showFailure(error, services.log);
      }
    }),
  );
}

/** The id in a command's argument: the id itself, or that of a row. */
export function idOf(argument: unknown): string | undefined {
  if (typeof argument === 'string') return argument;
  if (typeof argument === 'object' && argument !== null && 'id' in argument && typeof argument.id === 'string') return argument.id;
  return undefined;
}

function idsOf(first: unknown, selected: unknown): string[] {
  const rows = Array.isArray(selected) && selected.length > 0 ? selected : [first];
  return rows.flatMap((row: unknown) => idOf(row) ?? []);
}

function twoIds(first: unknown, second: unknown): [string | undefined, string | undefined] {
  const [one, two] = Array.isArray(second) ? idsOf(first, second) : [idOf(first), idOf(second)];
  return [one, two];
}

function reportFormat(value: unknown): ReportFormat | undefined {
  return value === 'html' || value === 'markdown' || value === 'csv' ? value : undefined;
}
