import type { NextAction } from '../../../model/domain/verdict/nextActions.ts';
import { type DiagnosisKind, isOfAppCpu } from '../../../model/domain/diagnosisKind.ts';
import { isOf } from '../../../model/domain/findings.ts';
import {
  type StatementMeasure,
  type StatementUse,
  heaviestStatement,
  isOncePerRow,
  isQuery,
  shareOfStatements,
} from '../../../model/domain/statement.ts';
import type { VerdictPart } from '../../../model/domain/verdict/verdictKinds.ts';
import { advice, record } from '../actions.ts';
import { type Check, plain, share } from '../checks.ts';
import type { TailCause } from '../causes.ts';
import { workloadCpuShare } from '../cpuUse.ts';
import { cpuMsOf, executedOf } from '../requestTime.ts';
import { type Signals, shakesHandsEach } from '../signals.ts';
import { thresholds } from '../thresholds.ts';
import { mostlyApart } from './database.ts';
import { leakBeside } from './leak.ts';
import { fullOfSeveral } from './poolChecks.ts';

/** An additional remark, whatever the verdict is. */
export interface Beside {
  remarks: readonly VerdictPart[];
  checks: readonly Check[];
  actions: readonly NextAction[];
  /** It is why the verdict’s limit is reached: this is the headline, its remarks and what to do come first. */
  cause?: VerdictPart;
  /** It is most of what the verdict’s limit is filled with: what to do about it comes before what to look at. */
  isMost?: boolean;
}

/** Null where there is nothing of it. */
type Look = (s: Signals, kind: DiagnosisKind) => Beside | null;

/** Each request opens a new connection to the database, by PostgreSQL's counts of its sessions. A PgBouncer before it keeps its own. */
const databaseConnects: Look = (s) => {
  const each = s.causes.connects.database;
  if (each === null || each < thresholds.connectsPerRequest.limit || s.bouncer !== null) return null;
  const all = each >= thresholds.connectsEach.limit;
  const opened: VerdictPart = { code: 'connects-each', all, perS: each * s.throughput, perRequest: each };
  return {
    remarks: [...(all ? [] : [opened]), { code: 'connects-cost', cpuMs: cpuMsOf(s, s.pgCpuPercent) }],
    checks: [plain({ code: 'connects' }, each)],
    actions: [advice({ code: 'one-pool' })],
    ...(all ? { cause: opened } : {}),
  };
};

/**
 * The same of other services. The database reports its own connections. To connect with TLS takes several answers of the other service and CPU of both, so that
 * it is why a request waits for a service to which it connects each time.
 */
const otherConnects: Look = (s, kind) => {
  const { database, tls, most } = s.causes.connects;
  if (most === null || most.perRequest < thresholds.connectsPerRequest.limit || (database ?? 0) >= thresholds.connectsPerRequest.limit)
    return null;
  const encrypted = tls !== null && tls >= thresholds.connectsPerRequest.limit;
  const isCause = kind === 'outbound-service' && shakesHandsEach(s);
  const opened: VerdictPart = {
    code: 'connects-elsewhere',
    perRequest: most.perRequest,
    to: most.to,
    tlsPerRequest: encrypted ? tls : null,
  };
  return {
    remarks: isCause ? [] : [opened],
    checks: [plain({ code: 'connects-to', to: most.to }, most.perRequest), ...(encrypted ? [plain({ code: 'handshakes' }, tls)] : [])],
    actions: [advice({ code: 'keep-open', to: most.to })],
    ...(isCause ? { cause: opened } : {}),
  };
};

/** Transactions are rolled back: they failed and are tried again, or the app ends them so. PostgreSQL counts both alike. */
const rollsBack: Look = (s) => {
  const perRequest = s.causes.rolledBack;
  if (perRequest === null || perRequest < thresholds.rolledBack.limit) return null;
  return {
    remarks: [{ code: 'rolls-back', perRequest }],
    checks: [],
    actions: [advice({ code: 'fewer-conflicts' })],
  };
};

/** Threads are started again and again: by clients of HTTP, executors or timers that requests make, or a server that has a thread for each. */
const startsThreads: Look = (s) => {
  const perRequest = s.causes.startedThreads;
  if (perRequest === null || perRequest < thresholds.threadsPerRequest.limit) return null;
  return {
    remarks: [{ code: 'starts-threads', perRequest }],
    checks: [plain({ code: 'starts-threads' }, perRequest)],
    actions: [advice({ code: 'threads-once' })],
  };
};

