import * as vscode from 'vscode';
import { commandId, type CommandName } from '../commandId.ts';
import { escapeMarkdown } from '../row.ts';
import { markdown } from './markdown.ts';
import { plainLine } from './plainLine.ts';

/** What an item of the status bar says now. */
export interface Status {
  icon: string;
  text: string;
  tooltip: string;
  /** A command below the tooltip, and the text after it. */
  offer?: { label: string; command: CommandName; after: string };
  /** What a screen reader says. */
  spoken: string;
}

/** An item at the left of the status bar, hidden until something is shown. */
export class StatusItem implements vscode.Disposable {
  readonly #item: vscode.StatusBarItem;

  constructor(id: string, name: string, priority: number, command: CommandName) {
    this.#item = vscode.window.createStatusBarItem(id, vscode.StatusBarAlignment.Left, priority);
    this.#item.name = name;
    this.#item.command = commandId(command);
  }

  show({ icon, text, tooltip, offer, spoken }: Status): void {
    this.#item.text = `$(${icon}) ${plainLine(text)}`;
    const said = escapeMarkdown(tooltip);
    this.#item.tooltip =
      offer === undefined
        ? markdown(said)
        : markdown(`${said}\n\n[${escapeMarkdown(offer.label)}](command:${commandId(offer.command)})${escapeMarkdown(offer.after)}`, [
            offer.command,
          ]);
    this.#item.accessibilityInformation = { label: plainLine(spoken) };
    this.#item.show();
  }

  hide(): void {
    this.#item.hide();
  }

  dispose(): void {
    this.#item.dispose();
  }
}
