import { figure, wholeNumber } from '../../../model/format.ts';
import type { FullPart } from '../../../model/witness.ts';

/**
 * Little's law N = X·W and asymptotic bounds: why a pool of some size is enough.
 * Source: Denning & Buzen, The Operational Analysis of Queueing Network Models, Computing Surveys 10 (1978); Lazowska et al.,
 * Quantitative System Performance (1984), ch. 5.
 */

/** What was seen of one setting under the closed load; means over its valid blocks. Percentages of CPU: 100 is one core. */
export interface SettingEvidence {
  key: string;
  /** requests/s; `null` when there is no valid block. */
  throughput: number | null;
  /** Connections of the load. */
  connections: number;
  /** Mean latency in ms. */
  latencyMs: number | null;
  /** All pools of all instances together, of so many `processes`. `holdMs`: mean time of one hold; `perRequest`: connections taken per request. */
  pool: {
    max: number | null;
    busy: number;
    /** At any reading. */
    busyMost?: number | undefined;
    pending: number;
    holdMs: number | null;
    perRequest: number | null;
    processes?: number | undefined;
  } | null;
  threads: { max: number | null; busy: number; queue: number } | null;
  instances: number;
  appCpuPercent: number | null;
  postgresCpuPercent: number | null;
  generatorCpuPercent: number | null;
  /** 0 … 1, Node only; the busiest instance. */
  eventLoopUtilisation: number | null;
  /** Mean numbers of active PostgreSQL sessions: all, and those that wait for a lock; `null` where PostgreSQL is not ours to see. */
  sessions: { active: number; lock: number } | null;
  /** Of all cores: 100 is the whole machine. */
  hostCpuPercent: number | null;
}

/** A pool of which this share is busy limits throughput. */
export const bindingShare = 0.9;
/** Above these, the resource itself is the limit; see the decision table of the diagnosis. */
const saturated = {
  eventLoop: 0.95,
  threads: 0.95,
  appCpu: 85,
  postgresCpu: 80,
  host: 90,
  lock: 0.3,
  hold: 1.3,
  own: 75,
  fair: 25,
} as const;

/** Connection time of one request in ms: busy/X by Little's law, else the mean hold times the holds of a request. `null` when unseen. */
export function holdMsOf({ pool, throughput }: Pick<SettingEvidence, 'pool' | 'throughput'>): number | null {
  if (pool === null) return null;
  if (throughput !== null && throughput > 0 && pool.busy > 0) return (1000 * pool.busy) / throughput;
  return pool.holdMs === null ? null : pool.holdMs * (pool.perRequest ?? 1);
}

/** Connections that are busy on average while `throughput` requests/s hold one for `holdMs` each. */
export function connectionsNeeded(throughput: number, holdMs: number): number {
  return (throughput * holdMs) / 1000;
}

/** Whether the size of the pool is what limits this setting. */
export function poolBinds({ pool }: Pick<SettingEvidence, 'pool'>): boolean {
  return pool !== null && pool.max !== null && pool.max > 0 && pool.busy / pool.max >= bindingShare;
}

/** What the laws need to know: times in ms, `xMax` in requests/s. */
export interface LawParameters {
  /** W: connection time of a request. */
  holdMs: number | null;
  /** Thread time of a request. */
  threadMs: number | null;
  xMax: number;
}

/** Sizes of one setting, of all instances together; `null` where it has none or it is not known. */
export interface Sizes {
  pool: number | null;
  threads: number | null;
  connections: number | null;
}

/** X(P) = min(P/W, T/S, C/W, Xmax) in requests/s: the thin line behind the measured dots. A request lasts at least as long as its hold. */
export function predictThroughput(laws: LawParameters, sizes: Sizes): number {
  const bound = (size: number | null, ms: number | null): number =>
    size === null || ms === null || ms <= 0 ? Number.POSITIVE_INFINITY : (1000 * size) / ms;
  return Math.min(bound(sizes.pool, laws.holdMs), bound(sizes.threads, laws.threadMs), bound(sizes.connections, laws.holdMs), laws.xMax);
}

/**
 * The parameters from what was measured: W of the smallest setting whose pool binds (there nothing else delays a request), else of the smallest
 * one; the same for threads. `smallestFirst` in the order of smallness. `null` without any throughput.
 */
export function lawParameters(smallestFirst: readonly SettingEvidence[]): LawParameters | null {
  const measured = smallestFirst.filter(({ throughput }) => throughput !== null && throughput > 0);
  if (measured.length === 0) return null;
  const withHold = measured.filter((one) => holdMsOf(one) !== null);
  const holding = withHold.find(poolBinds) ?? withHold[0];
  const busyThreads = measured.filter(threadsBind);
  // Threads that wait for a pool are held by the pool: only where it does not bind is their time their own.
  const working = busyThreads.find((one) => !poolBinds(one));
  return {
    holdMs: holding === undefined ? null : holdMsOf(holding),
    threadMs: working?.threads === undefined || working.threads === null ? null : (1000 * working.threads.busy) / (working.throughput ?? 1),
    xMax: Math.max(...measured.map(({ throughput }) => throughput ?? 0)),
  };
}

