import * as vscode from 'vscode';
import { engineOptions } from '../connection/engineOptions.ts';
import { problemMatcher, taskType } from '../kit/ids.ts';
import { taskOf, type BenchsideTask } from '../kit/manifest/tasks.ts';
import { workspaceDir, workspaceFile } from '../kit/workspaceFiles.ts';
import type { Services } from '../services/services.ts';
import { chosenTarget } from '../targets/targetCommands.ts';

/** What is offered where a folder declares targets; others are written into tasks.json. */
const offered: readonly BenchsideTask[] = [{ command: 'check-routes', arguments: [] }];

/** The commands of the terminal as tasks, with this extension’s own command line and the node of its settings. Problems at lines are those of `check-routes`. */
export class BenchsideTasks implements vscode.TaskProvider {
  constructor(private readonly context: vscode.ExtensionContext) {}

  async provideTasks(): Promise<vscode.Task[]> {
    if (!vscode.workspace.isTrusted || (await workspaceFile()) === null) return [];
    return Promise.all(offered.map((one) => madeTask(this.context, { type: taskType, ...one }, one)));
  }

  async resolveTask({ definition, scope }: vscode.Task): Promise<vscode.Task | undefined> {
    const asked = taskOf(definition);
    return asked === null ? undefined : madeTask(this.context, definition, asked, scope);
  }
}

/** A command of the terminal as a task of this folder. */
async function madeTask(
  context: vscode.ExtensionContext,
  definition: vscode.TaskDefinition,
  { command, arguments: words }: BenchsideTask,
  scope: vscode.WorkspaceFolder | vscode.TaskScope = vscode.TaskScope.Workspace,
): Promise<vscode.Task> {
  const { nodePath, env } = await engineOptions(context);
  const program = vscode.Uri.joinPath(context.extensionUri, 'dist', 'cli.cjs').fsPath;
  const folder = await workspaceDir();
  const execution = new vscode.ProcessExecution(nodePath, [program, command, ...words], {
    env,
    ...(folder === null ? {} : { cwd: folder.fsPath }),
  });
  const task = new vscode.Task(definition, scope, [command, ...words].join(' '), 'Benchside', execution, `$${problemMatcher}`);
  if (command === 'check-routes') task.group = vscode.TaskGroup.Test;
  return task;
}

/** Starts a target with a proxy in front of it, in a task with its own terminal. Ctrl+C ends it; the load profile is then in the folder `profiles`. */
export async function recordTraffic(services: Services, targetId: string | undefined): Promise<void> {
  const id = await chosenTarget(services, targetId, 'Record the traffic of which target?', 'Record Traffic');
  if (id === undefined) return;
  const task: BenchsideTask = { command: 'traffic', arguments: ['--record', id] };
  await vscode.tasks.executeTask(await madeTask(services.context, { type: taskType, ...task }, task));
}
