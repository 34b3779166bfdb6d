import type { InspectorClient } from '../record/node/inspectorClient.ts';

const name = 'benchside.startProfile';
const readTimeoutMs = 30_000;

/** Loaded before the app's first file: a CPU profile of the process from then on. It never lets the app fail. */
export const startProfileSource = `'use strict';
try {
  const { Session } = require('node:inspector');
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: 500 });
  const bootMs = performance.now();
  session.post('Profiler.start');
  globalThis[Symbol.for('${name}')] = () => {
    let profile = null;
    session.post('Profiler.stop', (error, result) => (profile = error === null ? result.profile : null));
    session.disconnect();
    return JSON.stringify({ profile, bootMs });
  };
} catch {}
`;

/** Ends that profile and fetches it, with how long the process had run when it began. Fails with a `FailureError` where the process has none. */
export async function readStartProfile(client: InspectorClient): Promise<unknown> {
  const { value } = await client.evaluate(`globalThis[Symbol.for('${name}')]()`, { byValue: true, timeoutMs: readTimeoutMs });
  return typeof value === 'string' ? JSON.parse(value) : null;
}
