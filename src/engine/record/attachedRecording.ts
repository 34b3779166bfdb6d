import { failure, FailureError, isCancellation } from '../../model/domain/failure.ts';
import type { FailureCode } from '../../model/domain/failureCodes.ts';
import type { RecordedEvent, RecorderId } from '../../model/domain/recording.ts';
import type { Runtime } from '../../model/domain/runtimes.ts';
import type { Recorder } from './recorder.ts';
import type { Recorders } from './recorders.ts';
import { type RecordedWindow, type WindowPlan, recordWindow } from './recordWindow.ts';

/** What is to be recorded, and by which recorder: left out, the best recorder of the runtime, with its fallback. */
export type AttachedPlan = Omit<WindowPlan, 'recorder'> & { recorderId: RecorderId | undefined };

/**
 * Records a running process with the recorder that was asked for. When none was, and the process refuses the best one, the next one is used and the result says
 * so.
 */
export async function recordAttached(
  recorders: Recorders,
  plan: AttachedPlan,
): Promise<{ window: RecordedWindow; recorder: Recorder; notes: string[] }> {
  const { recorderId, ...rest } = plan;
  const first = recorders.choose(rest.process.runtime, recorderId, rest.events);
  try {
    return { window: await recordWindow({ ...rest, recorder: first }), recorder: first, notes: [] };
  } catch (error) {
    const next = recorderId === undefined && isRefusal(error) ? recorders.fallback(first) : null;
    if (next === null) throw error;
    const events = supported(rest.events, next, rest.process.runtime);
    const note = `${first.label} could not be used (${(error as FailureError).failure.message}) ${next.label} was used instead.`;
    return { window: await recordWindow({ ...rest, events, recorder: next }), recorder: next, notes: [note] };
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
