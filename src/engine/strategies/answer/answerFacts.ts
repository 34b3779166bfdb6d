import type { SettingValues, WatchedPart } from '../../../model/domain/setting.ts';
import type { Trial } from '../../../model/domain/run.ts';
import type { AnswerFacts, Today } from '../../../model/domain/answerFacts.ts';
import type { BlockStatistics } from '../../statistics/blockStatistics.ts';
import { type Knee, type KneeStatus, cheapDeltas, claimRounds, largestRatio, ratioToBest } from '../../statistics/kneeRule.ts';
import { usedAtOnce } from '../../statistics/mechanism.ts';
import { type MeasuredCandidate, isEnough } from '../../statistics/tuningSearch.ts';
import { valueNames } from '../../statistics/valueNames.ts';
import type { OpenLoopComparison } from '../search/openLoopComparison.ts';

/** What an answer, its reasons and its evidence are put together from. */
export interface AnswerBasis {
  delta: number;
  candidates: readonly MeasuredCandidate[];
  /** Of the settings that vary. */
  settingNames: readonly string[];
  /** What the one setting that varies is in the app; null with several, or where waits say nothing of it. */
  resource: WatchedPart | null;
  /** The value of that one setting that is in use today; null where none is known. */
  today: number | null;
  /** The trial of each value that was measured, by key; on a machine of so many `cores`. */
  seen: ReadonlyMap<string, Trial>;
  cores: number;
  /** For an app without a probe, by key: see `busySessions`. */
  busySessions?: ReadonlyMap<string, number> | undefined;
  /** Null where p99 is not compared at a fixed rate. */
  openLoop: OpenLoopComparison | null;
  statistics: BlockStatistics;
  knee: Knee<MeasuredCandidate>;
  status: KneeStatus;
}

/** Never to be recommended, whatever its throughput: its p99 is proven worse. */
export function isBarred(key: string, openLoop: OpenLoopComparison | null): boolean {
  return openLoop?.verdicts.get(key) === 'worse';
}

/** Values without the names of their settings: "8", "8 × 50". */
export function nameless(candidate: MeasuredCandidate, { candidates }: Pick<AnswerBasis, 'candidates'>): string {
  return valueNames([candidate], candidates).join('');
}

/** The one number of a value that varies; null for a grid, and for words. */
function numberOf({ values }: MeasuredCandidate, [name, ...others]: readonly string[]): number | null {
  const value = name === undefined || others.length > 0 ? undefined : values[name];
  return typeof value === 'number' ? value : null;
}

/** Those of the settings that vary. */
function valuesOf({ values }: MeasuredCandidate, { settingNames }: Pick<AnswerBasis, 'settingNames'>): SettingValues {
  return Object.fromEntries(Object.entries(values).filter(([name]) => settingNames.includes(name)));
}

/** Smallest first: those that have figures. */
export function counted(candidates: readonly MeasuredCandidate[]): MeasuredCandidate[] {
  return candidates.filter(({ blocks }) => blocks.length >= 2).sort((a, b) => a.cost - b.cost);
}

/** The answer as a code with its figures, and the value that it is about; the value is null while it is open. */
export function factsOf(basis: AnswerBasis): { facts: AnswerFacts; chosen: MeasuredCandidate | null } {
  const { knee, status, resource, today, settingNames } = basis;
  if (resource === 'pool' && isUnused(basis)) return { facts: { code: 'unused', what: resource }, chosen: null };
  if (knee.rounds < claimRounds) return { facts: { code: 'rounds-missing', rounds: claimRounds - knee.rounds }, chosen: null };
  if (status === 'undecided') {
    const open = openCandidates(basis);
    const own = open.find((one) => today !== null && numberOf(one, settingNames) === today);
    const facts: AnswerFacts = {
      code: 'open',
      candidates: open.map((one) => valuesOf(one, basis)),
      ...leadingOf(basis, open),
      ...(own === undefined ? {} : { today: valuesOf(own, basis) }),
    };
    return { facts, chosen: null };
  }
  const idle = notLimiting(basis);
  if (idle !== null) return { facts: idle, chosen: keptValue(basis, idle) };
  const { confirmed, plausible, proven } = knee;
  return {
    facts: {
      code: 'use',
      values: valuesOf(confirmed, basis),
      proven: plausible === confirmed ? status === 'confirmed' : proven,
      smaller: smallerOf(basis),
      today: todayOf(basis),
      what: resource,
    },
    chosen: confirmed,
  };
}

/** Fewer requests than one in a hundred take a connection, and hardly one is in use: figures and waits are about something else. */
const leastUse = { perRequest: 0.01, busy: 0.05 } as const;

/** Whether the load uses no connection of the pool at any value. */
function isUnused({ candidates, seen }: AnswerBasis): boolean {
  const pools = counted(candidates).flatMap(({ key }) => seen.get(key)?.pool ?? []);
  return (
    pools.length > 0 &&
    pools.every(({ perRequest, busy }) => perRequest !== null && perRequest < leastUse.perRequest && busy < leastUse.busy)
  );
}

/** The value to take until more is known, where no other that is open is far from it. */
function leadingOf(basis: AnswerBasis, open: readonly MeasuredCandidate[]): Pick<Extract<AnswerFacts, { code: 'open' }>, 'leading'> {
  const { confirmed } = basis.knee;
  const apart = open.map((one) => {
    if (one === confirmed) return 0;
    const ratio = ratioToBest(one.key, confirmed.key, basis.statistics);
    return ratio === null ? Number.POSITIVE_INFINITY : Math.max(1 - ratio.ciLow, ratio.ciHigh - 1);
  });
  const within = Math.max(...apart);
  return open.length > 1 && within <= cheapDeltas * basis.delta ? { leading: { values: valuesOf(confirmed, basis), within } } : {};
}

