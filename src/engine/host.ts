import type { Step } from '../model/domain/progress/stepKinds.ts';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import packageManifest from '../../package.json' with { type: 'json' };
import { failure, toFailure } from '../model/domain/failure.ts';
import type { InitializeParams, ResultOf } from '../model/protocol/protocol.ts';
import { Engine } from './handlers/engine.ts';
import { redactText } from './files/redact.ts';
import { makeStorage } from './files/storageFolder.ts';
import { adviceHandlers } from './handlers/adviceHandlers.ts';
import { catalogOf } from './handlers/catalogOf.ts';
import { experimentHandlers } from './handlers/experimentHandler.ts';
import { k6Handlers } from './handlers/k6Handler.ts';
import { liveHandlers } from './handlers/liveHandler.ts';
import { machineFacts } from './handlers/machineFacts.ts';
import { measureHandlers } from './handlers/measureHandler.ts';
import { RawHandler } from './handlers/rawHandler.ts';
import { RecordingHandler } from './handlers/recordingHandler.ts';
import { routesHandlers } from './handlers/routesHandler.ts';
import { runsHandlers } from './handlers/runsHandler.ts';
import { serviceHandlers } from './handlers/serviceHandler.ts';
import { TrafficHandler } from './handlers/trafficHandler.ts';
import { workspaceHandlers } from './handlers/workspaceHandler.ts';
import { removeElsewhere } from './k6/kubectl.ts';
import type { FindHandler, Handlers, Notify } from './rpc/engineServer.ts';
import { Guardian } from './supervise/guardian.ts';
import { type ProcessIdentity, processIdentity } from './supervise/identity.ts';
import { Journal } from './supervise/journal.ts';
import { Leftovers } from './supervise/leftovers.ts';
import { passedOver, splitSearchPath } from './supervise/searchPath.ts';
import { Supervisor } from './supervise/supervisor.ts';
import { sweepTemporaryFolders } from './supervise/temporaryFolder.ts';
import { findTarget } from './targets/catalog.ts';
import { Toolchain } from './targets/toolchain.ts';
import { whereToSet } from './targets/whereToSet.ts';

const hurryMs = 400;

/** Requests that are answered before the client has said who it is. */
type EarlyRequest = 'engine/initialize' | 'run/cancel';
type LateHandlers = Omit<Handlers, EarlyRequest>;

/** What exists once it has. */
interface Started {
  engine: Engine;
  journal: Journal;
  recordings: RecordingHandler;
  handlers: LateHandlers;
}

/** The engine of one window or terminal: answers its requests and owns whatever they start. */
export class EngineHost {
  #started: Started | null = null;
  #notify: Notify = () => undefined;

  /** @param client who started this engine; null where that is not known */
  constructor(private readonly client: ProcessIdentity | null) {}

