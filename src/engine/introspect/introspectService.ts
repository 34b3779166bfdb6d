import type pg from 'pg';
import { FailureError, failure, isCancellation, toFailure } from '../../model/domain/failure.ts';
import { type Finding, type FoundService, type Introspection, declaredTarget, findingsOf } from '../../model/domain/detection.ts';
import type { IntrospectionReport } from '../../model/domain/probe.ts';
import type { SettingValues } from '../../model/domain/setting.ts';
import { type Route, targetSchema } from '../../model/domain/target.ts';
import { areOfOne, startOrder } from '../detect/parts.ts';
import { variableFindings } from '../detect/variables.ts';
import { calledByGroup, databasePools, readGroup, requestThreads } from '../probe/groupReport.ts';
import { type ProbeSource, withJvmOption, withProbe } from '../probe/probeLaunch.ts';
import type { ProbeGroup } from '../probe/probeServer.ts';
import { OwnTime } from '../observe/ownTime.ts';
import { freePort, isPortFree } from '../services/freePort.ts';
import { type DatabaseWants, isRemakeable, prepareDatabase, remakeDatabase, withOwner } from '../services/prepareDatabase.ts';
import type { DatabaseAddress } from '../services/serverUrl.ts';
import { politeLadder } from '../supervise/stopLadder.ts';
import type { Child } from '../supervise/supervisor.ts';
import { type DeclaredTarget, targetProblem } from '../targets/catalog.ts';
import { type LaunchOptions, databaseWants, targetCommand } from '../targets/launchTarget.ts';
import { migrate } from '../targets/migrations.ts';
import { type RequirePeers, PeerWatch } from '../targets/peers.ts';
import { programOn } from '../targets/portInUse.ts';
import { answeringPlace } from './answeringPlace.ts';
import { askEachOnce, askedBeside } from './askedOnce.ts';
import { furtherStart, mayAnswer } from './furtherStart.ts';
import { connectionsTo, rowRanges } from './databaseOfService.ts';
import { firstPage, reconciled, withPoolOfProbe } from './reconcile.ts';
import { type Seen, libpqVariables } from './seen.ts';
import { isAddress, shellVariables } from './shellVariables.ts';
import { namesAll } from './addressTrial.ts';
import { heldAddress } from './heldAddress.ts';
import { refusedPlace } from './startOutput.ts';
import { triedAddress } from './triedAddress.ts';
import { smallestPool } from './smallestPool.ts';
import { type VariableTrial, halvesOf, shownBy, variableTrial } from './variableTrial.ts';
import { withShell, withShown } from './withShown.ts';

export interface IntrospectionContext extends Pick<LaunchOptions, 'supervisor' | 'toolchain' | 'cookieEnvironment'> {
  workspaceDir: string;
  probes: ProbeSource | null;
  /** Returns the database’s server; started when it is asked for. */
  database: (wants: DatabaseWants, signal: AbortSignal) => Promise<DatabaseAddress>;
  onProgress: (message: string) => void;
  /** Decides which hosts it may connect to. */
  server: { requirePeers: RequirePeers };
  signal: AbortSignal;
}

const probeWithinMs = 5_000;
/** It looks through all that the process holds. */
const introspectWithinMs = 30_000;
/** Ports of debuggers and the like are skipped where there is another. */
const stopGraceMs = 2_000;

/** Without the compiler that only pays after minutes: nothing is timed, and a JVM that starts competes with it for the cores. */
const startsSoon = '-XX:TieredStopAtLevel=1';
/** Started with its own pool and threads a little larger than usual, to see whether they follow. */
const tryMore = 3;

/**
 * Starts a service once, looks what it listens on, which routes, pools and threads it has and whether they are what was set, requests each GET route once, and
 * ends it again in every case. Its database is PostgreSQL's own of the engine, or the one that was agreed on. Fails where it cannot be started at all; one that
 * does not come up is reported in `problem`.
 */
