import * as vscode from 'vscode';
import type { Catalog } from '../../model/protocol/protocol.ts';
import type { RecordingSummary } from '../../model/domain/recording.ts';
import type { RunSummary } from '../../model/domain/run.ts';
import type { WindowEngine } from './windowEngine.ts';
import type { ContextName } from '../kit/ids.ts';
import { Owner } from '../kit/owner.ts';
import { setContext } from '../kit/setContext.ts';
import { LatestAnswer } from './latestAnswer.ts';
import { messageOf, type Log } from '../kit/safeUi/log.ts';

type Keys = Partial<Record<ContextName, boolean>>;

/** What the window knows of targets, runs and recordings. Asked from the engine at first need, kept up to date by its notifications. */
export class Inventory extends Owner {
  #suspended = false;
  readonly catalog: Listing<Catalog>;
  /** All runs, newest first. */
  readonly runs: Listing<RunSummary[]>;
  /** All recordings, of runs and on demand, newest first. */
  readonly recordings: Listing<RecordingSummary[]>;

  constructor(engine: WindowEngine, log: Log) {
    super();
    this.catalog = new Listing('Targets', log, () => engine.request('catalog/get', {}), catalogKeys);
    this.runs = new Listing('Runs', log, async () => (await engine.request('runs/list', {})).runs, runKeys);
    this.recordings = new Listing(
      'Recordings',
      log,
      async () => (await engine.request('recordings/list', {})).recordings,
      (recordings) => ({ hasRecordings: recordings.length > 0, hasTwoRecordings: recordings.length > 1 }),
    );
    this.owns(
      engine.on('catalog/changed', () => this.catalog.refresh()),
      engine.on('runs/changed', () => {
        this.runs.refresh();
        // A run may bring recordings, and takes them along when it is deleted.
        this.recordings.refresh();
      }),
      engine.on('recordings/changed', () => this.recordings.refresh()),
      engine.onStarted(() => this.#started()),
      engine.onCrashed(() => this.#crashed()),
      ...this.#listings,
    );
  }

  /** The catalog with these targets in it, if they are declared: one that was just written is there before its file was seen to change. */
  async catalogWith(ids: readonly string[]): Promise<Catalog> {
    return this.catalog.getWith(({ targets }) => hasAll(targets, ids));
  }

  /** All runs with these among them, if they are stored: a run that has just ended is shown before the list has it. */
  async runsWith(ids: readonly string[]): Promise<RunSummary[]> {
    return this.runs.getWith((runs) => hasAll(runs, ids));
  }

  /** True after a crash, until a person asks for the engine again: a view alone does not start it again. */
  get isSuspended(): boolean {
    return this.#suspended;
  }

  /** A person wants to see the present state: everything is requested again, whatever happened before. */
  reload(): void {
    this.#suspended = false;
    this.#forget();
  }

  /** After the engine ended: nothing runs now; the next access asks again. */
  #forget(): void {
    for (const listing of this.#listings) listing.forget();
    this.#tellNothingIsKnown();
  }

  #started(): void {
    setContext({ engineFailed: false });
    if (!this.#suspended) return;
    this.#suspended = false;
    this.#tellNothingIsKnown();
  }

  #crashed(): void {
    this.#suspended = true;
    setContext({ engineFailed: true, anyTargetRunning: false });
    this.#forget();
  }

  #tellNothingIsKnown(): void {
    for (const listing of this.#listings) listing.tellNothingIsKnown();
  }

  get #listings() {
    return [this.catalog, this.runs, this.recordings] as const;
  }
}

/** One list of the inventory. {@link get} asks the engine at the first call, and rejects with a `FailureError`. */
class Listing<T> extends LatestAnswer<T> {
  readonly #changed = new vscode.EventEmitter<T | undefined>();
  /** Fires with what is known now; undefined: nothing. */
  readonly onChanged = this.#changed.event;

  /** @param what is listed, for the log. */
  constructor(
    private readonly what: string,
    private readonly log: Log,
    ask: () => Promise<T>,
    keys: (answer: T) => Keys,
  ) {
    super(ask, (answer) => {
      setContext(keys(answer));
      this.#changed.fire(answer);
    });
  }

  /** Asks again if it was ever asked. What fails is logged: the rows from before stay. */
  refresh(): void {
    if (this.wasAsked) this.load().catch((error: unknown) => this.log.warn(`${this.what} could not be listed: ${messageOf(error)}`));
  }

  tellNothingIsKnown(): void {
    this.#changed.fire(undefined);
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

function catalogKeys({ targets, services }: Catalog): Keys {
  const states = [...targets, ...services].map(({ state }) => state);
  return {
    anyTargetRunning: states.some((state) => state === 'running' || state === 'starting'),
    anyTargetStopped: states.some((state) => state === 'stopped' || state === 'failed'),
  };
}

function runKeys(runs: readonly RunSummary[]): Keys {
  const readable = runs.filter((run) => run.kind === 'run');
  return {
    hasRuns: runs.length > 0,
    hasTwoRuns: readable.length > 1,
    hasBaseline: readable.some(({ marks }) => marks.baseline),
    hasTunedRuns: readable.some(({ tuned }) => tuned),
    loaded: true,
  };
}

function hasAll(items: readonly { id: string }[], ids: readonly string[]): boolean {
  return ids.every((id) => items.some((item) => item.id === id));
}
