import { advice, record } from '../actions.ts';
import { atLeast, below, share } from '../checks.ts';
import type { Check } from '../checks.ts';
import { coresLeft, workloadCpuShare, workloadOfCoresLeft, taken } from '../cpuUse.ts';
import { requestTime, stoodStillMs, unexplainedMs } from '../requestTime.ts';
import type { RequestTime } from '../requestTime.ts';
import type { Rule } from '../rule.ts';
import type { Signals } from '../signals.ts';
import { thresholds } from '../thresholds.ts';
import { mean, ms, ofCores, percentOf } from '../words.ts';
import { cpuIdle } from './guards.ts';

/**
 * Threads that wait for a monitor, by thread dumps; only those outside of the queue for the pool. That queue exists because the others keep their connections
 * while they wait.
 */
export const applicationLock: Rule = {
  kind: 'application-lock',
  byWaits: true,
  applies: (s) => s.blocked !== null,
  checks: (s) => [
    threadsLocked(s),
    atLeast('must', 'such threads', s.blocked?.threads ?? null, { ...thresholds.waiting, limit: fewestLocked }, { unit: 'count' }),
    cpuIdle(s),
  ],
  explain: (s) => ({
    headline: `A lock in the app is the limit: ${mean(s.blocked?.threads ?? 0)} of ${mean(s.blocked?.of ?? 0)} request threads waited for it${s.blocked?.where == null ? '' : ` (${s.blocked.where})`}.`,
    explanation: `Whoever needs the lock goes one by one, so that throughput is one request per time that the lock is held, whatever the number of threads. Hold it for less, or give each part of the data a lock of its own.${
      isQueued(s)
        ? ' Requests hold a database connection while they wait for it, so that the pool is full, too: a larger one would only hold more of them.'
        : ''
    }`,
    actions: [record('lock', 'Record which locks are waited for'), record('wall', 'Record a wall-clock flame graph')],
  }),
};

/** Where others used much of the CPU, many wait by chance for a lock whose owner waits for its turn; only where nearly all do is it sure. */
function threadsLocked(s: Signals): Check {
  const part = share(s.blocked?.threads, s.blocked?.of);
  const check = atLeast('must', 'request threads that wait for a lock', part, lockedShare(s), {
    unit: 'share',
    text: s.blocked === null ? null : `${mean(s.blocked.threads)} of ${mean(s.blocked.of)}`,
  });
  return { ...check, near: check.near || (taken(s) >= thresholds.highInterference.limit && (part ?? 0) < nearlyAll) };
}

const nearlyAll = 0.7;

/** With a pool of two, one thread has the lock and one waits for it, and a dump may find them between two turns. */
const fewestLocked = 0.6;

function isQueued(s: Signals): boolean {
  return (s.pool?.pending ?? 0) >= thresholds.waiting.limit;
}

/** A queue before the pool has a cause of its own unless the lock is that: then nearly all that hold a connection wait for it, and of two one. */
function lockedShare(s: Signals): { limit: number; source: string } {
  const { limit, source } = thresholds.blockedThreads;
  return isQueued(s) ? { limit: 0.4, source } : { limit, source };
}

/** The largest parts of a request’s time that something accounts for, as “a connection was held, 20 ms”. */
function accountedFor(time: RequestTime): string {
  const parts = [
    { what: 'waiting for a connection of the pool', spent: time.poolWaitMs },
    { what: 'holding one', spent: time.databaseMs },
    { what: 'another service', spent: time.outboundMs },
    { what: 'waiting while the app stood still', spent: time.stoodMs },
    { what: 'CPU of app and load generator', spent: time.cpuMs },
  ];
  const known = parts.filter(({ spent }) => spent >= 0.02 * time.totalMs).sort((a, b) => b.spent - a.spent);
  return known.map(({ what, spent }) => `${what} ${ms(spent)}`).join(', ');
}