export async function introspectService(service: FoundService, context: IntrospectionContext): Promise<Introspection> {
  const provisional = provisionalTarget(service, context.workspaceDir);
  const problem = targetProblem(provisional.declared, context.toolchain);
  if (problem !== null) throw new FailureError(problem);
  const remarks: string[] = [];
  const shell = shellVariables();
  try {
    let { tried, seen } = await firstIntrospection(await withTriedAddress(service, provisional, shell, context), context, remarks);
    const further = furtherFindings(tried.service, seen);
    if (further.length > 0) {
      // What was only seen to be read is tried: where the app does not follow it, it is a question again.
      const known = { ...tried.service, findings: startOrder([...tried.service.findings, ...further]) };
      const again = await withDatabase(known, context, tried.address === null ? remarks : []);
      tried = { ...again, address: again.address ?? tried.address };
      seen = await seenOf(tried, context);
    }
    const result = reconciled(tried.service, seen);
    const shown = await shownByTrial(result.service, seen, shell, (trial) => seenOf({ ...tried, trial }, context));
    const settled = withPoolOfProbe(withShown(result.service, shown), seen);
    const smallest = await smallestPool(settled, seen.variables, (size, env) => {
      const last = provisionalTarget(settled, context.workspaceDir, tried.address);
      const small = { ...last, values: { ...last.values, pool: size }, trial: { env, command: null, portInCommand: false } };
      // It is only to come up: what a probe sees is known by now.
      return whileStarted(small, { ...context, probes: null }, async ({ answering }) => answering([]));
    });
    const whole = withShell(smallest === null ? settled : withShown(settled, [smallest]), seen, shell);
    return { service: whole.service, remarks: [...remarks, ...result.remarks, ...whole.remarks], problem: null };
  } catch (error) {
    // A failure that a person may agree to becomes a question, and the introspection is repeated.
    if (isCancellation(error) || isQuestion(error)) throw error;
    return { service, remarks, problem: toFailure(error) };
  }
}

function isQuestion(error: unknown): boolean {
  return error instanceof FailureError && error.failure.question !== undefined;
}

/** Whatever else went wrong is no reason to make its database again. */
function didNotComeUp(error: unknown): boolean {
  return error instanceof FailureError && (error.failure.code === 'target-exited' || error.failure.code === 'target-not-ready');
}

/**
 * With the tables of its SQL files; where it does not come up with these, without them: a service that applies its migrations refuses a database that has the
 * tables already.
 */
async function firstIntrospection(
  known: FoundService,
  context: IntrospectionContext,
  remarks: string[],
): Promise<{ tried: Provisional; seen: Seen }> {
  const introspect = async (tried: Provisional): Promise<{ tried: Provisional; seen: Seen }> => ({
    tried,
    seen: await seenOf(tried, context),
  });
  const first = await withDatabase(known, context, remarks);
  const { address } = first;
  const [sql] = findingsOf(first.service.findings, 'sql');
  const wants = databaseWants(first.declared);
  try {
    return await introspect(first);
  } catch (error) {
    if (!didNotComeUp(error) || sql === undefined || wants === null || address === null || !isRemakeable(address)) throw error;
    await remakeDatabase(address, wants, context.onProgress, context.signal);
    const found = await introspect(provisionalTarget(withoutSql(known), context.workspaceDir, address)).catch((second: unknown) => {
      throw isCancellation(second) ? second : error;
    });
    remarks.push(`With ${sql.files.join(', ')} applied it did not start; with an empty database it did, and makes its tables itself.`);
    return found;
  }
}

/** What follows from the variables that it was seen to read, of parts of which its files say nothing. */
function furtherFindings({ findings, driver }: FoundService, { variables, connections }: Seen): Finding[] {
  const read = variables.flatMap(({ name, place }) =>
    place === null ? [] : [{ name, value: null, because: `${place} reads ${name}`, around: '' }],
  );
  const held = heldAddress(variables);
  const form = findingsOf(findings, 'command')[0]?.runtime === 'jvm' ? 'jdbcUrl' : 'url';
  return [...(held === null ? [] : [held]), ...variableFindings(read, form)].filter((one, index, all) => {
    if (all.findIndex(({ part }) => part === one.part) !== index && one.part === 'postgres') return false;
    if (one.part === 'postgres')
      return (driver !== null || one === held) && (connections ?? 0) === 0 && findingsOf(findings, 'postgres').length === 0;
    return !findings.some((other) => areOfOne(one, other));
  });
}

