import { readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type ProcessIdentity, isSameProcess } from '../../src/engine/supervise/identity.ts';
import {
  appTarget,
  commandLine,
  removeTemporaryFolders,
  repositoryDir,
  temporaryFolder,
  untilGone,
  writeWorkspaceFile,
} from '../support/engine.ts';
import { endOwnedProcesses, signalProcess, startOwned, withDescendants } from '../support/ownedProcesses.ts';
import { longTest, slowHalf } from '../support/testTags.ts';
import { waitFor } from '../support/waitFor.ts';

const preload = path.join(repositoryDir, 'test', 'bench', 'faults', 'preload', 'blockedLoop.cjs');
const slow = 120_000;
/** What a busy machine may take; one that never ends takes for ever. */
const endTimeoutMs = 45_000;

afterEach(endOwnedProcesses);
afterAll(removeTemporaryFolders);

const allPids = (): number[] => readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));

interface Measuring {
  ended: Promise<number | null>;
  said: () => string;
  engine: () => ProcessIdentity | undefined;
  seen: () => ProcessIdentity[];
  interrupt: () => void;
  temporary: string;
}

/** What a command is asked for: minutes of measuring unless it is broken off, a recording of seconds, or an app that has to be ended by force. */
const asked = {
  long: ['--target', 'app', '--load', 'long', '--set', 'pool=2..4'],
  recorded: ['--target', 'app', '--load', 'brief', '--rounds', '1', '--record'],
  stubborn: ['--target', 'stubborn', '--load', 'brief', '--rounds', '1'],
} as const;

/** A command of the terminal under way. */
async function measuring(command: string, what: keyof typeof asked): Promise<Measuring> {
  const [workspace, temporary] = [temporaryFolder('workspace'), temporaryFolder('tmp')];
  const postgres = { postgres: { env: { url: 'DATABASE_URL' }, database: 'interrupted' } };
  const load = { name: 'long', connections: 2, durationS: 30, settleS: 0.1, rounds: 4, warmUp: { minS: 0, maxS: 1, jvmMaxS: 1 } };
  const loadProfiles = [load, { ...load, name: 'brief', durationS: 0.5, rounds: 1 }];
  writeWorkspaceFile(workspace, {
    targets: [appTarget('app', 'steadyService.mjs', postgres), appTarget('stubborn', 'stubborn.mjs', { stopGraceMs: 10_000 })],
    loadProfiles,
  });
  const owned = await startOwned(
    process.execPath,
    [path.join(repositoryDir, 'dist', 'cli.cjs'), command, ...asked[what], '--workspace', workspace],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, BENCHSIDE_STORAGE: temporaryFolder('storage'), TMPDIR: temporary, NODE_OPTIONS: `--require ${preload}` },
    },
  );
  let text = '';
  for (const stream of [owned.process.stdout, owned.process.stderr])
    stream?.setEncoding('utf8').on('data', (more: string) => (text += more));
  const ended = new Promise<number | null>((resolve) => owned.process.once('close', (code) => resolve(code)));
  const seen = (): ProcessIdentity[] => withDescendants([owned.identity], allPids());
  return {
    ended,
    said: () => text,
    engine: () => seen().find(({ pid }) => commandLine(pid).endsWith('engine.cjs')),
    seen,
    interrupt: () => signalProcess(owned.identity, 'SIGINT'),
    temporary,
  };
}

/** How it is known that a command has come so far. */
const phases: readonly [phase: string, reached: (one: Measuring) => boolean][] = [
  ['the engine is greeted', (one) => one.engine() !== undefined],
  ['PostgreSQL starts', (one) => /PostgreSQL/.test(one.said()) || named(one, 'bin/postgres') || named(one, 'initdb')],
  ['the app starts', (one) => named(one, 'steadyService')],
  ['the load is on', (one) => named(one, 'loadWorker.cjs') && named(one, 'steadyService')],
];

function named(one: Measuring, word: string): boolean {
  return one.seen().some(({ pid }) => commandLine(pid).includes(word));
}

describe('one Ctrl-C in a terminal whose engine', () => {
  const named = '%s in a %s as %s ends everything';
  type Case = readonly [
    state: string,
    command: string,
    phase: string,
    reached: (one: Measuring) => boolean,
    signal: NodeJS.Signals,
    what: keyof typeof asked,
  ];
  const cases = phases.map(([phase, reached], index): Case =>
    // Before it has loaded anything, the signal that blocks it would end it.
    [index > 0 ? 'is blocked' : 'stands still', index === 2 ? 'tune' : 'run', phase, reached, index > 0 ? 'SIGUSR2' : 'SIGSTOP', 'long'],
  );
  it.each([cases.at(0), cases.at(-1)].filter((one) => one !== undefined))(named, { timeout: slow, ...longTest }, endsEverything);
  it.each(cases.slice(1, -1))(named, { timeout: slow, ...slowHalf }, endsEverything);

  it.each([
    ['is blocked', 'run', 'a recording runs', (one) => one.said().includes('Recording'), 'SIGUSR2', 'recorded'],
    ['is blocked', 'run', 'the app is being stopped', (one) => one.said().includes('Stopping the targets'), 'SIGUSR2', 'stubborn'],
  ] satisfies Case[])(named, { timeout: slow, ...slowHalf }, endsEverything);

  async function endsEverything(...[, command, , reached, signal, what]: Case): Promise<void> {
    const one = await measuring(command, what);
    await waitFor(() => reached(one), { timeoutMs: endTimeoutMs, everyMs: 5 }).catch(() => {
      throw new Error(`it did not come so far: ${one.said()}`);
    });
    const engine = one.engine();
    if (engine === undefined) throw new Error(`there is no engine: ${one.said()}`);
    const seen = one.seen();
    signalProcess(engine, signal);
    await pause(50);
    one.interrupt();
    const code = await Promise.race([one.ended, pause(endTimeoutMs).then(() => 'hangs')]);
    expect(code, one.said()).toBe(1);
    await untilGone(seen, endTimeoutMs);
    expect(seen.filter(isSameProcess)).toEqual([]);
    expect(one.said()).toMatch(/did not answer/);
  }
});
