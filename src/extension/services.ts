import type * as vscode from 'vscode';
import type { EngineHost } from './engineHost.ts';
import type { EmbeddedFlame, FlameGraphs } from './flame/flameGraphs.ts';
import type { RecordingController } from './flame/recordingController.ts';
import type { SourceMarks } from './flame/sourceMarks.ts';
import type { Inventory } from './inventory.ts';
import type { Memory } from './memory.ts';
import type { RunController } from './runController.ts';
import type { AppliedSettings } from './tuning/appliedSettings.ts';
import type { LiveController } from './tuning/liveController.ts';
import type { VirtualDocuments } from './virtualDocuments.ts';
import type { WorkbenchPanel } from './workbenchPanel.ts';

/** The parts of this window that commands, views and the panel work with; made once by `activate`. */
export interface Services {
  readonly context: vscode.ExtensionContext;
  readonly log: vscode.LogOutputChannel;
  readonly engine: EngineHost;
  readonly inventory: Inventory;
  readonly memory: Memory;
  readonly runs: RunController;
  readonly live: LiveController;
  readonly applied: AppliedSettings;
  readonly recordings: RecordingController;
  readonly flames: FlameGraphs;
  readonly marks: SourceMarks;
  readonly documents: VirtualDocuments;
  readonly panel: WorkbenchPanel;
  readonly panelFlame: EmbeddedFlame;
}
