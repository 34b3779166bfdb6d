import { failure } from '../model/domain/failure.ts';
import type { MeasureInput } from '../model/protocol/measureRequest.ts';
import type { Measured } from '../model/protocol/protocol.ts';
import type { RunRecord } from '../model/domain/run.ts';
import type { EngineClient } from '../engine/rpc/engineClient.ts';
import { ProgressLine } from './progressLine.ts';
import type { Terminal } from './terminal.ts';

/**
 * Carries out what measures, with its progress on standard error. A first interrupt cancels it, and what was measured until then is kept. `also`: what else the engine
 * is listened to for meanwhile.
 */
export async function measured(
  engine: EngineClient,
  { signal, line, tell }: Terminal,
  request: MeasureInput,
  also: readonly { dispose: () => void }[] = [],
): Promise<Measured> {
  const progress = new ProgressLine(line, tell);
  const subscriptions = [engine.on('run/event', (event) => progress.show(event)), ...also];
  const cancel = (): void => void engine.request('run/cancel', {}).catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    // The first event comes once the engine has read what it measures.
    line?.show('Starting …');
    if (signal.aborted) return { runId: '', outcome: 'cancelled', stored: false, run: null };
    return await engine.request('measure/start', { request });
  } finally {
    signal.removeEventListener('abort', cancel);
    progress.clear();
    for (const subscription of subscriptions) subscription.dispose();
  }
}

/** What `work` gives. What is shown of its progress until then ends with it. */
export async function withProgress<T>({ line }: Terminal, progress: { dispose(): void }, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    progress.dispose();
    line?.clear();
  }
}

/** As {@link measured}, of what ends in a stored run; when no whole round was measured, it fails with `cancelled`. */
export async function measure(
  engine: EngineClient,
  terminal: Terminal,
  request: MeasureInput,
): Promise<{ record: RunRecord; outcome: 'complete' | 'cancelled' }> {
  const { run, outcome } = await measured(engine, terminal, request);
  if (run === null) throw failure('cancelled', 'Cancelled. No whole round had been measured, so nothing was stored.');
  return { record: run, outcome };
}
