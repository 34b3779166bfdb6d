import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { attempt } from '../../model/domain/attempt.ts';
import { namesIn } from './smallFile.ts';
import { type ProcessIdentity, processIdentitySchema } from './identity.ts';

/** What an engine has made in a cluster, where neither its end nor that of this machine would remove it: everything there with the label `id`. */
const madeElsewhereSchema = z.object({ id: z.string(), context: z.string(), namespace: z.string() });
export type MadeElsewhere = z.infer<typeof madeElsewhereSchema>;

const entrySchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('engine'),
    cookie: z.string(),
    engine: processIdentitySchema,
    client: processIdentitySchema.nullable().default(null),
  }),
  z.object({
    type: z.literal('started'),
    child: processIdentitySchema,
    kind: z.enum(['postgres', 'app', 'load', 'tool']),
    name: z.string(),
    outputs: z.array(z.string()).default([]),
  }),
  z.object({ type: z.literal('ended'), pid: z.number() }),
  z.object({ type: z.literal('made'), made: madeElsewhereSchema }),
  z.object({ type: z.literal('unmade'), id: z.string() }),
]);
type Entry = z.infer<typeof entrySchema>;
export type ChildKind = Extract<Entry, { type: 'started' }>['kind'];

/** How often an engine shows that it lives, to those who cannot see its process. */
export const heartbeatMs = 30_000;

/** What one engine started, as far as its journal shows. */
export interface JournalRecord {
  file: string;
  cookie: string;
  engine: ProcessIdentity;
  /** Who started the engine; null where that is not known. */
  client: ProcessIdentity | null;
  /** When its engine last showed that it lives, ms since 1970. */
  touchedMs: number;
  /** `outputs` is what each has been given to write to. */
  children: { identity: ProcessIdentity; kind: ChildKind; name: string; outputs: string[] }[];
  elsewhere: MadeElsewhere[];
}

/**
 * A file that says what an engine has started, so that a later one can prove what belongs to it. Every line is written before the caller learns of the child; a
 * line that was cut by a crash is skipped.
 */
export class Journal {
  readonly file: string;
  readonly #heart: NodeJS.Timeout;
  readonly #elsewhere = new Set<string>();

  constructor(
    directory: string,
    readonly cookie: string,
    engine: ProcessIdentity,
    client: ProcessIdentity | null = null,
  ) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.file = path.join(directory, `${cookie}.jsonl`);
    this.#append({ type: 'engine', cookie, engine, client });
    this.#heart = setInterval(() => touch(this.file), heartbeatMs).unref();
  }

  started(child: ProcessIdentity, kind: ChildKind, name: string, outputs: string[] = []): void {
    this.#append({ type: 'started', child, kind, name, outputs });
  }

  ended(pid: number): void {
    this.#append({ type: 'ended', pid });
  }

  /** To be called before anything is made there. */
  made(made: MadeElsewhere): void {
    this.#elsewhere.add(made.id);
    this.#append({ type: 'made', made });
  }

  /** Everything of it is gone. */
  unmade(id: string): void {
    this.#elsewhere.delete(id);
    this.#append({ type: 'unmade', id });
  }

  /** To be called once nothing of this engine runs. What it has left elsewhere is for the next one. */
  close(): void {
    clearInterval(this.#heart);
    if (this.#elsewhere.size > 0) return;
    rmSync(this.file, { force: true });
  }

  #append(entry: Entry): void {
    try {
      appendFileSync(this.file, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
    } catch {
      // A full disk must not keep children from being stopped; the environment's cookie still finds them.
    }
  }
}

/** Every journal in `directory`; files that make no sense are left out. */
export function readJournals(directory: string): JournalRecord[] {
  const names = namesIn(directory).filter((name) => name.endsWith('.jsonl'));
  return names.flatMap((name) => readJournal(path.join(directory, name)) ?? []);
}

/** One journal; null when it is not there or makes no sense. */
export function readJournal(file: string): JournalRecord | null {
  let record: JournalRecord | null = null;
  // Another engine that starts at the same time may have cleared the journal away.
  const text = attempt(() => readFileSync(file, 'utf8'), '');
  for (const line of text.split('\n')) {
    const entry = parseLine(line);
    if (entry === null) continue;
    if (entry.type === 'engine')
      record = {
        file,
        cookie: entry.cookie,
        engine: entry.engine,
        client: entry.client,
        touchedMs: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0,
        children: [],
        elsewhere: [],
      };
    else if (record === null) continue;
    else if (entry.type === 'started')
      record.children.push({ identity: entry.child, kind: entry.kind, name: entry.name, outputs: entry.outputs });
    else if (entry.type === 'ended') record.children = record.children.filter((child) => child.identity.pid !== entry.pid);
    else if (entry.type === 'made') record.elsewhere.push(entry.made);
    else record.elsewhere = record.elsewhere.filter(({ id }) => id !== entry.id);
  }
  return record;
}

/** Sets a file's time to the present; one that is gone stays gone. */
export function touch(file: string): void {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // It is written again at the next occasion, or is no longer needed.
  }
}

function parseLine(line: string): Entry | null {
  return attempt(() => entrySchema.safeParse(JSON.parse(line)).data ?? null, null);
}
