import type { FromProbe, ProbeReport, ToProbe } from '../../model/domain/probe.ts';
import { cancel, every, nowUs } from './clock.ts';
import { watchEmitters } from './emitterWatch.ts';
import { EngineLink } from './engineLink.ts';
import { HttpRequests } from './httpRequests.ts';
import { bridgeInspector } from './inspectorBridge.ts';
import { type EngineAddress, isIntrospected } from './launchedAs.ts';
import type { NamedDatabase } from './namedDatabases.ts';
import { quietly, shortText } from './objects.ts';
import { collectWholeHeap, RuntimeMetrics } from './runtimeMetrics.ts';
import { activeResources } from './activeResources.ts';
import { CalledPeers } from './calledPeers.ts';
import { AppIntrospection } from './introspect/appIntrospection.ts';
import { genericPools } from './pools/genericPool.ts';
import { followHttpAgents } from './pools/httpAgents.ts';
import { LoadedPools } from './pools/loadedPools.ts';
import { mysqlPools } from './pools/mysqlPool.ts';
import { mangledPgPools, pgPools } from './pools/pgPool.ts';
import { PoolRegistry } from './pools/poolRegistry.ts';
import { postgresJsPools } from './pools/postgresJsPool.ts';
import { type Outcome, outcomeOf, reason, refused, resize } from './pools/resize.ts';
import { SequelizePools } from './pools/sequelizePool.ts';
import { TarnPools } from './pools/tarnPool.ts';
import { UndiciPools } from './pools/undiciPools.ts';
import { TlsHandshakes } from './tlsHandshakes.ts';
import { workerThreads } from './workerThreads.ts';

const reportEveryMs = 1_000;
type SizeChange = Extract<ToProbe, { type: 'set' }>;

/** Observes this process from now on, and reports to the engine once a second and whenever it asks. */
export function startProbe(address: EngineAddress, watchDatabases: () => (() => NamedDatabase[]) | null): void {
  const registry = new PoolRegistry();
  const tarn = new TarnPools(registry);
  const loaded = new LoadedPools(tarn, new SequelizePools(registry));
  const undici = new UndiciPools(registry);
  const requests = new HttpRequests();
  const runtime = new RuntimeMetrics();
  const peers = new CalledPeers();
  const handshakes = new TlsHandshakes();
  peers.start();
  // Only now: what is led elsewhere calls no host that the app names.
  const databases = watchDatabases();
  const appIntrospection = isIntrospected(process.env) ? new AppIntrospection(databases) : null;

  const report = (asked: boolean): ProbeReport => {
    const pools = registry.reports(requests.times());
    const notes = pools.length === 0 ? ['No pool of connections was found so far.', ...registry.notes] : registry.notes;
    return {
      timeUs: Math.round(nowUs()),
      pools,
      threadPools: [],
      ...runtime.report(),
      http: requests.report(),
      threads: null,
      tlsOpened: handshakes.report(),
      resources: asked ? activeResources() : null,
      ...(asked ? { peers: peers.report() } : {}),
      ...(asked && appIntrospection !== null ? { look: appIntrospection.report() } : {}),
      notes,
    };
  };
  const receive = (message: ToProbe): void => {
    if (message.type === 'collect') collectWholeHeap();
    if (message.type === 'get' || message.type === 'collect') link.answer({ type: 'report', answer: message.id, report: report(true) });
    else if (message.type === 'inspect') inspect(address, message, link);
    else if (message.type === 'lend') link.answer({ type: 'applied', answer: message.id, ...lend(registry, message) });
    else change(registry, message, (outcome) => link.answer({ type: 'applied', answer: message.id, ...outcome }));
  };
  const stop = (): void => {
    cancel(timer);
    requests.stop();
    peers.stop();
    undici.stop();
    runtime.stop();
    registry.close();
  };

  watchEmitters([
    pgPools(registry),
    mangledPgPools(registry),
    postgresJsPools(registry),
    mysqlPools(registry),
    undici.classes(),
    genericPools(registry),
    tarn.knexClients(),
    workerThreads(registry),
    handshakes.classes(),
    ...(appIntrospection?.classes() ?? []),
  ]);
  appIntrospection?.start();
  followHttpAgents(registry);
  requests.start();
  runtime.start();
  const timer = every(
    quietly(() => {
      loaded.look();
      if (link.ready()) link.answer({ type: 'report', answer: null, report: report(false) });
    }, undefined),
    reportEveryMs,
  );
  const link = new EngineLink(address, hello(address.token), quietly(receive, undefined), quietly(stop, undefined));
}

/** Leaves the app as it is, and only opens an inspector session when the engine asks for one. */
export function startInspectorProbe(address: EngineAddress): void {
  const receive = (message: ToProbe): void => {
    if (message.type === 'inspect') inspect(address, message, link);
  };
  const link = new EngineLink(address, hello(address.token), quietly(receive, undefined), () => undefined);
}

function inspect(address: EngineAddress, { token, id }: Extract<ToProbe, { type: 'inspect' }>, link: EngineLink): void {
  bridgeInspector(address, token, (problem) => link.answer({ type: 'inspecting', answer: id, problem }));
}

function hello(token: string): FromProbe {
  // Its end, which identifies it better than its beginning.
  const main = (process.argv[1] ?? '').slice(-300);
  return { type: 'hello', protocol: 1, token, runtime: 'node', pid: process.pid, version: process.version, main };
}

function change(registry: PoolRegistry, { what, poolId, max, timeoutMs }: SizeChange, done: (outcome: Outcome) => void): void {
  const pool = registry.find(poolId);
  const resizable = pool?.resizable() ?? null;
  if (what === 'threads') done(refused('Node has no pool of threads that can be changed while it runs.'));
  else if (pool === undefined) done(refused(unknownPool(poolId)));
  else if (resizable === null) done(refused(pool.report()?.note ?? 'This pool cannot be resized.'));
  else resize(resizable, max, timeoutMs, done);
}

function lend(registry: PoolRegistry, { poolId, limit }: Extract<ToProbe, { type: 'lend' }>): Outcome {
  const startUs = nowUs();
  const pool = registry.find(poolId);
  const resizable = pool?.resizable() ?? null;
  if (pool === undefined) return refused(unknownPool(poolId));
  if (pool.lending === undefined || resizable === null) return refused('This pool cannot be told how many of its connections to lend.');
  try {
    pool.lending.set(limit);
    return outcomeOf(resizable, startUs, null);
  } catch (error) {
    return outcomeOf(resizable, startUs, `The pool failed while it was told how many to lend: ${reason(error)}`);
  }
}

function unknownPool(poolId: string): string {
  return `There is no pool ${shortText(poolId)} in this process.`;
}
