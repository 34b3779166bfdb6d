// Gives every reader of what may come from anybody a million inputs and more: small real files with changes in their structure and their bytes, and random
// bytes. An input must be read, or refused as is declared; nothing else may be thrown, no input may take a second of processor time, and the reader must
// live within 512 MB. Every input can be made again from its number. What was counted is kept in results/fuzz.jsonl and gone on from; what failed is
// in .cache/fuzz.
// Options: --inputs N (of each reader, 1,000,000), --readers a,b, --minutes M (stop after that), --seed S, --only INDEX (of one reader).
import { type ChildProcess, fork } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { repositoryDir } from '../../support/engine.ts';
import { type FromChild, runChild } from './child.ts';
import { type Counted, keepCounted, readCounted } from './counts.ts';
import { fuzzedReaders } from './readers.ts';

const { values } = parseArgs({
  options: {
    inputs: { type: 'string', default: '1000000' },
    readers: { type: 'string', default: '' },
    minutes: { type: 'string', default: '600' },
    seed: { type: 'string', default: 'benchside' },
    only: { type: 'string' },
    child: { type: 'string' },
    range: { type: 'string' },
  },
});

/** Inputs of a process: then the next reader has its turn, with a process of its own. */
const slice = 100_000;
/** A process that says nothing for so long hangs: in processor time, since the machine may be busy with something else, or for so many looks in all. */
const silentCpuMs = 60_000;
const silentLooks = 180;
const lookEveryMs = 10_000;
const heapMb = 512;

let running: ChildProcess | null = null;

const failuresFolder = path.join(repositoryDir, '.cache', 'fuzz');

function keep(reader: string, index: number, what: string, input: string | null): void {
  mkdirSync(failuresFolder, { recursive: true });
  appendFileSync(path.join(failuresFolder, 'failures.jsonl'), `${JSON.stringify({ reader, seed: values.seed, index, what })}\n`);
  if (input !== null) writeFileSync(path.join(failuresFolder, `${reader}-${index}`), Buffer.from(input, 'base64'));
  console.error(`${reader} ${index}: ${what}`);
}

/** Processor time of the main thread of a process so far; 0 when it has ended. */
function cpuMsOf({ pid }: ChildProcess): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return 0;
  }
}

/** Runs a slice in a process of its own. One that dies or hangs has failed at what it was about to read. */
function runSlice(reader: string, from: number, to: number): Promise<Counted> {
  const counted: Counted = { reader, seed: values.seed, from, to: from, read: 0, refused: 0, failed: 0, slowestMs: 0, rssMb: 0 };
  const child = fork(process.argv[1] ?? '', ['--child', reader, '--range', `${from}-${to}`, '--seed', values.seed], {
    execArgv: [`--max-old-space-size=${heapMb}`],
  });
  running = child;
  return new Promise((resolve) => {
    let [silent, cpuAtWordMs] = [0, 0];
    const timer = setInterval(() => {
      silent += 1;
      if (cpuMsOf(child) - cpuAtWordMs < silentCpuMs && silent < silentLooks) return;
      keep(reader, counted.to, `no word for ${(silent * lookEveryMs) / 1000} s`, null);
      counted.failed += 1;
      child.kill('SIGKILL');
    }, lookEveryMs);
    child.on('message', (message: FromChild) => {
      [silent, cpuAtWordMs] = [0, cpuMsOf(child)];
      if (message.type === 'failed') {
        counted.failed += 1;
        keep(reader, message.index, message.what, message.input);
      } else {
        counted.to = message.index;
        counted.read = message.read;
        counted.refused = message.refused;
        counted.slowestMs = Math.round(message.slowestMs);
        counted.rssMb = Math.max(counted.rssMb, Math.round(message.rssMb));
      }
    });
    child.on('exit', (code, signal) => {
      clearInterval(timer);
      if (counted.to < to && signal !== 'SIGKILL') {
        keep(reader, counted.to, `the process ended with ${signal ?? code}`, null);
        counted.failed += 1;
      }
      resolve(counted);
    });
  });
}

async function main(): Promise<void> {
  const wanted = values.readers === '' ? null : values.readers.split(',');
  const names = (await fuzzedReaders()).map(({ name }) => name).filter((name) => wanted === null || wanted.includes(name));
  const inputs = Number(values.inputs);
  let until = performance.now() + Number(values.minutes) * 60_000;
  // What was counted of a slice that is broken off is kept.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      until = 0;
      running?.kill('SIGKILL');
    });
  const next = new Map(names.map((name) => [name, 0]));
  for (const { reader, seed, to } of readCounted())
    if (seed === values.seed && next.has(reader)) next.set(reader, Math.max(next.get(reader) ?? 0, to));
  let failed = 0;
  while (performance.now() < until) {
    const open = names.filter((name) => (next.get(name) ?? 0) < inputs);
    // The one that is furthest behind.
    const [name] = open.sort((a, b) => (next.get(a) ?? 0) - (next.get(b) ?? 0));
    if (name === undefined) break;
    const from = next.get(name) ?? 0;
    const counted = await runSlice(name, from, Math.min(inputs, from + slice));
    // What ended the process is not tried again.
    if (counted.to === from && until !== 0) counted.to = from + 1;
    failed += counted.failed;
    next.set(name, counted.to);
    keepCounted(counted);
  }
  console.table(Object.fromEntries([...next].map(([name, count]) => [name, count])));
  process.exitCode = failed === 0 ? 0 : 1;
}

if (values.child !== undefined) {
  const [from = 0, to = 0] = (values.range ?? '').split('-').map(Number);
  await runChild(values.child, values.seed, from, to);
  process.disconnect();
} else if (values.only !== undefined) {
  await runSlice(values.readers, Number(values.only), Number(values.only) + 1);
} else await main();