function threadsBind({ threads }: SettingEvidence): boolean {
  return threads !== null && threads.max !== null && threads.max > 0 && threads.busy / threads.max >= saturated.threads;
}

/** What of the machine's CPU the app, its database and the load generator use; `isFull`: they ask for all that is there. Percentages of all cores. */
function machineUse(one: SettingEvidence, cores: number): { used: number; others: number; isFull: boolean } {
  const used = ((one.appCpuPercent ?? 0) + (one.postgresCpuPercent ?? 0) + (one.generatorCpuPercent ?? 0)) / cores;
  const host = one.hostCpuPercent ?? 0;
  // What other programs use fills a machine, too; it limits only what asks for more than its share, and waits for no connection meanwhile.
  const isFull = host >= saturated.host && (used >= saturated.own || (used >= saturated.fair && !poolBinds(one)));
  return { used, others: host - used, isFull };
}

/** What is full, and how much more it could carry at the most, as a share of the throughput. */
export interface Headroom {
  what: FullPart;
  gain: number;
}

/**
 * The fullest of what limits throughput whatever the pool is; null where nothing that was seen is full. By the same limits as {@link limitOf}. What is busy
 * for a share U of the time can carry 1/U − 1 more (utilisation law: Denning & Buzen).
 */
export function headroomOf(one: SettingEvidence, cores: number): Headroom | null {
  const { eventLoopUtilisation, appCpuPercent, postgresCpuPercent } = one;
  const machine = machineUse(one, cores);
  const full = [
    ...(eventLoopUtilisation !== null && eventLoopUtilisation >= saturated.eventLoop
      ? [{ what: 'event-loop' as const, used: eventLoopUtilisation }]
      : []),
    ...((appCpuPercent ?? 0) >= saturated.appCpu * cores ? [{ what: 'app-cpu' as const, used: (appCpuPercent ?? 0) / (100 * cores) }] : []),
    ...((postgresCpuPercent ?? 0) >= saturated.postgresCpu * cores
      ? [{ what: 'postgres-cpu' as const, used: (postgresCpuPercent ?? 0) / (100 * cores) }]
      : []),
    ...(machine.isFull ? [{ what: 'machine-cpu' as const, used: machine.used / Math.max(1, 100 - machine.others) }] : []),
  ].map(({ what, used }) => ({ what, gain: Math.max(0, 1 / used - 1) }));
  return full.reduce<Headroom | null>((least, next) => (least === null || next.gain < least.gain ? next : least), null);
}

/** What limits a setting, in words that follow "… is the limit"; `null` when nothing that was seen does. */
export interface Limit {
  kind: 'event loop' | 'threads' | 'locks' | 'PostgreSQL' | 'app CPU' | 'machine' | 'load' | 'hold' | 'pool';
  sentence: string;
}

function percent(value: number): string {
  return `${wholeNumber(value)} %`;
}

/** "93 % of a core", "340 % of a core (4 cores)". */
function coreShare(cpuPercent: number): string {
  return `${percent(cpuPercent)} of a core`;
}

/** What a full event loop leaves to win. */
function moreConnections(gain: number): string {
  return gain < 0.005
    ? 'More instances would help, more connections would not.'
    : `More instances would help, more connections can gain ${Number((100 * gain).toFixed(1))} % at the most.`;
}

/**
 * What limits throughput at `one`, the setting with the best throughput. `alone` is a setting with a small pool for comparison; `prefix` starts
 * the sentence, e.g. "Beyond 8, ".
 */
