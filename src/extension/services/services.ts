import type * as vscode from 'vscode';
import type { WindowEngine } from '../connection/windowEngine.ts';
import type { FlameGraphs } from './flameGraphs.ts';
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
