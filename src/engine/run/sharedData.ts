import path from 'node:path';
import { listPhrase } from '../../model/format.ts';
import type { ResolvedMix } from '../load/requestMix.ts';
import { appliesSql, databaseName, prepareDatabase, resetData } from '../services/prepareDatabase.ts';
import type { DatabaseWants } from '../services/prepareDatabase.ts';
import type { Database } from '../services/postgresService.ts';
import { serverName } from '../services/serverUrl.ts';
import type { DatabaseAddress } from '../services/serverUrl.ts';
import type { DeclaredTarget } from '../targets/catalog.ts';
import { databaseWants } from '../targets/launchTarget.ts';

/** A server with the databases on it in which the tables of a run's targets are. */
export interface RunDatabase extends Database {
  databases: readonly string[];
}

/** Methods that change nothing (RFC 9110, section 9.2.1). */
const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'TRACE'];

/** The data that the targets of a run share: brought to one state before the run, and again before each round when the load writes. */
export class SharedData {
  readonly #wants: readonly DatabaseWants[];
  readonly #writes: readonly string[];
  /** How the files were applied. */
  readonly #applied = new Set<string>();

  constructor(targets: readonly DeclaredTarget[], mixes: ReadonlyMap<string, Pick<ResolvedMix, 'mix'>>) {
    this.#wants = [
      ...new Map(targets.flatMap((declared) => databaseWants(declared) ?? []).map((want) => [JSON.stringify(want), want])).values(),
    ];
    const requests = targets
      .filter((declared) => databaseWants(declared) !== null)
      .flatMap(({ target }) => mixes.get(target.id)?.mix ?? []);
    this.#writes = [
      ...new Set(requests.filter(({ method }) => !safeMethods.includes(method)).map(({ method, path }) => `${method} ${path}`)),
    ];
  }

  /** Whether any target wants a database. */
  get wanted(): boolean {
    return this.#wants.length > 0;
  }

  /** The databases on a server in which the targets' tables are. */
  databasesOn(address: DatabaseAddress): string[] {
    return [...new Set(this.#wants.map((want) => databaseName(address, want)))];
  }

  /** What a person should know of where the tables are and of a load that writes, as sentences. */
  notesOn(address: DatabaseAddress): string[] {
    return [...this.#wants.flatMap((want) => whereabouts(address, want)), ...this.#applied, ...this.#writeNote(address)];
  }

  /** What a load that writes does to the figures. */
  #writeNote(address: DatabaseAddress): string[] {
    if (this.#writes.length === 0) return [];
    const which = this.#writes.join(' and ');
    if (!appliesSql(address))
      return [
        `The load writes (${which}), and what the app makes of that stays in the database: “read-only” is what Benchside itself does there.`,
      ];
    if (this.#wants.every((want) => want.prepareFiles.length > 0))
      return [`The load writes (${which}): the data is brought back to its first state before each round, and grows within it.`];
    return [
      `The load writes (${which}) and nothing takes that out again: later blocks meet more data than earlier ones. Name a file for it in "postgres.prepare".`,
    ];
  }

  /** Schema, seed and first state. */
  async prepare(address: DatabaseAddress, onProgress: (message: string) => void, signal: AbortSignal): Promise<void> {
    for (const want of this.#wants) {
      for (const note of await prepareDatabase(address, want, onProgress, signal)) this.#applied.add(note);
      for (const note of await resetData(address, want, signal)) this.#applied.add(note);
    }
  }

  /** Takes out what the load has written so far, in warm-ups too. Does nothing when it only reads. */
  async beforeRound(address: DatabaseAddress, signal: AbortSignal): Promise<void> {
    if (this.#writes.length === 0) return;
    for (const want of this.#wants) await resetData(address, want, signal);
  }
}

/** Where on a server of the user's the tables of a target are, and what is expected to be there. */
function whereabouts(address: DatabaseAddress, want: DatabaseWants): string[] {
  if (!address.external) return [];
  const where = `“${databaseName(address, want)}” on ${serverName(address)}`;
  const files = [...want.sqlFiles, ...want.prepareFiles].map((file) => path.basename(file));
  const named = listPhrase(files);
  if (address.mode === 'own')
    return [
      `The data is in ${where}, a database of Benchside’s own there.${files.length === 0 ? ' The target names no SQL files: what the app itself makes is all that is in it.' : ''}`,
    ];
  if (files.length === 0) return [`The data is what is in ${where}; Benchside applied nothing there.`];
  if (address.mode === 'named')
    return [`The data is in ${where}, where ${named} ${files.length === 1 ? 'is' : 'are'} applied, as was agreed to.`];
  return [`The data is what is in ${where}: nothing was applied there, and it is expected to hold what ${named} would have made.`];
}
