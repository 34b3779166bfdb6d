import { failure } from '../model/domain/failure.ts';
import type { MeasureInput } from '../model/protocol/measureRequest.ts';
import type { RunRecord } from '../model/domain/run.ts';
import type { EngineClient } from '../engine/rpc/engineClient.ts';
import { ProgressLine } from './progressLine.ts';
import type { Terminal } from './terminal.ts';

/**
 * Carries out what measures, with its progress on standard error, and gives the stored record. A first interrupt cancels it, and what was measured in
 * whole rounds is kept; when there was none, it fails with `cancelled`.
 */
export async function measure(
  engine: EngineClient,
  { signal, line, tell }: Terminal,
  request: MeasureInput,
): Promise<{ record: RunRecord; outcome: 'complete' | 'cancelled' }> {
  const progress = new ProgressLine(line, tell);
  const subscription = engine.on('run/event', (event) => progress.show(event));
  const cancel = (): void => void engine.request('run/cancel', {}).catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    // The first event comes once the engine has read what it measures.
    line?.show('Starting …');
    const ended = signal.aborted ? null : await engine.request('measure/start', { request });
    if (ended === null || ended.run === null)
      throw failure('cancelled', 'Cancelled. No whole round had been measured, so nothing was stored.');
    return { record: ended.run, outcome: ended.outcome };
  } finally {
    signal.removeEventListener('abort', cancel);
    progress.clear();
    subscription.dispose();
  }
}
