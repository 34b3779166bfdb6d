import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { ReadingThread } from '../../src/engine/reading/readingThread.ts';
import { repositoryDir } from '../support/engine.ts';

/*
 * How long an access log takes to become a load profile: as many lines as are asked for (10⁶), with half as many different addresses, compared with the least that anybody does with such
 * a file: Node’s readline and one split of each line. Usage: npm run bench traffic [-- lines]
 */

const limitS = 10;
const lines = Number(process.argv[2] ?? 1_000_000);
const folder = mkdtempSync(path.join(tmpdir(), 'benchside-traffic-'));
const file = path.join(folder, 'access.log');

try {
  await writeLog();
  const peerS = await seconds(async () => {
    let words = 0;
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) words += line.split(' ').length;
    if (words < lines) throw new Error('The log is not what was written.');
  });
  const reading = new ReadingThread(path.join(repositoryDir, 'dist', 'readingWorker.cjs'));
  let seen = 0;
  const before = process.cpuUsage();
  const ownS = await seconds(async () => {
    const { draft } = await reading.read('traffic', { files: [file], wishes: { writes: [], asRecorded: false } });
    seen = draft.requests;
  });
  const { user, system } = process.cpuUsage(before);
  const cpuS = (user + system) / 1e6;
  console.log(
    `${lines} lines, ${(statSync(file).size / 1e6).toFixed(0)} MB: a load profile in ${ownS.toFixed(1)} s (${cpuS.toFixed(1)} s of CPU); readline and split alone ${peerS.toFixed(1)} s.`,
  );
  if (seen !== lines) throw new Error(`${seen} requests were read.`);
  if (ownS > limitS) throw new Error(`It took more than ${limitS} s.`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function seconds(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

async function writeLog(): Promise<void> {
  const out = createWriteStream(file);
  for (let n = 0; n < lines; n += 1) {
    const second = Math.floor(n / 200);
    const time = `10/Oct/2025:${two(Math.floor(second / 3600) % 24)}:${two(Math.floor(second / 60) % 60)}:${two(second % 60)} +0200`;
    // A third of all requests goes to a few keys, the rest to ever new ones.
    const key = n % 3 === 0 ? n % 50 : n;
    const target = n % 5 === 0 ? '/items?page=' + (n % 40) : n % 5 === 1 ? `/users/${key}/orders` : `/items/${key}`;
    const line = `10.0.${n % 7}.${n % 251} - - [${time}] "GET ${target} HTTP/1.1" 200 5123 "https://shop.example/" "Mozilla/5.0 (X11; Linux x86_64) agent/${n % 11}"\n`;
    if (!out.write(line)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
