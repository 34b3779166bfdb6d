import * as vscode from 'vscode';

/** Something with parts that end with it: listeners, emitters, views. */
export abstract class Owner implements vscode.Disposable {
  readonly #parts: vscode.Disposable[] = [];

  /** Ends these with the rest. */
  protected owns(...parts: readonly vscode.Disposable[]): void {
    this.#parts.push(...parts);
  }

  /** An emitter that ends with the rest. */
  protected emitter<T>(): vscode.EventEmitter<T> {
    const emitter = new vscode.EventEmitter<T>();
    this.owns(emitter);
    return emitter;
  }

  dispose(): void {
    for (const part of this.#parts) part.dispose();
  }
}
