import type * as vscode from 'vscode';
import type { WindowEngine } from '../connection/windowEngine.ts';
import type { ProfileSource } from '../../model/domain/flame.ts';
import type { RecordingSummary } from '../../model/domain/recording.ts';
import type { RecordingController } from '../sessions/recordingController.ts';
import type { SourceMarks } from '../source/sourceMarks.ts';
import type { Inventory } from '../connection/inventory.ts';
import type { ChosenForm } from '../form/chosenForm.ts';
import type { Memory } from './memory.ts';
import type { RunController } from '../sessions/runController.ts';
import type { AppliedSettings } from '../form/appliedSettings.ts';
import type { NextStep } from '../sessions/nextStep.ts';
import type { LiveController } from '../sessions/liveController.ts';
import type { VirtualDocuments } from '../kit/virtualDocuments.ts';
import type { WorkbenchPanel } from '../panel/workbenchPanel.ts';
import { type Log } from '../kit/safeUi/log.ts';

/** A flame graph that is open in an editor, as commands see it. */
interface FlameGraph {
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

/** The parts of this window that commands, views and the panel work with; made once by `activate`. */
export interface Services {
  readonly context: vscode.ExtensionContext;
  readonly log: Log;
  readonly engine: WindowEngine;
  readonly inventory: Inventory;
  readonly memory: Memory;
  readonly form: ChosenForm;
  readonly runs: RunController;
  readonly live: LiveController;
  readonly next: NextStep;
  readonly applied: AppliedSettings;
  readonly recordings: RecordingController;
  readonly flames: FlameGraphs;
  readonly marks: SourceMarks;
  readonly documents: VirtualDocuments;
  readonly panel: WorkbenchPanel;
  /** The flame graph within the Workbench panel; its messages come unchecked. */
  readonly panelFlame: vscode.Disposable & { receive(recordingId: string, message: unknown): Promise<void> };
}
