import { progressOf } from '../../model/protocol/progress.ts';
import * as vscode from 'vscode';
import { listed } from '../../model/protocol/listed.ts';
import type { ServiceState, TargetState } from '../../model/protocol/protocol.ts';
import { isStartable } from '../../model/presentation/formChoice.ts';
import { machineChecks } from '../../model/presentation/machineChecks.ts';
import { checkDocument } from './checkDocument.ts';
import { viewIds } from '../kit/ids.ts';
import { processRow } from './processRow.ts';
import type { Services } from '../services/services.ts';
import { showFailure } from '../kit/showFailure.ts';
import { cancellable, choose as chooseOne, say, underWay } from '../kit/safeUi/dialogs.ts';

type Item = TargetState | ServiceState;

export async function startTarget(services: Services, id?: string): Promise<void> {
  const item = await choose(services, id, 'Start which target?', 'Everything that can be started is running.', canStart);
  if (item === undefined) return;
  if (item.state === 'running' || item.state === 'starting') return;
  try {
    const settings = 'settings' in item ? services.applied.of(item) : {};
    await inTargetsView(() => services.engine.request('target/start', { id: item.id, settings }));
  } catch (error) {
    void showFailure(error, services.log, item.id);
  }
  services.inventory.catalog.refresh();
}

export async function stopTarget(services: Services, id?: string): Promise<void> {
  const item = await choose(services, id, 'Stop which target?', 'No target is running.', canStop);
  if (item === undefined) return;
  try {
    await inTargetsView(() => services.engine.request('target/stop', { id: item.id }));
  } finally {
    services.inventory.catalog.refresh();
  }
}

/** Stops a target and starts it with what is applied to it. */
export async function restartTarget(services: Services, id: string): Promise<void> {
  await stopTarget(services, id);
  await startTarget(services, id);
}

/** The named target, the only one, or the one that the user chooses; those of the folder before the samples. */
export async function chosenTarget(
  services: Services,
  targetId: string | undefined,
  question: string,
  title: string,
): Promise<string | undefined> {
  const { targets } = await services.inventory.catalog.get();
  const able = targets.filter(({ problem, origin }) => problem === null && origin !== 'lab');
  const own = able.filter(({ origin }) => origin === 'workspace');
  const among = own.length === 0 ? able : own;
  const named = among.find(({ id }) => id === targetId) ?? (among.length === 1 ? among[0] : undefined);
  const items = among.map(({ id, label, description }) => ({ label, description, id }));
  return named?.id ?? (await chooseOne(items, question, title))?.id;
}

/** Opens what the target wrote to its output, newest at the end. */
export async function showTargetLog(services: Services, id?: string): Promise<void> {
  const item = await choose(services, id, 'Show the output of which target?', 'There is no target.', () => true);
  if (item === undefined) return;
  const { text, droppedBytes } = await services.engine.request('target/log', { id: item.id });
  if (text === '') return say(`${item.label} has not written anything yet.`);
  const note = droppedBytes === 0 ? '' : `[Benchside left out ${droppedBytes} bytes in the middle]\n`;
  await services.documents.showAtEnd(services.documents.put(`${item.id}.log`, note + text));
}

/** Stops the run, every target and PostgreSQL, and what an earlier engine may have left behind. */
export async function stopEverything(services: Services): Promise<void> {
  const { stopped, reaped } = await services.engine.request('engine/stopEverything', {});
  services.inventory.catalog.refresh();
  const parts = [stopped > 0 ? `Stopped ${processes(stopped)}.` : '', reaped > 0 ? `Ended ${processes(reaped)} left from before.` : ''];
  const message = parts.filter((part) => part !== '').join(' ');
  say(message === '' ? 'Nothing of Benchside is running.' : message);
}

function processes(count: number): string {
  return `${count} ${count === 1 ? 'process' : 'processes'}`;
}

/** Measures for ten seconds which difference this machine can distinguish, checks what the samples need (Node, Java, PostgreSQL …), and opens the result as a page. */
export async function checkThisMachine(services: Services): Promise<void> {
  const { engine, documents } = services;
  const found = await cancellable(
    'Checking this machine',
    (signal) =>
      engine.request('check/run', {}, signal).catch((error: unknown) => {
        if (signal.aborted) return undefined;
        throw error;
      }),
    (show) => progressOf(engine, 'check', show),
  );
  if (found === undefined) return;
  const uri = documents.put('Check This Machine.md', checkDocument(machineChecks(found), found.resolution, new Date()));
  try {
    await vscode.commands.executeCommand('markdown.showPreview', uri);
  } catch {
    // The Markdown preview is an extension that a person can turn off; the page is readable as text too.
    await vscode.window.showTextDocument(uri);
  }
}

function canStart(item: Item): boolean {
  return (item.state === 'stopped' || item.state === 'failed') && isStartable(item) && !('external' in item && item.external);
}

function canStop(item: Item): boolean {
  return (item.state === 'running' || item.state === 'starting') && !('external' in item && item.external);
}

async function choose(
  services: Services,
  id: string | undefined,
  placeholder: string,
  nothing: string,
  fits: (item: Item) => boolean,
): Promise<Item | undefined> {
  const catalog = await services.inventory.catalog.get();
  const all: Item[] = [...catalog.targets, ...catalog.services];
  if (id !== undefined) return all.find((item) => item.id === id);
  const items = [...listed(catalog.targets, () => false), ...catalog.services].filter(fits).map((item) => {
    const row = processRow(item);
    return { label: row.label, icon: row.icon.replace('~spin', ''), description: row.description, item };
  });
  if (items.length === 0) {
    say(nothing);
    return undefined;
  }
  return (await chooseOne(items, placeholder))?.item;
}

function inTargetsView<T>(work: () => Promise<T>): Promise<T> {
  return underWay('', { viewId: viewIds.targets }, work);
}
