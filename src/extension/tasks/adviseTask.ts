import * as vscode from 'vscode';
import { taskType } from '../kit/ids.ts';
import { choose } from '../kit/words/picks.ts';
import type { Services } from '../services/services.ts';
import { madeTask } from './benchsideTasks.ts';

/** Tries what could help a target, in a task with its own terminal, which shows the answer. Ctrl+C ends it. */
export async function whatWouldHelp(services: Services, targetId: string | undefined): Promise<void> {
  const { targets } = await services.inventory.catalog();
  const able = targets.filter(({ problem, origin }) => problem === null && origin !== 'lab');
  const own = able.filter(({ origin }) => origin === 'workspace');
  const among = own.length === 0 ? able : own;
  const named = among.find(({ id }) => id === targetId) ?? (among.length === 1 ? among[0] : undefined);
  const items = among.map(({ id, label, description }) => ({ label, description, id }));
  const id = named?.id ?? (await choose(items, 'What would help which target?', 'What Would Help?'))?.id;
  if (id === undefined) return;
  const asked = { command: 'advise', arguments: ['--target', id] } as const;
  await vscode.tasks.executeTask(await madeTask(services.context, { type: taskType, ...asked }, asked));
}
