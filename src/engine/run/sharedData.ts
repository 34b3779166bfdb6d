import path from 'node:path';
import type { Step } from '../../model/domain/progress/stepKinds.ts';
import type { RunNote } from '../../model/domain/runNoteKinds.ts';
import { preparationOf } from '../../model/domain/target.ts';
import { isGraphqlQuery } from '../load/graphqlRequest.ts';
import type { ResolvedMix } from '../load/requestMix.ts';
import { type DatabaseWants, appliesSql, databaseName, prepareDatabase, resetData } from '../services/prepareDatabase.ts';
import type { Database } from '../services/postgresService.ts';
import { type DatabaseAddress, serverName } from '../services/serverUrl.ts';
import type { DeclaredTarget } from '../targets/catalog.ts';
import { dropCopies, leftCopies, makeCopy, requireManagedServer } from '../services/databaseCopy.ts';
import { databaseWants } from '../targets/launchTarget.ts';
import { type MigrationTools, mayMigrate, migrate } from '../targets/migrations.ts';
import { type DatabaseChange, copyMark, databaseChange, databaseWantsWith, versionOf } from '../variants/varied.ts';
import type { PlannedProcess } from './plan.ts';

/** A server with the databases on it in which the tables of a run's targets are. */
export interface RunDatabase extends Database {
  databases: readonly string[];
}

/** Methods that change nothing (RFC 9110, section 9.2.1). */
const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'TRACE'];

/** Rows that change for each request that may write, from which on it does. */
const leastRows = 0.1;

/** A copy of a database that one side of a run has to itself. */
interface SideCopy extends DatabaseChange {
  from: DatabaseWants;
  to: DatabaseWants;
}

/** The data that the targets of a run share: brought to one state before the run, and again before each round when the load writes. */
export class SharedData {
  readonly #wants: readonly DatabaseWants[];
  readonly #writes: readonly string[];
  /** The share of requests that may write, by their weights. */
  readonly #writingShare: number;
  /** Those with migrations of their own, one of each kind. */
  readonly #migrated: readonly DeclaredTarget[];
  /** Copies for sides with SQL of their own, each once. */
  readonly #copies: readonly SideCopy[];
  /** How the files were applied. */
  #applied: readonly RunNote[] = [];

