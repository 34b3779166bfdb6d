import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { attempt } from '../../model/domain/attempt.ts';
import { type Question, failure, FailureError } from '../../model/domain/failure.ts';
import { listPhrase } from '../../model/domain/format.ts';
import { replaceFile, sha256 } from '../files/safeFiles.ts';
import { isLoopback } from '../load/loopback.ts';
import { type DatabaseAddress, serverName } from './serverUrl.ts';
import type { SqlFile } from './sqlFiles.ts';

const storedSchema = z.object({
  hosts: z.array(z.string()),
  sql: z.array(z.object({ server: z.string(), database: z.string(), sha256: z.string() })),
});
type Stored = z.infer<typeof storedSchema>;
type Place = Pick<DatabaseAddress, 'host' | 'port'>;

/**
 * What a person has agreed to on servers of their own: hosts besides this machine, and SQL files in databases that are not of our making. A file is known by its
 * contents: one that has changed is asked about again. Kept in one file of the user's storage.
 */
export class ServerConsents {
  readonly #asked = new Map<string, { question: Question; agreed: Stored }>();
  readonly #file: string;
  #agreed: Stored;

  constructor(storageDir: string) {
    this.#file = path.join(storageDir, 'agreed-servers.json');
    this.#agreed = readStored(this.#file);
  }

  /** Hosts, and places on this machine, that a person agreed to. */
  get hosts(): readonly string[] {
    return this.#agreed.hosts;
  }

  /** Refuses a server on another machine unless its host was agreed to, or is in the user's settings. */
  requireHost({ host, port }: Place, allowed: readonly string[]): void {
    if (isLoopback(host) || [...allowed, ...this.#agreed.hosts].some((one) => one.toLowerCase() === host.toLowerCase())) return;
    const question: Question = {
      id: idOf(['host', host]),
      kind: 'host',
      subject: host,
      yes: 'Use This Host',
      ask: `Use the PostgreSQL server on ${host}?`,
      detail: `${serverName({ host, port })} is another machine than this one. Benchside connects to it, and the load that is measured ends there. It will not ask again about ${host}.`,
    };
    this.#refuse(question, { hosts: [host], sql: [] }, 'postgres-host', {
      message: `PostgreSQL at ${serverName({ host, port })} is not on this machine, and that host was not allowed.`,
      cure: `Agree when you are asked, put ${host} into “benchside.postgres.allowedHosts”, or give --allow-host ${host} in a terminal.`,
    });
  }

  /** Refuses a host that a target connects to and that nobody has agreed to. */
  refusePeer(name: string, peer: Place, given: Place | null): never {
    // On this machine there may be several; of another machine the whole is agreed to, as that of a server is.
    const subject = isLoopback(peer.host) ? serverName(peer) : peer.host;
    const instead = given === null ? 'no database of that address was named' : `the database that it was given is at ${serverName(given)}`;
    const question: Question = {
      id: idOf(['host', subject]),
      kind: 'host',
      subject,
      yes: 'Let It Connect',
      ask: `Let ${name} connect to ${serverName(peer)} while it is measured?`,
      detail: `${name} connects to ${serverName(peer)}, and ${instead}: a file of its own, such as .env, may say so. The load that is measured ends there. It will not ask again about ${subject}.`,
    };
    this.#refuse(question, { hosts: [subject], sql: [] }, 'other-database', {
      message: `${name} connects to ${serverName(peer)}, and ${instead}. It was ended.`,
      cure: `Look where its own configuration (.env, a file of settings) points, and name the variable of its database in "postgres" of benchside.json; or agree when you are asked, put ${subject} into “benchside.postgres.allowedHosts”, or give --allow-host ${subject} in a terminal.`,
    });
  }

  /** Refuses SQL files in the database that the URL names unless exactly these contents were agreed to there. */
  requireSql(address: DatabaseAddress, files: readonly SqlFile[]): void {
    const { database } = address;
    const server = serverName(address);
    const missing = files.filter(({ sha256 }) => !this.#agreed.sql.some((one) => isSame(one, { server, database, sha256 })));
    if (missing.length === 0) return;
    const names = listPhrase([...new Set(missing.map(({ file }) => file))]);
    const subject = `${server}/${database}`;
    const question: Question = {
      id: idOf(['sql', server, database, ...missing.map(({ sha256 }) => sha256).sort()]),
      kind: 'sql',
      subject,
      yes: 'Apply Them There',
      ask: `Apply SQL files to the database “${database}” on ${server}?`,
      detail: `${names} will be applied in that database, those of "prepare" before every run and every round; what they change or delete there is changed or deleted. You will be asked again when one of the files changes.`,
    };
    const sql = missing.map(({ sha256 }) => ({ server, database, sha256 }));
    this.#refuse(question, { hosts: [], sql }, 'postgres-consent', {
      message: `${names} would be applied to the database “${database}” on ${server}, and nobody has agreed to that.`,
      cure: `Agree when you are asked, give --allow-sql ${subject} in a terminal, or let Benchside work in a database of its own (“benchside.postgres.mode”: own).`,
    });
  }

  /** Notes that a question was answered with yes; fails when it was never asked. */
  async give(id: string, remember: boolean): Promise<void> {
    const asked = this.#asked.get(id);
    if (asked === undefined) throw failure('bad-request', 'Nothing was asked that this would answer.', 'Start again what was refused.');
    this.#asked.delete(id);
    this.#agreed = merged(this.#agreed, asked.agreed);
    if (!remember) return;
    // Another window may have agreed to something else meanwhile.
    await mkdir(path.dirname(this.#file), { recursive: true, mode: 0o700 });
    const stored = merged(readStored(this.#file), asked.agreed);
    await replaceFile(this.#file, Buffer.from(`${JSON.stringify(stored, null, 2)}\n`));
  }

  #refuse(
    question: Question,
    agreed: Stored,
    code: 'postgres-host' | 'postgres-consent' | 'other-database',
    words: { message: string; cure: string },
  ): never {
    this.#asked.set(question.id, { question, agreed });
    throw new FailureError({ code, ...words, question });
  }
}

type Agreement = Stored['sql'][number];

function isSame(a: Agreement, b: Agreement): boolean {
  return a.server === b.server && a.database === b.database && a.sha256 === b.sha256;
}

function merged(one: Stored, more: Stored): Stored {
  return {
    hosts: [...new Set([...one.hosts, ...more.hosts])],
    sql: [...one.sql, ...more.sql.filter((added) => !one.sql.some((known) => isSame(known, added)))],
  };
}

/** What cannot be read was not agreed to. */
function readStored(file: string): Stored {
  return attempt(() => storedSchema.parse(JSON.parse(readFileSync(file, 'utf8'))), { hosts: [], sql: [] });
}

function idOf(parts: readonly string[]): string {
  return sha256(JSON.stringify(parts));
}
