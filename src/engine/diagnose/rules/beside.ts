import type { DiagnosisKind, NextAction } from '../../../model/domain/diagnosis.ts';
import type { PauseKind } from '../../../model/domain/probe.ts';
import { figure, wholeNumber } from '../../../model/domain/format.ts';
import { advice } from '../actions.ts';
import { plain } from '../checks.ts';
import type { Check } from '../checks.ts';
import type { TailCause } from '../causes.ts';
import type { Signals } from '../signals.ts';
import { thresholds } from '../thresholds.ts';
import { mean, ms, percentOf } from '../words.ts';
import { leakBeside } from './leak.ts';

/** An additional remark, whatever the verdict is. */
export interface Beside {
  sentence: string;
  checks: readonly Check[];
  actions: readonly NextAction[];
  /** It is why the verdict’s limit is reached: this is the headline, its sentence and what to do come first. */
  cause?: string;
}

/** Null where there is nothing of it. */
type Look = (s: Signals, kind: DiagnosisKind) => Beside | null;

/** Each request opens a new connection to the database, by PostgreSQL's counts of its sessions. A PgBouncer before it keeps its own. */
const databaseConnects: Look = (s) => {
  const each = s.causes.connects.database;
  if (each === null || each < thresholds.connectsPerRequest.limit || s.bouncer !== null) return null;
  const all = each >= thresholds.connectsEach.limit;
  const cpu = s.pgCpuPercent === null || s.throughput <= 0 ? null : (10 * s.pgCpuPercent) / s.throughput;
  const opened = `${all ? 'Each request opens a connection to PostgreSQL of its own' : 'Many a request opens a connection to PostgreSQL'}: ${figure(each * s.throughput)} a second, ${figure(each)} for each request.`;
  const cost = `PostgreSQL starts a process for each of them${cpu === null ? '' : `; it used ${ms(cpu)} of CPU for a request`}.`;
  return {
    sentence: all ? cost : `${opened} ${cost}`,
    checks: [plain('connections to PostgreSQL opened for each request', figure(each))],
    actions: [
      advice('Make one pool when the app starts, and take each connection from it; keep it at least as large as what is used at once'),
    ],
    ...(all ? { cause: opened } : {}),
  };
};

/** The same of other services: TLS makes it dearer. The database reports its own connections. */
const otherConnects: Look = (s) => {
  const { database, tls, most } = s.causes.connects;
  if (most === null || most.perRequest < thresholds.connectsPerRequest.limit || (database ?? 0) >= thresholds.connectsPerRequest.limit)
    return null;
  const encrypted = tls !== null && tls >= thresholds.connectsPerRequest.limit;
  return {
    sentence: `Connections are not kept: for each request the app opens ${figure(most.perRequest)} to ${most.to}${encrypted ? `, and makes ${figure(tls)} TLS handshakes` : ''}.`,
    checks: [
      plain(`connections to ${most.to} opened for each request`, figure(most.perRequest)),
      ...(encrypted ? [plain('TLS handshakes of the app for each request', figure(tls))] : []),
    ],
    actions: [advice(`Keep connections to ${most.to} open: one client or agent with keep-alive for the whole app`)],
  };
};

/** The client has to connect again. Before a proxy that is the proxy’s doing. */
const closes: Look = (s) => {
  const { closed } = s.causes.connects;
  if (closed === null || closed < thresholds.connectsPerRequest.limit || s.proxy !== null) return null;
  return {
    sentence: `The server closes the connection after ${percentOf(Math.min(1, closed))} of its answers (Connection: close), so that the next request has to connect first.`,
    checks: [plain('answers after which the server closed the connection', percentOf(Math.min(1, closed)))],
    actions: [advice('Let the server keep its connections open (keep-alive)')],
  };
};

const names: Readonly<Record<PauseKind, string>> = {
  loop: 'a blocked event loop',
  collector: 'a pause of the garbage collector',
  standstill: 'a standstill of the whole JVM other than for its collector (a safepoint, or the machine)',
  'worker-pool': 'a full pool of libuv’s threads',
  'name-look-up': 'a slow look-up of a name',
};

/** Why the slowest are slow: what they coincide with far more than chance would have it. */
const tail: Look = (s) => {
  const seen = s.causes.tail;
  const found = seen?.by.filter(coincides) ?? [];
  if (seen === null || found.length === 0) return null;
  const each = found.map(
    ({ kind, overlapping, byChance, ofTheirTime }) =>
      `${percentOf(overlapping)} of them meet ${names[kind]}, where chance would give ${percentOf(byChance)}, and spend ${percentOf(ofTheirTime)} of their time in it`,
  );
  return {
    sentence: `Why the slowest 1 % are slow (from ${ms(seen.fromMs)} on): ${each.join('; ')}.`,
    checks: found.map(({ kind, overlapping, byChance }) =>
      plain(`of the slowest 1 %, those that meet ${names[kind]}`, `${percentOf(overlapping)}, by chance ${percentOf(byChance)}`),
    ),
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
  const parts = [
    ...(compiles ? [`its compiler used ${figure(compilePercent ?? 0)} % of a core`] : []),
    ...(loads ? [`it loaded ${mean(classesPerS)} classes a second`] : []),
  ];
  return {
    sentence: `The JVM was still warming up while it was measured: ${parts.join(', and ')}.`,
    checks: [
      ...(compiles ? [plain('CPU of the JVM’s compiler, of one core', `${figure(compilePercent ?? 0)} %`)] : []),
      ...(loads ? [plain('classes loaded a second', mean(classesPerS))] : []),
    ],
    actions: [advice('Warm it up for longer, and look at it again')],
  };
};

/** Most servers allow as many, and keep three of them back. */
const usualConnections = 100;
const keptBack = 3;

/** Pools that fit here, since our own PostgreSQL allows more than is usual, may not fit where the app will run. */
const beyondUsual: Look = (s) => {
  const max = s.pool?.max ?? null;
  if (max === null || max <= usualConnections - keptBack || s.sessions === null || s.bouncer !== null) return null;
  const many = s.pool?.processes ?? s.instances;
  return {
    sentence: `Together the pools may open ${wholeNumber(max)} connections${many > 1 ? ` (${mean(max / many)} in each of ${many} processes)` : ''}; PostgreSQL allows ${usualConnections} where its max_connections was not raised, and keeps ${keptBack} of them back.`,
    checks: [plain('connections that the pools may open', wholeNumber(max))],
    actions: [],
  };
};

const leak: Look = (s, kind) => (kind === 'connection-leak' ? null : leakBeside(s));

const looks: readonly Look[] = [databaseConnects, otherConnects, closes, leak, tail, warms, beyondUsual];

/** All additional remarks for a verdict of this kind. */
export function besides(kind: DiagnosisKind, signals: Signals): Beside[] {
  return kind === 'invalid' ? [] : looks.flatMap((look) => look(signals, kind) ?? []);
}
