import { constants } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { readRegular } from '../files/boundedFile.ts';
import { fileMode } from '../files/safeFiles.ts';
import { type ListedRun, listedRunSchema } from './listedRun.ts';

/** Next to `runs`: a line for each run with its id, the stamp of its folder and what the list needs of it. */
const indexName = '.runs.index';
const header = 'benchside runs 2';
/** Ten thousand runs and more; a larger file was not written by Benchside. */
const largestIndexBytes = 64 * 1024 * 1024;

/**
 * What the list needs of every run, kept from one engine to the next. The folders are the truth: a line counts only for a folder that has its stamp, and a line
 * or a file that is damaged, missing or of another version is as if it had never been written.
 */
export class RunIndex {
  readonly #file: string;
  #lines: Promise<Map<string, string>> | null = null;
  #isChanged = false;
  #parsing: Promise<unknown> = Promise.resolve();

  constructor(rootFolder: string) {
    this.#file = join(rootFolder, indexName);
  }

  /** The stored row of a run whose folder has this stamp. */
  async get(id: string, stamp: string): Promise<ListedRun | null> {
    const line = (await this.#read()).get(id);
    const prefix = `${id} ${stamp} `;
    if (line?.startsWith(prefix) !== true) return null;
    // One at a time, with a turn for everybody else in between: many that are asked for at once must not keep the engine.
    const turn = this.#parsing.then(() => nextTurn());
    this.#parsing = turn;
    await turn;
    try {
      const { data } = listedRunSchema.safeParse(JSON.parse(line.slice(prefix.length)));
      return data?.summary.id === id ? data : null;
    } catch {
      return null;
    }
  }

  async set(id: string, stamp: string, listed: ListedRun): Promise<void> {
    (await this.#read()).set(id, `${id} ${stamp} ${JSON.stringify(listed)}`);
    this.#isChanged = true;
  }

  /** Writes it when something has changed, without the runs that are not among `ids`. Never fails: without it the next list is slower. */
  async save(ids: ReadonlySet<string>): Promise<void> {
    if (!this.#isChanged || this.#lines === null) return;
    this.#isChanged = false;
    const lines = await this.#lines;
    for (const id of lines.keys()) if (!ids.has(id)) lines.delete(id);
    const text = `${header}\n${[...lines.values()].join('\n')}\n`;
    // Written in place and not flushed: what a crash leaves of it is skipped and made again. A link in its place is not followed.
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0);
    await writeFile(this.#file, text, { flag: flags, mode: fileMode }).catch(() => undefined);
  }

  #read(): Promise<Map<string, string>> {
    this.#lines ??= readRegular(this.#file, largestIndexBytes).then(
      (bytes) => linesById(String(bytes)),
      () => new Map<string, string>(),
    );
    return this.#lines;
  }
}

function linesById(text: string): Map<string, string> {
  const [first, ...lines] = text.split('\n');
  return new Map(first === header ? lines.map((line) => [line.slice(0, line.indexOf(' ')), line]) : []);
}
