import * as vscode from 'vscode';
import { measuringIcon } from '../kit/row.ts';
import type { RecordingSummary } from '../../model/domain/recording.ts';
import type { RunSummary } from '../../model/domain/run.ts';
import { recordingRow } from '../recordings/recordingRows.ts';
import { commandId } from '../kit/commandId.ts';
import { viewIds } from '../kit/ids.ts';
import { RowCommands } from '../kit/rowCommands.ts';
import { runRow } from './runRow.ts';
import { isPossible, nextStepRow } from '../sessions/nextStepOf.ts';
import { measureNouns } from '../../model/protocol/measureNouns.ts';
import type { Services } from '../services/services.ts';
import { groupItem, rowItem, rowsView } from '../kit/safeUi/rowItem.ts';

/**
 * A row of the Results view: what is to be done next, the benchmark that is running now, the live session, a stored run, or a recording, whose `id` commands
 * read; `recordings` is the group of those that belong to no run.
 */
export type RunNode =
  | { kind: 'next' }
  | { kind: 'running' }
  | { kind: 'live' }
  | { kind: 'run'; id: string; run: RunSummary; recordings: RecordingSummary[] }
  | { kind: 'recordings'; recordings: RecordingSummary[] }
  | { kind: 'recording'; id: string; recording: RecordingSummary };

const nextNode: RunNode = { kind: 'next' };
const runningNode: RunNode = { kind: 'running' };
const liveNode: RunNode = { kind: 'live' };

/** What a run’s menu depends on: `run`, then `.pinned` for a baseline and `.tuned` for a tuning; an unreadable one has its problem instead. */
function runContext(run: RunSummary): string {
  if (run.kind === 'unreadable') return `run.${run.problem}`;
  return `run${run.marks.baseline ? '.pinned' : ''}${run.tuned ? '.tuned' : ''}`;
}

/** All runs, newest first, with their recordings; above them the one that is running, below them the recordings made on demand. */
export class RunsView implements vscode.TreeDataProvider<RunNode>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<RunNode | undefined>();
  readonly #subscriptions: vscode.Disposable[];
  readonly #commands = new RowCommands();
  #wasRunning = false;
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(private readonly services: Services) {
    const view = rowsView(viewIds.runs, this, true);
    this.#subscriptions = [
      view,
      this.#changed,
      this.#commands,
      // A next step is shown only while its target is declared.
      services.inventory.onCatalog(() => this.#changed.fire(undefined)),
      services.inventory.onRuns(() => this.#changed.fire(undefined)),
      services.inventory.onRecordings(() => this.#changed.fire(undefined)),
      services.runs.onChanged(() => this.#runChanged()),
      services.live.onChanged(() => this.#changed.fire(undefined)),
      services.next.onChanged(() => this.#changed.fire(undefined)),
    ];
  }

  async getChildren(node?: RunNode): Promise<RunNode[]> {
    if (node?.kind === 'run' || node?.kind === 'recordings') {
      return node.recordings.map((recording): RunNode => ({ kind: 'recording', id: recording.id, recording }));
    }
    if (node !== undefined || this.services.inventory.isSuspended) return [];
    const running = this.services.runs.isRunning ? [runningNode] : [];
    const [runs, recordings] = await Promise.all([
      this.#listed('Runs', this.services.inventory.runs()),
      this.#listed('Recordings', this.services.inventory.recordings()),
    ]);
    this.#commands.keep(new Set([...runs, ...recordings].map(({ id }) => id)));
    const step = this.services.next.current;
    const single = recordings.filter(({ runId }) => runId === null);
    return [
      ...(step !== null && isPossible(step, this.services.inventory.latestCatalog, runs) ? [nextNode] : []),
      ...running,
      ...(this.services.live.isRunning ? [liveNode] : []),
      ...runs.map((run): RunNode => ({ kind: 'run', id: run.id, run, recordings: recordings.filter(({ runId }) => runId === run.id) })),
      ...(single.length === 0 ? [] : [{ kind: 'recordings' as const, recordings: single }]),
    ];
  }

  getTreeItem(node: RunNode): vscode.TreeItem {
    switch (node.kind) {
      case 'next':
        return this.#nextItem();
      case 'running':
        return this.#runningItem();
      case 'live':
        return this.#liveItem();
      case 'run': {
        const item = rowItem(runRow(node.run, new Date()));
        item.id = `run:${node.id}`;
        item.contextValue = runContext(node.run);
        item.command = this.#commands.of(commandId('openRun'), 'Open Result', node.id);
        if (node.recordings.length > 0) item.collapsibleState = vscode.TreeItemCollapsibleState.Collapsed;
        return item;
      }
      case 'recordings': {
        const item = groupItem('Recordings');
        item.id = 'recordings';
        item.description = String(node.recordings.length);
        item.contextValue = 'recordings';
        return item;
      }
      case 'recording': {
        const item = rowItem(recordingRow(node.recording, new Date()));
        item.id = `recording:${node.id}`;
        // Those of a run are deleted with it.
        item.contextValue = node.recording.runId === null ? 'recording' : 'recording.run';
        item.command = this.#commands.of(commandId('openFlameGraph'), 'Open Flame Graph', node.id);
        return item;
      }
    }
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #nextItem(): vscode.TreeItem {
    const step = this.services.next.current;
    if (step === null) return groupItem('');
    const { command, args, ...row } = nextStepRow(step);
    const item = rowItem(row);
    item.id = 'next';
    item.contextValue = 'next';
    item.command = { command, title: row.label, arguments: [...args] };
    return item;
  }

  #runningItem(): vscode.TreeItem {
    const activity = this.services.runs.activity;
    const item = rowItem({
      label: 'Running now',
      description: activity,
      icon: measuringIcon,
      spoken: `Running now: ${activity}`,
      tooltip: `A ${measureNouns[this.services.runs.kind ?? 'run']} is running.`,
    });
    item.id = 'running';
    item.contextValue = 'running';
    item.command = { command: commandId('openWorkbench'), title: 'Open Workbench' };
    return item;
  }

  #liveItem(): vscode.TreeItem {
    const { target } = this.services.live;
    const item = rowItem({
      label: 'Live now',
      description: target,
      icon: 'pulse',
      spoken: `Live session: ${target} is kept under load`,
      tooltip: 'Load is kept on this target until the session is stopped.',
    });
    item.id = 'live';
    item.contextValue = 'live';
    item.command = { command: commandId('live'), title: 'Open the Live View' };
    return item;
  }

  async #listed<T>(what: string, listing: Promise<T[]>): Promise<T[]> {
    try {
      return await listing;
    } catch (error) {
      this.services.log.error(`${what} could not be listed: ${error instanceof Error ? error.message : String(error)}`);
      return [];
    }
  }

  #runChanged(): void {
    const running = this.services.runs.isRunning;
    this.#changed.fire(running && this.#wasRunning ? runningNode : undefined);
    this.#wasRunning = running;
  }
}
