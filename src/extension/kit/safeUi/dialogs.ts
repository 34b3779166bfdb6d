import * as vscode from 'vscode';
import { defined } from '../../../model/domain/defined.ts';
import { plainLine } from './plainLine.ts';

/** Shows a person a message; returns the button that was pressed. */
export function inform(message: string, ...buttons: string[]): Promise<string | undefined> {
  return pressed(buttons, (items) => vscode.window.showInformationMessage(plainLine(message), ...items));
}

/** Shows a person a message, and does what the button says that was pressed. What is undefined has no button. */
export async function offer(message: string, deeds: Readonly<Record<string, (() => unknown) | undefined>>): Promise<void> {
  const offered = defined(deeds);
  const chosen = await inform(message, ...Object.keys(offered));
  if (chosen !== undefined) await offered[chosen]?.();
}

/** As {@link inform}, without waiting until it is read. */
export function say(message: string): void {
  void inform(message);
}

/** As {@link say}, for what was not done, or only in part. */
export function warn(message: string): void {
  void vscode.window.showWarningMessage(plainLine(message));
}

/** As {@link inform}, for what failed. */
export function complain(message: string, ...buttons: string[]): Promise<string | undefined> {
  return pressed(buttons, (items) => vscode.window.showErrorMessage(plainLine(message), ...items));
}

/** Asks in a dialog whether to do what the button says; a deletion shows a warning. */
export async function agrees(question: string, detail: string, button: string, kind: 'question' | 'warning'): Promise<boolean> {
  const show = kind === 'warning' ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
  return (await pressed([button], (items) => show(plainLine(question), { modal: true, detail: plainLine(detail) }, ...items))) === button;
}

/** Deletes what has these names after a question, and offers to bring it back. */
export async function deleteWithUndo(
  names: readonly string[],
  plural: string,
  change: (how: 'delete' | 'restore') => Promise<void>,
): Promise<void> {
  if (names.length === 0) return;
  const what = names.length === 1 ? `“${names[0] ?? ''}”` : `${names.length} ${plural}`;
  if (!(await agrees(`Delete ${what}?`, 'You can undo this for as long as the notification is shown.', 'Delete', 'warning'))) return;
  await change('delete');
  void offer(`Deleted ${what}.`, { Undo: () => change('restore') });
}

/** Asks in a dialog which of these to do; nothing when it was closed. */
export function decide(question: string, detail: string, ...buttons: string[]): Promise<string | undefined> {
  return pressed(buttons, (items) =>
    vscode.window.showInformationMessage(plainLine(question), { modal: true, detail: plainLine(detail) }, ...items),
  );
}

/** Where a progress is seen: a notification, the status bar, or a view. */
export type ProgressPlace = 'notification' | 'notification with Cancel' | 'status bar' | { viewId: string };

export interface ProgressStep {
  message?: string;
  /** Percent that were done since the step before. */
  increment?: number;
}

/** Shows that something is under way for as long as `work` takes. */
export function underWay<T>(
  title: string,
  place: ProgressPlace,
  work: (report: (step: ProgressStep) => void, token: vscode.CancellationToken) => Promise<T>,
): Promise<T> {
  const location =
    typeof place === 'object' ? place : place === 'status bar' ? vscode.ProgressLocation.Window : vscode.ProgressLocation.Notification;
  const options = { location, title: plainLine(title), cancellable: place === 'notification with Cancel' };
  return Promise.resolve(
    vscode.window.withProgress(options, (progress, token) =>
      work(({ message, ...step }) => progress.report(message === undefined ? step : { ...step, message: plainLine(message) }), token),
    ),
  );
}

/** How far work is: the fraction that is done, null while it is unknown, and left out where it is never known. */
interface Advance {
  message: string;
  fraction?: number | null;
}

