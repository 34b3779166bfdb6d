import { FailureError } from '../../../src/model/domain/failure.ts';
import { Chance } from './chance.ts';
import { fuzzedReaders } from './readers.ts';

/** What a child tells while it goes through a range of inputs. */
export type FromChild =
  | { type: 'at'; index: number; read: number; refused: number; slowestMs: number; rssMb: number }
  | { type: 'failed'; index: number; what: string; input: string };

/** Inputs between two words to the parent. */
const batch = 500;
/** Inputs between two looks at the processor's time. */
const few = 25;
/** Most inputs are refused, and a trace of each refusal takes longer than the reading. What fails is read again for its trace. */
const traced = 6;
Error.stackTraceLimit = 0;
/** Of processor time: the machine may be busy with something else. */
const slowMs = 1_000;
/** One input in so many is also used as a page and a report would. */
const thoroughEvery = 16;

/** Reads the inputs `from` … `to`−1 of a reader, and reports what came of them. */
export async function runChild(name: string, seed: string, from: number, to: number): Promise<void> {
  const reader = (await fuzzedReaders()).find((one) => one.name === name);
  if (reader === undefined) throw new Error(`There is no reader “${name}”.`);
  let [read, refused, slowestMs] = [0, 0, 0];
  const say = (message: FromChild): void => void process.send?.(message);
  let atFew = process.cpuUsage();
  for (let index = from; index < to; index += 1) {
    const input = reader.make(new Chance(`${seed}|${name}|${index}`));
    const began = performance.now();
    const failed = (what: string): void => say({ type: 'failed', index, what, input: Buffer.from(input).toString('base64') });
    const thorough = index % thoroughEvery === 0;
    try {
      const answer = reader.read(input, thorough);
      const outcome = answer instanceof Promise ? await answer : answer;
      if (outcome === 'read') read += 1;
      else refused += 1;
    } catch {
      Error.stackTraceLimit = traced;
      failed(await traceOf(() => reader.read(input, thorough)));
      Error.stackTraceLimit = 0;
    }
    // To ask for the time of the processor takes as long as to read a small input. It is no more than what has gone by, nor than all since the last of a few.
    const tookMs = performance.now() - began;
    if (tookMs > slowestMs) {
      const { user, system } = process.cpuUsage(atFew);
      slowestMs = Math.max(slowestMs, Math.min(tookMs, (user + system) / 1000));
      if (Math.min(tookMs, (user + system) / 1000) > slowMs) failed(`took ${Math.round(tookMs)} ms`);
    }
    if ((index + 1) % few === 0) atFew = process.cpuUsage();
    if ((index + 1) % batch === 0 || index + 1 === to)
      say({ type: 'at', index: index + 1, read, refused, slowestMs, rssMb: process.memoryUsage.rss() / 2 ** 20 });
  }
}

async function traceOf(work: () => unknown): Promise<string> {
  try {
    await work();
    return 'it fails only once';
  } catch (error) {
    return described(error);
  }
}

function described(error: unknown): string {
  if (error instanceof FailureError) return `${error.failure.code}: ${error.failure.message}`;
  return error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 4).join(' | ') : String(error);
}
