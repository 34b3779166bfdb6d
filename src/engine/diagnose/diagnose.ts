import type { Diagnosis } from '../../model/domain/diagnosis.ts';
import type { DiagnosisKind } from '../../model/domain/diagnosisKind.ts';
import type { NextAction } from '../../model/domain/verdict/nextActions.ts';
import type { VerdictPart } from '../../model/domain/verdict/verdictKinds.ts';
import { possible } from './actions.ts';
import type { Check } from './checks.ts';
import type { Rule, RuleVerdict } from './rule.ts';
import { databaseCpu, databaseIo, databaseLock } from './rules/database.ts';
import { descriptors, proxy } from './rules/edges.ts';
import { executor } from './rules/executor.ts';
import { applicationLock, busyMachine, limitOfApp, unknownWait } from './rules/hidden.ts';
import { besides } from './rules/beside.ts';
import { connectionLeak } from './rules/leak.ts';
import { heldConnection, poolExhausted, poolLimited, poolLockedUp } from './rules/pool.ts';
import { bouncerPool, bouncerStarves } from './rules/bouncer.ts';
import { cpu, eventLoop, gc, oneCore, oversubscribed, payload } from './rules/processor.ts';
import { orderOf } from './rules/order.ts';
import { clientLimited, healthy, nearlyFull } from './rules/room.ts';
import { blockedLoop, delayedAnswers, nameLookUps, workerPool } from './rules/stalls.ts';
import { erroneousAndDiscarded, erroneousRun, starvedGenerator, discardedRun } from './rules/discarded.ts';
import { serverLoops } from './rules/serverLoops.ts';
import { outboundPool, outboundService, threadPool } from './rules/waits.ts';
import { type Signals, errorShare } from './signals.ts';
import { thresholds } from './thresholds.ts';

/**
 * The decision table: the first rule that matches is the verdict. What discards figures comes first, except for what explains it, and for failed requests,
 * which explain more than a saturated generator does; then what fails requests and explains why; then what is full whatever the rest does (collector, proxy,
 * locks, processors); then pools, of which it must be known that nothing behind them is full; then what waits; then room.
 */
export const rules: readonly Rule[] = [
  descriptors,
  bouncerStarves,
  connectionLeak,
  poolLockedUp,
  erroneousAndDiscarded,
  discardedRun,
  poolExhausted,
  outboundPool,
  erroneousRun,
  gc,
  starvedGenerator,
  proxy,
  databaseLock,
  oversubscribed,
  payload,
  eventLoop,
  blockedLoop,
  serverLoops,
  databaseCpu,
  cpu,
  oneCore,
  databaseIo,
  applicationLock,
  bouncerPool,
  heldConnection,
  poolLimited,
  threadPool,
  executor,
  workerPool,
  outboundService,
  nameLookUps,
  delayedAnswers,
  clientLimited,
  healthy,
  limitOfApp,
  busyMachine,
];

interface Judged {
  rule: Rule;
  checks: Check[];
  matches: boolean;
}

function judge(rule: Rule, signals: Signals): Judged {
  const checks = rule.checks(signals);
  const contradicted = checks.some(({ role, known, met }) => role === 'guard' && known && !met);
  const matches = !contradicted && checks.every(({ role, met }) => role !== 'must' || met);
  return { rule, checks, matches };
}

function restsOnWaits({ byWaits }: Rule, signals: Signals): boolean {
  return typeof byWaits === 'function' ? byWaits(signals) : byWaits === true;
}

/** Confident only when all that the verdict rests on was seen, and none of it is within 5 % of its limit. */
function isSure({ rule, checks }: Judged, signals: Signals): boolean {
  const decisive = checks.filter(({ role }) => role !== 'sign');
  const unsteady = !restsOnWaits(rule, signals) && signals.unsteady !== null;
  const doubtful = !rule.surely && (signals.doubts.length > 0 || unsteady || errorShare(signals) > thresholds.errorsFlagged.limit);
  return !doubtful && decisive.every(({ known, met, near }) => known && met && !near);
}