/** One that is right less probably than this is not named among those that are open. */
const leastChance = 0.05;

/** Smallest first: what may be the answer as far as is known. */
export function openCandidates({
  candidates,
  knee: { confirmed, chances },
}: Pick<AnswerBasis, 'candidates' | 'knee'>): MeasuredCandidate[] {
  return counted(candidates).filter((one) => one === confirmed || (chances.get(one)?.right ?? 0) >= leastChance);
}

/** Hardly anybody waits for what is tuned at any value, not even at the smallest, and none is proven to carry more than δ more or less. */
function notLimiting(basis: AnswerBasis): Extract<AnswerFacts, { code: 'not-limiting' }> | null {
  const { resource, delta, seen, today, settingNames, openLoop, knee, statistics } = basis;
  const measured = counted(basis.candidates);
  const [smallest] = measured;
  const from = smallest === undefined ? null : numberOf(smallest, settingNames);
  if (resource === null || smallest === undefined || from === null || knee.confirmed !== smallest || knee.denied !== undefined) return null;
  const margin = Math.log(1 - delta);
  const same = (a: MeasuredCandidate, b: MeasuredCandidate): boolean => largestRatio(a.key, b.key, statistics) >= margin;
  const alike = measured.every(
    (one) => isEnough(one, delta) && !isBarred(one.key, openLoop) && (one === smallest || (same(smallest, one) && same(one, smallest))),
  );
  if (!alike) return null;
  const isMeasured = measured.some((one) => numberOf(one, settingNames) === today);
  const used = resource === 'pool' ? usedByOne(measured.flatMap(({ key }) => seen.get(key) ?? [])) : null;
  return {
    code: 'not-limiting',
    what: resource,
    from,
    busy: used?.busy ?? null,
    room: used === null ? null : Math.max(from, used.room),
    today: isMeasured ? today : null,
  };
}

/**
 * How many connections one process has in use at once, 99.9 % of the time, and how many leave room to spare: one more, at least as many as one request may hold
 * at once, and at most as many as the load can use.
 */
function usedByOne(seen: readonly Trial[]): { busy: number; room: number } | null {
  const each = seen.flatMap(({ pool, connections }) => {
    if (pool === null) return [];
    const processes = Math.max(1, pool.processes ?? 1);
    const held = Math.max(1, Math.ceil((pool.perRequest ?? 1) - 0.05));
    const busy = usedAtOnce(pool.busy / processes, (pool.busyMost ?? 0) / processes);
    return [{ busy, held, most: Math.max(held, connections * held) }];
  });
  if (each.length === 0) return null;
  const busy = Math.min(Math.max(...each.map((one) => one.busy)), Math.max(...each.map(({ most }) => most)));
  const held = Math.max(...each.map((one) => one.held));
  return { busy, room: Math.min(Math.max(busy + 1, held), Math.max(...each.map(({ most }) => most))) };
}

/** Where nothing limits: the value of today; without one, the smallest that leaves room. */
function keptValue(
  { candidates, settingNames }: AnswerBasis,
  { today, room, from }: Extract<AnswerFacts, { code: 'not-limiting' }>,
): MeasuredCandidate | null {
  const measured = counted(candidates);
  const wanted = today ?? room ?? from;
  return measured.find((one) => (numberOf(one, settingNames) ?? 0) >= wanted) ?? measured.at(-1) ?? null;
}

/** A smaller value is named without its cost where it is enough with this probability: one that is far below an answer is not, then. */
const named = 0.2;

/** The next smaller value, where it is known to cost little; else the smallest that may be enough instead, where there is one. */
function smallerOf(basis: AnswerBasis): Extract<AnswerFacts, { code: 'use' }>['smaller'] {
  const { delta, knee } = basis;
  const smaller = counted(basis.candidates).filter(({ key, cost }) => cost < knee.confirmed.cost && !isBarred(key, basis.openLoop));
  const below = smaller.at(-1);
  const ratio = below === undefined ? null : ratioToBest(below.key, knee.confirmed.key, basis.statistics);
  if (below !== undefined && ratio !== null && below.errorShare <= knee.confirmed.errorShare) {
    const loss = { least: Math.max(0, 1 - ratio.ciHigh), most: 1 - ratio.ciLow };
    if (loss.most > 0 && loss.most <= cheapDeltas * delta) return { values: valuesOf(below, basis), loss };
  }
  const maybe = smaller.find((one) => (knee.chances.get(one)?.enough ?? 0) >= named);
  return maybe === undefined ? null : { values: valuesOf(maybe, basis), loss: null };
}

function todayOf(basis: AnswerBasis): Today | null {
  const { today, settingNames } = basis;
  const { confirmed } = basis.knee;
  const own = counted(basis.candidates).find((one) => today !== null && numberOf(one, settingNames) === today);
  if (own === undefined || today === null) return null;
  const ratio = own.cost < confirmed.cost ? ratioToBest(confirmed.key, own.key, basis.statistics) : null;
  return ratio === null ? { value: today } : { value: today, gain: { least: Math.max(0, ratio.ciLow - 1), most: ratio.ciHigh - 1 } };
}
