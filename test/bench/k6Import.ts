import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createGzip } from 'node:zlib';
import { readInThread } from '../../src/engine/k6/k6Thread.ts';
import { repositoryDir } from '../support/engine.ts';

/*
 * How long k6's files take to be imported, and how much memory: as many rows as are asked for (10⁷), as k6 writes them, of four runners.
 * Usage: npm run bench k6Import [-- rows]
 */

const limits = { seconds: 60, mebibytes: 500 };
const runners = 4;
const rowsOfRequest = [
  'http_reqs',
  'http_req_duration',
  'http_req_blocked',
  'http_req_connecting',
  'http_req_tls_handshaking',
  'http_req_sending',
  'http_req_waiting',
  'http_req_receiving',
  'http_req_failed',
];
const rows = Number(process.argv[2] ?? 10_000_000);
const startMs = 1_790_000_000_000;
const windowS = 60;

async function writeRunner(file: string, runner: number, count: number): Promise<void> {
  const gzip = createGzip({ level: 1 });
  const output = gzip.pipe(createWriteStream(file));
  const write = async (text: string): Promise<void> => {
    if (!gzip.write(text)) await once(gzip, 'drain');
  };
  const tag = 'benchside=bench.0';
  await write('metric_name,timestamp,metric_value,error_code,expected_response,method,name,scenario,status,extra_tags,metadata\n');
  await write(
    `benchside_started,${startMs * 1000},${startMs}.000000,,,,,mix,,segment=${runner}/${runners}:${runner + 1}/${runners}&${tag},\n`,
  );
  const requests = Math.floor(count / rowsOfRequest.length);
  let text = '';
  for (let i = 0; i < requests; i++) {
    const timeUs = startMs * 1000 + Math.floor(((i + 1) / requests) * windowS * 1e6);
    const latencyMs = (1 + ((i * 7919 + runner) % 4000) / 100).toFixed(6);
    const end = `,${timeUs},`;
    const tags = `,,true,GET,GET /ads/:id${i % 5},mix,200,${tag},\n`;
    for (const metric of rowsOfRequest) text += metric + end + (metric === 'http_reqs' ? '1.000000' : latencyMs) + tags;
    if (text.length > 1_000_000) {
      await write(text);
      text = '';
    }
  }
  gzip.end(text);
  await once(output, 'close');
}

const folder = mkdtempSync(path.join(tmpdir(), 'benchside-k6Import-'));
try {
  const files = Array.from({ length: runners }, (_, runner) => ({ path: path.join(folder, `${runner}.csv.gz`), name: `${runner}.csv.gz` }));
  await Promise.all(files.map((file, runner) => writeRunner(file.path, runner, rows / runners)));
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 100);
  const began = performance.now();
  const usedBefore = process.cpuUsage();
  const read = await readInThread(
    path.join(repositoryDir, 'dist', 'k6Worker.cjs'),
    { files, id: 'bench', tests: 1, settleMs: 0, windowMs: windowS * 1000, open: false },
    { signal: AbortSignal.timeout(600_000) },
  );
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(usedBefore);
  clearInterval(timer);
  const mebibytes = most / 1024 / 1024;
  const [block] = read.blocks;
  console.log(
    `${read.rows.toLocaleString('en-US')} rows, ${block?.requests.toLocaleString('en-US') ?? 0} requests, in ${seconds.toFixed(1)} s (${((user + system) / 1e6).toFixed(1)} s of CPU) and ${mebibytes.toFixed(0)} MiB (of which ${(before / 1024 / 1024).toFixed(0)} MiB were there before)`,
  );
  if (seconds > limits.seconds || mebibytes > limits.mebibytes) {
    console.error(`At most ${limits.seconds} s and ${limits.mebibytes} MiB were allowed.`);
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
