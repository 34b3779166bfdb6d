import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { SeededRandom } from '../../../src/engine/statistics/seededRandom.ts';
import type { ProcessIdentity } from '../../../src/engine/supervise/identity.ts';
import { commandLine, repositoryDir } from '../../support/engine.ts';
import { signalProcess, startOwned } from '../../support/ownedProcesses.ts';
import type { Activity } from './activities.ts';
import type { ClientOrder, ScenePhase } from './clientTalk.ts';
import type { Lane } from './lane.ts';

/** What a fault can get hold of. */
export interface Scene {
  lane: Lane;
  random: SeededRandom;
  client: ProcessIdentity;
  engine: ProcessIdentity;
  /** What runs for the engine now, without it. */
  children(): ProcessIdentity[];
  order(order: ClientOrder): void;
}

export interface Fault {
  name: string;
  label: string;
  activities?: readonly Activity[];
  phases?: readonly ScenePhase[];
  target?: string;
  /** What the engine is started with. */
  env?: (random: SeededRandom) => Record<string, string>;
  /** Whether the engine is to end by it: then the next one has to clear up. */
  ends: 'engine' | 'nothing';
  /** False when there was nothing to do it to at that moment. */
  inject(scene: Scene): Promise<boolean> | boolean;
  /** Takes away what it has put in place. */
  undo?(scene: Scene): void;
}

const preload = (name: string): string => `--require ${path.join(repositoryDir, 'test', 'bench', 'faults', 'preload', name)}`;
const blockable = (): Record<string, string> => ({ NODE_OPTIONS: preload('blockedLoop.cjs') });
const underLoad: readonly ScenePhase[] = ['warmUp', 'measure', 'record', 'resize', 'stop'];

/** Those of the scene's processes whose command line holds one of these words. */
function named(scene: Scene, ...words: string[]): ProcessIdentity[] {
  return scene.children().filter(({ pid }) => words.some((word) => commandLine(pid).includes(word)));
}

function signalAll(identities: readonly ProcessIdentity[], signal: NodeJS.Signals): boolean {
  return identities.filter((identity) => signalProcess(identity, signal)).length > 0;
}

const appWords = ['pooled.cjs', 'Hungry'];

function fillerOf({ lane }: Scene): string {
  return path.join(lane.storeRoot, 'filler');
}

