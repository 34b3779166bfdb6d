import type { Progress } from '../../model/protocol/progress.ts';
import type { Step } from '../../model/domain/progress/stepKinds.ts';
import path from 'node:path';
import { failure, FailureError } from '../../model/domain/failure.ts';
import type { InitializeParams } from '../../model/protocol/protocol.ts';
import { type SettingValues, settingLabel } from '../../model/domain/setting.ts';
import { AdviceStore } from '../advise/adviceStore.ts';
import { startOrFind } from '../attach/attachRunning.ts';
import { namedSecrets } from '../files/namedSecrets.ts';
import { machineFacts } from './machineFacts.ts';
import { ServerHandler } from './serverHandler.ts';
import { ProbeSources } from '../probe/probeSources.ts';
import { ReadingThread } from '../reading/readingThread.ts';
import { Recorders } from '../record/recorders.ts';
import type { Notify } from '../rpc/engineServer.ts';
import type { RecordingContext } from '../run/recording/recordPlan.ts';
import type { RunContext } from '../run/runContext.ts';
import { withSetByProbe } from '../run/setByProbe.ts';
import { readInThread } from '../runs/runListThread.ts';
import { RunStore } from '../runs/runStore.ts';
import { prepareDatabase } from '../services/prepareDatabase.ts';
import { PostgresService } from '../services/postgresService.ts';
import { ServerConsents } from '../services/serverConsent.ts';
import { cookieName } from '../supervise/environment.ts';
import type { Supervisor } from '../supervise/supervisor.ts';
import {
  type DeclaredTarget,
  type Declarations,
  asAgreed,
  findTarget,
  readDeclarations,
  secretsOf,
  targetProblem,
  untrusted,
} from '../targets/catalog.ts';
import { type RunningTarget, completeSettings, databaseWants } from '../targets/launchTarget.ts';
import { migrate } from '../targets/migrations.ts';
import { TargetManager } from '../targets/targetManager.ts';
import { Toolchain } from '../targets/toolchain.ts';

/** What exists once a client has said who it is: what its requests are answered with. */
export class Engine {
  toolchain: Toolchain;
  readonly postgres: PostgresService;
  readonly targets: TargetManager;
  readonly store: RunStore;
  readonly advices: AdviceStore;
  readonly reading: ReadingThread;
  readonly recorders: Recorders;
  readonly server: ServerHandler;
  readonly probeSources: ProbeSources;
  /** Marks every process of this engine. */
  readonly cookieEnvironment: Readonly<Record<string, string>>;
  #run: AbortController | null = null;
  #runEnded: Promise<unknown> = Promise.resolve();
  #declaredSecrets: readonly string[] = [];

