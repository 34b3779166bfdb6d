import * as vscode from 'vscode';
import type { FromPanel } from '../model/protocol/panel.ts';
import type { Params } from '../model/protocol/protocol.ts';
import { measure, measureAgain } from './measuring/measure.ts';
import type { WindowEngine } from './connection/windowEngine.ts';
import { compareRecordings } from './flame/flameCommands.ts';
import { sendForm } from './form/showForm.ts';
import { commandId, type CommandName } from './kit/commandId.ts';
import { publishCatalog } from './panel/publishCatalog.ts';
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
  const { panel, inventory, engine, runs, live, applied } = services;
  // The rest waits for the engine, which may just be starting.
  if (runs.kind !== undefined) await panel.send({ type: 'starting', kind: runs.kind });
  await sendForm(services);
  await publishCatalog(services);
  await panel.send({ type: 'runs', runs: await inventory.runs() });
  if (shownRunId !== null) await sendRun(services, engine, shownRunId);
  for (const target of inventory.latestCatalog?.targets ?? []) {
    const values = applied.of(target);
    if (Object.keys(values).length > 0) await panel.send({ type: 'applied', target: target.id, values });
  }
  await panel.send({ type: 'adviceProgress', progress: runs.advice, replay: true });
  await panel.sendReplay(runs.replay.events());
  await panel.sendLiveReplay(live.replay.events());
  await panel.sendWaiting();
}

// The run on show may have been deleted while the panel was closed: then the page simply shows none.
async function sendRun(services: Services, engine: WindowEngine, id: string): Promise<void> {
  const found = (await services.inventory.runs()).some((run) => run.id === id && run.kind === 'run');
  if (!found) return;
  const { run } = await engine.request('runs/get', { id });
  await services.panel.send({ type: 'run', run });
}

type Message = Parameters<PanelListener['message']>[0];

/** A page that has asked for a measurement gets a message when that was refused or is over. */
async function answered(services: Services, message: Message): Promise<void> {
  try {
    await answer(services, message);
  } finally {
    if ('ask' in message && message.ask !== undefined) await services.panel.send({ type: 'answered', ask: message.ask });
  }
}

const advice = () => import('./advice/adviceCommands.ts');

async function answer(services: Services, message: Message): Promise<void> {
  const command = (name: CommandName, ...parameters: unknown[]): Thenable<unknown> =>
    vscode.commands.executeCommand(commandId(name), ...parameters);
  switch (message.type) {
    case 'formChanged':
      return services.form.edit(message.form, message.revision);
    case 'startRun':
      return measure(services, { kind: 'run', ...message.request });
    case 'startTune':
      return measure(services, { kind: 'tune', ...message.request });
    case 'measureAgain':
      return measureAgain(services, message);
    case 'whatWouldHelp':
      return (await advice()).askedForHelp(services, message);
    case 'showAdvice':
      return (await import('./panel/sendAdvice.ts')).sendAdvice(services, message.id);
    case 'haveAdvice':
      return (await import('./advice/haveAdvice.ts')).haveAdvice(services, message);
    case 'exportAdvice':
      return (await advice()).exportAdvice(services, message.id, message.format);
    case 'deleteAdvice':
      return (await advice()).deleteAdvice(services, message.id);
    case 'listExperiments':
      return (await import('./experiments/experimentCommands.ts')).sendExperiments(services);
    case 'startExperiment':
      return measure(services, { kind: 'experiment', ...message.request });
    case 'takeAction':
      return (await import('./actions/takeAction.ts')).takeAction(services, message);
    case 'showStatements':
      return (await import('./actions/showStatements.ts')).showStatements(services, message.runId, message.trialKey);
    case 'cancelRun':
      return services.runs.cancel();
    case 'compareCode':
      return void (await command('compareCode', message.runId, message.budgetS));
    case 'openChange':
      return (await import('./versions/openChange.ts')).openChange(services, message);
    case 'openRun':
      return void (await command('openRun', message.id));
    case 'applySettings':
      return (await import('./applied/applySettings.ts')).applySettings(services, message.target, message.values);
    case 'showWhereSet':
      return (await import('./applied/applySettings.ts')).showWhereSet(services, message.target, message.setting, message.value);
    case 'startLive':
      return (await import('./live/liveCommands.ts')).startLive(services, message.request);
    case 'setLive':
      return void (await services.live.set(message.setting, message.value));
    case 'keepLive':
      return (await import('./live/liveCommands.ts')).keepLive(services);
    case 'stopLive':
      return services.live.stop();
    case 'compareRecordings':
      return compareRecordings(services, message.a, message.b);
    case 'compare':
      // Settings are compared as they were chosen; of two runs the older one is A.
      if (message.trialA !== undefined || message.trialB !== undefined || message.a === message.b)
        return showComparison(services, sidesOf(message));
      return void (await command('compareRuns', message.a, message.b));
    case 'exportReport':
      return void (await command('exportReport', message.id, message.format));
    case 'deleteRun':
      return void (await command('deleteRun', message.id));
    case 'openRecording':
      return void (await command('openFlameGraph', message.id));
    case 'recordFlameGraph':
      return void (await command('recordFlameGraph', await targetOfRun(services, message.runId)));
    case 'queryRawSamples':
      return void (await command('queryRawSamples', message.runId));
    case 'flame':
      return services.panelFlame.receive(message.recordingId, message.message);
    case 'actOnFailure':
      return actOnFailure(message.action, message.target);
    case 'addVariable':
      return (await import('./targets/addVariable.ts')).addVariable(message.target, message.name);
    case 'showLog':
      return void (await command('showLog'));
    case 'checkMachine':
      return void (await command('checkThisMachine'));
  }
}

function sidesOf({ a, b, trialA, trialB }: Extract<FromPanel, { type: 'compare' }>): Params<'runs/compare'> {
  return { a, b, ...(trialA === undefined ? {} : { trialA }), ...(trialB === undefined ? {} : { trialB }) };
}

/** The target that a run is about, when it is about one: then no question is needed. */
async function targetOfRun({ inventory }: Services, runId: string): Promise<string | undefined> {
  const run = (await inventory.runs()).find((one) => one.id === runId);
  return run?.kind === 'run' && run.targets.length === 1 ? run.targets[0] : undefined;
}

async function guarded(services: Services, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    await showFailure(error, services.log);
  }
}
