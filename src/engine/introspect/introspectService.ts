import type { Step } from '../../model/domain/progress/stepKinds.ts';
import type pg from 'pg';
import { FailureError, failure, isCancellation, toFailure } from '../../model/domain/failure.ts';
import { type Finding, type FoundService, type Introspection, findingsOf } from '../../model/domain/detection.ts';
import type { IntrospectionReport } from '../../model/domain/probe.ts';
import type { Route } from '../../model/domain/target.ts';
import { madeOtherwise } from '../detect/migrations.ts';
import { areOfOne, startOrder } from '../detect/parts.ts';
import { variableFindings } from '../detect/variables.ts';
import { calledByGroup, readGroup, requestThreads } from '../probe/groupReport.ts';
import { type ProbeSource, withJvmOption, withProbe } from '../probe/probeLaunch.ts';
import type { ProbeGroup } from '../probe/probeServer.ts';
import { OwnTime } from '../observe/ownTime.ts';
import { freePort, isPortFree } from '../services/freePort.ts';
import { type DatabaseWants, databaseName, isRemakeable, prepareDatabase, remakeDatabase, withOwner } from '../services/prepareDatabase.ts';
import type { DatabaseAddress } from '../services/serverUrl.ts';
import { politeLadder } from '../supervise/stopLadder.ts';
import type { Child } from '../supervise/supervisor.ts';
import { type DeclaredTarget, targetProblem } from '../targets/catalog.ts';
import { type LaunchOptions, databaseWants, targetCommand } from '../targets/launchTarget.ts';
import { migrate } from '../targets/migrations.ts';
import { type RequirePeers, PeerWatch, declaredWords } from '../targets/peers.ts';
import { programOn } from '../targets/portInUse.ts';
import { refusedLogin } from '../targets/refusedLogin.ts';
import { answeringPlace } from './answeringPlace.ts';
import { askEachOnce, askedBeside } from './askedOnce.ts';
import { furtherStart, mayAnswer } from './furtherStart.ts';
import { connectionsTo, rowRanges } from './databaseOfService.ts';
import { reconciled, withPoolOfProbe } from './reconcile.ts';
import type { Seen } from './seen.ts';
import { isAddress, shellVariables } from './shellVariables.ts';
import { namesAll } from './addressTrial.ts';
import { type Provisional, calledAsRefused, didNotComeUp, ledByProbe, otherLead, provisionalTarget } from './provisionalTarget.ts';
import { heldAddress } from './heldAddress.ts';
import { likePools } from './likePools.ts';
import { errorSaid, refusedPhrase } from './startOutput.ts';
import { triedAddress } from './triedAddress.ts';
import { smallestPool } from './smallestPool.ts';
import { type VariableTrial, halvesOf, shownBy, variableTrial } from './variableTrial.ts';
import { withShell, withShown } from './withShown.ts';

