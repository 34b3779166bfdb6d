import * as vscode from 'vscode';

/**
 * Commands of rows, one for each, without arguments. The editor keeps the arguments of a row’s command in a table that it empties while it redraws the rows:
 * a click at that moment opened nothing, or the editor said that it knows no such command.
 */
export class RowCommands implements vscode.Disposable {
  readonly #registered = new Map<string, vscode.Disposable>();

  /** A command that runs another one with the id of a row. */
  of(command: string, title: string, id: string): vscode.Command {
    const own = `${command}/${id}`;
    if (!this.#registered.has(own))
      this.#registered.set(
        own,
        vscode.commands.registerCommand(own, () => vscode.commands.executeCommand(command, id)),
      );
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
