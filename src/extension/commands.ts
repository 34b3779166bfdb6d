import * as vscode from 'vscode';
import type { ReportFormat } from '../model/protocol.ts';
import { cancelRun } from './measuring/measure.ts';
import { runBenchmark, runBenchmarkAgain } from './benchmark/benchmarkCommands.ts';
import { compareFlameGraphs, deleteRecordings, openFlameGraph, reloadFlameGraph, revealRecording } from './flame/flameCommands.ts';
import { focusFunction, goToHotLine, toggleSourceMarks } from './source/sourceMarkCommands.ts';
import { commandIds, type CommandId } from './kit/ids.ts';
import { compareRuns, compareSettings, deleteRuns, exportReport, openRun } from './runs/runCommands.ts';
import type { Services } from './services/services.ts';
import { showFailure } from './kit/showFailure.ts';
import { createWorkspaceFile } from './targets/addTarget.ts';
import { checkThisMachine, refresh, showTargetLog, startTarget, stopEverything, stopTarget } from './targets/targetCommands.ts';

type Handler = (services: Services, first: unknown, second: unknown) => Promise<void> | void;

// Loaded at their first use: activation needs none of them.
const tuning = () => import('./tuning/tuneCommands.ts');
const applying = () => import('./applied/applySettings.ts');
const lively = () => import('./live/liveCommands.ts');
const experiments = () => import('./tuning/experimentCommands.ts');
const studies = () => import('./studies/studyCommands.ts');
const versions = () => import('./versions/compareCode.ts');
const marks = () => import('./runs/runMarks.ts');
const databases = () => import('./targets/removeDatabases.ts');
const rawSamples = () => import('./raw/queryRawSamples.ts');
const recordings = () => import('./recordings/recordFlameGraph.ts');

/** What each command does. The first argument is a row, an id, or nothing (from the palette); the second the selected rows, or another id. */
const handlers: Record<CommandId, Handler> = {
  [commandIds.runBenchmark]: (services, target) => runBenchmark(services, idOf(target)),
  [commandIds.runBenchmarkAgain]: (services) => runBenchmarkAgain(services),
  [commandIds.cancelRun]: (services) => cancelRun(services),
  [commandIds.tune]: async (services, target) => (await tuning()).tuneSetting(services, idOf(target)),
  [commandIds.tuneAgain]: async (services, run) => (await tuning()).tuneAgain(services, idOf(run)),
  [commandIds.applyTuning]: async (services, run) => (await tuning()).applyTuning(services, idOf(run)),
  [commandIds.forgetApplied]: async (services, target) => (await applying()).forgetApplied(services, idOf(target)),
  [commandIds.live]: async (services, target) => (await lively()).openLive(services, idOf(target)),
  [commandIds.stopLive]: async (services) => (await lively()).stopLive(services),
  [commandIds.runExperiment]: async (services, name) => (await experiments()).runExperiment(services, idOf(name)),
  [commandIds.saveExperiment]: async (services, run) => (await experiments()).saveExperiment(services, idOf(run)),
  [commandIds.runStudy]: async (services, id) => (await studies()).runStudy(services, idOf(id)),
  [commandIds.showStudies]: async (services) => (await studies()).showStudies(services),
  [commandIds.startTarget]: (services, target) => startTarget(services, idOf(target)),
  [commandIds.stopTarget]: (services, target) => stopTarget(services, idOf(target)),
  [commandIds.showTargetLog]: (services, target) => showTargetLog(services, idOf(target)),
  [commandIds.stopEverything]: (services) => stopEverything(services),
  [commandIds.openWorkbench]: (services) => services.panel.open(),
  [commandIds.openRun]: (services, run) => openRun(services, idOf(run)),
  [commandIds.compareRuns]: (services, first, second) => compareRuns(services, ...twoIds(first, second)),
  [commandIds.compareSettings]: (services, run) => compareSettings(services, idOf(run)),
  [commandIds.compareCode]: async (services, what, budgetS) =>
    (await versions()).compareCode(services, what, typeof budgetS === 'number' ? budgetS : undefined),
  [commandIds.compareWithBaseline]: async (services, run) => (await marks()).compareWithBaseline(services, idOf(run)),
  [commandIds.runWithOtherValues]: async (services, run) => (await tuning()).runWithOtherValues(services, idOf(run)),
  [commandIds.renameRun]: async (services, run) => (await marks()).renameRun(services, idOf(run)),
  [commandIds.tagRun]: async (services, run) => (await marks()).tagRun(services, idOf(run)),
  [commandIds.pinBaseline]: async (services, run) => (await marks()).pinBaseline(services, idOf(run)),
  [commandIds.unpinBaseline]: async (services, run) => (await marks()).unpinBaseline(services, idOf(run)),
  [commandIds.exportReport]: (services, run, format) => exportReport(services, idOf(run), reportFormat(format)),
  [commandIds.queryRawSamples]: async (services, run) => (await rawSamples()).queryRawSamples(services, idOf(run)),
  [commandIds.deleteRun]: (services, run, selected) => deleteRuns(services, idsOf(run, selected)),
  [commandIds.recordFlameGraph]: async (services, target) => (await recordings()).recordFlameGraph(services, idOf(target)),
  [commandIds.cancelRecording]: (services) => services.recordings.cancel(),
  [commandIds.openFlameGraph]: (services, what, trialKey) =>
    openFlameGraph(services, what instanceof vscode.Uri ? what : idOf(what), typeof trialKey === 'string' ? trialKey : undefined),
  [commandIds.compareFlameGraphs]: (services, first, second) => compareFlameGraphs(services, ...twoIds(first, second)),
  [commandIds.reloadFlameGraph]: (services) => reloadFlameGraph(services),
  [commandIds.deleteRecording]: (services, recording, selected) => deleteRecordings(services, idsOf(recording, selected)),
  [commandIds.revealRecording]: (services, recording) => revealRecording(services, idOf(recording)),
  [commandIds.focusFunction]: (services, name, file) => focusFunction(services, name, file),
  [commandIds.nextHotLine]: (services) => goToHotLine(services, 1),
  [commandIds.previousHotLine]: (services) => goToHotLine(services, -1),
  [commandIds.clearSourceMarks]: (services) => services.marks.clear(),
  [commandIds.toggleSourceMarks]: () => toggleSourceMarks(),
  [commandIds.checkThisMachine]: (services) => checkThisMachine(services),
  [commandIds.removeDatabases]: async (services) => (await databases()).removeDatabases(services),
  [commandIds.createWorkspaceFile]: (services) => createWorkspaceFile(services),
  [commandIds.refresh]: (services) => refresh(services),
  [commandIds.showLog]: (services) => services.log.show(),
};

/** Registers every command; whatever one throws is shown as a failure with its cure. */
export function registerCommands(services: Services): vscode.Disposable[] {
  return Object.entries(handlers).map(([id, handler]) =>
    vscode.commands.registerCommand(id, async (first: unknown, second: unknown) => {
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