export interface IntrospectionContext extends Pick<LaunchOptions, 'supervisor' | 'toolchain' | 'cookieEnvironment'> {
  workspaceDir: string;
  probes: ProbeSource | null;
  /** Returns the database’s server; started when it is asked for. */
  database: (wants: DatabaseWants, signal: AbortSignal) => Promise<DatabaseAddress>;
  onProgress: (step: Step) => void;
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
    const startedWith = async (known: FoundService, said: string[] = []): Promise<{ tried: Provisional; seen: Seen }> => {
      const again = await withDatabase(provisionalTarget(known, context.workspaceDir, tried.address), context, said);
      return { tried: again, seen: await seenOf(again, context) };
    };
    const further = await provenFindings(tried.service, seen, startedWith);
    if (further.length > 0) {
      // What was only seen to be read is tried: where the app does not follow it, it is a question again.
      const known = { ...tried.service, findings: startOrder([...tried.service.findings, ...further]) };
      ({ tried, seen } = await startedWith(known, tried.address === null ? remarks : []));
    }
    if (seen.connections === 0 && seen.named.length > 0 && seen.led.length === 0) {
      const other = await startedWith(ledByProbe(tried.service)).catch(unlessCancelled);
      if (other !== null && (other.seen.connections ?? 0) > 0) ({ tried, seen } = other);
    }
    const called = seen.connections === 0 ? calledAsRefused(tried, seen.login) : null;
    if (called !== null) {
      const other = await startedWith(called).catch(unlessCancelled);
      if (other !== null && other.seen.login === null) ({ tried, seen } = other);
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
  const first = await withDatabase(provisionalTarget(known, context.workspaceDir), context, remarks);
  const { service, address } = first;
  const [sql] = findingsOf(service.findings, 'sql');
  const wants = databaseWants(first.declared);
  try {
    return await introspect(first);
  } catch (firstError) {
    let error: unknown = firstError;
    const called = didNotComeUp(firstError) ? calledAsRefused(first, refusedLogin(toFailure(firstError).detail ?? '')) : null;
    if (called !== null) return introspect(await withDatabase(provisionalTarget(called, context.workspaceDir), context, remarks));
    const other = otherLead(first, error, context.workspaceDir);
    try {
      if (other !== null) return await introspect(other);
    } catch (second) {
      if (isCancellation(second)) throw second;
      // With its database it comes nearer to what it lacks.
      if (didNotComeUp(firstError) && other?.declared.target.postgres?.probe === true) error = second;
    }
    if (!didNotComeUp(error) || sql === undefined || wants === null || address === null || !isRemakeable(address)) throw error;
    await remakeDatabase(address, wants, context.onProgress, context.signal);
    const bare = { ...service, findings: service.findings.filter((one) => one !== sql) };
    const without = await introspect(provisionalTarget(bare, context.workspaceDir, address)).catch((second: unknown) => {
      throw isCancellation(second) ? second : error;
    });
    remarks.push(`With ${sql.files.join(', ')} applied it did not start; with an empty database it did, and makes its tables itself.`);
    return without;
  }
}

function unlessCancelled(error: unknown): null {
  if (isCancellation(error)) throw error;
  return null;
}

/** As {@link furtherFindings}; variables that hold the address of a database which the probe leads to only where it goes there by them. */
async function provenFindings(
  service: FoundService,
  seen: Seen,
  startedWith: (known: FoundService) => Promise<{ seen: Seen }>,
): Promise<Finding[]> {
  const further = furtherFindings(service, seen);
  const [address] = findingsOf(further, 'postgres');
  if (address === undefined || seen.led.length === 0) return further;
  const other = await startedWith({ ...service, findings: startOrder([...service.findings, address]) }).catch(unlessCancelled);
  return further.filter((one) => one !== address || (other?.seen.connections ?? 0) > 0);
}

/** What follows from the variables that it was seen to read, of parts of which its files say nothing. */
function furtherFindings({ findings, driver }: FoundService, { variables, connections, led }: Seen): Finding[] {
  const read = variables.flatMap(({ name, place }) =>
    place === null ? [] : [{ name, value: null, because: `${place} reads ${name}`, around: '' }],
  );
  const held = heldAddress(variables);
  const form = findingsOf(findings, 'command')[0]?.runtime === 'jvm' ? 'jdbcUrl' : 'url';
  return [...(held === null ? [] : [held]), ...variableFindings(read, form)].filter((one, index, all) => {
    if (all.findIndex(({ part }) => part === one.part) !== index && one.part === 'postgres') return false;
    if (one.part === 'postgres')
      return (
        (driver !== null || one === held) && ((connections ?? 0) === 0 || led.length > 0) && findingsOf(findings, 'postgres').length === 0
      );
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

/** With its database prepared. What is to make its tables and fails is not declared: no run would come further than that. */
async function withDatabase(tried: Provisional, context: IntrospectionContext, remarks: string[]): Promise<Provisional> {
  const { database, onProgress, signal, workspaceDir } = context;
  const wants = databaseWants(tried.declared);
  if (wants === null) return tried;
  const address = await database(wants, signal);
  let { service } = tried;
  const leaveOut = (part: 'sql' | 'migrations', error: unknown, sentence: string): void => {
    if (isCancellation(error)) throw error;
    const { message, detail } = toFailure(error);
    remarks.push([sentence, message, ...errorSaid(detail ?? '')].join(' '));
    const findings = service.findings.filter((one) => one.part !== part);
    service = { ...service, findings, questions: [...service.questions, { part: 'sql', text: `What makes its tables? ${message}` }] };
  };
  try {
    await prepareDatabase(address, wants, onProgress, signal);
  } catch (error) {
    const { code, message } = toFailure(error);
    if (isCancellation(error) || wants.sqlFiles.length === 0) throw error;
    if (isRemakeable(address)) await remakeDatabase(address, wants, onProgress, signal);
    const sentence = 'Its SQL files cannot be applied; it was started with an empty database.';
    if (code === 'sql-failed') leaveOut('sql', error, sentence);
    else remarks.push(`${sentence} ${message}`);
    await prepareDatabase(address, { ...wants, sqlFiles: [] }, onProgress, signal);
  }
  try {
    await migrate(tried.declared, address, context, onProgress);
  } catch (error) {
    const other = madeOtherwise(service);
    if (other !== null && isRemakeable(address) && !isCancellation(error)) {
      // What it made before it failed would be in the way.
      await remakeDatabase(address, wants, onProgress, signal);
      const { message, detail } = toFailure(error);
      remarks.push(['Its tables are made another way.', message, ...errorSaid(detail ?? '')].join(' '));
      return withDatabase(provisionalTarget(other, workspaceDir, address), context, remarks);
    }
    leaveOut('migrations', error, 'Its migrations fail; it was started with what tables there were.');
  }
  return service === tried.service ? { ...tried, address } : provisionalTarget(service, workspaceDir, address);
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
  /** Whether it connected to the server that it was given, on which there is nobody else. */
  hasReached: () => boolean;
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
  onProgress({ code: 'starting', name: service.label });
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
    const seen = { peers: watch.peers(), given: address, declared: declaredWords(declared.target), ...(await calledByGroup(probed.group)) };
    await context.server.requirePeers({ name: service.label, ...seen });
  };
  try {
    const answering: Started['answering'] = async (routes) =>
      answeringPlace(child, given, declared, { routes, signal }).finally(requirePeers);
    const hasReached = (): boolean => address?.external === false && watch.peers().some(({ port }) => port === address.port);
    return await work({ declared, child, given, group: probed.group, answering, requirePeers, hasReached });
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
  { declared, child, given, group, answering, requirePeers, hasReached }: Started,
): Promise<Seen> {
  const startedMs = performance.now();
  await answering([]);
  const listenedMs = performance.now() - startedMs;
  const own = new OwnTime(child.pgid);
  const session = group === null ? null : await inOwnTime(own, probeWithinMs, async () => group.attached(probeWithinMs, signal));
  const lookNow = async () => together(session === null || group === null ? [] : await looks(group, own));
  let look = await lookNow();
  const expected = mayAnswer(service, look.routes, look.guessed);
  const heardAt = async (): ReturnType<typeof answeringPlace> => answering(expected);
  const furtherMs = await furtherStart(child, expected, { place: heardAt, signal });
  if (furtherMs !== null) look = await lookNow();
  const { routes, guessed, words, variables, properties } = look;
  const [at, startUpMs] = [await heardAt(), listenedMs + (furtherMs ?? 0)];
  const ranges = rowRanges(declared, address, signal);
  onProgress({ code: 'asking-routes', label: service.label });
  const wants = address === null ? null : databaseWants(declared);
  const routesAsked = async (database: pg.Client | null): ReturnType<typeof askEachOnce> =>
    askEachOnce(service, routes, { own, ranges, at, database, signal });
  const { answers, writes, clients } =
    address === null || wants === null ? await routesAsked(null) : await withOwner(address, wants, signal, routesAsked);
  const inProcess = { guessed, words, lookedUp: async () => (await lookNow()).lookedUp };
  const connected = async (): Promise<number | null> => (address === null ? null : connectionsTo(declared, address, signal));
  // A pool closes what it does not use for some seconds, and the rest may take longer.
  const connectedAtOnce = await connected();
  const { found: asked, failing } = await askedBeside(service, routes, inProcess, answers, { own, at, ranges, signal });
  await requirePeers();
  const report = group === null ? null : await inOwnTime(own, probeWithinMs, async () => readGroup(group, probeWithinMs));
  const { databases } = await lookNow();
  const led = databases.filter((one) => one.led);
  const isMeant = ({ port, database }: Seen['named'][number]): boolean =>
    port === address?.port && wants !== null && database === databaseName(address, wants);
  const byProbe = declared.target.postgres?.probe === true;
  const meant = byProbe ? databases : databases.filter(isMeant);
  const pools = report === null ? [] : likePools(report);
  const place = address === null || wants === null ? '' : `${databaseName(address, wants)} at ${address.host}:${address.port}`;
  return {
    given,
    port: at.port,
    routes,
    variables,
    properties: [...new Set(properties)],
    tried: values,
    named: databases,
    led,
    pools,
    threads: report === null ? [] : requestThreads(report),
    // A client whose query fails, as for want of tables, is closed at once.
    connections:
      connectedAtOnce === null ? null : Math.max(clients, connectedAtOnce, (await connected()) ?? 0, meant.length, hasReached() ? 1 : 0),
    isMeant: pools.some(({ name }) => name === place),
    byProbe,
    refused: refusedPhrase(child.log.tail(outputLines)),
    login: refusedLogin(child.log.tail(outputLines)),
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
    databases: reports.flatMap(({ databases = [] }) => databases),
  };
}
