import { FailureError, failure, isCancellation, toFailure } from '../../model/failure.ts';
import { declaredTarget, findingsOf } from '../../model/discovery.ts';
import type { Finding, FindingOf, FoundService, LookedAt } from '../../model/discovery.ts';
import type { SettingValues } from '../../model/setting.ts';
import { targetSchema } from '../../model/target.ts';
import type { Route } from '../../model/target.ts';
import { startOrder } from '../discover/parts.ts';
import { variableFindings } from '../discover/variables.ts';
import type { ConnectionTarget } from '../load/connection.ts';
import { resolveRequestMix } from '../load/requestMix.ts';
import { calledByGroup, databasePools, readGroup, requestThreads } from '../probe/groupReport.ts';
import { withProbe } from '../probe/probeLaunch.ts';
import type { ProbeSource } from '../probe/probeLaunch.ts';
import type { ProbeGroup } from '../probe/probeServer.ts';
import { freePort, isPortFree } from '../services/freePort.ts';
import { prepareDatabase, withOwner } from '../services/prepareDatabase.ts';
import type { DatabaseWants } from '../services/prepareDatabase.ts';
import type { DatabaseAddress } from '../services/serverUrl.ts';
import { poll } from '../supervise/pause.ts';
import { politeLadder } from '../supervise/stopLadder.ts';
import { exitPhrase } from '../../model/exitWords.ts';
import type { Child, Supervisor } from '../supervise/supervisor.ts';
import { wrongAnswer } from '../targets/askRoutes.ts';
import type { WrongAnswer } from '../targets/askRoutes.ts';
import { targetProblem } from '../targets/catalog.ts';
import type { DeclaredTarget } from '../targets/catalog.ts';
import { askStatus } from '../targets/askStatus.ts';
import { hear, http2Only } from '../targets/hearing.ts';
import type { Place } from '../targets/hearing.ts';
import { databaseWants, targetCommand } from '../targets/launchTarget.ts';
import { groupPorts } from '../targets/listener.ts';
import { migrate } from '../targets/migrations.ts';
import { PeerWatch } from '../targets/peers.ts';
import type { RequirePeers } from '../targets/peers.ts';
import type { Toolchain } from '../targets/toolchain.ts';
import { filled, idRanges } from './idRanges.ts';
import type { IdRange } from './idRanges.ts';
import { reconciled, reconciledRoutes } from './reconcile.ts';
import { libpqVariables } from './seen.ts';
import type { Seen } from './seen.ts';

/** What starting a service once needs of the engine. */
export interface LookContext {
  workspaceDir: string;
  supervisor: Supervisor;
  toolchain: Toolchain;
  cookieEnvironment: Readonly<Record<string, string>>;
  probes: ProbeSource | null;
  /** Gives the database’s server; started when it is asked for. */
  database: (wants: DatabaseWants, signal: AbortSignal) => Promise<DatabaseAddress>;
  onProgress: (message: string) => void;
  /** Whom it may connect to. */
  server: { requirePeers: RequirePeers };
  signal: AbortSignal;
}

/** Build tools and scripts have something to do before what they start comes up. */
const comesUpWithinMs = { node: 60_000, jvm: 180_000, other: 180_000 } as const;
/** Where all that listens speaks HTTP/2 alone for so long, nothing else is coming: a port of HTTP/1.1 may be opened a little later. */
const http2AloneMs = 3_000;
const probeWithinMs = 5_000;
/** All routes together; those that are left are not asked. */
const askingMs = 20_000;
/** Ports of debuggers and the like are passed over where there is another. */
const stopGraceMs = 2_000;

/** Started with its own pool and threads a little larger than usual, to see whether they follow. */
const tryMore = 3;

/**
 * Starts a service once, looks what it listens on, which routes, pools and threads it has and whether they are what was set, asks each GET route once, and
 * ends it again, whatever happens. Its database is PostgreSQL's own of the engine, or the one that was agreed on. Fails where it cannot be
 * started at all; one that does not come up is told in `problem`.
 */