/** The client has to connect again. Before a proxy that is the proxy’s doing. */
const closes: Look = (s) => {
  const { closed } = s.causes.connects;
  if (closed === null || closed < thresholds.connectsPerRequest.limit || s.proxy !== null) return null;
  return {
    remarks: [{ code: 'closes', share: Math.min(1, closed) }],
    checks: [plain({ code: 'closes' }, Math.min(1, closed), 'share')],
    actions: [advice({ code: 'keep-alive' })],
  };
};

/** Most of a Node app’s CPU is used by other threads than its event loop, where a flame graph shows little of its own code. */
const offTheLoop: Look = (s, kind) => {
  if (s.runtime !== 'node' || (kind !== 'cpu' && kind !== 'busy-machine')) return null;
  const share = offLoopShare(s);
  if (share === null || share < thresholds.offTheLoop.limit) return null;
  const busyWith = s.causes.workerPool?.busyWith ?? null;
  return {
    remarks: [{ code: 'off-the-loop', share, busyWith }],
    checks: [plain({ code: 'off-the-loop' }, share, 'share')],
    actions: [],
  };
};

/** By the CPU of its threads; else by the time for which the loop is busy, which includes its waits for a turn, so that only one that is mostly idle says it. */
function offLoopShare({ firstThreadShare, eventLoop, appCpuPercent, instances }: Signals): number | null {
  if (firstThreadShare !== null) return 1 - firstThreadShare;
  if (eventLoop === null || !appCpuPercent || eventLoop >= thresholds.idleLoop.limit) return null;
  // Of several, in workers that nobody counted, none does more than the busiest.
  return (appCpuPercent - 100 * eventLoop * Math.max(1, instances)) / appCpuPercent;
}

/** What connections of a full pool are held for, where it is mostly one statement. Verdicts on the database itself open the statements. */
const busiestStatement: Look = (s, kind) => {
  const [first] = s.statements;
  const answered = s.attempts - s.errors.total;
  // Which of several pools a statement is sent through is not seen.
  if (kind !== 'pool-limited' || first === undefined || answered <= 0 || fullOfSeveral(s) !== null) return null;
  const heldFor = heldForStatement(s, first);
  if (heldFor === null || heldFor < thresholds.busiestStatement.limit) return null;
  const { sql, meanMs, calls } = first;
  return {
    remarks: [{ code: 'busiest-statement', sql, share: Math.min(1, heldFor), meanMs, perRequest: calls / answered }],
    checks: [],
    actions: [],
  };
};

/** The share of the time for which a request holds connections, of its whole time where no pool is seen, that one statement takes. */
function heldForStatement(s: Signals, { totalMs }: StatementUse): number | null {
  return share(totalMs / (s.attempts - s.errors.total), heldMs(s));
}

function heldMs(s: Signals): number | null {
  return s.pool?.holdMs == null ? s.meanMs : s.pool.holdMs * (s.pool.perRequest ?? 1);
}

/** What makes a statement the heaviest where this limits: a statement that sleeps takes time, and no CPU. */
function measureOf(kind: DiagnosisKind): StatementMeasure {
  if (kind === 'database-lock') return 'lock';
  if (kind === 'database-io') return 'io';
  return kind === 'database-cpu' || isOfAppCpu(kind) ? 'cpu' : 'time';
}

/**
 * Whether statements are most of what limits: of the database, of the time for which connections of a full pool are held, or of the CPU of all. Of what the
 * app computes itself their part is not known, nor which of several pools a statement is sent through.
 */
function areMost(s: Signals, kind: DiagnosisKind, some: readonly StatementUse[]): boolean {
  const { limit } = thresholds.busiestStatement;
  if (kind === 'pool-limited' && fullOfSeveral(s) !== null) return false;
  if (kind === 'pool-limited') return some.reduce((sum, one) => sum + (heldForStatement(s, one) ?? 0), 0) >= limit;
  return partOfDatabase(s, kind) * shareOfStatements(s.statements, some, measureOf(kind)) >= limit;
}

/**
 * The same of statements that are many rather than long: what a call costs apart from its execution (a round trip, a plan) is alike for all calls.
 */