/** Nothing that is watched is full, the CPU is idle, and yet most of a request’s time passes somewhere. */
export const unknownWait: Rule = {
  kind: 'unknown-wait',
  byWaits: true,
  applies: () => true,
  checks: (s) => [hidden(s), cpuIdle(s)],
  explain: (s) => {
    const time = requestTime(s);
    const actions = [
      record('wall', 'Record where the time goes: a wall-clock flame graph'),
      {
        kind: 'connections' as const,
        label: `See whether it is a queue: ${2 * s.connections} connections`,
        connections: 2 * s.connections,
      },
      ...(s.runtime === 'jvm' ? [record('lock', 'Record which locks are waited for')] : []),
    ];
    const many = s.connections >= 2;
    const queueOrTime = 'If twice the connections bring twice the throughput, it is only time that passes; if not, it is a queue.';
    if (time === null) {
      return {
        headline: `${many ? 'Requests wait' : 'A request waits'} for something that nothing here watches.`,
        explanation: `How long a request takes, or what CPU the app used, was not seen. ${queueOrTime}`,
        actions,
      };
    }
    const known = accountedFor(time);
    if (time.unexplainedMs < thresholds.unexplained.limit * time.totalMs) {
      return {
        headline: `No single limit stands out: of the ${ms(time.totalMs)} of a request, ${ms(time.totalMs - time.unexplainedMs)} are accounted for, and nothing that is watched is full.`,
        explanation: `${known === '' ? '' : `It is spent: ${known}. `}Raise the load, to see what gives first.`,
        actions,
      };
    }
    const rest = known === '' ? '' : ` The rest is accounted for: ${known}.`;
    if (time.heldIdleMs >= 0.5 * time.unexplainedMs) {
      return {
        headline:
          `${many ? 'Requests wait' : 'A request waits'} for something while they hold a connection: for ${ms(time.heldIdleMs)} of the ${ms(time.totalMs)} of a request nothing is asked of the database on it, and the CPU is at ${percentOf(workloadCpuShare(s))}.`.replace(
            'A request waits for something while they hold',
            'A request waits for something while it holds',
          ),
        explanation: `It may be a lock in the app, another service or a pause.${rest} ${queueOrTime}`,
        actions,
      };
    }
    const stoodMs = stoodStillMs(s, 'loop');
    if (stoodMs >= 0.5 * time.unexplainedMs) {
      return {
        headline: `${many ? 'Requests wait' : 'A request waits'} while the event loop is blocked: about ${ms(stoodMs)} of the ${ms(time.totalMs)} of a request.`,
        explanation: `Whether a synchronous call blocks it, or it waits for its turn on the CPU, of which others took ${percentOf(taken(s))}, was not seen.${rest}`,
        actions: [record('wall', 'Record what blocks the event loop'), ...actions.slice(1)],
      };
    }
    return {
      headline: `${many ? 'Requests wait' : 'A request waits'} for something that nothing here watches: ${ms(time.unexplainedMs)} of the ${ms(time.totalMs)} of a request, with the CPU at ${percentOf(workloadCpuShare(s))}.`,
      explanation: `It may be a timer, a lock, a file, a name look-up or another service.${rest} ${queueOrTime}`,
      actions,
    };
  },
};

function hidden(s: Signals): Check {
  const time = unexplainedMs(s);
  const part = share(time, s.meanMs);
  // Where others used much of the CPU, a wait that is not very long compared with the CPU time of a request may be one for a turn.
  const isShort = taken(s) >= thresholds.highInterference.limit && (share(time, ownCpuMs(s)) ?? 0) < thresholds.turnsPerRequest.limit;
  const check = atLeast('must', 'part of a request’s time that nothing accounts for', part, thresholds.unexplained, {
    unit: 'share',
    text: part === null ? null : `${percentOf(part)}, ${ms(time)}`,
  });
  // A pause of this length was seen, though not its cause.
  const isSeen = stoodStillMs(s, 'loop', 'standstill') >= 0.5 * (time ?? Number.POSITIVE_INFINITY);
  return { ...check, near: check.near || isShort || isSeen };
}

/** ms of CPU that app, database and load generator use for a request. */
function ownCpuMs(s: Signals): number | null {
  const own = workloadCpuShare(s);
  return own === null || s.cores === null || s.throughput <= 0 ? null : (1000 * own * s.cores) / s.throughput;
}

/**
 * Nothing in the app explains the time, and no core was left idle. Only a guess: a wait that is very long compared with the CPU time of a request is none for a
 * turn, since the scheduler shares.
 */
export const busyMachine: Rule = {
  kind: 'busy-machine',
  applies: (s) => taken(s) > 0,
  checks: (s) => [
    hidden(s),
    // Never sure: who waited for a turn, and for how long, is not seen.
    {
      ...atLeast('must', 'CPU that other programs and the hypervisor took', taken(s), thresholds.noticeableInterference, { unit: 'share' }),
      near: true,
    },
    atLeast('must', 'CPU used by app, database and load, of what was left', workloadOfCoresLeft(s), thresholds.machineCpu, {
      unit: 'share',
      text: ofCores(workloadOfCoresLeft(s), coresLeft(s)),
    }),
    below('must', 'that time, in CPU times of a request', share(unexplainedMs(s), ownCpuMs(s)), thresholds.turnsPerRequest, {
      unit: 'count',
    }),
  ],
  explain: (s) => ({
    headline: `The machine is busy with other programs: they took ${percentOf(taken(s))} of its CPU, and no core was left idle.`,
    explanation: `Nothing in the app explains ${ms(unexplainedMs(s))} of the ${ms(s.meanMs)} of a request: most likely it waited for its turn on the CPU.`,
    actions: [advice('Close the other programs, or give it more cores, and run it again'), record('cpu', 'Record a CPU flame graph')],
  }),
};