  /** @param workspacePath folders of the workspace that are on the PATH */
  constructor(
    public params: InitializeParams,
    readonly supervisor: Supervisor,
    readonly notify: Notify,
    cookie: string,
    workspacePath: readonly string[],
  ) {
    const { assetsDir, storageDir, workspaceDir } = params;
    const changed = (): void => notify('catalog/changed', {});
    const secrets = (): string[] => this.secrets();
    const consents = new ServerConsents(storageDir);
    this.cookieEnvironment = { [cookieName]: cookie };
    this.toolchain = new Toolchain(params, workspacePath);
    this.postgres = new PostgresService(supervisor, params, consents, changed);
    this.store = new RunStore(path.join(workspaceDir ?? path.join(storageDir, 'workspace'), '.benchside'), {
      secrets,
      readListed: readInThread(path.join(assetsDir, 'dist', 'runListWorker.cjs')),
    });
    this.advices = new AdviceStore(this.store.rootFolder, secrets);
    this.reading = new ReadingThread(path.join(assetsDir, 'dist', 'readingWorker.cjs'));
    this.recorders = new Recorders(assetsDir);
    this.probeSources = new ProbeSources(assetsDir, () => this.params.probes);
    this.targets = new TargetManager((declared, settings, signal) => this.#launchByHand(declared, settings, signal), changed);
    this.server = new ServerHandler({
      consents,
      postgres: this.postgres,
      params: () => this.params,
      declarations: () => this.readDeclared(),
    });
  }

  /** Whether something is measured, recorded or checked now. */
  get isBusy(): boolean {
    return this.#run !== null;
  }

  /** Resolves when what was measured last has ended, however that was. */
  get runEnded(): Promise<unknown> {
    return this.#runEnded;
  }

  /** Breaks off what is measured now. */
  cancel(): void {
    this.#run?.abort();
  }

  /** One thing at a time is measured or recorded: two would spoil each other. It is also what `cancel` breaks off. */
  async exclusive<T>(outer: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
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

  /** For people who look on: how something goes on. */
  tell(of: Progress['of'], doing: Step, fraction: number | null = null): void {
    this.notify('progress', { of, doing, fraction });
  }

  /** Does something to what is stored, and says that it has changed. */
  async changing(what: 'runs/changed' | 'recordings/changed', work: Promise<unknown>): Promise<Record<string, never>> {
    await work;
    this.notify(what, {});
    return {};
  }

  /** Everything that is declared now. */
  async readDeclared(): Promise<Declarations> {
    const { assetsDir, workspaceDir } = this.params;
    const [file, profiles] = await Promise.all([this.reading.workspaceFile(workspaceDir), this.reading.workspaceProfiles(workspaceDir)]);
    const declarations = await readDeclarations(assetsDir, file, profiles);
    this.#declaredSecrets = secretsOf(declarations);
    return declarations;
  }

  /**
   * What must reach neither the disk nor the reader of a failure: the database's password, and the values of variables with a revealing name of the targets and
   * of this process.
   */
  secrets(): string[] {
    const named = namedSecrets({ ...process.env, url: this.params.postgresUrl ?? undefined });
    return [...new Set([...this.postgres.secrets, ...this.#declaredSecrets, ...named])];
  }

  /** The declared target, or the reason why it cannot be started. */
  async startable(id: string): Promise<DeclaredTarget> {
    const declared = findTarget(await this.readDeclared(), id);
    const problem = untrusted(declared, this.params) ?? targetProblem(declared, this.toolchain);
    if (problem !== null) throw new FailureError(problem);
    return declared;
  }

  /** What a run needs of the engine. Targets that Benchside may not start are refused. */
  async runContext(targets: readonly string[], signal: AbortSignal, starts?: string): Promise<RunContext> {
    const context = await this.#context(targets, signal, starts);
    return {
      ...context,
      probes: await this.probeSources.forMeasuring(),
      readEnvironment: (facts) => machineFacts(this).environment(facts, true),
      labelOf: (target, setting) =>
        settingLabel(setting, context.declarations.targets.find((one) => one.target.id === target)?.target.settings[setting]),
      emit: (event) => this.notify('run/event', event),
    };
  }

  /** What recording needs of the engine. A target that Benchside may not start is refused as for a run. */
  async recordingContext(targets: readonly string[], signal: AbortSignal, starts?: string): Promise<Omit<RecordingContext, 'progress'>> {
    const { storageDir } = this.params;
    const context = await this.#context(targets, signal, starts);
    return { ...context, storageDir, probes: await this.probeSources.forRecording() };
  }

  async #context(
    targets: readonly string[],
    signal: AbortSignal,
    starts: string | undefined,
  ): Promise<Omit<RunContext, 'probes' | 'readEnvironment' | 'labelOf' | 'emit'>> {
    for (const id of targets) await this.startable(id);
    const declarations = asAgreed(await this.readDeclared(), starts);
    await this.server.use(declarations, targets);
    const { assetsDir, trusted, k6: k6Params } = this.params;
    return { ...this, declarations, assetsDir, trusted, k6Params, signal };
  }

  async #launchByHand(declared: DeclaredTarget, asked: SettingValues, signal: AbortSignal): Promise<RunningTarget> {
    const label = declared.target.label ?? declared.target.id;
    const settings = completeSettings(label, declared.target.settings, asked);
    const wants = databaseWants(declared);
    if (wants !== null) this.postgres.requireAgreed([wants]);
    const database = wants === null ? null : await this.postgres.database(signal);
    if (wants !== null && database !== null) {
      const say = (step: Step): void => this.tell('postgres', step);
      await prepareDatabase(database.address, wants, say, signal);
      await migrate(declared, database.address, { ...this, signal }, say);
    }
    const around = { ...this, database: database?.address ?? null, probes: await this.probeSources.forRecording() };
    return withSetByProbe(await startOrFind(declared, settings, { ...around, name: label, signal }), settings, { label, signal });
  }
}