export async function lookAtService(service: FoundService, context: LookContext): Promise<LookedAt> {
  const provisional = provisionalTarget(service, context.workspaceDir);
  const problem = targetProblem(provisional.declared, context.toolchain);
  if (problem !== null) throw new FailureError(problem);
  const remarks: string[] = [];
  const address = await preparedDatabase(provisional.declared, context, remarks);
  try {
    let known = service;
    let seen = await withRunning(service, provisional, address, context);
    const further = furtherFindings(service, seen);
    if (further.length > 0) {
      // What was only seen to be read is tried: where the app does not follow it, it is a question again.
      known = { ...service, findings: startOrder([...service.findings, ...further]) };
      const again = provisionalTarget(known, context.workspaceDir);
      seen = await withRunning(known, again, (await preparedDatabase(again.declared, context, [])) ?? address, context);
    }
    const result = reconciled(known, seen);
    return { service: result.service, remarks: [...remarks, ...result.remarks], problem: null };
  } catch (error) {
    // What a person may agree to is asked, and looked at again.
    if (isCancellation(error) || (error instanceof FailureError && error.failure.question !== undefined)) throw error;
    return { service, remarks, problem: toFailure(error) };
  }
}

/** What follows from the variables that it was seen to read, of parts of which its files say nothing. */
function furtherFindings({ findings, driver }: FoundService, { variables, connections }: Seen): Finding[] {
  const read = variables.flatMap(({ name, place }) =>
    place === null ? [] : [{ name, value: null, because: `${place} reads ${name}`, around: '' }],
  );
  return variableFindings(read).filter((one) => {
    if (one.part === 'postgres') return driver !== null && (connections ?? 0) === 0 && findingsOf(findings, 'postgres').length === 0;
    return one.part === 'setting'
      ? !findingsOf(findings, 'setting').some(({ name }) => name === one.name)
      : findingsOf(findings, one.part).length === 0;
  });
}

interface Provisional {
  declared: DeclaredTarget;
  values: SettingValues;
  libpq: boolean;
}

/** What can be started of what the files say; a route is made up where none is known, since it is not asked for. */
function provisionalTarget(service: FoundService, workspaceDir: string): Provisional {
  const known = findingsOf(service.findings, 'route').length > 0;
  const nothing: FindingOf<'route'> = {
    part: 'route',
    title: '',
    because: '',
    sure: false,
    route: { method: 'GET', path: '/', weight: 1, parameters: {}, headers: {} },
  };
  const libpq =
    service.driver !== null &&
    findingsOf(service.findings, 'command')[0]?.runtime === 'node' &&
    findingsOf(service.findings, 'postgres').length === 0;
  const findings = [
    ...service.findings,
    ...(known ? [] : [nothing]),
    ...(libpq ? [{ part: 'postgres' as const, title: '', because: '', sure: false, env: { ...libpqVariables } }] : []),
  ];
  const declared = declaredTarget(service, findings);
  if (declared === null)
    throw failure(
      'look-not-possible',
      `How ${service.label} is started is not known.`,
      'Write a benchside.json by hand: editors complete it, and say what it may hold.',
    );
  const target = targetSchema.parse(declared);
  const values = Object.fromEntries(
    Object.entries(target.settings).map(([name, spec]) => [
      name,
      spec.kind === 'number' ? (spec.default + tryMore <= spec.max ? spec.default + tryMore : spec.default - 1) : spec.default,
    ]),
  );
  return { declared: { target, origin: 'workspace', baseDir: workspaceDir }, values, libpq };
}

async function preparedDatabase(declared: DeclaredTarget, context: LookContext, remarks: string[]): Promise<DatabaseAddress | null> {
  const { database, onProgress, signal } = context;
  const wants = databaseWants(declared);
  if (wants === null) return null;
  const address = await database(wants, signal);
  try {
    await prepareDatabase(address, wants, onProgress, signal);
  } catch (error) {
    if (isCancellation(error) || wants.sqlFiles.length === 0) throw error;
    remarks.push(`The SQL files could not be applied: ${toFailure(error).message} It was started with an empty database.`);
    await prepareDatabase(address, { ...wants, sqlFiles: [] }, onProgress, signal);
  }
  try {
    await migrate(declared, address, context, onProgress);
  } catch (error) {
    if (isCancellation(error)) throw error;
    remarks.push(`${toFailure(error).message} It was started with what tables there were.`);
  }
  return address;
}

