import type { FinishedRecording } from '../recorder.ts';
import type { ClinicRequest } from './clinicMessages.ts';
import type { ClinicInstallation } from './installClinic.ts';

/** What is to be recorded with one of Clinic's tools, and how. */
export interface ClinicRun extends Omit<ClinicInstallation, 'onProgress' | 'timeoutMs'> {
  tool: ClinicRequest['tool'];
  /** The app: its command starts node with a script; `env` is its whole environment. */
  command: { argv: readonly string[]; cwd: string; env: Readonly<Record<string, string>> };
  /** Called when the app listens, with the first port it opened; resolves when it answers. */
  untilReady?: (port: number, signal: AbortSignal) => Promise<void>;
  /** Puts the load on; the recording ends when it resolves. The signal is aborted when the app or the tool has ended. */
  load: (signal: AbortSignal) => Promise<void>;
  /** Exists, is empty and belongs to us. */
  outputDir: string;
  /** How long the load takes, about: the finer, the shorter. */
  seconds: number;
  /** Until the app listens and answers. */
  readyMs?: number;
  /** From the end of the load until the data are read; left out: a minute, and four times the seconds. */
  finishMs?: number;
}

export interface ClinicResult {
  recording: FinishedRecording;
  /** The pid of the app, which has ended. */
  pid: number;
}
