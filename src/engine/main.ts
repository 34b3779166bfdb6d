import type * as z from 'zod';
import { failureSchema } from '../model/domain/failure.ts';
import { told } from './files/redactRecord.ts';
import { notifications } from '../model/protocol/protocol.ts';
import { isGone, processIdentitySchema } from './supervise/identity.ts';
import { parentVariable } from './supervise/launchEngine.ts';
import { serve } from './rpc/engineServer.ts';
import { EngineHost } from './host.ts';

/** Everything is gone this long after the client is: the ladder's rungs are cut to fit. */
const shutdownDeadlineMs = 1_900;
const parentCheckMs = 500;

const parent = parentIdentity();
delete process.env[parentVariable];
const host = new EngineHost(parent);
let ending: Promise<void> | undefined;

function end(): Promise<void> {
  ending ??= (async () => {
    // A child that will not go must not keep us: the next engine's sweep finds it by its identity.
    setTimeout(() => process.exit(1), shutdownDeadlineMs).unref();
    await host.shutdown().catch(() => undefined);
    process.exit(0);
  })();
  return ending;
}

// Nobody may leave children behind by an exception that was not thought of: say what it was, then stop everything.
process.on('uncaughtException', (error) => {
  process.stderr.write(`engine: ${error.stack ?? String(error)}\n`);
  void end();
});
process.on('unhandledRejection', (error) => {
  process.stderr.write(`engine: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
});
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void end());
process.stdin.on('end', () => void end());
process.stdin.on('close', () => void end());
process.stdin.on('error', () => void end());
process.stdout.on('error', () => void end());
// The reader of our last messages may be gone.
process.stderr.on('error', () => undefined);

// Another process may hold the other end of our pipe open after the client has died: then its identity shows that it is gone.
if (parent !== null) {
  setInterval(() => {
    if (isGone(parent)) void end();
  }, parentCheckMs).unref();
}

serve(
  process.stdin,
  process.stdout,
  (notify) => host.handlers(notify),
  // It holds what an app has printed, and may go to the log of a CI job or to an agent.
  {
    failure: (value) => told(failureSchema, value, host.secrets()),
    notification: (name, value) => told(notifications[name], value, host.secrets()),
  },
);

function parentIdentity(): z.infer<typeof processIdentitySchema> | null {
  try {
    return processIdentitySchema.parse(JSON.parse(process.env[parentVariable] ?? ''));
  } catch {
    return null;
  }
}
