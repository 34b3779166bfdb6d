import { FailureError } from '../../../src/model/failure.ts';
import { Chance } from './chance.ts';
import { fuzzedReaders } from './readers.ts';

/** What a child tells while it goes through a range of inputs. */
export type FromChild =
  | { type: 'at'; index: number; read: number; refused: number; slowestMs: number; rssMb: number }
  | { type: 'failed'; index: number; what: string; input: string };

/** Inputs between two words to the parent. */
const batch = 250;
/** Most inputs are refused, and a trace of each refusal takes longer than the reading. */
Error.stackTraceLimit = 4;
/** Of processor time: the machine may be busy with something else. */
const slowMs = 1_000;
/** One input in so many is also used as a page and a report would. */
const thoroughEvery = 16;

/** Reads the inputs `from` … `to`−1 of a reader, and tells what came of them. */
export async function runChild(name: string, seed: string, from: number, to: number): Promise<void> {
  const reader = (await fuzzedReaders()).find((one) => one.name === name);
  if (reader === undefined) throw new Error(`There is no reader “${name}”.`);
  let [read, refused, slowestMs] = [0, 0, 0];
  const say = (message: FromChild): void => void process.send?.(message);
  for (let index = from; index < to; index += 1) {
    const input = reader.make(new Chance(`${seed}|${name}|${index}`));
    const before = process.cpuUsage();
    try {
      const outcome = await reader.read(input, index % thoroughEvery === 0);
      if (outcome === 'read') read += 1;
      else refused += 1;
    } catch (error) {
      say({ type: 'failed', index, what: described(error), input: Buffer.from(input).toString('base64') });
    }
    const spent = process.cpuUsage(before);
    const tookMs = (spent.user + spent.system) / 1000;
    slowestMs = Math.max(slowestMs, tookMs);
    if (tookMs > slowMs)
      say({ type: 'failed', index, what: `took ${Math.round(tookMs)} ms`, input: Buffer.from(input).toString('base64') });
    if ((index + 1) % batch === 0 || index + 1 === to)
      say({ type: 'at', index: index + 1, read, refused, slowestMs, rssMb: process.memoryUsage.rss() / 2 ** 20 });
  }
}

function described(error: unknown): string {
  if (error instanceof FailureError) return `${error.failure.code}: ${error.failure.message}`;
  return error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 4).join(' | ') : String(error);
}
