import * as vscode from 'vscode';
import { withoutControls } from '../../../model/domain/plainText.ts';

/** The extension's page in the Output view. */
export interface Log extends vscode.Disposable {
  error(text: string): void;
  warn(text: string): void;
  info(text: string): void;
  trace(text: string): void;
  /** Brings it to the front, the focus left where it is. */
  show(): void;
}

export function openLog(): Log {
  const channel = vscode.window.createOutputChannel('Benchside', { log: true });
  return {
    error: (text) => channel.error(withoutControls(text)),
    warn: (text) => channel.warn(withoutControls(text)),
    info: (text) => channel.info(withoutControls(text)),
    trace: (text) => channel.trace(withoutControls(text)),
    show: () => channel.show(true),
    dispose: () => channel.dispose(),
  };
}
