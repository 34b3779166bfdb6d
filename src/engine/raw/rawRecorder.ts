import type { RawCost, RawRecord, RawRequest } from '../../model/domain/rawSample.ts';
import type { RunNote } from '../../model/domain/runNoteKinds.ts';
import type { LoadMeasurement } from '../load/loadProtocol.ts';
import type { RawCommand } from '../load/raw/rawCommand.ts';
import { rawFileName } from './rawFile.ts';

/**
 * Keeps the raw samples of one run: requests from the load generator what to keep of each block, within what is left of the run’s rows, and adds up what it
 * kept. After a failed write no more is asked for; the run continues without.
 */
export class RawRecorder {
  readonly #runPart: string;
  #blocks = 0;
  #rows = 0;
  #droppedRows = 0;
  #unfinished = 0;
  #full = false;
  #problem: string | null = null;
  #costs: readonly RawCost[] = [];

  /** `file` is where the rows go: an absolute path in the run’s unfinished folder. */
  constructor(
    private readonly request: RawRequest,
    runId: string,
    private readonly file: string,
  ) {
    // The random part of the id: what two runs of one second differ in.
    this.#runPart = runId.replaceAll(/[^a-z0-9]/g, '').slice(-10);
  }

  /** What to keep of the next block; undefined once nothing more is kept. Each call is for a block of its own. */
  command(trialKey: string, round: number): RawCommand | undefined {
    const { share, maxRows, timing } = this.request;
    if (this.#problem !== null || this.#full) return undefined;
    this.#blocks += 1;
    const idPrefix = `${this.#runPart}-${this.#blocks.toString(36)}`;
    return { file: this.file, idPrefix, share, timing, trialKey: trialKey.slice(0, 500), block: round, maxRows: maxRows - this.#rows };
  }

  /** Takes what a block has kept. */
  took({ raw }: Pick<LoadMeasurement, 'raw'>): void {
    if (raw === undefined) return;
    this.#rows += raw.rows;
    this.#droppedRows += raw.droppedRows;
    this.#unfinished += raw.unfinished;
    this.#full ||= raw.full || this.#rows >= this.request.maxRows;
    this.#problem ??= raw.problem;
  }

  get isPriced(): boolean {
    return this.#costs.length > 0;
  }

  /** What keeping them cost, as `measureRawCost` found it. */
  cost(costs: readonly RawCost[]): void {
    this.#costs = costs;
  }

  /** For the run’s record. `proxyLogs` are names of files in the run’s folder. */
  record(proxyLogs: readonly string[] = []): RawRecord {
    return {
      ...this.request,
      file: rawFileName,
      rows: this.#rows,
      droppedRows: this.#droppedRows,
      unfinished: this.#unfinished,
      full: this.#full,
      problem: this.#problem,
      costs: [...this.#costs],
      proxyLogs: [...proxyLogs],
    };
  }

  /** What the user should know of it. */
  notes(): RunNote[] {
    const notes: RunNote[] = [];
    if (this.#full) notes.push({ code: 'raw-full', rows: this.#rows, most: this.request.maxRows });
    if (this.#problem !== null) notes.push({ code: 'raw-failed', message: this.#problem, rows: this.#rows });
    else if (this.#droppedRows > 0) notes.push({ code: 'raw-dropped', rows: this.#droppedRows });
    return notes;
  }
}
