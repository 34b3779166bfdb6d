import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { failure, toFailure } from '../model/domain/failure.ts';
import type { InitializeParams, NotificationOf, ResultOf } from '../model/protocol/protocol.ts';
import type { RecordingRequest } from '../model/domain/recording.ts';
import { settingLabel } from '../model/domain/setting.ts';
import { AdviceStore } from './advise/adviceStore.ts';
import { catalogOf } from './handlers/catalogOf.ts';
import { DiffHandler, diffRequests } from './handlers/diffHandler.ts';
import { removeElsewhere } from './k6/kubectl.ts';
import { K6Handler, k6Requests } from './handlers/k6Handler.ts';
import { machineFacts } from './handlers/machineFacts.ts';
import { RawHandler, rawRequests } from './handlers/rawHandler.ts';
import { ServerHandler, serverRequests } from './handlers/serverHandler.ts';
import { Recorders } from './record/recorders.ts';
import { RecordingHandler, recordingRequests } from './handlers/recordingHandler.ts';
import { loadWorkerPath } from './run/runContext.ts';
import { withSetByProbe } from './run/setByProbe.ts';
import type { RunContext } from './run/runContext.ts';
import type { Handlers, Notify } from './rpc/engineServer.ts';
import { ProbeSources } from './probe/probeSources.ts';
import { ReadingThread } from './reading/readingThread.ts';
import { readInThread } from './runs/runListThread.ts';
import { RunStore } from './runs/runStore.ts';
import { prepareDatabase } from './services/prepareDatabase.ts';
import { PostgresService } from './services/postgresService.ts';
import { ServerConsents } from './services/serverConsent.ts';
import { cookieName } from './supervise/environment.ts';
import { Guardian } from './supervise/guardian.ts';
import { processIdentity } from './supervise/identity.ts';
import type { ProcessIdentity } from './supervise/identity.ts';
import { Journal } from './supervise/journal.ts';
import { Leftovers } from './supervise/leftovers.ts';
import { Supervisor } from './supervise/supervisor.ts';
import { sweepTemporaryFolders } from './supervise/temporaryFolder.ts';
import { namedSecrets } from './files/namedSecrets.ts';
import { redactText } from './files/redact.ts';
import { makeStorage } from './files/storageFolder.ts';
import { asAgreed, findTarget, readDeclarations, secretsOf, targetProblem, untrusted } from './targets/catalog.ts';
import type { DeclaredTarget, Declarations } from './targets/catalog.ts';
import { startOrFind } from './attach/attachRunning.ts';
import { completeSettings, databaseWants, launchTarget } from './targets/launchTarget.ts';
import { migrate } from './targets/migrations.ts';
import type { RunningTarget } from './targets/launchTarget.ts';
import { TargetManager } from './targets/targetManager.ts';
import { whereToSet } from './targets/whereToSet.ts';
import { Toolchain } from './targets/toolchain.ts';
import { ExperimentHandler, experimentRequests } from './handlers/experimentHandler.ts';
import { LiveHandler, liveRequests } from './handlers/liveHandler.ts';
import { MeasureHandler, measureRequests } from './handlers/measureHandler.ts';
import { RoutesHandler, routesRequests } from './handlers/routesHandler.ts';
import { ServiceHandler, serviceRequests } from './handlers/serviceHandler.ts';
import { RunsHandler, runsRequests } from './handlers/runsHandler.ts';
import { TuningHandler, tuningRequests } from './handlers/tuningHandler.ts';
import { TrafficHandler, trafficRequests } from './handlers/trafficHandler.ts';
import { WorkspaceHandler, workspaceRequests } from './handlers/workspaceHandler.ts';
import type { SettingValues } from '../model/domain/setting.ts';
import packageManifest from '../../package.json' with { type: 'json' };
import { passedOver, splitSearchPath } from './supervise/searchPath.ts';

const hurryMs = 400;