async function withRunning(
  service: FoundService,
  { declared, values, libpq }: Provisional,
  address: DatabaseAddress | null,
  context: LookContext,
): Promise<Seen> {
  const { supervisor, toolchain, cookieEnvironment, probes, signal, onProgress } = context;
  const { fixed } = declared.target.port;
  if (fixed !== undefined && !(await isPortFree(fixed)))
    throw failure(
      'port-taken',
      `${service.label} always uses port ${fixed}, and another program listens there.`,
      'Stop that program, and look again.',
    );
  const given = fixed ?? (await freePort());
  const { argv, cwd, env } = targetCommand(declared, values, given, { database: address, toolchain, cookieEnvironment });
  const probed = withProbe({ argv, env: { ...env, BENCHSIDE_PROBE_LOOK: '1' } }, declared.target.runtime, probes);
  onProgress(`Starting ${service.label}`);
  const child = await supervisor.start({
    name: service.label,
    kind: 'app',
    argv: probed.argv,
    cwd,
    env: probed.env,
    runsJvm: declared.target.runtime === 'jvm',
    stop: politeLadder(stopGraceMs),
  });
  const watch = new PeerWatch(child.pgid, { meanwhile: true });
  // Before its routes are asked for, and after: what connects only then is known, too. A service that does not come up may fail for whom it asks.
  const requirePeers = async (): Promise<void> => {
    signal.throwIfAborted();
    const seen = { peers: watch.peers(), given: address, ...(await calledByGroup(probed.group)) };
    await context.server.requirePeers({ name: service.label, ...seen });
  };
  try {
    const startedMs = performance.now();
    const at = await answeringPlace(child, given, declared, context).finally(requirePeers);
    const startUpMs = performance.now() - startedMs;
    const session = probed.group === null ? null : await probed.group.attached(probeWithinMs, signal);
    const look = session === null || probed.group === null ? [] : await looks(probed.group);
    const told = look.flatMap((one) => one?.routes ?? []).filter(({ method }) => method !== 'HEAD' && method !== 'OPTIONS');
    const routes = reconciledRoutes(service, told).length > 0 ? told : await answeredPath(at, signal);
    const ranges = address === null ? new Map<string, IdRange>() : await rangesOf(service, routes, declared, address, context);
    onProgress(`Asking ${service.label} once for each route`);
    const answers = await answersOf(service, routes, ranges, at, signal);
    await requirePeers();
    const report = probed.group === null ? null : await readGroup(probed.group, probeWithinMs);
    return {
      given,
      port: at.port,
      routes,
      variables: look.flatMap((one) => one?.variables ?? []),
      tried: values,
      pools: report === null ? [] : databasePools(report),
      threads: report === null ? [] : requestThreads(report),
      connections: address === null ? null : await connectionsTo(declared, address, signal),
      libpq,
      answers,
      ranges,
      startUpMs,
      probed: session !== null,
    };
  } finally {
    watch.stop();
    probed.group?.close();
    await child.stop();
  }
}

