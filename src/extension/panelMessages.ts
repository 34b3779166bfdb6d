import * as vscode from 'vscode';
import { defined } from '../model/domain/defined.ts';
import { measure, measureAgain } from './measuring/measure.ts';
import { compareRecordings } from './flame/flameCommands.ts';
import { sendForm } from './form/chosenForm.ts';
import { runCommand } from './kit/runCommand.ts';
import { sendAdvice } from './panel/sendAdvice.ts';
import { showComparison } from './runs/runCommands.ts';
import type { Services } from './services/services.ts';
import { actOnFailure, showFailure } from './kit/showFailure.ts';
import type { PanelListener } from './panel/workbenchPanel.ts';

/** Answers the panel. `services` is asked late, since the panel is one of them. */
export function panelListener(services: () => Services): PanelListener {
  return {
    ready: (shownRunId) => {
      // A page that was reloaded asks for its flame graph again.
      services().panelFlame.dispose();
      void guarded(services(), () => fill(services(), shownRunId));
    },
    message: (message) => void guarded(services(), () => answered(services(), message)),
    closed: () => services().panelFlame.dispose(),
  };
}

async function fill(services: Services, shownRunId: string | null): Promise<void> {
  const { panel, inventory, runs, live, applied } = services;
  // The rest waits for the engine, which may just be starting.
  if (runs.kind !== undefined) await panel.send({ type: 'starting', kind: runs.kind });
  await sendForm(services);
  await publishCatalog(services);
  await panel.send({ type: 'runs', runs: await inventory.runs.get() });
  if (shownRunId !== null) await sendRun(services, shownRunId);
  for (const target of inventory.catalog.latest?.targets ?? []) {
    const values = applied.of(target);
    if (Object.keys(values).length > 0) await panel.send({ type: 'applied', target: target.id, values });
  }
  await panel.send({ type: 'adviceProgress', progress: runs.advice, replay: true });
  await panel.runEvents.replay(runs.replay.events());
  await panel.liveEvents.replay(live.replay.events());
  await panel.sendWaiting();
}

/** Sends the panel what there is to choose from. */
export async function publishCatalog({ panel, inventory }: Services): Promise<void> {
  if (!panel.isOpen) return;
  const catalog = await inventory.catalog.get();
  await panel.send({
    type: 'catalog',
    catalog,
    trusted: vscode.workspace.isTrusted,
    hasWorkspace: (vscode.workspace.workspaceFolders ?? []).length > 0,
  });
}

// The run on show may have been deleted while the panel was closed: then the page simply shows none.
async function sendRun({ inventory, engine, panel }: Services, id: string): Promise<void> {
  if ((await inventory.runs.get()).some((run) => run.id === id && run.kind === 'run'))
    await panel.send({ type: 'run', run: (await engine.request('runs/get', { id })).run });
}

type Message = Parameters<PanelListener['message']>[0];

/** A page that has asked for a measurement gets a message when that was refused or is over. */
async function answered(services: Services, message: Message): Promise<void> {
  try {
    const answer = answers[message.type] as (services: Services, message: Message) => unknown;
    await answer(services, message);
  } finally {
    if ('ask' in message && message.ask !== undefined) await services.panel.send({ type: 'answered', ask: message.ask });
  }
}

// Loaded at their first use.
const advice = () => import('./advice/adviceCommands.ts');
const applying = () => import('./applied/applySettings.ts');
const lively = () => import('./live/liveCommands.ts');

/** What is done on each message of the panel. What one returns is awaited. */
const answers: { [T in Message['type']]: (services: Services, message: Extract<Message, { type: T }>) => unknown } = {
  formChanged: ({ form }, message) => form.edit(message.form, message.revision),
  measure: (services, { request }) => measure(services, request),
  measureAgain,
  cancelRun: ({ runs }) => runs.cancel(),
  whatWouldHelp: async (services, message) => (await advice()).askedForHelp(services, message),
  showAdvice: (services, { id }) => sendAdvice(services, id),
  haveAdvice: async (services, message) => (await advice()).haveAdvice(services, message),
  exportAdvice: async (services, { id, format }) => (await advice()).exportAdvice(services, id, format),
  deleteAdvice: async (services, { id }) => (await advice()).deleteAdvice(services, id),
  listExperiments: async (services) => (await import('./experiments/experimentCommands.ts')).sendExperiments(services),
  takeAction: async (services, message) => (await import('./actions/takeAction.ts')).takeAction(services, message),
  showStatements: async (services, { runId, trialKey }) =>
    (await import('./actions/takeAction.ts')).showStatements(services, runId, trialKey),
  compareCode: (_, { runId, budgetS }) => runCommand('compareCode', runId, budgetS),
  openChange: async (services, message) => (await import('./versions/openChange.ts')).openChange(services, message),
  openRun: (_, { id }) => runCommand('openRun', id),
  applySettings: async (services, { target, values }) => (await applying()).applySettings(services, target, values),
  showWhereSet: async (services, { target, setting, value }) => (await applying()).showWhereSet(services, target, setting, value),
  startLive: async (services, { request }) => (await lively()).startLive(services, request),
  // Several in quick succession: the engine takes the last.
  setLive: ({ engine }, { setting, value }) => engine.request('live/set', { setting, value }),
  keepLive: async (services) => (await lively()).keepLive(services),
  stopLive: ({ live }) => live.stop(),
  compareRecordings: (services, { a, b }) => compareRecordings(services, a, b),
  // Settings are compared as they were chosen; of two runs the older one is A.
  compare: (services, { a, b, trialA, trialB }) =>
    trialA !== undefined || trialB !== undefined || a === b
      ? showComparison(services, { a, b, ...defined({ trialA, trialB }) })
      : runCommand('compareRuns', a, b),
  exportReport: (_, { id, format }) => runCommand('exportReport', id, format),
  deleteRun: (_, { id }) => runCommand('deleteRun', id),
  openRecording: (_, { id }) => runCommand('openFlameGraph', id),
  recordFlameGraph: async (services, { runId }) => runCommand('recordFlameGraph', await targetOfRun(services, runId)),
  queryRawSamples: (_, { runId }) => runCommand('queryRawSamples', runId),
  flame: ({ panelFlame }, { recordingId, message }) => panelFlame.receive(recordingId, message),
  actOnFailure: (_, { action, target }) => actOnFailure(action, target),
  addVariable: async (_, { target, name }) => (await import('./targets/addVariable.ts')).addVariable(target, name),
  showLog: () => runCommand('showLog'),
  checkMachine: () => runCommand('checkThisMachine'),
};

/** The target that a run is about, when it is about one: then no question is needed. */
async function targetOfRun({ inventory }: Services, runId: string): Promise<string | undefined> {
  const run = (await inventory.runs.get()).find((one) => one.id === runId);
  return run?.kind === 'run' && run.targets.length === 1 ? run.targets[0] : undefined;
}

async function guarded(services: Services, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    await showFailure(error, services.log);
  }
}
