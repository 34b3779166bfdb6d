import * as vscode from 'vscode';
import type { RunSummary } from '../model/run.ts';
import { commandIds, viewIds } from './ids.ts';
import { runRow } from './labels.ts';
import type { Services } from './services.ts';
import { rowItem } from './targetsView.ts';

/** A row of the Runs view: the benchmark that is running now, or a stored run whose `id` commands read. */
export type RunNode = { kind: 'running' } | { kind: 'run'; id: string; run: RunSummary };

const runningNode: RunNode = { kind: 'running' };

/** All runs, newest first; above them the one that is running. */
export class RunsView implements vscode.TreeDataProvider<RunNode>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<RunNode | undefined>();
  private readonly subscriptions: vscode.Disposable[];
  private wasRunning = false;
  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly services: Services) {
    const view = vscode.window.createTreeView(viewIds.runs, { treeDataProvider: this, canSelectMany: true });
    this.subscriptions = [
      view,
      this.changed,
      services.inventory.onRuns(() => this.changed.fire(undefined)),
      services.runs.onChanged(() => this.runChanged()),
    ];
  }

  async getChildren(node?: RunNode): Promise<RunNode[]> {
    if (node !== undefined || this.services.inventory.isSuspended) return [];
    const running = this.services.runs.isRunning ? [runningNode] : [];
    try {
      const runs = await this.services.inventory.runs();
      return [...running, ...runs.map((run): RunNode => ({ kind: 'run', id: run.id, run }))];
    } catch (error) {
      this.services.log.error(`Runs could not be listed: ${error instanceof Error ? error.message : String(error)}`);
      return running;
    }
  }

  getTreeItem(node: RunNode): vscode.TreeItem {
    if (node.kind === 'running') {
      const activity = this.services.runs.activity;
      const item = rowItem({
        label: 'Running now',
        description: activity,
        icon: 'loading~spin',
        spoken: `Running now: ${activity}`,
        tooltip: 'A benchmark is running.',
      });
      item.id = 'running';
      item.contextValue = 'running';
      item.command = { command: commandIds.openWorkbench, title: 'Open Workbench' };
      return item;
    }
    const item = rowItem(runRow(node.run, new Date()));
    item.id = `run:${node.id}`;
    item.contextValue = node.run.kind === 'run' ? 'run' : `run.${node.run.problem}`;
    item.command = { command: commandIds.openRun, title: 'Open Run', arguments: [node.id] };
    return item;
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private runChanged(): void {
    const running = this.services.runs.isRunning;
    this.changed.fire(running && this.wasRunning ? runningNode : undefined);
    this.wasRunning = running;
  }
}
