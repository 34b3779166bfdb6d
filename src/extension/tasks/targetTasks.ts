import * as vscode from 'vscode';
import { taskType } from '../kit/ids.ts';
import type { Services } from '../services/services.ts';
import { chosenTarget } from '../targets/chosenTarget.ts';
import { madeTask } from './benchsideTasks.ts';
import type { BenchsideTask } from './taskOf.ts';

/** Starts a target with a proxy in front of it, in a task with its own terminal. Ctrl+C ends it; the load profile is then in the folder `profiles`. */
export async function recordTraffic(services: Services, targetId: string | undefined): Promise<void> {
  const id = await chosenTarget(services, targetId, 'Record the traffic of which target?', 'Record Traffic');
  if (id === undefined) return;
  const task: BenchsideTask = { command: 'traffic', arguments: ['--record', id] };
  await vscode.tasks.executeTask(await madeTask(services.context, { type: taskType, ...task }, task));
}
