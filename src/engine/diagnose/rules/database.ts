import { advice, lower, openSql, record, tuneAround } from '../actions.ts';
import type { VerdictPart } from '../../../model/domain/verdict/verdictKinds.ts';
import { type Check, anyOf, atLeast, share } from '../checks.ts';
import type { Rule } from '../rule.ts';
import { appCpuShare, cpuFullness, pgCpuShare, taken } from '../cpuUse.ts';
import { cpuMsOf, executedOf, shareOfActive } from '../requestTime.ts';
import { type Signals, processesWith } from '../signals.ts';
import { type Threshold, thresholds } from '../thresholds.ts';
import { cpuAtLeast, cpuBelow, cpuIdle, ofApp, ofPostgres } from './guards.ts';

function waiting(s: Signals, waitsFor: 'lock' | 'io', threshold: Threshold): Check {
  const code = waitsFor === 'lock' ? 'sessions-for-lock' : 'sessions-for-disk';
  const { [waitsFor]: part = null, active: whole = null } = s.sessions ?? {};
  return atLeast('must', { code, part, whole }, shareOfActive(s, waitsFor), threshold);
}

function onlyRoute({ routes }: Signals): string | null {
  return routes.length === 1 ? (routes[0] ?? null) : null;
}

/** In a small pool all but the holder of the lock can wait for it, and that is fewer than one on the mean where a look finds it between two turns. */
function someWait(s: Signals): Threshold {
  const max = s.pool?.max ?? null;
  const { limit } = thresholds.databaseActive;
  return { ...thresholds.databaseActive, limit: max === null ? limit : Math.min(limit, 0.4 * Math.max(1, max - 1)) };
}

export const databaseLock: Rule = {
  kind: 'database-lock',
  byWaits: true,
  applies: (s) => s.sessions !== null,
  checks: (s) => [
    waiting(s, 'lock', thresholds.lockShare),
    atLeast('must', { code: 'sessions-locked' }, s.sessions?.lock ?? null, someWait(s)),
    cpuBelow('guard', ofPostgres(s), thresholds.databaseCpu),
  ],
  explain: (s) => ({
    said: {
      code: 'database-lock',
      active: s.sessions?.active ?? 0,
      waiting: s.sessions?.lock ?? 0,
      lockedOn: s.sessions?.lockedOn ?? null,
    },
    why: [{ code: 'database-lock-why', holdMs: s.pool?.holdMs ?? null, lockedOn: s.sessions?.lockedOn ?? null }],
    actions: [
      openSql(s.statements, 'lock', { code: 'find-locked', route: onlyRoute(s), lockedOn: s.sessions?.lockedOn ?? null }),
      record('wall', { code: 'which-statement' }),
      ...(s.pool?.max == null ? [] : lower(s.knobs.pool, s.pool.max / 2, processesWith(s.pool, s))),
    ],
  }),
};

export const databaseIo: Rule = {
  kind: 'database-io',
  byWaits: true,
  applies: (s) => s.sessions !== null,
  checks: (s) => [
    waiting(s, 'io', thresholds.ioShare),
    atLeast('must', { code: 'sessions-at-work' }, s.sessions?.active ?? null, thresholds.databaseActive),
    cpuIdle(s, thresholds.machineCpu),
  ],
  explain: (s) => ({
    said: { code: 'database-io', waiting: s.sessions?.io ?? 0, active: s.sessions?.active ?? 0 },
    why: [{ code: 'database-io-why' }],
    actions: [openSql(s.statements, 'io', { code: 'most-io' }), ...tuneAround(s.knobs.pool, s.pool?.max ?? null, processesWith(s.pool, s))],
  }),
};

/**
 * PostgreSQL alone fills its cores, or the machine is full and PostgreSQL takes most of it; or as many of its sessions compute as it has cores,
 * which shows where other programs keep it from them.
 */
export const databaseCpu: Rule = {
  kind: 'database-cpu',
  applies: (s) => s.pgCpuPercent !== null || s.sessions !== null,
  checks: (s) => [
    ...anyOf(
      cpuAtLeast('must', ofPostgres(s), thresholds.databaseCpu),
      ofLeft(s, atLeast('must', { code: 'cpu-mostly-postgres' }, takesMost(s) ? cpuFullness(s) : null, thresholds.machineCpu)),
      atLeast(
        'must',
        { code: 'sessions-computing', part: s.sessions?.onCpu ?? null, whole: s.pgCores },
        takesMost(s) ? share(s.sessions?.onCpu, s.pgCores) : null,
        { ...thresholds.databaseCpu, unit: 'count' },
      ),
    ),
    cpuBelow('guard', ofApp(s), thresholds.appCpu),
  ],
  explain: (s) => {
    const many = processesWith(s.pool, s);
    const isOwn = (pgCpuShare(s) ?? 1) >= thresholds.databaseCpu.limit;
    const apart = mostlyApart(s);
    return {
      said: { code: 'database-cpu', used: { share: pgCpuShare(s), cores: s.pgCores }, cpuMs: cpuMsOf(s, s.pgCpuPercent), isOwn },
      why: [apart ?? { code: 'database-cpu-why', appShare: appCpuShare(s), holdMs: s.pool?.holdMs ?? null }],
      actions: [
        ...(apart === null ? [] : [advice({ code: 'fewer-statements' })]),
        openSql(s.statements, 'cpu', { code: 'look-at-plan', route: onlyRoute(s) }),
        ...(s.pgCores === null ? [] : lower(s.knobs.pool, Math.max(2, 2 * s.pgCores), many)),
        ...tuneAround(s.knobs.pool, s.pgCores === null ? null : 2 * s.pgCores, many),
      ],
    };
  },
};

/** Less than half of PostgreSQL’s CPU can be the execution of statements, by the time that they take; connections to it have a remark of their own. */
export function mostlyApart(s: Signals): VerdictPart | null {
  const executed = executedOf(s);
  if (executed === null || (s.causes.connects.database ?? 0) >= thresholds.connectsPerRequest.limit) return null;
  return executed.executeMs >= thresholds.executing.limit * executed.cpuMs ? null : { code: 'database-cpu-apart', ...executed };
}

/** A machine that is full mostly of what others do is no sure sign, as it is none for the app’s CPU. */
function ofLeft(s: Signals, check: Check): Check {
  return { ...check, near: check.near || taken(s) >= thresholds.highInterference.limit };
}

/** Whether PostgreSQL uses more CPU than the app does and than the load generator does. */
function takesMost(s: Signals): boolean {
  const own = s.pgCpuPercent ?? 0;
  return own > (s.appCpuPercent ?? 0) && own > (s.generator.cpuPercent ?? 0);
}