/** Waits until something of the service answers HTTP, however it answers; its own port if there is a choice. Fails with `speaks-http2` where all that listens speaks that alone. */
async function answeringPlace(child: Child, given: number, declared: DeclaredTarget, { signal }: LookContext): Promise<ConnectionTarget> {
  const { ready, runtime, label, id } = declared.target;
  const name = label ?? id;
  const withinMs = comesUpWithinMs[runtime];
  let http2Since: number | null = null;
  const found = await poll(
    async () => {
      if (!child.running) return 'exited';
      const ports = groupPorts(child.pgid) ?? [given];
      const others: Place[] = [];
      for (const port of [...ports].sort((a, b) => Number(b === given) - Number(a === given))) {
        const heard = await hear({ port }, ready.path, signal);
        if ('status' in heard) return { ...heard.reach, port };
        if ('speaks' in heard) others.push({ reach: heard.reach, port });
      }
      const [other] = others;
      if (other === undefined || others.length < ports.length) http2Since = null;
      else if (performance.now() - (http2Since ??= performance.now()) > http2AloneMs)
        throw http2Only(name, other, other.reach.tls ? 'h2' : 'h2c', child.log.tail(30));
      return null;
    },
    { timeoutMs: withinMs, everyMs: 50, signal },
  );
  if (found !== null && found !== 'exited') return found;
  const detail = child.log.tail(30);
  if (found === 'exited')
    throw failure(
      'target-exited',
      `${name} ${exitPhrase(await child.exited)} before it answered.`,
      'Look at its last output: it may need a variable or another service that its files do not name.',
      detail,
    );
  throw failure(
    'target-not-ready',
    `${name} did not answer on any port within ${withinMs / 1000} s.`,
    'Look at its last output: it may wait for another service.',
    detail,
  );
}

/** What is asked of a service of which neither its files nor its framework name a route. */
const usualPaths = ['/', '/health', '/healthz', '/actuator/health', '/api'] as const;

/** The first of the usual paths that is answered well; none where none is. */
async function answeredPath(at: ConnectionTarget, signal: AbortSignal): Promise<Seen['routes']> {
  for (const path of usualPaths) {
    const status = await askStatus(at, path, signal);
    if (typeof status === 'number' && status >= 200 && status < 400) return [{ method: 'GET', path, handler: null }];
  }
  return [];
}

async function looks(group: ProbeGroup) {
  const report = await readGroup(group, probeWithinMs);
  return [...(report?.byProcess.values() ?? [])].map(({ look }) => look);
}

/** Which numbers there are for the parameters of its routes, as its database has them. */
async function rangesOf(
  service: FoundService,
  routes: Seen['routes'],
  declared: DeclaredTarget,
  address: DatabaseAddress,
  { signal }: LookContext,
): Promise<Map<string, IdRange>> {
  const wants = databaseWants(declared);
  const paths = reconciledRoutes(service, routes)
    .map(({ route }) => route.path)
    .filter((path) => path.includes('/:'));
  if (wants === null || paths.length === 0) return new Map();
  return withOwner(address, wants, (client) => idRanges(client, [...new Set(paths)]), signal);
}

/** Asks for each GET route, and for what tells whether the service is ready, once. */
async function answersOf(
  service: FoundService,
  routes: Seen['routes'],
  ranges: ReadonlyMap<string, IdRange>,
  at: ConnectionTarget,
  signal: AbortSignal,
): Promise<Map<string, WrongAnswer | null>> {
  const answers = new Map<string, WrongAnswer | null>();
  const health = findingsOf(service.findings, 'ready').map(({ path }): Route => ({
    method: 'GET',
    path,
    weight: 1,
    parameters: {},
    headers: {},
  }));
  const deadline = performance.now() + askingMs;
  for (const route of [...health, ...reconciledRoutes(service, routes).map(({ route: one }) => filled(one, ranges))]) {
    if (route.method !== 'GET' || performance.now() > deadline) continue;
    answers.set(`GET ${route.path}`, await wrongWith(route, at, signal));
  }
  return answers;
}

/** What is wrong with the answer to a route; null: nothing. */
async function wrongWith(route: Route, at: ConnectionTarget, signal: AbortSignal): Promise<WrongAnswer | null> {
  const [request] = resolveRequestMix({ targetId: 'service', routes: [{ ...route, weight: 1 }] }).asks;
  return request === undefined ? null : wrongAnswer(at, request, signal);
}

/** How many connections somebody other than us has to the database of a target. */
async function connectionsTo(declared: DeclaredTarget, address: DatabaseAddress, signal: AbortSignal): Promise<number> {
  const wants = databaseWants(declared);
  if (wants === null) return 0;
  return withOwner(
    address,
    wants,
    async (client) => {
      const { rows } = await client.query<{ count: string }>(
        `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name <> 'benchside'`,
      );
      return Number(rows[0]?.count ?? 0);
    },
    signal,
  );
}
