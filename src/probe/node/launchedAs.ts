import { realpathSync } from 'node:fs';
import path from 'node:path';

/** Where the engine listens, and what proves that the probe was sent by it. */
export interface EngineAddress {
  connect: { path: string } | { host: string; port: number };
  token: string;
}

/** From BENCHSIDE_PROBE_ADDRESS (`unix:/path` or `tcp:host:port`) and BENCHSIDE_PROBE_TOKEN; null when there is none that makes sense. */
export function engineAddress(env: NodeJS.ProcessEnv): EngineAddress | null {
  const [address = '', token = ''] = [env['BENCHSIDE_PROBE_ADDRESS'], env['BENCHSIDE_PROBE_TOKEN']];
  if (token === '' || token.length > 200) return null;
  if (address.startsWith('unix:') && address.length > 5) return { connect: { path: address.slice(5) }, token };
  const tcp = /^tcp:([\w.]+):(\d{1,5})$/.exec(address);
  if (tcp === null || Number(tcp[2]) > 65_535) return null;
  return { connect: { host: tcp[1] ?? '', port: Number(tcp[2]) }, token };
}

/** Whether the app is started to be introspected, and not measured. */
export function isIntrospected(env: NodeJS.ProcessEnv): boolean {
  return env['BENCHSIDE_PROBE_LOOK'] === '1';
}

const packageManager = /^(npm|npx|npm-cli|npx-cli|yarn|yarnpkg|yarn-\d[\w.-]*|pnpm|pnpx|corepack)(\.[cm]?js)?$/;

/** Whether this process only starts the app, as `npm start` does: its child is the one to examine. Links are followed, since npm is one. */
export function isPackageManager(script: string | undefined): boolean {
  if (script === undefined || script === '') return false;
  let real = script;
  try {
    real = realpathSync(script);
  } catch {
    // Not a file (an inline script): judged by its name.
  }
  return packageManager.test(path.basename(script)) || packageManager.test(path.basename(real));
}
