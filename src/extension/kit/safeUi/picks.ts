import * as vscode from 'vscode';
import { plainLine } from './plainLine.ts';

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