export const faults: readonly Fault[] = [
  { name: 'kill-engine', label: 'SIGKILL of the engine', ends: 'engine', inject: ({ engine }) => signalProcess(engine, 'SIGKILL') },
  { name: 'kill-client', label: 'SIGKILL of the client', ends: 'engine', inject: ({ client }) => signalProcess(client, 'SIGKILL') },
  {
    name: 'kill-both',
    label: 'SIGKILL of both at once',
    ends: 'engine',
    inject: ({ client, engine, random }) => {
      const [first, second] = random.nextInteger(0, 1) === 0 ? [client, engine] : [engine, client];
      signalProcess(first, 'SIGKILL');
      return signalProcess(second, 'SIGKILL');
    },
  },
  {
    name: 'stop-engine',
    label: 'SIGSTOP of the engine for 0.7 s',
    ends: 'nothing',
    inject: async ({ engine }) => {
      const stopped = signalProcess(engine, 'SIGSTOP');
      await pause(700);
      signalProcess(engine, 'SIGCONT');
      return stopped;
    },
  },
  {
    name: 'stop-engine-kill-client',
    label: 'SIGKILL of the client while the engine is paused',
    ends: 'engine',
    inject: async ({ engine, client }) => {
      signalProcess(engine, 'SIGSTOP');
      const killed = signalProcess(client, 'SIGKILL');
      await pause(400);
      signalProcess(engine, 'SIGCONT');
      return killed;
    },
  },
  {
    name: 'block-engine-kill-client',
    label: 'SIGKILL of the client while the engine’s event loop is busy',
    ends: 'engine',
    env: blockable,
    inject: ({ engine, client }) => {
      signalProcess(engine, 'SIGUSR2');
      return signalProcess(client, 'SIGKILL');
    },
  },
  {
    name: 'block-engine-leave',
    label: 'the client leaves while the engine’s event loop is busy',
    ends: 'engine',
    env: blockable,
    inject: ({ engine, order }) => {
      const blocked = signalProcess(engine, 'SIGUSR2');
      order('leave');
      return blocked;
    },
  },
  { name: 'stop-app', label: 'SIGSTOP of the app', ends: 'nothing', inject: (scene) => signalAll(named(scene, ...appWords), 'SIGSTOP') },
  {
    name: 'kill-app',
    label: 'SIGKILL of the app, also while its setting changes',
    ends: 'nothing',
    inject: (scene) => signalAll(named(scene, ...appWords), 'SIGKILL'),
  },
  {
    name: 'kill-postgres',
    label: 'SIGKILL of PostgreSQL',
    ends: 'nothing',
    inject: (scene) => signalAll(named(scene, 'bin/postgres'), 'SIGKILL'),
  },
  {
    name: 'kill-load',
    label: 'SIGKILL of the load generator',
    ends: 'nothing',
    inject: (scene) => signalAll(named(scene, 'loadWorker.cjs'), 'SIGKILL'),
  },
  {
    name: 'block-app',
    label: 'the app’s event loop is busy for 2 s',
    activities: ['run', 'live'],
    phases: underLoad,
    target: 'blocked',
    ends: 'nothing',
    inject: (scene) => signalAll(named(scene, ...appWords), 'SIGUSR2'),
  },
  {
    name: 'disk-full',
    label: 'the store’s disk is full',
    ends: 'nothing',
    inject: (scene) => {
      if (!scene.lane.isMounted) return false;
      try {
        for (let piece = 0; ; piece += 1) writeFileSync(`${fillerOf(scene)}-${piece}`, Buffer.alloc(64 * 1024), { flag: 'wx' });
      } catch {
        return true;
      }
    },
    undo: ({ lane }) => {
      for (const name of readdirSync(lane.storeRoot)) if (name.startsWith('filler')) rmSync(path.join(lane.storeRoot, name));
    },
  },
  {
    name: 'failing-write',
    label: 'the n-th write into the store fails, and all after it',
    ends: 'nothing',
    env: (random) => ({ NODE_OPTIONS: preload('failingWrite.cjs'), FAILING_WRITE: String(random.nextInteger(1, 25)) }),
    inject: () => true,
  },
  {
    name: 'descriptors',
    label: 'the engine gets no further file descriptor',
    ends: 'nothing',
    inject: async ({ engine, random }) => {
      let open: number;
      try {
        open = readdirSync(`/proc/${engine.pid}/fd`).length;
      } catch {
        return false;
      }
      const limit = open + random.nextInteger(0, 8);
      const tool = await startOwned('prlimit', ['--pid', String(engine.pid), `--nofile=${limit}:${limit}`], { stdio: 'ignore' });
      await tool.exited;
      return true;
    },
  },
  {
    name: 'close-output',
    label: 'nobody reads what the engine says: its stdout is closed',
    ends: 'engine',
    inject: async ({ order }) => {
      order('close-output');
      // An engine that has nothing to say does not notice; then it ends when the client leaves.
      await pause(500);
      order('leave');
      return true;
    },
  },
  {
    name: 'endless-line',
    label: 'the app prints 100 MB without an end of line',
    activities: ['run', 'live'],
    phases: underLoad,
    target: 'wordy',
    ends: 'nothing',
    inject: (scene) => signalAll(named(scene, ...appWords), 'SIGUSR2'),
  },
  {
    name: 'jvm-memory',
    label: 'a JVM out of memory',
    activities: ['run', 'live'],
    phases: ['targets', 'warmUp', 'measure'],
    target: 'hungry',
    ends: 'nothing',
    inject: ({ lane }) => {
      writeFileSync(lane.triggerFile, '');
      return true;
    },
    undo: ({ lane }) => rmSync(lane.triggerFile, { force: true }),
  },
  {
    name: 'ipv6-only',
    label: 'an app that listens on ::1 only',
    activities: ['run', 'live'],
    phases: ['targets'],
    target: 'ipv6',
    ends: 'nothing',
    inject: () => true,
  },
  {
    name: 'reload',
    label: 'a window is loaded again: the client leaves, and comes again at once',
    ends: 'nothing',
    inject: ({ order }) => {
      order('reload');
      return true;
    },
  },
  {
    name: 'clock',
    label: 'the clock is set, by up to a day',
    ends: 'nothing',
    env: (random) => ({
      NODE_OPTIONS: preload('steppedClock.cjs'),
      CLOCK_STEP_MS: String(random.nextInteger(-86_400_000, 86_400_000)),
    }),
    inject: ({ engine }) => signalProcess(engine, 'SIGUSR2'),
  },
];

/** The phases of an activity, and for how long after a phase began a fault may come, ms. */
export const phaseSpans: Readonly<Record<ScenePhase, number>> = {
  prepare: 60,
  services: 500,
  targets: 500,
  warmUp: 500,
  measure: 1_200,
  resize: 60,
  record: 1_200,
  stop: 120,
  write: 15,
};
const phasesOf: Readonly<Record<Activity, readonly ScenePhase[]>> = {
  run: ['prepare', 'services', 'targets', 'warmUp', 'measure', 'record', 'stop', 'write'],
  tune: ['services', 'targets', 'warmUp', 'measure'],
  experiment: ['services', 'targets', 'warmUp', 'measure', 'stop', 'write'],
  live: ['targets', 'measure', 'resize', 'stop'],
};

/** What can be injected, where and when. */
export interface Cell {
  fault: Fault;
  activity: Activity;
  phase: ScenePhase;
}

export function allCells(): Cell[] {
  return faults.flatMap((fault) =>
    (fault.activities ?? (['run', 'tune', 'experiment', 'live'] as const)).flatMap((activity) =>
      phasesOf[activity]
        .filter((phase) => fault.phases === undefined || fault.phases.includes(phase))
        // An app of its own without a database has no such phase.
        .filter((phase) => phase !== 'services' || fault.target === undefined)
        .map((phase) => ({ fault, activity, phase })),
    ),
  );
}