export function limitOf(one: SettingEvidence, alone: SettingEvidence | null, cores: number, prefix: string): Limit | null {
  const start = (words: string): string => (prefix === '' ? words.charAt(0).toUpperCase() + words.slice(1) : `${prefix}${words}`);
  const { eventLoopUtilisation, sessions, pool, threads } = one;
  if (eventLoopUtilisation !== null && eventLoopUtilisation >= saturated.eventLoop) {
    const busy =
      pool === null || pool.max === null || poolBinds(one)
        ? ''
        : `, not the pool: connections are busy ${percent((100 * pool.busy) / pool.max)} of the time`;
    return {
      kind: 'event loop',
      sentence: `${start('the event loop')} is the limit (utilisation ${eventLoopUtilisation.toFixed(2)})${busy}. ${moreConnections(1 / eventLoopUtilisation - 1)}`,
    };
  }
  if (threadsBind(one) && (threads?.queue ?? 0) > 0 && !poolBinds(one)) {
    return {
      kind: 'threads',
      sentence: `${start('the request threads')} are the limit (${figure(threads?.busy ?? 0)} of ${wholeNumber(threads?.max ?? 0)} busy, and requests queue for them).`,
    };
  }
  if (sessions !== null && sessions.active >= 1 && sessions.lock / sessions.active >= saturated.lock) {
    return {
      kind: 'locks',
      sentence: `${start('locks in PostgreSQL')} are the limit: ${percent((100 * sessions.lock) / sessions.active)} of its active sessions wait for one.`,
    };
  }
  const [app, postgres] = [one.appCpuPercent ?? 0, one.postgresCpuPercent ?? 0];
  if (postgres >= saturated.postgresCpu * cores)
    return {
      kind: 'PostgreSQL',
      sentence: `${start('PostgreSQL’s CPU')} is the limit (${coreShare(postgres)}, the machine has ${cores}).`,
    };
  if (app >= saturated.appCpu * cores)
    return { kind: 'app CPU', sentence: `${start('the app’s CPU')} is the limit (${coreShare(app)}, the machine has ${cores}).` };
  const { others, isFull } = machineUse(one, cores);
  if (isFull) {
    const shares = [
      { who: 'PostgreSQL', used: postgres },
      { who: 'the app', used: app },
      { who: 'the load generator', used: one.generatorCpuPercent ?? 0 },
      ...(others >= 5 ? [{ who: 'other programs', used: others * cores }] : []),
    ].sort((a, b) => b.used - a.used);
    const [first, second] = shares.filter((share) => share.used >= 10);
    const named =
      first === undefined
        ? ''
        : second === undefined
          ? ` (${first.who} ${coreShare(first.used)})`
          : ` (${first.who} ${coreShare(first.used)}, ${second.who} ${percent(second.used)})`;
    return { kind: 'machine', sentence: `${start('the machine’s CPU')} is the limit, all ${cores} cores being busy${named}.` };
  }
  const [hold, before] = [holdMsOf(one), alone === null ? null : holdMsOf(alone)];
  if (poolBinds(one) && (pool?.pending ?? 0) >= 0.5 && !isBehindPool(one, alone))
    return {
      kind: 'pool',
      sentence: `${start('the pool')} is still the limit: ${percent((100 * (pool?.busy ?? 0)) / (pool?.max ?? 1))} of its connections are busy.`,
    };
  if (hold !== null && before !== null && hold >= saturated.hold * before) {
    return {
      kind: 'hold',
      sentence: `${start('each request')} holds its connection longer (${figure(hold)} ms instead of ${figure(before)} ms): what the connections lead to is the limit.`,
    };
  }
  if (
    one.latencyMs !== null &&
    one.throughput !== null &&
    (one.throughput * one.latencyMs) / 1000 >= bindingShare * one.connections &&
    pool !== null &&
    pool.pending < 0.5
  ) {
    return {
      kind: 'load',
      sentence: `${start('the load itself')} is the limit: all of its ${wholeNumber(one.connections)} connections are waiting for an answer, and none for the pool.`,
    };
  }
  return null;
}

/**
 * Whether a pool is full of connections that wait for something behind it: more of them brought hardly more than the few of `alone`, whose pool was full as well,
 * and each is held for longer instead.
 */
function isBehindPool(one: SettingEvidence, alone: SettingEvidence | null): boolean {
  if (alone?.pool?.max == null || one.pool?.max == null || alone.throughput === null || one.throughput === null) return false;
  const larger = one.pool.max / alone.pool.max;
  const gain = one.throughput / alone.throughput;
  return (
    poolBinds(alone) &&
    larger >= saturated.hold &&
    gain < 1 + (larger - 1) / 4 &&
    (holdMsOf(one) ?? 0) >= saturated.hold * (holdMsOf(alone) ?? Infinity)
  );
}

export interface WhyInput {
  recommended: SettingEvidence;
  best: SettingEvidence;
  /** The smallest setting that has figures. */
  smallest: SettingEvidence;
  /** The recommended value in words, e.g. "8". */
  recommendedName: string;
  cores: number;
  /** Hardly anybody waits at `best`: full as its pool may be, it is not the limit. */
  hardlyWaits?: boolean;
}

/** The reason from the operational laws in one or two sentences; `null` when nothing is known that would give one. */
export function whyLine({ recommended, best, smallest, recommendedName, cores, hardlyWaits = false }: WhyInput): string | null {
  const sentences: string[] = [];
  const hold = holdMsOf(recommended);
  if (hold !== null && recommended.throughput !== null) {
    const needed = connectionsNeeded(recommended.throughput, hold);
    const size = recommended.pool?.max ?? null;
    const count = size !== null && needed >= bindingShare * size ? wholeNumber(needed) : figure(needed);
    const noun = count === '1' ? 'connection' : 'connections';
    const processes = recommended.pool?.processes ?? 1;
    const each = processes > 1 ? ` in all ${wholeNumber(processes)} processes together` : '';
    sentences.push(
      `A request holds its connection ${figure(hold)} ms, so ${wholeNumber(recommended.throughput)} req/s keep ${count} ${noun}${each} busy${count === wholeNumber(needed) ? '' : ' on average'}.`,
    );
  }
  const limit = limitOf(best, smallest === best ? null : smallest, cores, best === recommended ? '' : `Beyond ${recommendedName}, `);
  // When the answer is the largest value and its pool is full, that it is still the limit says more than anything else could.
  if (limit !== null && !(hardlyWaits && limit.kind === 'pool')) sentences.push(limit.sentence);
  return sentences.length === 0 ? null : sentences.join(' ');
}
