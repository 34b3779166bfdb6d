import type * as vscode from 'vscode';
import type { ProfileSource } from '../../model/domain/flame.ts';
import type { RecordingSummary } from '../../model/domain/recording.ts';

/** A flame graph that is open in an editor, as commands see it. */
export interface FlameGraph {
  readonly source: ProfileSource | null;
  /** Reads the recording again, for instance because its file has changed. */
  reload(): void;
  /** Compares with another recording. */
  compareWith(source: ProfileSource, title: string): Promise<void>;
}

/** The flame graphs of this window. */
export interface FlameGraphs extends vscode.Disposable {
  /** The one that is active, else one that is visible. */
  readonly current: FlameGraph | undefined;
  /** Opens a recording of Benchside, in its editor where that is open, else in `column`. */
  openRecording(
    recording: Pick<RecordingSummary, 'id' | 'title' | 'startedAt'>,
    column?: vscode.ViewColumn,
  ): Promise<FlameGraph | undefined>;
  /** Opens what an address names as a flame graph. */
  open(uri: vscode.Uri, column?: vscode.ViewColumn): Promise<FlameGraph | undefined>;
  /** Shows a function in the flame graph of an address, which is opened when it is not. */
  focusFunction(uri: vscode.Uri, name: string, file: string): void;
}