/** A service with the setting that gives it the address of its database, where only a trial shows which that is. */
async function withTriedAddress(
  service: FoundService,
  { declared }: Provisional,
  shell: ReadonlyMap<string, string>,
  context: IntrospectionContext,
): Promise<FoundService> {
  const [written] = findingsOf(service.findings, 'postgres');
  if (written !== undefined && namesAll(written.env, shell)) return service;
  // Whose packages hold no driver speaks to no database by parts of an address.
  const mayBeParts = service.driver !== null || declared.target.runtime !== 'node';
  if (!mayBeParts && ![...shell.values()].some(isAddress)) return service;
  const found = await triedAddress(declared, shell, context);
  return found === null ? service : withShown(service, [found]);
}

/** Trials of half of the variables, and of halves of these, begin no later than this after the first. */
const trialsMs = 90_000;
const mostHalvings = 3;

/** What a second start shows of the variables that are open. One that refuses its number keeps a service from starting: then halves of them are tried. */
async function shownByTrial(
  service: FoundService,
  seen: Seen,
  shell: ReadonlyMap<string, string>,
  run: (trial: VariableTrial) => Promise<Seen>,
): Promise<Finding[]> {
  const startedMs = performance.now();
  const shown = async (trial: VariableTrial, halvings: number): Promise<Finding[]> => {
    try {
      return shownBy(trial, service, seen, await run(trial));
    } catch (error) {
      if (isCancellation(error)) throw error;
      const halves = halvings === 0 || performance.now() - startedMs > trialsMs ? [] : halvesOf(trial);
      const found: Finding[] = [];
      for (const half of halves) found.push(...(await shown(half, halvings - 1)));
      return found.filter((one, index) => found.findIndex(({ part }) => part === one.part) === index);
    }
  };
  const trial = await variableTrial(service, seen, shell);
  return trial === null ? [] : shown(trial, mostHalvings);
}

/** How a service is started before all is known of it. */
interface Provisional {
  service: FoundService;
  declared: DeclaredTarget;
  /** Its database; null where it has none. */
  address: DatabaseAddress | null;
  values: SettingValues;
  libpq: boolean;
  /** Values that it gets in addition to what is known of it, to see their effect. */
  trial?: Pick<VariableTrial, 'command' | 'portInCommand'> & { env: Readonly<Record<string, string>> };
}

