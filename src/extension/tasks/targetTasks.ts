import * as vscode from 'vscode';
import { taskType } from '../kit/ids.ts';
import { choose } from '../kit/words/picks.ts';
import type { Services } from '../services/services.ts';
import { madeTask } from './benchsideTasks.ts';
import type { BenchsideTask } from './taskOf.ts';

/** Tries what could help a target, in a task with its own terminal, which shows the answer. Ctrl+C ends it. */
export async function whatWouldHelp(services: Services, targetId: string | undefined): Promise<void> {
  const id = await chosenTarget(services, targetId, 'What would help which target?', 'What Would Help?');
  if (id !== undefined) await execute(services, { command: 'advise', arguments: ['--target', id] });
}

/** Starts a target with a proxy in front of it, in a task with its own terminal. Ctrl+C ends it; the load profile is then in the folder `profiles`. */
export async function recordTraffic(services: Services, targetId: string | undefined): Promise<void> {
  const id = await chosenTarget(services, targetId, 'Record the traffic of which target?', 'Record Traffic');
  if (id !== undefined) await execute(services, { command: 'traffic', arguments: ['--record', id] });
}

async function execute(services: Services, task: BenchsideTask): Promise<void> {
  await vscode.tasks.executeTask(await madeTask(services.context, { type: taskType, ...task }, task));
}

/** The named target, the only one, or the one that the user chooses; those of the folder before the samples. */
async function chosenTarget(
  services: Services,
  targetId: string | undefined,
  question: string,
  title: string,
): Promise<string | undefined> {
  const { targets } = await services.inventory.catalog();
  const able = targets.filter(({ problem, origin }) => problem === null && origin !== 'lab');
  const own = able.filter(({ origin }) => origin === 'workspace');
  const among = own.length === 0 ? able : own;
  const named = among.find(({ id }) => id === targetId) ?? (among.length === 1 ? among[0] : undefined);
  const items = among.map(({ id, label, description }) => ({ label, description, id }));
  return named?.id ?? (await choose(items, question, title))?.id;
}
