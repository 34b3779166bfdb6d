import * as vscode from 'vscode';
import { measuringIcon } from '../kit/row.ts';
import { grouped } from '../../model/domain/grouped.ts';
import { remembered } from '../../model/domain/remembered.ts';
import type { RecordingSummary } from '../../model/domain/recording.ts';
import type { RunSummary } from '../../model/domain/run.ts';
import { recordingRow } from '../recordings/recordingRows.ts';
import { commandId } from '../kit/commandId.ts';
import { viewIds } from '../kit/ids.ts';
import { Owner } from '../kit/owner.ts';
import { runRow } from './runRow.ts';
import { type Step, isPossible, nextStepRow } from '../sessions/nextStepOf.ts';
import { measureKinds } from '../../model/protocol/measureKinds.ts';
import type { Services } from '../services/services.ts';
import { messageOf } from '../kit/safeUi/log.ts';
import { groupItem, rowItem, rowsView } from '../kit/safeUi/rowItem.ts';

/** A row of the Results view; commands on a run or a recording read its `id`. */
interface RunNode {
  id?: string;
  row: () => vscode.TreeItem;
  recordings?: readonly RecordingSummary[];
}

/** What a run’s menu depends on: `run`, then `.pinned` for a baseline and `.tuned` for a tuning; an unreadable one has its problem instead. */
function runContext(run: RunSummary): string {
  if (run.kind === 'unreadable') return `run.${run.problem}`;
  return `run${run.marks.baseline ? '.pinned' : ''}${run.tuned ? '.tuned' : ''}`;
}

function nextItem(step: Step): vscode.TreeItem {
  const { command, args, ...row } = nextStepRow(step);
  return rowItem(row, { id: 'next', contextValue: 'next', command: { command, title: row.label, arguments: [...args] } });
}

/** All runs, newest first, with their recordings; above them the one that is running, below them the recordings made on demand. */
export class RunsView extends Owner implements vscode.TreeDataProvider<RunNode> {
  readonly #changed = this.emitter<RunNode | undefined>();
  readonly #running: RunNode = { row: () => this.#runningItem() };
  readonly #commands = new RowCommands();
  #wasRunning = false;
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(private readonly services: Services) {
    super();
    const { inventory, runs, live, next } = services;
    // A next step is shown only while its target is declared.
    const shown = [inventory.catalog, inventory.runs, inventory.recordings, live, next];
    this.owns(
      rowsView(viewIds.runs, this, true),
      this.#commands,
      ...shown.map(({ onChanged }) => onChanged(() => this.#changed.fire(undefined))),
      runs.onChanged(() => this.#runChanged()),
    );
  }

  async getChildren(node?: RunNode): Promise<RunNode[]> {
    const { inventory, runs: running, live, next } = this.services;
    if (node !== undefined) return (node.recordings ?? []).map((recording) => this.#recordingNode(recording));
    if (inventory.isSuspended) return [];
    const isRunning = running.isRunning;
    const [runs, recordings] = await Promise.all([
      this.#listed('Runs', inventory.runs.get()),
      this.#listed('Recordings', inventory.recordings.get()),
    ]);
    this.#commands.keep(new Set([...runs, ...recordings].map(({ id }) => id)));
    const step = next.current;
    const byRun = grouped(recordings, ({ runId }) => runId);
    const single = byRun.get(null) ?? [];
    const group = (): vscode.TreeItem => groupItem('Recordings', { id: 'recordings', contextValue: 'recordings' }, String(single.length));
    return [
      ...(step !== null && isPossible(step, inventory.catalog.latest, runs) ? [{ row: () => nextItem(step) }] : []),
      ...(isRunning ? [this.#running] : []),
      ...(live.isRunning ? [{ row: () => this.#liveItem() }] : []),
      ...runs.map((run) => this.#runNode(run, byRun.get(run.id) ?? [])),
      ...(single.length === 0 ? [] : [{ row: group, recordings: single }]),
    ];
  }

  getTreeItem(node: RunNode): vscode.TreeItem {
    return node.row();
  }

  #runNode(run: RunSummary, recordings: readonly RecordingSummary[]): RunNode {
    const { None, Collapsed } = vscode.TreeItemCollapsibleState;
    const known = {
      id: `run:${run.id}`,
      contextValue: runContext(run),
      command: this.#commands.of(commandId('openRun'), 'Open Result', run.id),
      collapsibleState: recordings.length > 0 ? Collapsed : None,
    };
    return { id: run.id, row: () => rowItem(runRow(run, new Date()), known), recordings };
  }

  #recordingNode(recording: RecordingSummary): RunNode {
    const known = {
      id: `recording:${recording.id}`,
      // Those of a run are deleted with it.
      contextValue: recording.runId === null ? 'recording' : 'recording.run',
      command: this.#commands.of(commandId('openFlameGraph'), 'Open Flame Graph', recording.id),
    };
    return { id: recording.id, row: () => rowItem(recordingRow(recording, new Date()), known) };
  }

  #runningItem(): vscode.TreeItem {
    const activity = this.services.runs.activity;
    const row = {
      label: 'Running now',
      description: activity,
      icon: measuringIcon,
      spoken: `Running now: ${activity}`,
      tooltip: `A ${measureKinds[this.services.runs.kind ?? 'run'].noun} is running.`,
    };
    const command = { command: commandId('openWorkbench'), title: 'Open Workbench' };
    return rowItem(row, { id: 'running', contextValue: 'running', command });
  }

  #liveItem(): vscode.TreeItem {
    const { target } = this.services.live;
    const row = {
      label: 'Live now',
      description: target,
      icon: 'pulse',
      spoken: `Live session: ${target} is kept under load`,
      tooltip: 'Load is kept on this target until the session is stopped.',
    };
    return rowItem(row, { id: 'live', contextValue: 'live', command: { command: commandId('live'), title: 'Open the Live View' } });
  }

  async #listed<T>(what: string, listing: Promise<T[]>): Promise<T[]> {
    try {
      return await listing;
    } catch (error) {
      this.services.log.error(`${what} could not be listed: ${messageOf(error)}`);
      return [];
    }
  }

  #runChanged(): void {
    const running = this.services.runs.isRunning;
    this.#changed.fire(running && this.#wasRunning ? this.#running : undefined);
    this.#wasRunning = running;
  }
}

/**
 * Commands of rows, one for each, without arguments. The editor keeps the arguments of a row’s command in a table that it empties while it redraws the rows:
 * a click at that moment opened nothing, or the editor said that it knows no such command.
 */
class RowCommands implements vscode.Disposable {
  readonly #registered = new Map<string, vscode.Disposable>();

  /** A command that runs another one with the id of a row. */
  of(command: string, title: string, id: string): vscode.Command {
    const own = `${command}/${id}`;
    remembered(this.#registered, own, () => vscode.commands.registerCommand(own, () => vscode.commands.executeCommand(command, id)));
    return { command: own, title };
  }

  /** Forgets those of rows that are not among these any more. */
  keep(ids: ReadonlySet<string>): void {
    for (const [own, registered] of this.#registered)
      if (!ids.has(own.slice(own.indexOf('/') + 1))) {
        registered.dispose();
        this.#registered.delete(own);
      }
  }

  dispose(): void {
    this.keep(new Set());
  }
}