/** What exists once a client has said who it is. */
interface Engine {
  params: InitializeParams;
  supervisor: Supervisor;
  journal: Journal;
  postgres: PostgresService;
  targets: TargetManager;
  toolchain: Toolchain;
  store: RunStore;
  reading: ReadingThread;
  recorders: Recorders;
  runs: RunsHandler;
  recordings: RecordingHandler;
  server: ServerHandler;
  raw: RawHandler;
  k6: K6Handler;
  live: LiveHandler;
  measuring: MeasureHandler;
  tuning: TuningHandler;
  diffs: DiffHandler;
  experiments: ExperimentHandler;
  workspace: WorkspaceHandler;
  traffic: TrafficHandler;
  routes: RoutesHandler;
  service: ServiceHandler;
  probeSources: ProbeSources;
  cookieEnvironment: Record<string, string>;
  leftovers: Leftovers;
}

/** The engine of one window or terminal: answers its requests and owns whatever they start. */
export class EngineHost {
  #engine: Engine | null = null;
  #run: AbortController | null = null;
  #runEnded: Promise<unknown> = Promise.resolve();
  #declaredSecrets: readonly string[] = [];
  #notify: Notify = () => undefined;

  /** @param client who started this engine; null where that is not known */
  constructor(private readonly client: ProcessIdentity | null) {}

  /** Stops everything at once; for when the client is gone. */
  async shutdown(): Promise<void> {
    this.#run?.abort();
    const engine = this.#engine;
    if (engine === null) return;
    await engine.supervisor.stopAll({ hurryMs, close: true });
    // The run's own ending removes its unfinished folder.
    await this.#runEnded;
    await engine.recordings.close();
    await engine.probeSources.close();
    // What could not be ended stays in the journal for the next engine.
    if (await engine.supervisor.endStrays()) engine.journal.close();
  }