/** Shows work in a notification whose Cancel aborts it. `follow` listens to how far it is, for as long as it takes. */
export function cancellable<T>(
  title: string,
  work: (signal: AbortSignal) => Promise<T>,
  follow?: (show: (advance: Advance) => void) => vscode.Disposable,
  abort = new AbortController(),
): Promise<T> {
  return underWay(title, 'notification with Cancel', async (report, token) => {
    let percent = 0;
    const cancelling = token.onCancellationRequested(() => abort.abort());
    const following = follow?.(({ message, fraction }) => {
      const now = Math.max(percent, 100 * (fraction ?? 0));
      report({ message, ...(fraction === undefined ? {} : { increment: now - percent }) });
      percent = now;
    });
    try {
      return await work(abort.signal);
    } finally {
      cancelling.dispose();
      following?.dispose();
    }
  });
}

async function pressed(
  buttons: readonly string[],
  show: (items: vscode.MessageItem[]) => Thenable<vscode.MessageItem | undefined>,
): Promise<string | undefined> {
  const items = buttons.map((button) => ({ title: plainLine(button) }));
  const chosen = await show(items);
  return chosen === undefined ? undefined : buttons[items.findIndex(({ title }) => title === chosen.title)];
}

/** One of the things that can be chosen. The icon is a codicon. */
export interface Choice {
  label: string;
  description?: string;
  detail?: string;
  icon?: string;
  picked?: boolean;
  /** In sight whatever is typed to find another one. */
  always?: boolean;
  /** Only a heading above those that follow. */
  heading?: boolean;
}

export type PlainItem<T> = vscode.QuickPickItem & { of: T };

/** Asks for one of these. Escape leaves it; a panel that takes the focus does not. */
export async function choose<T extends Choice>(items: readonly T[], placeholder: string, title?: string): Promise<T | undefined> {
  return (await vscode.window.showQuickPick(items.map(plainItem), pickOptions(placeholder, title)))?.of;
}

/** Shows these with a tick at each that is `picked`; returns those that a person left ticked, or nothing when the list was left. */
export async function tick<T extends Choice>(items: readonly T[], placeholder: string, title: string): Promise<readonly T[] | undefined> {
  const options = { ...pickOptions(placeholder, title), canPickMany: true as const };
  return (await vscode.window.showQuickPick(items.map(plainItem), options))?.map(({ of }) => of);
}

function pickOptions(placeholder: string, title: string | undefined): vscode.QuickPickOptions {
  const options = { placeHolder: plainLine(placeholder), matchOnDescription: true, matchOnDetail: true, ignoreFocusOut: true };
  return title === undefined ? options : { ...options, title: plainLine(title) };
}

/** Asks for a text that `check` finds no fault with. */
export function askFor(question: {
  title: string;
  prompt: string;
  value: string;
  placeholder?: string;
  check: (text: string) => string | undefined;
}): Promise<string | undefined> {
  const { title, prompt, value, placeholder, check } = question;
  return Promise.resolve(
    vscode.window.showInputBox({
      title: plainLine(title),
      prompt: plainLine(prompt),
      value,
      ...(placeholder === undefined ? {} : { placeHolder: plainLine(placeholder) }),
      validateInput: (text) => plainFault(check(text)),
    }),
  );
}

/** What a list shows of a choice. */
export function plainItem<T extends Choice>(of: T): PlainItem<T> {
  return {
    of,
    label: plainLine(of.label),
    ...(of.description === undefined ? {} : { description: plainLine(of.description) }),
    ...(of.detail === undefined ? {} : { detail: plainLine(of.detail) }),
    ...(of.icon === undefined ? {} : { iconPath: new vscode.ThemeIcon(of.icon) }),
    ...(of.picked === undefined ? {} : { picked: of.picked }),
    ...(of.always === true ? { alwaysShow: true } : {}),
    ...(of.heading === true ? { kind: vscode.QuickPickItemKind.Separator } : {}),
  };
}

/** A sentence about what was typed, which may quote it. */
export function plainFault(fault: string | undefined): string | undefined {
  return fault === undefined ? undefined : plainLine(fault);
}
