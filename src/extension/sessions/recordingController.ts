import { progressOf } from '../../model/protocol/progress.ts';
import type * as vscode from 'vscode';
import type { RecordingRecord, RecordingRequest } from '../../model/domain/recording.ts';
import type { WindowEngine } from '../connection/windowEngine.ts';
import { setContext } from '../kit/setContext.ts';
import { statusText } from './progressText.ts';
import { cancellable } from '../kit/safeUi/dialogs.ts';
import { StatusItem } from '../kit/safeUi/statusItem.ts';

/** The one recording under way in this window: its progress in the notification area, its status bar item, its end. */
export class RecordingController implements vscode.Disposable {
  #current: AbortController | undefined;
  readonly #status = new StatusItem('benchside.recording', 'Benchside Recording', 49, 'cancelRecording');

  constructor(private readonly engine: WindowEngine) {}

  get isRecording(): boolean {
    return this.#current !== undefined;
  }

  /** Records to the end. `subject` is the name of the recorded program, for people. Rejects with a `FailureError`. */
  async record(request: RecordingRequest, subject: string): Promise<RecordingRecord> {
    if (this.#current !== undefined) {
      const { failure } = await import('../../model/domain/failure.ts');
      throw failure('recording-in-progress', 'A recording is already under way in this window.', 'Wait for it, or cancel it first.');
    }
    const abort = new AbortController();
    this.#current = abort;
    setContext({ recording: true });
    this.#showStatus(subject, 'starting');
    try {
      return await cancellable(
        `Recording ${subject}`,
        async (signal) => (await this.engine.request('recording/start', request, signal)).recording,
        (show) =>
          progressOf(this.engine, 'recording', ({ message, fraction }) => {
            show({ message: abort.signal.aborted ? 'Cancelling; stopping what was started' : message, fraction });
            this.#showStatus(subject, message);
          }),
        abort,
      );
    } finally {
      this.#current = undefined;
      this.#status.hide();
      setContext({ recording: false });
    }
  }

  /** Ends the recording under way without a result. Does nothing when none is. */
  cancel(): void {
    this.#current?.abort();
  }

  dispose(): void {
    this.#current?.abort();
    this.#status.dispose();
  }

  #showStatus(subject: string, doing: string): void {
    this.#status.show({
      icon: 'record',
      text: `Recording ${statusText(subject)}`,
      tooltip: `${doing}. Click to cancel.`,
      spoken: `Benchside is recording ${subject}: ${doing}. Activate to cancel.`,
    });
  }
}
