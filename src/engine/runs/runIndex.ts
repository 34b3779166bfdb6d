import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { readRegular } from '../files/boundedFile.ts';
import { replaceFile } from '../files/safeFiles.ts';
import { listedRunSchema } from './listedRun.ts';
import type { ListedRun } from './listedRun.ts';

/** Beside `runs`: a line for each run with its id, the stamp of its folder and what the list needs of it. */
const indexName = '.runs.index';
const header = 'benchside runs 1';
/** Ten thousand runs and more; a larger file is none of ours. */
const largestIndexBytes = 64 * 1024 * 1024;

/**
 * What the list needs of every run, kept from one engine to the next. The folders are the truth: a line counts only for a folder that has its stamp, and a line or a
 * file that is damaged, missing or of another version is as if it had never been written.
 */
export class RunIndex {
  readonly #file: string;
  #lines: Map<string, string> | null = null;
  #isChanged = false;
  #parsing: Promise<unknown> = Promise.resolve();

  constructor(rootFolder: string) {
    this.#file = join(rootFolder, indexName);
  }

  /** What was kept of a run whose folder has this stamp. */
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
    for (const id of this.#lines.keys()) if (!ids.has(id)) this.#lines.delete(id);
    await replaceFile(this.#file, Buffer.from(`${header}\n${[...this.#lines.values()].join('\n')}\n`)).catch(() => undefined);
  }

  async #read(): Promise<Map<string, string>> {
    if (this.#lines !== null) return this.#lines;
    const text = await readRegular(this.#file, largestIndexBytes).then(String, () => '');
    const [first, ...lines] = text.split('\n');
    this.#lines ??= new Map(first === header ? lines.map((line) => [line.slice(0, line.indexOf(' ')), line]) : []);
    return this.#lines;
  }
}
