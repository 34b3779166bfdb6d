import * as vscode from 'vscode';
import { tellInterrupted } from './measuring/measure.ts';
import { registerTools } from './agents/registerTools.ts';
import { registerCommands } from './commands.ts';
import { WindowEngine } from './connection/windowEngine.ts';
import { FlameEditors } from './flame/flameEditors.ts';
import { PanelFlame } from './flame/panelFlame.ts';
import { RecordingController } from './sessions/recordingController.ts';
import { SourceMarks } from './source/sourceMarks.ts';
import { runCommand } from './kit/runCommand.ts';
import { configurationSection, taskType } from './kit/ids.ts';
import { Inventory } from './connection/inventory.ts';
import { ChosenForm } from './form/chosenForm.ts';
import { Memory } from './services/memory.ts';
import { panelListener, publishCatalog } from './panelMessages.ts';
import { sendAdviceProgress } from './panel/sendAdvice.ts';
import { RunController } from './sessions/runController.ts';
import { FollowedRoutes } from './routes/followedRoutes.ts';
import { RouteBook } from './routes/routeBook.ts';
import { RouteCounts } from './routes/routeCounts.ts';
import { RouteTests } from './routes/routeTests.ts';
import { registerRouteLenses } from './routes/routeLenses.ts';
import { RunsView } from './runs/runsView.ts';
import type { Services } from './services/services.ts';
import { engineOptions } from './connection/engineOptions.ts';
import { TargetsView } from './targets/targetsView.ts';
import { BenchsideTasks } from './tasks/benchsideTasks.ts';
import { AppliedSettings } from './form/appliedSettings.ts';
import { NextStep } from './sessions/nextStep.ts';
import { LiveController } from './sessions/liveController.ts';
import { VirtualDocuments } from './kit/virtualDocuments.ts';
import { WorkbenchPanel } from './panel/workbenchPanel.ts';
import { messageOf, openLog } from './kit/safeUi/log.ts';
import { publishStoreKeys, watchFiles } from './connection/watchFiles.ts';
import { complain } from './kit/safeUi/dialogs.ts';

let running: Services | undefined;

/** Registers everything and starts nothing: the engine starts when a view is shown or a command needs it. */
export function activate(context: vscode.ExtensionContext): void {
  const startedAt = performance.now();
  const log = openLog();
  const engine = new WindowEngine(() => engineOptions(context), log);
  const inventory = new Inventory(engine, log);
  const listener = panelListener(() => services);
  const panel = new WorkbenchPanel(context.extensionUri, listener, log);
  const services: Services = {
    context,
    log,
    engine,
    inventory,
    memory: new Memory(context.workspaceState),
    form: new ChosenForm(context.workspaceState),
    runs: new RunController(engine, panel),
    live: new LiveController(engine),
    next: new NextStep(context.workspaceState),
    applied: new AppliedSettings(context.workspaceState),
    recordings: new RecordingController(engine),
    flames: new FlameEditors(() => services),
    marks: new SourceMarks(),
    documents: new VirtualDocuments(),
    panel,
    panelFlame: new PanelFlame(() => services),
  };
  running = services;
  const routes = new RouteBook(services);
  const followed = new FollowedRoutes(routes);
  context.subscriptions.push(
    log,
    inventory,
    services.runs,
    services.live,
    services.next,
    services.applied,
    services.recordings,
    services.flames,
    services.marks,
    services.documents,
    services.panel,
    services.panelFlame,
    new TargetsView(services),
    new RunsView(services),
    routes,
    followed,
    registerRouteLenses(routes, followed),
    new RouteCounts(services, followed),
    new RouteTests(services, routes),
    vscode.tasks.registerTaskProvider(taskType, new BenchsideTasks(context)),
    ...registerCommands(services),
    ...registerTools(services),
    ...follow(services),
    watchFiles(inventory),
    engine,
  );
  void publishStoreKeys();
  void tellInterrupted(services);
  log.info(`Activated in ${Math.round(performance.now() - startedAt)} ms.`);
}

/** Ends the engine's pipe and returns at once; the engine stops everything that it started. */
export function deactivate(): void {
  running?.engine.dispose();
  running = undefined;
}

function follow(services: Services): vscode.Disposable[] {
  const { engine, inventory, panel, log } = services;
  const whilePanelIsOpen = (work: () => Promise<void>): void => {
    if (panel.isOpen) work().catch((error: unknown) => log.warn(`The panel could not be updated: ${messageOf(error)}`));
  };
  const reconfigure = (): void => {
    engine.reconfigure().catch((error: unknown) => log.error(`The engine did not take the settings: ${String(error)}`));
    inventory.catalog.refresh();
    whilePanelIsOpen(() => publishCatalog(services));
  };
  return [
    engine.on('run/event', (event) => panel.runEvents.add(event)),
    services.runs.onAdvice((progress) => whilePanelIsOpen(() => sendAdviceProgress(services, progress))),
    services.live.onEvent((event) => panel.liveEvents.add(event)),
    panel.onRunShown((run) => {
      if (panel.isVisible) void services.next.done((step) => step.kind === 'read' && step.runId === run.id);
      if (run.result.kind === 'diff' && run.result.why?.lines !== undefined)
        void import('./versions/openChange.ts').then(({ showChangeMarks }) => showChangeMarks(services, run));
    }),
    engine.onCrashed(() => void offerRestart(services)),
    inventory.catalog.onChanged((catalog) => {
      if (catalog !== undefined) whilePanelIsOpen(() => publishCatalog(services));
    }),
    inventory.runs.onChanged((runs) => {
      if (runs !== undefined) whilePanelIsOpen(() => panel.send({ type: 'runs', runs }));
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(reconfigure),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(configurationSection)) reconfigure();
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(() => {
      // The folder decides where runs are kept and what the targets are. What is under way is finished where it began.
      if (services.runs.isRunning || services.live.isRunning) return;
      void engine.stop().then(() => inventory.reload());
    }),
  ];
}

async function offerRestart(services: Services): Promise<void> {
  const { runs, live, panel } = services;
  // Then the page says what became of the measurement, and has the same buttons.
  if ((runs.isRunning || live.isRunning) && panel.isVisible) return;
  const chosen = await complain(
    'The Benchside engine ended unexpectedly. Everything it had started is stopped; completed runs are intact.',
    'Restart',
    'Show Log',
  );
  if (chosen === 'Restart') await runCommand('refresh');
  if (chosen === 'Show Log') services.log.show();
}