/** Names what limits the app, with the figures that say so and the next thing to try. Pure: the same signals give the same verdict. */
export function diagnose(signals: Signals): Diagnosis {
  const judged = rules.filter((rule) => rule.applies(signals)).map((rule) => judge(rule, signals));
  const found = judged.find(({ matches }) => matches);
  const nearly = found === undefined ? nearlyFull(signals) : null;
  if (nearly !== null) {
    const nearest = judged.find(({ rule }) => rule.kind === nearly.kind);
    return diagnosis(nearly.kind, nearest ?? null, nearly, false, judged, signals);
  }
  const from = found ?? judge(unknownWait, signals);
  return diagnosis(from.rule.kind, from, from.rule.explain(signals), isSure(from, signals), judged, signals);
}

function diagnosis(
  kind: DiagnosisKind,
  from: Judged | null,
  verdict: RuleVerdict,
  confident: boolean,
  judged: readonly Judged[],
  signals: Signals,
): Diagnosis {
  const { unsteady } = signals;
  const steadiness: VerdictPart[] =
    (from !== null && restsOnWaits(from.rule, signals)) || unsteady === null ? [] : [{ code: 'finding', finding: unsteady }];
  const doubts = from?.rule.surely === true ? [] : [...signals.doubts, ...steadiness];
  const order = orderOf(kind, signals);
  const beside = besides(kind, signals);
  const causes = beside.filter((one) => one.cause !== undefined);
  const others = beside.filter((one) => one.cause === undefined);
  const cause = causes[0]?.cause;
  return {
    kind,
    confident,
    said: cause ?? verdict.said,
    why: [
      ...causes.flatMap(({ remarks }) => remarks),
      ...(cause === undefined ? [] : [verdict.said]),
      ...verdict.why,
      ...(order === null ? [] : [order]),
      ...others.flatMap(({ remarks }) => remarks),
      ...doubts,
    ],
    ...(verdict.tells === undefined ? {} : { tells: [...verdict.tells] }),
    evidence: [...(from?.checks ?? []), ...beside.flatMap(({ checks }) => checks)].map(({ evidence }) => evidence),
    ruledOut: kind === 'invalid' ? [] : ruledOut(kind, judged),
    actions: possible(
      moreOfItLast([
        ...[...causes, ...others.filter(({ isMost }) => isMost)].flatMap(({ actions }) => actions),
        ...verdict.actions,
        ...others.filter(({ isMost }) => isMost !== true).flatMap(({ actions }) => actions),
      ]),
      signals.runtime,
    ),
    threadDumps: [],
  };
}

/** More instances and more cores come after what makes a request cheaper. */
function moreOfItLast(actions: readonly NextAction[]): NextAction[] {
  const isMore = ({ kind, label }: NextAction): boolean => kind === 'instances' || label.code === 'more-cores-apart';
  return [...actions.filter((action) => !isMore(action)), ...actions.filter(isMore)];
}

/** How far towards its limit the first sign of a rule has to be for it to be worth a word. */
const worthAWord = 0.6;
const mostRuledOut = 4;

/** Neighbours that were near, the nearest first, each with the figure that speaks against it. */
function ruledOut(kind: DiagnosisKind, judged: readonly Judged[]): Diagnosis['ruledOut'] {
  const seen = new Set<DiagnosisKind>([kind, 'invalid', 'healthy', 'client-limited']);
  const near = judged
    .map((one) => ({ ...one, closeness: one.checks.find(({ role }) => role === 'must')?.closeness ?? 0 }))
    .filter(({ closeness }) => closeness >= worthAWord)
    .sort((a, b) => b.closeness - a.closeness);
  const out: Diagnosis['ruledOut'] = [];
  for (const { rule, checks, matches } of near) {
    if (seen.has(rule.kind)) continue;
    seen.add(rule.kind);
    const against =
      checks.find(({ role, known, met }) => role !== 'sign' && known && !met) ?? checks.find(({ role, met }) => role === 'must' && !met);
    if (against === undefined) {
      if (matches) out.push({ kind: rule.kind, because: { code: 'explained-before' } });
      continue;
    }
    const { what, value, unit, threshold } = against.evidence;
    out.push({ kind: rule.kind, because: { code: 'against', what, value, unit, threshold } });
  }
  return out.slice(0, mostRuledOut);
}
