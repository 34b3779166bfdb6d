import * as vscode from 'vscode';
import { withoutControls } from '../../../model/domain/plainText.ts';

/** The extension's page in the Output view. `show` brings it to the front, the focus left where it is. */
export type Log = ReturnType<typeof openLog>;

export function openLog() {
  const channel = vscode.window.createOutputChannel('Benchside', { log: true });
  return {
    error: (text: string) => channel.error(withoutControls(text)),
    warn: (text: string) => channel.warn(withoutControls(text)),
    info: (text: string) => channel.info(withoutControls(text)),
    trace: (text: string) => channel.trace(withoutControls(text)),
    show: () => channel.show(true),
    dispose: () => channel.dispose(),
  };
}

/** What an error says, for the log. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
