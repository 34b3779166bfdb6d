import { chmodSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { clearAttachSockets } from './attachFiles.ts';
import { javaToolOption } from './javaOption.ts';
import { makeTemporaryFolder, parentForSockets } from './temporaryFolder.ts';

/** A command and its environment, of which the temporary files lie in a folder that can be removed. */
export interface InOwnFolder {
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Removes what it has left, when it no longer runs: `pids` are all its processes. Never fails. */
  clear(pids: readonly number[]): Promise<void>;
}

const variables = process.platform === 'win32' ? ['TEMP', 'TMP'] : ['TMPDIR'];
const javaOption = '-Djava.io.tmpdir=';

/**
 * Gives an app a folder of its own for temporary files: what is killed leaves them behind, as Tomcat does its own folder and a JVM the repository of a
 * recording. The JVM heeds no variable, but an option, which an app's own one overrides. An app with another folder in its settings keeps that. Performance
 * data of a JVM stays where other tools look for it.
 */
export function inOwnFolder(argv: readonly string[], env: Readonly<Record<string, string>>, runsJvm: boolean): InOwnFolder {
  const [program = '', ...rest] = argv;
  if (variables.some((name) => env[name] !== process.env[name]))
    return { argv, env, clear: (pids) => Promise.resolve(clearAttachSockets(pids)) };
  const folder = makeTemporaryFolder('app', parentForSockets());
  // An app that gives up the rights of root, as Apache's workers do, finds here what it would find in /tmp.
  if (process.geteuid?.() === 0) chmodSync(folder, 0o1777);
  const own = { ...env, ...Object.fromEntries(variables.map((name) => [name, folder])) };
  const option = `${javaOption}${folder}`;
  const isJava = /^java(\.exe)?$/i.test(path.basename(program));
  return {
    argv: isJava ? [program, option, ...rest] : argv,
    // A later option overrides it: one of the environment, or one of the command itself.
    env:
      runsJvm && !isJava ? { ...own, JAVA_TOOL_OPTIONS: [javaToolOption(option), env['JAVA_TOOL_OPTIONS'] ?? ''].join(' ').trim() } : own,
    clear: async (pids) => {
      clearAttachSockets(pids);
      await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
    },
  };
}
