import { poll } from '../supervise/pause.ts';
import type { Child, ChildSpec, Supervisor } from '../supervise/supervisor.ts';
import { freePort } from './freePort.ts';

/** A process that was started. `ready` is null where it has ended before it was ready, or was not ready in time (`late`); then it has been stopped. */
export interface Started<T> {
  child: Child;
  ready: T | null;
  late: boolean;
}

const everyMs = 10;
const portAttempts = 5;
const portTaken = /Address already in use|could not create any TCP\/IP sockets/i;

/** Starts a process and waits until `look` gives something. An abort stops it, and rejects with the signal's reason. */
export async function startReady<T>(
  supervisor: Supervisor,
  spec: ChildSpec,
  look: (child: Child) => Promise<T | null> | T | null,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal | undefined },
): Promise<Started<T>> {
  signal?.throwIfAborted();
  const child = await supervisor.start(spec);
  try {
    const ready = await poll(async () => (child.running ? look(child) : 'ended'), { timeoutMs, everyMs, signal });
    if (ready !== null && ready !== 'ended' && child.running) return { child, ready, late: false };
  } catch (error) {
    await child.stop();
    throw error;
  }
  const late = child.running;
  await child.stop();
  return { child, ready: null, late };
}

/** Starts something on a port of 127.0.0.1 that is free; again where another program took it between our look and the bind. */
export async function onFreePort<S extends Started<unknown>>(start: (port: number) => Promise<S>): Promise<S & { port: number }> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const started = await start(port);
    if (started.ready !== null || attempt === portAttempts || !portTaken.test(started.child.log.text())) return { ...started, port };
  }
}
