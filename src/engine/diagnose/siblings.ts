import type { Diagnosis, DiagnosisKind, Evidence } from '../../model/domain/diagnosis.ts';
import { isLimit, limitNames } from '../../model/presentation/diagnosisWords.ts';
import { figure, percentPhrase } from '../../model/domain/format.ts';
import { capital } from '../../model/domain/sentence.ts';
import { wantedByAllPercent } from '../../model/domain/run.ts';
import type { Trial } from '../../model/domain/run.ts';
import { advice, possible, record } from './actions.ts';
import { beatenByLarger } from './beatenByLarger.ts';
import { clearlyMore, differing, isDiscarded, useOf, wantedGain } from './likeTrials.ts';
import { thresholds } from './thresholds.ts';
import { mean, ms, percentOf } from './words.ts';

/** What a larger pool would have to bring, by Little’s law, for its not bringing it to mean anything. */
const leastExpected = 1.3;
/** Where at most this share of the expected gain was reached, no pool was the limit. */
const mostOfGain = 0.25;
/** Where connections are held while each waits for its turn on the CPU, more of them ask for more of it: by so much at least. */
const leastWantedMore = 1.1;
/** The share of the growth of the hold time that goes with it: a queue behind the pool makes it grow as the pool does. */
const leastOfHold = 0.5;

/** Two sizes of one pool under one load, of which the larger brought nothing. */
interface NoGain {
  smaller: Trial;
  larger: Trial;
  /** The ratio of the larger to the smaller, 1 being the same. */
  gain: number;
  expected: number;
}

/**
 * Verdicts that look at the whole run. A single trial cannot distinguish a pool that is too small from a pool that is full because its connections wait for
 * each other (for a lock, say). Trials of the same target under the same load with different pool sizes can: where the larger pool brought no more throughput,
 * and its connections were held longer in proportion, the pool is not what limits either of them. CPU that others use slows both figures alike. Returns the
 * trials with their verdicts, those that no sibling contradicts unchanged. `cores`: of the machine; null where they are not known.
 */
export function judgeTogether(trials: readonly Trial[], cores: number | null = null): Trial[] {
  const pairs = trials.flatMap((smaller) => trials.flatMap((larger) => noGain(smaller, larger) ?? []));
  return trials.map((trial) => {
    const load = noMoreFromLoad(trial, trials);
    const pair = pairs.find(({ smaller }) => smaller === trial) ?? pairs.find(({ larger }) => larger === trial);
    if (trial.diagnosis === null || pair === undefined) {
      const diagnosis = load ?? beatenByLarger(trial, trials);
      return diagnosis === null ? trial : { ...trial, diagnosis };
    }
    return isContradicted(trial.diagnosis.kind, trial === pair.smaller)
      ? { ...trial, diagnosis: behindThePool(trial, trial.diagnosis, pair, cores) }
      : trial;
  });
}

/** What a pool that is not the limit was judged to be: too small, or, for the larger one, with room. A lock that thread dumps show stays. */
function isContradicted(kind: DiagnosisKind, isSmaller: boolean): boolean {
  return isSmaller
    ? kind === 'pool-limited' || kind === 'held-connection'
    : ['pool-limited', 'held-connection', 'client-limited', 'healthy', 'unknown-wait'].includes(kind);
}

/** Whether `larger` is the same except for a larger pool, which by what is seen of `smaller` was to bring more, and brought nothing. */
function noGain(smaller: Trial, larger: Trial): NoGain[] | null {
  const [less, more] = [smaller.pool, larger.pool];
  if (smaller === larger || less?.max == null || more?.max == null || more.max <= less.max) return null;
  if (smaller.target !== larger.target || smaller.connections !== larger.connections || differing(smaller, larger).length !== 1)
    return null;
  const isFull = less.busy >= thresholds.threadsBusy.limit * less.max && less.pending >= thresholds.waiting.limit;
  const [before, after] = [smaller.throughput.mean, larger.throughput.mean];
  if (!isFull || before <= 0 || after <= 0 || isDiscarded(smaller) || isDiscarded(larger)) return null;
  const expected = wantedGain(smaller, less.max, more.max);
  const gain = after / before;
  const grew = less.holdMs === null || more.holdMs === null || less.holdMs <= 0 ? null : more.holdMs / less.holdMs;
  if (expected < leastExpected || gain > 1 + mostOfGain * (expected - 1) * Math.min(1, 1 / (expected - 1))) return null;
  return grew !== null && grew >= 1 + leastOfHold * (expected / gain - 1) ? [{ smaller, larger, gain, expected }] : null;
}

function rate(trial: Trial): string {
  return `${figure(trial.throughput.mean)} requests a second`;
}

