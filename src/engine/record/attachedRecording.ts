import type { RecordingNote } from '../../model/domain/recordingNoteKinds.ts';
import { failure, FailureError, isCancellation } from '../../model/domain/failure.ts';
import type { FailureCode } from '../../model/domain/failureCodes.ts';
import type { RecordedEvent, RecordingRequest } from '../../model/domain/recording.ts';
import type { Runtime } from '../../model/domain/runtimes.ts';
import type { Recorder } from './recorder.ts';
import type { Recorders } from './recorders.ts';
import { type RecordedWindow, type WindowPlan, recordWindow } from './recordWindow.ts';

/** What of a process is to be recorded, and for how long; `recorder` left out: by the best one of the runtime, with its fallback. */
type AttachedRequest = Pick<RecordingRequest, 'events' | 'seconds' | 'recorder'>;

/**
 * Records a running process with the recorder that was asked for. When none was, and the process refuses the best one, the next one is used and the result says
 * so.
 */
export async function recordAttached(
  recorders: Recorders,
  { events, seconds, recorder }: AttachedRequest,
  recorded: Pick<WindowPlan, 'process' | 'load' | 'signal'>,
): Promise<{ window: RecordedWindow; recorder: Recorder; notes: RecordingNote[] }> {
  const { runtime } = recorded.process;
  const first = recorders.choose(runtime, recorder, events);
  const plan = { ...recorded, windowMs: seconds * 1000 };
  try {
    return { window: await recordWindow({ ...plan, events, recorder: first }), recorder: first, notes: [] };
  } catch (error) {
    const next = recorder === undefined && isRefusal(error) ? recorders.fallback(first) : null;
    if (next === null) throw error;
    const able = supported(events, next, runtime);
    const { message } = (error as FailureError).failure;
    const note = { code: 'fallback', first: first.label, message, used: next.label } as const;
    return { window: await recordWindow({ ...plan, events: able, recorder: next }), recorder: next, notes: [note] };
  }
}

const refusals: ReadonlySet<FailureCode> = new Set(['agent-refused', 'agent-not-loaded', 'profiler-refused', 'profiler-busy']);

/** The process or the machine refused the recorder, so that another one may fare better. */
function isRefusal(error: unknown): boolean {
  return error instanceof FailureError && !isCancellation(error) && refusals.has(error.failure.code);
}

function supported(events: readonly RecordedEvent[], recorder: Recorder, runtime: Runtime): RecordedEvent[] {
  const able = events.filter((event) => recorder.events.includes(event));
  if (events.length > 0 && able.length === 0) {
    throw failure(
      'recorder-event',
      `${recorder.label} cannot record ${events.join(', ')} of a ${runtime} process.`,
      `It records: ${recorder.events.join(', ')}.`,
    );
  }
  return able;
}