/** What can be started of what the files say; a route is made up where none is known, since it is not asked for. */
function provisionalTarget(service: FoundService, workspaceDir: string, address: DatabaseAddress | null = null): Provisional {
  const known = findingsOf(service.findings, 'route').length > 0;
  const libpq =
    service.driver !== null &&
    findingsOf(service.findings, 'command')[0]?.runtime === 'node' &&
    findingsOf(service.findings, 'postgres').length === 0;
  const findings = [
    ...service.findings,
    ...(known ? [] : [firstPage]),
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
  return { service, declared: { target, origin: 'workspace', baseDir: workspaceDir }, address, values, libpq };
}

/** A service with its database; without its SQL files where they cannot be applied, as each run would end there. */
async function withDatabase(service: FoundService, context: IntrospectionContext, remarks: string[]): Promise<Provisional> {
  const { database, onProgress, signal } = context;
  let tried = provisionalTarget(service, context.workspaceDir);
  const wants = databaseWants(tried.declared);
  if (wants === null) return tried;
  const address = await database(wants, signal);
  tried = { ...tried, address };
  try {
    await prepareDatabase(address, wants, onProgress, signal);
  } catch (error) {
    const { code, message } = toFailure(error);
    if (isCancellation(error) || wants.sqlFiles.length === 0) throw error;
    if (isRemakeable(address)) await remakeDatabase(address, wants, onProgress, signal);
    await prepareDatabase(address, { ...wants, sqlFiles: [] }, onProgress, signal);
    const isTheirs = code === 'sql-failed';
    remarks.push(
      `The SQL files could not be applied${isTheirs ? ' and are not declared' : ''}: ${message} It was started with an empty database.`,
    );
    if (isTheirs) tried = provisionalTarget(withoutSql(service), context.workspaceDir, address);
  }
  try {
    await migrate(tried.declared, address, context, onProgress);
  } catch (error) {
    if (isCancellation(error)) throw error;
    remarks.push(`${toFailure(error).message} It was started with what tables there were.`);
  }
  return tried;
}

function withoutSql(service: FoundService): FoundService {
  return { ...service, findings: service.findings.filter(({ part }) => part !== 'sql') };
}

/** A process that was started to be looked at, and may not answer yet. */
interface Started {
  declared: DeclaredTarget;
  child: Child;
  given: number;
  group: ProbeGroup | null;
  /** Waits until it answers, where one of these routes does if it can be chosen, and fails where it goes to a host that nobody agreed to. */
  answering: (routes: readonly Route[]) => ReturnType<typeof answeringPlace>;
  requirePeers: () => Promise<void>;
}

/** Starts a service, and ends it in every case. */
async function whileStarted<T>(
  { service, declared: known, address, values, trial }: Provisional,
  context: IntrospectionContext,
  work: (started: Started) => Promise<T>,
): Promise<T> {
  const declared = trial?.command == null ? known : withCommand(known, trial.command, trial.portInCommand);
  const { supervisor, toolchain, cookieEnvironment, probes, signal, onProgress } = context;
  const { fixed } = declared.target.port;
  if (fixed !== undefined && !(await isPortFree(fixed)))
    throw failure(
      'port-taken',
      `${service.label} always uses port ${fixed}, and ${programOn(fixed)} listens there.`,
      'Stop that program, and look again.',
    );
  const given = fixed ?? (await freePort());
  const { argv, cwd, env } = targetCommand(declared, values, given, { database: address, toolchain, cookieEnvironment });
  const introspectedAs = { BENCHSIDE_PROBE_LOOK: '1', BENCHSIDE_PROBE_PACKAGES: (service.packages ?? []).join(',') };
  const isJvm = declared.target.runtime === 'jvm';
  const command = { argv, env: { ...env, ...trial?.env, ...introspectedAs } };
  const probed = withProbe(isJvm ? withJvmOption(command, startsSoon) : command, declared.target.runtime, probes);
  onProgress(`Starting ${service.label}`);
  const child = await supervisor.start({
    name: service.label,
    kind: 'app',
    argv: probed.argv,
    cwd,
    env: probed.env,
    runsJvm: isJvm,
    stop: politeLadder(stopGraceMs),
  });
  const watch = new PeerWatch(child.pgid, { meanwhile: true });
  // Before its routes are requested, and after: what connects only then is known, too. A service may fail to come up because of a host that it connects to.
  const requirePeers = async (): Promise<void> => {
    signal.throwIfAborted();
    const seen = { peers: watch.peers(), given: address, ...(await calledByGroup(probed.group)) };
    await context.server.requirePeers({ name: service.label, ...seen });
  };
  try {
    const answering: Started['answering'] = async (routes) =>
      answeringPlace(child, given, declared, { routes, signal }).finally(requirePeers);
    return await work({ declared, child, given, group: probed.group, answering, requirePeers });
  } finally {
    watch.stop();
    probed.group?.close();
    await child.stop();
  }
}

/** Of what a service printed so much is searched. */
const outputLines = 300;

function seenOf(provisional: Provisional, context: IntrospectionContext): Promise<Seen> {
  return whileStarted(provisional, context, (started) => seenRunning(provisional, context, started));
}

async function seenRunning(
  { service, address, values, libpq }: Provisional,
  { signal, onProgress }: IntrospectionContext,
  { declared, child, given, group, answering, requirePeers }: Started,
): Promise<Seen> {
  const startedMs = performance.now();
  await answering([]);
  const listenedMs = performance.now() - startedMs;
  const own = new OwnTime(child.pgid);
  const session = group === null ? null : await inOwnTime(own, probeWithinMs, async () => group.attached(probeWithinMs, signal));
  const lookNow = async () => together(session === null || group === null ? [] : await looks(group, own));
  let look = await lookNow();
  const expected = mayAnswer(service, look.routes, look.guessed);
  const place = async (): ReturnType<typeof answeringPlace> => answering(expected);
  const furtherMs = await furtherStart(child, expected, { place, signal });
  if (furtherMs !== null) look = await lookNow();
  const { routes, guessed, words, variables, properties } = look;
  const [at, startUpMs] = [await place(), listenedMs + (furtherMs ?? 0)];
  const ranges = rowRanges(declared, address, signal);
  onProgress(`Asking ${service.label} once for each route`);
  const wants = address === null ? null : databaseWants(declared);
  const routesAsked = async (database: pg.Client | null): ReturnType<typeof askEachOnce> =>
    askEachOnce(service, routes, { own, ranges, at, database, signal });
  const { answers, writes } =
    address === null || wants === null ? await routesAsked(null) : await withOwner(address, wants, signal, routesAsked);
  const inProcess = { guessed, words, lookedUp: async () => (await lookNow()).lookedUp };
  const connected = async (): Promise<number | null> => (address === null ? null : connectionsTo(declared, address, signal));
  // A pool closes what it does not use for some seconds, and the rest may take longer.
  const connectedAtOnce = await connected();
  const { found: asked, failing } = await askedBeside(service, routes, inProcess, answers, { own, at, ranges, signal });
  await requirePeers();
  const report = group === null ? null : await inOwnTime(own, probeWithinMs, async () => readGroup(group, probeWithinMs));
  return {
    given,
    port: at.port,
    routes,
    variables,
    properties: [...new Set(properties)],
    tried: values,
    pools: report === null ? [] : databasePools(report),
    threads: report === null ? [] : requestThreads(report),
    connections: connectedAtOnce === null ? null : Math.max(connectedAtOnce, (await connected()) ?? 0),
    refused: refusedPlace(child.log.tail(outputLines)),
    libpq,
    answers: new Map([...answers, ...failing]),
    writes,
    asked,
    ranges: ranges.known,
    startUpMs,
    probed: session !== null,
  };
}

function withCommand(declared: DeclaredTarget, command: string[], saysPort: boolean): DeclaredTarget {
  return { ...declared, target: { ...declared.target, command, ...(saysPort ? { port: { env: 'PORT' } } : {}) } };
}

/** What there is within so much of a service’s own time; `ask` gives up by the clock, and is called again then. */
async function inOwnTime<T>(own: OwnTime, withinMs: number, ask: () => Promise<T | null>): Promise<T | null> {
  const startedMs = own.spentMs();
  for (;;) {
    const askedMs = performance.now();
    const value = await ask();
    // Where it is over before its time, there is nobody to ask.
    const gaveUp = performance.now() - askedMs >= withinMs - 100;
    if (value !== null || !gaveUp || own.spentMs() - startedMs >= withinMs) return value;
  }
}

async function looks(group: ProbeGroup, own: OwnTime): Promise<IntrospectionReport[]> {
  const report = await inOwnTime(own, introspectWithinMs, async () => readGroup(group, introspectWithinMs));
  return [...(report?.byProcess.values() ?? [])].flatMap(({ look }) => look ?? []);
}

/** What the processes of a service report, as of one. */
function together(reports: readonly IntrospectionReport[]) {
  return {
    routes: reports.flatMap(({ routes }) => routes).filter(({ method }) => method !== 'HEAD' && method !== 'OPTIONS'),
    guessed: reports.flatMap(({ guessed = [] }) => guessed),
    lookedUp: reports.flatMap(({ lookedUp = [] }) => lookedUp),
    words: reports.flatMap(({ words = [] }) => words),
    properties: reports.flatMap(({ properties = [] }) => properties),
    variables: reports.flatMap(({ variables }) => variables),
  };
}