function locks({ resources: { sessions } }: Trial): number {
  const waiting = Object.entries(sessions).reduce((sum, [name, many]) => (name.startsWith('Lock:') ? sum + many : sum), 0);
  return waiting / Math.max(1, sessions['active'] ?? 0);
}

/** The share of the connections in use on which no statement ran; null where sessions were not seen. */
function idle({ pool, resources: { sessions } }: Trial): number | null {
  if (pool === null || pool.busy <= 0 || Object.keys(sessions).length === 0) return null;
  return Math.max(0, pool.busy - (sessions['active'] ?? 0)) / pool.busy;
}

/** What it is that connections wait for, as far as the two trials show: what the larger one was found to be limited by, a lock, or what nobody saw. */
function limitBehind({ larger, smaller }: NoGain, cores: number | null): { kind: DiagnosisKind; what: string } {
  const found = larger.diagnosis?.kind ?? 'unknown-wait';
  const undecided: DiagnosisKind[] = [
    'pool-limited',
    'held-connection',
    'client-limited',
    'healthy',
    'unknown-wait',
    'busy-machine',
    'invalid',
  ];
  if (!undecided.includes(found))
    return { kind: found, what: `with ${larger.pool?.max ?? 'more'} connections it is found to be: ${limitNames[found]}` };
  if (Math.max(locks(larger), locks(smaller)) >= thresholds.lockShare.limit)
    return { kind: 'database-lock', what: 'sessions of the database wait for a lock' };
  const queue = cores === null ? null : queueForCpu(smaller, larger, cores);
  if (queue !== null) return queue;
  const idleShare = Math.max(idle(larger) ?? 0, idle(smaller) ?? 0);
  if (idleShare >= thresholds.lockShare.limit)
    return {
      kind: 'application-lock',
      what: `on ${percentOf(idleShare)} of the connections in use nothing was asked, so that it is a lock in the app, or something else in it that one request has at a time`,
    };
  return { kind: 'unknown-wait', what: 'what it is, nothing here watches' };
}

/**
 * Whether the queue behind the pool is one for the CPU: app, database and load generator ask for nearly all of it, and for more of it with more connections,
 * or for more than there is with the smaller pool already. Behind a lock one at a time has something to do, however many wait. Where others take much, a single
 * thread can ask for more than there is.
 */
function queueForCpu(smaller: Trial, larger: Trial, cores: number): { kind: DiagnosisKind; what: string } | null {
  const [less, more] = [wantedByAllPercent(smaller.resources), wantedByAllPercent(larger.resources)];
  if (less === null || more === null || more < 100 * cores * thresholds.machineCpu.limit) return null;
  const takenPercent = larger.interference?.takenPercent ?? 0;
  const isTaken = takenPercent >= 100 * thresholds.highInterference.limit;
  const isFullBefore = !isTaken && less >= 100 * cores;
  if (!isFullBefore && more < leastWantedMore * less) return null;
  const wanted = `app, database and load generator ran or waited for their turn on ${figure(less / 100)} cores with the smaller pool and on ${figure(more / 100)} with the larger, of ${cores} that there are`;
  return isTaken
    ? { kind: 'busy-machine', what: `${wanted}, and other programs took ${figure(takenPercent)} % of these` }
    : { kind: 'cpu', what: wanted };
}

/** What is behind the pool, within a sentence and with its verb. */
const behind: Partial<Record<DiagnosisKind, { what: string; is: string }>> = {
  'application-lock': { what: 'a lock in the app, it seems,', is: 'is' },
  'database-lock': { what: 'locks in the database', is: 'are' },
  'busy-machine': { what: 'the CPU that others left', is: 'is' },
  cpu: { what: 'the CPU', is: 'is' },
};
const unseen = { what: 'what the connections wait for', is: 'is' };

/** A gain of less than this is not worth its connections. */
const nextToNothing = 0.05;
function isNothing({ gain }: NoGain): boolean {
  return gain <= 1 + nextToNothing;
}

/** Names what limits by two trials; where the larger pool did bring something, the pool is what comes first at the smaller size. */
function headlineOf(kind: DiagnosisKind, pair: NoGain, isSmaller: boolean): string {
  const { smaller, larger, expected } = pair;
  const [few, many] = [smaller.pool?.max ?? 0, larger.pool?.max ?? 0];
  const { what, is } = behind[kind] ?? unseen;
  const limit = `${capital(what)} ${is} the limit`;
  const more = clearlyMore(smaller, larger);
  if (more === null)
    return `${limit}, ${isNothing(pair) ? 'not' : 'it seems, more than'} the pool: one of ${many} brought ${rate(larger)}, and one of ${few} brought ${figure(smaller.throughput.mean)}.`;
  const gains = `a pool of ${many} brought ${percentPhrase(100 * (more.ratio - 1))} more than one of ${few}, of the ${percentPhrase(100 * (expected - 1))} of one that limits alone`;
  return isSmaller ? `The connection pool comes first, then ${what.replace(/,$/, '')}: ${gains}.` : `${limit} by now: ${gains}.`;
}