  handlers(notify: Notify): Handlers {
    this.#notify = notify;
    return {
      'engine/initialize': (params) => this.#initialize(params),
      'engine/configure': async (changes) => {
        const engine = this.#ready();
        engine.params = { ...engine.params, ...changes };
        engine.toolchain = new Toolchain(engine.params, engine.toolchain.workspacePath);
        // A benchmark that runs keeps its server; the next one takes the new one.
        if (this.#run === null) await engine.server.configured();
        notify('catalog/changed', {});
        return {};
      },
      'catalog/get': () => this.#catalog(),
      'target/start': async ({ id, settings }, signal) => {
        const engine = this.#ready();
        const declared = await this.#startable(id);
        return { port: await engine.targets.start(declared, settings, signal) };
      },
      'target/stop': async ({ id }) => {
        const engine = this.#ready();
        if (id === 'postgres') {
          if (this.#run !== null)
            throw failure('run-in-progress', 'PostgreSQL is needed by the benchmark that runs.', 'Cancel the benchmark first.');
          await engine.targets.stopAll();
          await engine.postgres.stop();
        } else {
          await engine.targets.stop(id);
        }
        return {};
      },
      'target/log': async ({ id }) => {
        const { postgres, targets } = this.#ready();
        const { text, droppedBytes } = id === 'postgres' ? postgres.log : targets.log(id);
        return { text: redactText(text, this.secrets()), droppedBytes };
      },
      'settings/where': async ({ target, setting, value }) => whereToSet(findTarget(await this.#declarations(), target), setting, value),
      'run/cancel': async () => {
        const running = this.#run !== null;
        this.#run?.abort();
        return { cancelled: running };
      },
      ...this.#lateHandlers(trafficRequests, () => this.#ready().traffic.handlers()),
      ...this.#lateHandlers(routesRequests, () => this.#ready().routes.handlers()),
      ...this.#lateHandlers(serviceRequests, () => this.#ready().service.handlers()),
      ...this.#lateHandlers(workspaceRequests, () => this.#ready().workspace.handlers()),
      ...this.#lateHandlers(serverRequests, () => this.#ready().server.handlers()),
      ...this.#lateHandlers(recordingRequests, () => this.#ready().recordings.handlers()),
      ...this.#lateHandlers(rawRequests, () => this.#ready().raw.handlers()),
      ...this.#lateHandlers(k6Requests, () => this.#ready().k6.handlers()),
      ...this.#lateHandlers(experimentRequests, () => this.#ready().experiments.handlers()),
      ...this.#lateHandlers(runsRequests, () => this.#ready().runs.handlers()),
      ...this.#lateHandlers(liveRequests, () => this.#ready().live.handlers()),
      ...this.#lateHandlers(diffRequests, () => this.#ready().diffs.handlers()),
      ...this.#lateHandlers(measureRequests, () => this.#ready().measuring.handlers()),
      ...this.#lateHandlers(tuningRequests, () => this.#ready().tuning.handlers()),
      'check/run': async (_, signal) => {
        const facts = machineFacts(this.#ready());
        const onProgress = (progress: NotificationOf<'check/progress'>): void => notify('check/progress', progress);
        return this.#run === null
          ? this.#exclusive(signal, (own) => facts.check({ onProgress, signal: own, busy: null }))
          : facts.check({ onProgress, signal, busy: 'a benchmark or a recording is running.' });
      },
      'engine/stopEverything': async () => {
        const engine = this.#ready();
        const stopped = engine.supervisor.children.size;
        this.#run?.abort();
        await this.#runEnded;
        await engine.targets.stopAll();
        await engine.postgres.stop();
        await engine.supervisor.stopAll();
        const reaped = await engine.leftovers.endAll();
        notify('catalog/changed', {});
        return { stopped, reaped };
      },
    };
  }

  async #initialize(params: InitializeParams): Promise<ResultOf<'engine/initialize'>> {
    if (this.#engine !== null) throw failure('bad-request', 'This engine has been initialised already.', 'Start another one.');
    const self = processIdentity(process.pid);
    if (self === null) throw failure('proc-missing', 'The engine cannot see its own process in /proc.');
    const searchPath = splitSearchPath(process.env['PATH'], params.workspaceDir);
    // For this process alone: its look-ups and children find the programs of this machine.
    process.env['PATH'] = searchPath.machine;
    const journalDir = path.join(params.storageDir, 'journals');
    makeStorage(journalDir);
    const versionsDir = path.join(params.storageDir, 'versions');
    const leftovers = new Leftovers(journalDir, (made) => removeElsewhere(made, this.#ready().supervisor));
    const [reaped] = await Promise.all([leftovers.atStart(), sweepTemporaryFolders(), sweepTemporaryFolders([versionsDir])]);
    const cookie = randomBytes(16).toString('hex');
    const journal = new Journal(journalDir, cookie, self, this.client);
    const guardian = new Guardian(path.join(params.assetsDir, 'dist', 'reaper.cjs'), [versionsDir]);
    const supervisor = new Supervisor(journal, guardian);
    const changed = (): void => this.#notify('catalog/changed', {});
    const consents = new ServerConsents(params.storageDir);
    const postgres = new PostgresService(supervisor, params, consents, changed);
    const store = new RunStore(path.join(params.workspaceDir ?? path.join(params.storageDir, 'workspace'), '.benchside'), {
      secrets: () => this.secrets(),
      readListed: readInThread(path.join(params.assetsDir, 'dist', 'runListWorker.cjs')),
    });
    const advices = new AdviceStore(store.rootFolder, () => this.secrets());
    const reading = new ReadingThread(path.join(params.assetsDir, 'dist', 'readingWorker.cjs'));
    const recorders = new Recorders(params.assetsDir);
    const server = new ServerHandler({ consents, postgres, params: () => this.#ready().params, declarations: () => this.#declarations() });
    const reserved = {
      notify: this.#notify,
      exclusive: <T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> => this.#exclusive(signal, work),
    };
    const folders = { assetsDir: params.assetsDir, storageDir: params.storageDir, workspaceDir: params.workspaceDir };
    const contextOf = (id: string, signal: AbortSignal, starts?: string) =>
      this.#recordingContext({ kind: 'target', id, settings: {}, load: null }, signal, starts);
    const engine: Engine = {
      params,
      supervisor,
      journal,
      postgres,
      targets: new TargetManager((declared, settings, signal) => this.#launchByHand(declared, settings, signal), changed),
      toolchain: new Toolchain(params, searchPath.workspace),
      store,
      reading,
      recorders,
      runs: new RunsHandler({ store, advices, assetsDir: params.assetsDir, notify: this.#notify }),
      recordings: new RecordingHandler({
        store,
        recorders,
        ...folders,
        supervisor,
        nodePath: () => engine.toolchain.node,
        secrets: () => this.secrets(),
        targetPids: () => engine.targets.pids(),
        targetProbes: (pid) => engine.targets.probesOf(pid),
        ...reserved,
        context: (subject, signal) => this.#recordingContext(subject, signal),
      }),
      server,
      raw: new RawHandler({
        store,
        ...reserved,
        postgres: () => server.configured(),
      }),
      k6: new K6Handler({
        store,
        assetsDir: params.assetsDir,
        notify: this.#notify,
        declarations: () => this.#declarations(),
        readEnvironment: (facts) => machineFacts(this.#ready()).environment(facts, false),
      }),
      live: new LiveHandler({
        ...reserved,
        context: (targets, signal) => this.#runContext(targets, signal),
      }),
      measuring: new MeasureHandler({
        ...folders,
        advices,
        toolchain: () => engine.toolchain,
        ...reserved,
        context: (targets, signal, starts) => this.#runContext(targets, signal, starts),
      }),
      tuning: new TuningHandler({ reading, assetsDir: params.assetsDir, workspaceDir: params.workspaceDir }),
      diffs: new DiffHandler({
        workspaceDir: params.workspaceDir,
        context: (targets, signal) => this.#runContext(targets, signal),
      }),
      experiments: new ExperimentHandler({
        store,
        ...folders,
        toolchain: () => engine.toolchain,
      }),
      traffic: new TrafficHandler({
        reading,
        ...reserved,
        startable: (id) => this.#startable(id),
        database: (wants, signal) => server.agreedAddress(wants, signal),
      }),
      workspace: new WorkspaceHandler({
        reading,
        workspaceDir: params.workspaceDir,
        trusted: () => engine.params.trusted,
        secrets: () => this.secrets(),
        exclusive: (signal, work) => this.#exclusive(signal, work),
        context: async () => ({
          ...engine,
          probes: await engine.probeSources.forMeasuring(),
          database: (wants, signal) => server.agreedAddress(wants, signal),
          onProgress: (message) => this.#notify('engine/log', { level: 'info', source: 'look', message }),
        }),
      }),
      routes: new RoutesHandler({
        ...reserved,
        isBusy: () => this.#run !== null,
        running: (id) => engine.targets.runningOf(id),
        startable: (id) => this.#startable(id),
        launchBeside: (declared, settings, database, signal) =>
          launchTarget(declared, settings, { ...engine, database, name: declared.target.label ?? declared.target.id, signal }),
        address: async (signal) => (await postgres.database(signal)).address,
        context: (id, signal) => contextOf(id, signal),
      }),
      service: new ServiceHandler({ ...reserved, reading, context: contextOf }),
      probeSources: new ProbeSources(params.assetsDir, () => engine.params.probes),
      cookieEnvironment: { [cookieName]: cookie },
      leftovers,
    };
    this.#engine = engine;
    leftovers.goOn();
    await server.configured();
    await Promise.all([store.sweep(), advices.sweep(), engine.recordings.store.sweep()]).catch((error: unknown) =>
      this.#notify('engine/log', { level: 'warning', source: 'runs', message: toFailure(error).message }),
    );
    const told = [...(params.nodePath === null ? [] : ['node']), ...(params.javaPath === null ? [] : ['java'])];
    return { version: packageManifest.version, reaped, warnings: passedOver(searchPath, told) };
  }

  #ready(): Engine {
    if (this.#engine === null) throw failure('bad-request', 'The engine has not been initialised.', 'Send engine/initialize first.');
    return this.#engine;
  }

  async #declarations(): Promise<Declarations> {
    const { params, reading } = this.#ready();
    const { assetsDir, workspaceDir } = params;
    const [file, profiles] = await Promise.all([reading.workspaceFile(workspaceDir), reading.workspaceProfiles(workspaceDir)]);
    const declarations = await readDeclarations(assetsDir, file, profiles);
    this.#declaredSecrets = secretsOf(declarations);
    return declarations;
  }

  /**
   * What must reach neither the disk nor the reader of a failure: the database's password, and the values of variables with a revealing name of the targets and
   * of this process.
   */
  secrets(): string[] {
    if (this.#engine === null) return [];
    const { postgres, params } = this.#engine;
    return [
      ...new Set([
        ...postgres.secrets,
        ...this.#declaredSecrets,
        ...namedSecrets({ ...process.env, url: params.postgresUrl ?? undefined }),
      ]),
    ];
  }

  async #catalog(): ReturnType<Handlers['catalog/get']> {
    const declarations = await this.#declarations();
    return catalogOf(declarations, { ...this.#ready(), secrets: this.secrets() }, (declared) => untrusted(declared, this.#ready().params));
  }

  /** The declared target, or the reason why it cannot be started. */
  async #startable(id: string): Promise<DeclaredTarget> {
    const engine = this.#ready();
    const declared = findTarget(await this.#declarations(), id);
    const problem = untrusted(declared, engine.params) ?? targetProblem(declared, engine.toolchain);
    if (problem !== null) throw failure(problem.code, problem.message, problem.cure, problem.detail);
    return declared;
  }

  async #launchByHand(declared: DeclaredTarget, asked: SettingValues, signal: AbortSignal): Promise<RunningTarget> {
    const engine = this.#ready();
    const label = declared.target.label ?? declared.target.id;
    const settings = completeSettings(label, declared.target.settings, asked);
    const wants = databaseWants(declared);
    if (wants !== null) engine.postgres.requireAgreed([wants]);
    const database = wants === null ? null : await engine.postgres.database(signal);
    if (wants !== null && database !== null) {
      const say = (message: string): void => this.#notify('engine/log', { level: 'info', source: 'postgres', message });
      await prepareDatabase(database.address, wants, say, signal);
      await migrate(declared, database.address, { ...engine, signal }, say);
    }
    const around = { ...engine, database: database?.address ?? null, probes: await engine.probeSources.forRecording() };
    return withSetByProbe(await startOrFind(declared, settings, { ...around, name: label, signal }), settings, { label, signal });
  }

  /** One thing at a time is measured or recorded: two would spoil each other. It is also what `run/cancel` and the end of the engine break off. */
  async #exclusive<T>(outer: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.#ready();
    if (this.#run !== null)
      throw failure(
        'run-in-progress',
        'A benchmark, a recording or a check of this machine is running already.',
        'Wait until it has ended, or cancel it.',
      );
    const run = new AbortController();
    this.#run = run;
    const working = work(AbortSignal.any([outer, run.signal]));
    this.#runEnded = working.catch(() => undefined);
    try {
      return await working;
    } finally {
      this.#run = null;
    }
  }

  /** What recording needs of the engine. A target that Benchside may not start is refused as for a run. */
  async #recordingContext(subject: RecordingRequest['subject'], signal: AbortSignal, starts?: string) {
    const engine = this.#ready();
    if (subject.kind === 'target') await this.#startable(subject.id);
    const declarations = asAgreed(await this.#declarations(), starts);
    await engine.server.use(declarations, subject.kind === 'target' ? [subject.id] : []);
    const { assetsDir, storageDir, trusted, k6: k6Params } = engine.params;
    const probes = await engine.probeSources.forRecording();
    return { ...engine, assetsDir, storageDir, trusted, k6Params, declarations, loadWorkerPath: loadWorkerPath(assetsDir), probes, signal };
  }

  /** Every request of a handler waits for the client to have said who it is. */
  #lateHandlers<N extends keyof Handlers>(names: readonly N[], handlers: () => Pick<Handlers, N>): Pick<Handlers, N> {
    return Object.fromEntries(
      names.map((name) => [name, async (params: never, signal: AbortSignal): Promise<unknown> => handlers()[name](params, signal)]),
    ) as unknown as Pick<Handlers, N>;
  }

  /** What a run needs of the engine. Targets that Benchside may not start are refused. */
  async #runContext(targets: readonly string[], signal: AbortSignal, starts?: string): Promise<RunContext> {
    const engine = this.#ready();
    for (const id of targets) await this.#startable(id);
    const declarations = asAgreed(await this.#declarations(), starts);
    await engine.server.use(declarations, targets);
    return {
      ...engine,
      declarations,
      assetsDir: engine.params.assetsDir,
      loadWorkerPath: loadWorkerPath(engine.params.assetsDir),
      probes: await engine.probeSources.forMeasuring(),
      k6Params: engine.params.k6,
      trusted: engine.params.trusted,
      readEnvironment: (facts) => machineFacts(engine).environment(facts, true),
      labelOf: (target, setting) =>
        settingLabel(setting, declarations.targets.find((one) => one.target.id === target)?.target.settings[setting]),
      emit: (event) => this.#notify('run/event', event),
      signal,
    };
  }
}