function areMostCalls(s: Signals, kind: DiagnosisKind, some: readonly StatementUse[]): boolean {
  const calls = (of: readonly StatementUse[]): number => of.reduce((sum, one) => sum + one.calls, 0);
  const others = s.statements.filter((one) => !some.includes(one));
  const heldForOthers = others.reduce((sum, one) => sum + (heldForStatement(s, one) ?? 0), 0);
  const ofPool = fullOfSeveral(s) === null ? 1 - heldForOthers : 0;
  const part = kind === 'pool-limited' ? ofPool : kind === 'cpu' || kind === 'busy-machine' ? partOfCpu(s) : 0;
  return ((part ?? 0) * calls(some)) / calls(s.statements) >= thresholds.busiestStatement.limit;
}

/** The part of what limits that is the database’s execution of statements, 0 … 1. */
function partOfDatabase(s: Signals, kind: DiagnosisKind): number {
  if (!ofDatabase.has(kind)) return 0;
  if (kind !== 'database-cpu' && kind !== 'cpu' && kind !== 'busy-machine') return 1;
  const { executeMs, cpuMs } = executedOf(s) ?? { executeMs: 1, cpuMs: 1 };
  const executing = Math.min(1, executeMs / cpuMs);
  if (kind === 'database-cpu') return executing;
  return executing * (partOfCpu(s) ?? 0);
}

/** PostgreSQL’s part of the CPU that all use, 0 … 1; null where it is not known. */
function partOfCpu(s: Signals): number | null {
  const all = workloadCpuShare(s);
  return share(s.pgCpuPercent, all === null || s.cores === null ? null : 100 * s.cores * all);
}

/**
 * Much of what limits is PostgreSQL’s CPU, of all that is used or of the time for which connections of a full pool are held, and mostly not for the execution of
 * statements. A verdict on that CPU says so itself.
 */
const plansMuch: Look = (s, kind) => {
  if (kind !== 'cpu' && kind !== 'busy-machine' && kind !== 'pool-limited') return null;
  const apart = mostlyApart(s);
  const part = kind === 'pool-limited' ? share(cpuMsOf(s, s.pgCpuPercent), heldMs(s)) : partOfCpu(s);
  if (apart === null || (part ?? 0) < thresholds.busiestStatement.limit) return null;
  return { remarks: [apart], checks: [], actions: [advice({ code: 'fewer-statements' })], isMost: true };
};

/** The heaviest statement reads a table as a whole, since its condition cannot use the index that there is. */
const bypassesIndex: Look = (s, kind) => {
  const most = heaviestStatement(s.statements, measureOf(kind));
  if (most?.statement.bypassed == null || s.attempts <= s.errors.total) return null;
  const { sql, bypassed } = most.statement;
  const part = kind === 'database-cpu' && most.by === 'cpu' ? most.share : heldForStatement(s, most.statement);
  if ((part ?? 0) < thresholds.busiestStatement.limit) return null;
  const { how } = bypassed;
  return {
    remarks: [{ code: 'bypasses-index', sql, ...bypassed }],
    checks: [],
    actions: [advice({ code: 'use-index', how })],
    isMost: areMost(s, kind, [most.statement]),
  };
};

/** Verdicts on what the app waits for in its database, or on a machine that both fill. */
const ofDatabase: ReadonlySet<DiagnosisKind> = new Set([
  'database-cpu',
  'database-io',
  'database-lock',
  'pool-limited',
  'cpu',
  'busy-machine',
]);

/** Statements spend their time in a function of the database. Where a trigger calls it, the text of a statement does not name it. */
const inFunction: Look = (s, kind) => {
  const [first] = s.functions;
  if (!ofDatabase.has(kind) || first === undefined || first.share < thresholds.inFunction.limit) return null;
  const { name, trigger } = first;
  return {
    remarks: [{ code: 'in-function', ...first }],
    checks: [],
    actions: [advice({ code: 'change-function', name, isTrigger: trigger !== null })],
    isMost: first.share * partOfDatabase(s, kind) >= thresholds.inFunction.limit,
  };
};

/** Steps of a plan that read rows which the statement does not give, or several for one. */
const readsOthers = /Seq Scan|Nested Loop|Join|Filter:|Aggregate|Sort|Unique|SubPlan|Function Scan/;

