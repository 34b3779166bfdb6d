import type { Client } from 'pg';
import { CopyIn } from './copyIn.ts';
import { timeText } from './rawColumns.ts';
import type { RawRow } from './rawFile.ts';

export interface CopyOptions {
  /** Rows; the rest is left out. */
  most: number;
  onProgress: (rows: number) => void;
  signal?: AbortSignal | undefined;
}

/** Copies rows into the run’s partition. A trial that the run does not know (it broke off before it was recorded) has number 0. */
export async function copyRows(
  client: Client,
  run: number,
  trials: ReadonlyMap<string, number>,
  batches: AsyncIterable<RawRow[]>,
  { most, onProgress, signal }: CopyOptions,
): Promise<{ rows: number; joined: number; cut: boolean }> {
  const count = { rows: 0, joined: 0, cut: false };
  async function* chunks(): AsyncGenerator<Buffer> {
    for await (const batch of batches) {
      signal?.throwIfAborted();
      const taken = batch.slice(0, most - count.rows);
      count.cut ||= taken.length < batch.length;
      count.rows += taken.length;
      count.joined += taken.filter(({ proxyUs }) => proxyUs !== null).length;
      if (taken.length > 0) yield Buffer.from(taken.map((row) => copyLine(run, trials.get(row.trialKey) ?? 0, row)).join(''));
      onProgress(count.rows);
      if (count.cut) return;
    }
  }
  const copy = client.query(new CopyIn(`COPY raw.requests_${run} FROM STDIN`, chunks()));
  await copy.done;
  return count;
}

/** A row in COPY’s text format, in the order of the table’s columns. */
function copyLine(run: number, trial: number, row: RawRow): string {
  const cells = [
    ...[run, trial, row.block, row.id, timeText(row.startedUs), escaped(row.route), row.status, row.bytes, row.latencyUs, row.error],
    ...[row.counted ? 't' : 'f', row.timed ? 't' : 'f', row.proxyUs, row.upstreamUs, row.appUs, row.poolUs, row.dbUs],
  ];
  return `${cells.map((cell) => cell ?? '\\N').join('\t')}\n`;
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function escaped(text: string): string {
  return text.replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? character);
}