  /** Stops everything at once; for when the client is gone. */
  async shutdown(): Promise<void> {
    if (this.#started === null) return;
    const { engine, journal, recordings } = this.#started;
    engine.cancel();
    await engine.supervisor.stopAll({ hurryMs, close: true });
    // The run's own ending removes its unfinished folder.
    await engine.runEnded;
    await recordings.close();
    await engine.probeSources.close();
    // What could not be ended stays in the journal for the next engine.
    if (await engine.supervisor.endStrays()) journal.close();
  }

  handlers(notify: Notify): FindHandler {
    this.#notify = notify;
    const early: Partial<Handlers> = {
      'engine/initialize': (params) => this.#initialize(params),
      'run/cancel': async () => {
        const engine = this.#started?.engine;
        const running = engine?.isBusy === true;
        engine?.cancel();
        return { cancelled: running };
      },
    };
    return (name) => early[name] ?? this.#ready().handlers[name as keyof LateHandlers];
  }

  /** What {@link Engine.secrets} says; nothing before there is one. */
  secrets(): string[] {
    return this.#started?.engine.secrets() ?? [];
  }

  async #initialize(params: InitializeParams): Promise<ResultOf<'engine/initialize'>> {
    if (this.#started !== null) throw failure('bad-request', 'This engine has been initialised already.', 'Start another one.');
    const self = processIdentity(process.pid);
    if (self === null) throw failure('proc-missing', 'The engine cannot see its own process in /proc.');
    const searchPath = splitSearchPath(process.env['PATH'], params.workspaceDir);
    // For this process alone: its look-ups and children find the programs of this machine.
    process.env['PATH'] = searchPath.machine;
    const journalDir = path.join(params.storageDir, 'journals');
    makeStorage(journalDir);
    const versionsDir = path.join(params.storageDir, 'versions');
    const leftovers = new Leftovers(journalDir, (made) => removeElsewhere(made, this.#ready().engine.supervisor));
    const [reaped] = await Promise.all([leftovers.atStart(), sweepTemporaryFolders(), sweepTemporaryFolders([versionsDir])]);
    const cookie = randomBytes(16).toString('hex');
    const journal = new Journal(journalDir, cookie, self, this.client);
    const guardian = new Guardian(path.join(params.assetsDir, 'dist', 'reaper.cjs'), [versionsDir]);
    const engine = new Engine(params, new Supervisor(journal, guardian), this.#notify, cookie, searchPath.workspace);
    const recordings = new RecordingHandler(engine);
    this.#started = { engine, journal, recordings, handlers: lateHandlers(engine, recordings, leftovers) };
    leftovers.goOn();
    await engine.server.configured();
    await Promise.all([engine.store.sweep(), engine.advices.sweep(), recordings.store.sweep()]).catch((error: unknown) =>
      this.#notify('engine/log', { level: 'warning', source: 'runs', message: toFailure(error).message }),
    );
    const named = [...(params.nodePath === null ? [] : ['node']), ...(params.javaPath === null ? [] : ['java'])];
    return { version: packageManifest.version, reaped, warnings: passedOver(searchPath, named) };
  }

  #ready(): Started {
    if (this.#started === null) throw failure('bad-request', 'The engine has not been initialised.', 'Send engine/initialize first.');
    return this.#started;
  }
}

function lateHandlers(engine: Engine, recordings: RecordingHandler, leftovers: Leftovers): LateHandlers {
  return {
    ...engineHandlers(engine, leftovers),
    ...adviceHandlers(engine.advices),
    ...experimentHandlers(engine),
    ...k6Handlers(engine),
    ...liveHandlers(engine),
    ...measureHandlers(engine),
    ...new RawHandler(engine).handlers(),
    ...recordings.handlers(),
    ...routesHandlers(engine),
    ...runsHandlers(engine),
    ...engine.server.handlers(),
    ...serviceHandlers(engine),
    ...new TrafficHandler(engine).handlers(),
    ...workspaceHandlers(engine),
  };
}

/** The engine itself: its settings, what is declared, what runs, and this machine. */
function engineHandlers(engine: Engine, leftovers: Leftovers) {
  const { notify, postgres, targets, supervisor } = engine;
  return {
    'engine/configure': async (changes) => {
      engine.params = { ...engine.params, ...changes };
      engine.toolchain = new Toolchain(engine.params, engine.toolchain.workspacePath);
      // A benchmark that runs keeps its server; the next one takes the new one.
      if (!engine.isBusy) await engine.server.configured();
      notify('catalog/changed', {});
      return {};
    },
    'catalog/get': () => catalogOf(engine),
    'target/start': async ({ id, settings }, signal) => {
      const declared = await engine.startable(id);
      return { port: await targets.start(declared, settings, signal) };
    },
    'target/stop': async ({ id }) => {
      if (id === 'postgres') {
        if (engine.isBusy)
          throw failure('run-in-progress', 'PostgreSQL is needed by the benchmark that runs.', 'Cancel the benchmark first.');
        await targets.stopAll();
        await postgres.stop();
      } else {
        await targets.stop(id);
      }
      return {};
    },
    'target/log': async ({ id }) => {
      const { text, droppedBytes } = id === 'postgres' ? postgres.log : targets.log(id);
      return { text: redactText(text, engine.secrets()), droppedBytes };
    },
    'settings/where': async ({ target, setting, value }) => whereToSet(findTarget(await engine.readDeclared(), target), setting, value),
    'check/run': async (_, signal) => {
      const facts = machineFacts(engine);
      const onProgress = (step: Step, fraction: number): void => engine.tell('check', step, fraction);
      return engine.isBusy
        ? facts.check({ onProgress, signal, busy: true })
        : engine.exclusive(signal, (own) => facts.check({ onProgress, signal: own, busy: false }));
    },
    'engine/stopEverything': async () => {
      const stopped = supervisor.children.size;
      engine.cancel();
      await engine.runEnded;
      await targets.stopAll();
      await postgres.stop();
      await supervisor.stopAll();
      const reaped = await leftovers.endAll();
      notify('catalog/changed', {});
      return { stopped, reaped };
    },
  } satisfies Partial<Handlers>;
}
