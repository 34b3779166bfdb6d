import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { type WorkReading, steadyWorkPlanSchema } from './steadyWorkProtocol.ts';

/**
 * A separate program that repeats the same work on so many threads, and reports at every edge of a window how much was done so far. A service under load keeps
 * all cores busy, so that other programs use as much of this one's CPU as of the service's. Started with the plan as its only argument; writes one line of JSON
 * for each reading; ends automatically.
 */
function main(): void {
  const { threads, windowMs, windows, warmUpMs } = steadyWorkPlanSchema.parse(JSON.parse(process.argv[2] ?? ''));
  const shared = new SharedArrayBuffer(4 * threads);
  const done = new Int32Array(shared);
  const workers = Array.from({ length: threads }, (_, thread) => new Worker(process.argv[1] ?? '', { workerData: { shared, thread } }));
  const firstAt = performance.now() + warmUpMs;
  let index = 0;
  const next = (): void => void setTimeout(read, firstAt + index * windowMs - performance.now());
  const read = (): void => {
    const reading: WorkReading = { index, atMs: performance.now(), units: done.reduce((sum, units) => sum + units, 0) };
    process.stdout.write(`${JSON.stringify(reading)}\n`);
    index += 1;
    if (index <= windows) next();
    else for (const worker of workers) void worker.terminate();
  };
  next();
}

/** Turns of one unit: about 20 µs, so that a window of 250 ms holds ten thousand. */
const turns = 10_000;

function work(data: unknown): never {
  const { shared, thread } = data as { shared: SharedArrayBuffer; thread: number };
  const done = new Int32Array(shared);
  let value = thread + 1;
  for (;;) {
    for (let turn = 0; turn < turns; turn += 1) value = (Math.imul(value ^ (value >>> 15), 0x2c1b3c6d) + turn) | 0;
    // The value is never 0.5, which the compiler does not know: it cannot leave the work out.
    Atomics.add(done, thread, value === 0.5 ? 2 : 1);
  }
}

if (isMainThread) main();
else work(workerData);