function behindThePool(trial: Trial, was: Diagnosis, pair: NoGain, cores: number | null): Diagnosis {
  const { smaller, larger, gain, expected } = pair;
  const [few, many] = [smaller.pool?.max ?? 0, larger.pool?.max ?? 0];
  const { kind, what } = limitBehind(pair, cores);
  const forCpu = kind === 'busy-machine' || kind === 'cpu';
  const helps = clearlyMore(smaller, larger) !== null;
  const isPoolFirst = helps && trial === smaller;
  const evidence: Evidence[] = [
    {
      what: `throughput with a pool of ${many}, of that with ${few}`,
      value: percentOf(gain),
      threshold: `${percentOf(expected)} if the pool were the limit`,
      met: true,
      source: 'Little’s law, on the trials of this run',
    },
    {
      what: `time for which a connection is held, with ${few} and with ${many}`,
      value: `${ms(smaller.pool?.holdMs ?? null)} and ${ms(larger.pool?.holdMs ?? null)}`,
      threshold: 'the same if the pool were the limit',
      met: true,
      source: 'a queue behind the pool makes it grow with the pool',
    },
  ];
  const inUse =
    trial.pool === null || trial.pool.max === null
      ? ''
      : `: ${mean(Math.min(trial.pool.busy, trial.pool.max))} of ${trial.pool.max} connections were in use`;
  return {
    kind: isPoolFirst ? 'pool-limited' : kind,
    confident: false,
    headline: headlineOf(kind, pair, trial === smaller),
    explanation: `Requests hold a connection while they wait ${forCpu ? 'for their turn on the CPU' : 'for each other'}${inUse}, and each was held for ${ms(larger.pool?.holdMs ?? null)} with a pool of ${many}, where it took ${ms(smaller.pool?.holdMs ?? null)} with ${few}. ${helps ? 'A larger pool moves most of the queue' : 'A larger pool only moves the queue'} from before the pool to behind it; ${what}.`,
    evidence: [...evidence, ...was.evidence],
    ruledOut: [
      ...(helps || !isNothing(pair)
        ? []
        : [{ kind: 'pool-limited' as const, because: `A pool of ${many} brought no more than one of ${few}.` }]),
      ...was.ruledOut.filter((one) => one.kind !== kind && one.kind !== 'pool-limited'),
    ],
    actions: possible(
      [
        ...(isPoolFirst ? useOf(smaller, larger) : []),
        ...(forCpu
          ? [
              record('cpu', 'Record a CPU flame graph: what takes the time?'),
              advice(
                kind === 'cpu'
                  ? 'Give it more cores, or make a request cheaper'
                  : 'Close the other programs, or give it more cores, and run it again',
              ),
            ]
          : [
              ...(trial.runtime === 'jvm' ? [record('lock', 'Record which locks are waited for')] : []),
              record('wall', 'Record a wall-clock flame graph: what is waited for while a connection is held?'),
              advice('Hold what requests share for less time, and take the connection after it'),
            ]),
      ],
      trial.runtime,
    ),
    threadDumps: was.threadDumps,
  };
}

/**
 * For a trial that its load seems to limit, although twice that load brought no more: the limit under that load is the limit here. The load alone would bring
 * nothing.
 */
function noMoreFromLoad(trial: Trial, trials: readonly Trial[]): Diagnosis | null {
  const { diagnosis } = trial;
  if (diagnosis?.kind !== 'client-limited' || trial.throughput.mean <= 0) return null;
  const more = trials.filter(
    (one) =>
      one.target === trial.target && one.connections >= 1.5 * trial.connections && differing(one, trial).length === 0 && !isDiscarded(one),
  );
  const [next] = [...more].sort((a, b) => a.connections - b.connections);
  const found = next?.diagnosis;
  if (next === undefined || found == null || next.throughput.mean > 1.1 * trial.throughput.mean || !isLimit(found.kind)) return null;
  if (found.kind === 'client-limited') return null;
  return {
    ...diagnosis,
    kind: found.kind,
    confident: false,
    headline: `More load brings nothing: ${next.connections} connections of the load brought ${rate(next)}, and ${trial.connections} brought ${figure(trial.throughput.mean)}.`,
    explanation: `With ${trial.connections} connections nobody waits yet, but the limit is reached. With ${next.connections}: ${found.headline}`,
    actions: found.actions,
  };
}