  constructor(
    declared: readonly DeclaredTarget[],
    mixes: ReadonlyMap<string, Pick<ResolvedMix, 'mix'>>,
    processes: readonly PlannedProcess[] = [],
  ) {
    const targets = declared.flatMap((one) => (one.versions === undefined ? [one] : Object.values(one.versions)));
    this.#wants = [
      ...new Map(targets.flatMap((declared) => databaseWants(declared) ?? []).map((want) => [JSON.stringify(want), want])).values(),
    ];
    this.#migrated = [
      ...new Map(
        targets
          .filter(({ target }) => preparationOf(target).command !== null)
          .map((one) => [JSON.stringify([one.baseDir, one.target.cwd, one.target.env, one.target.postgres]), one]),
      ).values(),
    ];
    this.#copies = [...new Map(processes.flatMap(copyOf).map((copy) => [copy.to.database, copy])).values()];
    const requests = targets.filter((one) => databaseWants(one) !== null).flatMap(({ target }) => mixes.get(target.id)?.mix ?? []);
    const writing = requests.filter((request) => !safeMethods.includes(request.method) && !isGraphqlQuery(request));
    this.#writes = [...new Set(writing.map(({ method, path }) => `${method} ${path}`))];
    const weight = (all: typeof requests): number => all.reduce((sum, one) => sum + one.weight, 0);
    this.#writingShare = weight(writing) / weight(requests);
  }

  get wanted(): boolean {
    return this.#wants.length > 0;
  }

  /** Whether sides of the run have copies of their own. */
  get copies(): boolean {
    return this.#copies.length > 0;
  }

  /** Whether the data is brought back before each round. Where a side has more rows, that would take them out. */
  get #isReset(): boolean {
    return this.#writes.length > 0 && !this.#copies.some(({ rows }) => rows > 1);
  }

  /** The databases on a server in which the targets' tables are. */
  databasesOn(address: DatabaseAddress): string[] {
    return [...new Set([...this.#wants, ...this.#copies.map(({ to }) => to)].map((want) => databaseName(address, want)))];
  }

  /** What a person should know of where the tables are. */
  notesOn(address: DatabaseAddress): RunNote[] {
    const left = mayMigrate(address) ? [] : this.#migrated;
    return [
      ...this.#wants.flatMap((want) => whereabouts(address, want)),
      ...left.map(({ target }): RunNote => ({ code: 'migrations-left', about: target.label ?? target.id })),
      ...this.#applied,
    ];
  }

  /**
   * What a load that writes does to the figures. `counted`: rows that changed for each request of each trial; where that is not known of all, the methods of
   * the requests decide.
   */
  writeNotes(address: DatabaseAddress, counted: readonly (number | null)[]): RunNote[] {
    const routes = [...this.#writes];
    const known = counted.filter((rows) => rows !== null);
    const rows = known.length === 0 || known.length < counted.length ? null : Math.max(...known);
    const isWriting = rows === null ? routes.length > 0 : rows >= leastRows * (this.#writingShare || 1);
    if (!isWriting) return [];
    const hasFiles = this.#wants.every((want) => want.prepareFiles.length > 0);
    const data = !appliesSql(address) ? 'stays' : !hasFiles ? 'grows' : this.#isReset ? 'reset' : 'once';
    // What brought the data back may be among the rows.
    return [{ code: 'load-writes', routes, data, rows: routes.length > 0 ? null : rows }];
  }

  /** Schema, seed and first state. */
  async prepare(
    address: DatabaseAddress,
    onProgress: (step: Step) => void,
    tools: MigrationTools & { signal: AbortSignal },
  ): Promise<void> {
    const { signal } = tools;
    for (const want of this.#wants) this.#applied = [...this.#applied, ...(await prepareDatabase(address, want, onProgress, signal))];
    for (const declared of this.#migrated) await migrate(declared, address, tools, onProgress);
    for (const want of this.#wants) this.#applied = [...this.#applied, ...(await resetData(address, want, signal))];
    await this.#makeCopies(address, onProgress, signal);
  }

  async #makeCopies(address: DatabaseAddress, onProgress: (step: Step) => void, signal: AbortSignal): Promise<void> {
    if (this.#copies.length === 0) return;
    requireManagedServer(address);
    await dropCopies(address, await leftCopies(address, copyMark, signal), signal);
    for (const { from, to, sql, rows } of this.#copies) {
      const name = sql === null ? null : path.basename(sql);
      onProgress({ code: 'copying-database', database: from.database, times: rows, sql: name });
      const copy = { from: databaseName(address, from), to: databaseName(address, to), sql, rows };
      this.#applied = [...this.#applied, ...(await makeCopy(address, copy, signal))];
    }
  }

  /** Drops the copies of the sides, once nothing of the run is connected to them any more. */
  async end(address: DatabaseAddress): Promise<void> {
    if (this.#copies.length === 0 || address.administers !== true) return;
    await dropCopies(
      address,
      this.#copies.map(({ to }) => databaseName(address, to)),
    );
  }

  /** Takes out what the load has written so far, in warm-ups too. Does nothing when it only reads. */
  async beforeRound(address: DatabaseAddress, signal: AbortSignal): Promise<void> {
    if (!this.#isReset) return;
    for (const want of [...this.#wants, ...this.#copies.map(({ to }) => to)]) await resetData(address, want, signal);
  }
}

function copyOf({ declared, asked }: PlannedProcess): SideCopy[] {
  const change = databaseChange(declared, asked);
  const [from, to] = [databaseWants(versionOf(declared, asked)), databaseWantsWith(declared, asked)];
  return change === null || from === null || to === null ? [] : [{ from, to, ...change }];
}

/** Where on a server of the user's the tables of a target are, and what is expected to be there. */
function whereabouts(address: DatabaseAddress, want: DatabaseWants): RunNote[] {
  if (!address.external) return [];
  const files = [...want.sqlFiles, ...want.prepareFiles].map((file) => path.basename(file));
  return [{ code: 'data-place', database: databaseName(address, want), server: serverName(address), mode: address.mode, files }];
}