/** The statement that has a good part of what limits where the database does, or a CPU that its rows may fill; null where none has. */
function heavyStatement(s: Signals, kind: DiagnosisKind): StatementUse | null {
  if (!ofDatabase.has(kind) && kind !== 'event-loop') return null;
  const most = heaviestStatement(s.statements, measureOf(kind));
  return most === null || most.statement.calls === 0 || most.share < thresholds.busiestStatement.limit ? null : most.statement;
}

/** For each row that it deletes, PostgreSQL reads all rows of a table that refers to it. */
const lacksReferenceIndex: Look = (s, kind) => {
  const heavy = heavyStatement(s, kind);
  if (heavy?.unindexed === undefined || (heavy.blocksUsed ?? 0) < thresholds.blocksOfCall.limit * heavy.calls) return null;
  const { table, column } = heavy.unindexed;
  return {
    remarks: [{ code: 'lacks-reference-index', sql: heavy.sql, blocks: (heavy.blocksUsed ?? 0) / heavy.calls, ...heavy.unindexed }],
    checks: [],
    actions: [advice({ code: 'index-reference', table, column })],
    isMost: areMost(s, kind, [heavy]),
  };
};

/** What the heaviest statement sorts or hashes does not fit into its memory. */
const spills: Look = (s, kind) => {
  const heavy = heavyStatement(s, kind);
  if (heavy === null || (heavy.tempBlocks ?? 0) < thresholds.tempBlocks.limit * heavy.calls) return null;
  return {
    remarks: [{ code: 'spills', sql: heavy.sql, blocks: (heavy.tempBlocks ?? 0) / heavy.calls }],
    checks: [],
    actions: [advice({ code: 'sort-less' })],
    isMost: areMost(s, kind, [heavy]),
  };
};

/** The heaviest statement reads far more than the rows that it gives: those of the pages before, or what is stored apart from them. */
const readsMore: Look = (s, kind) => {
  const heavy = heavyStatement(s, kind);
  if (heavy?.blocksUsed === undefined) return null;
  const { sql, plan, calls, rows, blocksUsed } = heavy;
  const read = { sql, blocks: blocksUsed / calls, rows: rows / calls };
  const skips = /\boffset\s+[$\d]/i.test(sql) && read.blocks >= thresholds.blocksOfCall.limit;
  const isByIndex = plan !== null && !readsOthers.test(plan) && read.rows >= thresholds.rowsByIndex.limit;
  if (!skips && !(isByIndex && read.blocks >= thresholds.blocksOfRow.limit * read.rows)) return null;
  return {
    remarks: [{ code: 'reads-more', ...read, skips }],
    checks: [],
    actions: [advice({ code: skips ? 'page-by-key' : 'fewer-columns' })],
    isMost: areMost(s, kind, [heavy]),
  };
};

/** The app is given far more rows than a request can need. */
const manyRows: Look = (s, kind) => {
  const answered = s.attempts - s.errors.total;
  if (!isOfAppCpu(kind) || answered <= 0) return null;
  const [most] = s.statements
    .map(({ sql, rows }) => ({ sql, rows: rows / answered }))
    .filter(({ sql, rows }) => rows >= thresholds.rowsPerRequest.limit && isQuery(sql))
    .sort((a, b) => b.rows - a.rows);
  if (most === undefined) return null;
  return {
    remarks: [{ code: 'many-rows', ...most }],
    checks: [plain({ code: 'rows-read' }, most.rows)],
    actions: [advice({ code: 'fewer-rows' })],
  };
};

/** Much is collected in a heap with room: it is no limit of its own, but what is allocated is part of what is computed. */
const collects: Look = (s, kind) => {
  const [pauseShare, heapShare] = [s.gc?.pauseShare ?? 0, share(s.heap?.usedMb, s.heap?.maxMb)];
  if (kind === 'gc' || pauseShare < thresholds.gcPause.limit || heapShare === null || heapShare >= thresholds.heapInUse.limit) return null;
  return {
    remarks: [{ code: 'collects-much', pauseShare, heapShare }],
    checks: [],
    actions: [record('alloc', { code: 'what-allocates' })],
  };
};

const mostRepeated = 3;

/**
 * A request sends a query again and again, by PostgreSQL’s counts of its statements. A transaction that is tried again sends each of its statements once for each
 * time.
 */
const oncePerRow: Look = (s, kind) => {
  const answered = s.attempts - s.errors.total;
  if (answered <= 0) return null;
  const tries = 1 + (s.causes.rolledBack ?? 0);
  const repeated = s.statements
    .filter(({ sql, calls }) => isOncePerRow(sql, calls / answered / tries))
    .sort((a, b) => b.calls - a.calls)
    .slice(0, mostRepeated);
  if (repeated.length === 0) return null;
  const each = repeated.map(({ sql, calls }) => ({ sql, calls: calls / answered }));
  return {
    remarks: [{ code: 'once-per-row', repeated: each }],
    checks: [plain({ code: 'same-query', calls: each.map(({ calls }) => calls) }, each[0]?.calls ?? null)],
    actions: [advice({ code: 'one-query' })],
    isMost: areMost(s, kind, repeated) || areMostCalls(s, kind, repeated),
  };
};

/** Why the slowest are slow: what they coincide with far more than chance would have it. */
const tail: Look = (s) => {
  const seen = s.causes.tail;
  const found = seen?.by.filter(coincides) ?? [];
  if (seen === null || found.length === 0) return null;
  return {
    remarks: [
      {
        code: 'slowest',
        fromMs: seen.fromMs,
        by: found.map(({ kind, overlapping, byChance, ofTheirTime }) => ({ kind, overlapping, byChance, ofTheirTime })),
      },
    ],
    checks: found.map(({ kind, overlapping, byChance }) => plain({ code: 'slowest', kind, byChance }, overlapping, 'share')),
    actions: [],
  };
};

function coincides({ overlapping, ofTheirTime, ofAllTime }: TailCause): boolean {
  const { tailMeets, tailTime, tailBeyondChance } = thresholds;
  return overlapping >= tailMeets.limit && ofTheirTime >= tailTime.limit && ofTheirTime >= tailBeyondChance.limit * ofAllTime;
}

/** A JVM that still compiles or loads classes is not what it will be. */
const warms: Look = (s) => {
  const { compilePercent = null, classesPerS = 0 } = s.causes.warming ?? {};
  const compiles = (compilePercent ?? 0) >= thresholds.compilesStill.limit;
  const loads = classesPerS >= thresholds.loadsClasses.limit;
  if (!compiles && !loads) return null;
  return {
    remarks: [{ code: 'warms-up', compilerPercent: compiles ? compilePercent : null, classesPerS: loads ? classesPerS : null }],
    checks: [
      ...(compiles ? [plain({ code: 'compiler-cpu' }, compilePercent, 'percent')] : []),
      ...(loads ? [plain({ code: 'classes-loaded' }, classesPerS)] : []),
    ],
    actions: [advice({ code: 'warm-longer' })],
  };
};

/** Most servers allow as many, and keep three of them back. */
const usualConnections = 100;
const keptBack = 3;

/** Pools that fit here, since our own PostgreSQL allows more than is usual, may not fit where the app will run. */
const beyondUsual: Look = (s) => {
  const max = s.pool?.max ?? null;
  if (max === null || max <= usualConnections - keptBack || s.sessions === null || s.bouncer !== null) return null;
  const processes = s.pool?.processes ?? s.instances;
  return {
    remarks: [{ code: 'many-connections', max, processes, usual: usualConnections, keptBack }],
    checks: [plain({ code: 'may-open' }, max)],
    actions: [],
  };
};

const leak: Look = (s, kind) => (kind === 'connection-leak' ? null : leakBeside(s));

const looks: readonly Look[] = [
  databaseConnects,
  otherConnects,
  rollsBack,
  startsThreads,
  closes,
  leak,
  offTheLoop,
  busiestStatement,
  plansMuch,
  bypassesIndex,
  inFunction,
  lacksReferenceIndex,
  spills,
  readsMore,
  manyRows,
  collects,
  oncePerRow,
  tail,
  warms,
  beyondUsual,
];

/** Of what is discarded nothing is said of the app, but for what may have filled the load generator: the connections that it has to open. */
const ofDiscarded: Look = (s, kind) => (s.discardReasons.some((reason) => isOf(reason, 'generator-full')) ? closes(s, kind) : null);

/** All additional remarks for a verdict of this kind. */
export function besides(kind: DiagnosisKind, signals: Signals): Beside[] {
  return (kind === 'invalid' ? [ofDiscarded] : looks).flatMap((look) => look(signals, kind) ?? []);
}
