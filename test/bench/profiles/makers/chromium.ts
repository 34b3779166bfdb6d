import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { CDPSession, Page } from 'playwright-core';
import { launchChromium } from '../../../support/chromium.ts';
import type { CorpusFile } from '../corpus.ts';
import { heapSnapshotSizes } from '../references/memlab.ts';
import { speedscope } from '../references/speedscope.ts';
import { programsDir } from '../tools.ts';

/** What the program of the corpus needs of Node, for a page. */
const stand = `globalThis.module = {}; globalThis.require = () => ({ createHash: () => ({ text: '', update(text) { this.text = text; return this; }, digest() { let sum = 0; for (const one of this.text) sum = (31 * sum + one.charCodeAt(0)) | 0; return String(sum); } }) }); globalThis.require.main = null;`;

/** Opens a page that can compute, and lets it be recorded. */
async function inPage(record: (page: Page, session: CDPSession) => Promise<void>): Promise<void> {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    await page.addScriptTag({ content: stand });
    await page.addScriptTag({ content: `${readFileSync(path.join(programsDir, 'work.cjs'), 'utf8')}\n//# sourceURL=work.js` });
    await record(page, await page.context().newCDPSession(page));
  } finally {
    await browser.close();
  }
}

const compute = (page: Page, seconds = 4): Promise<unknown> => page.evaluate(`work(${seconds})`);

/** A trace with a CPU profile, as its text. */
async function traced(): Promise<string> {
  let text = '';
  await inPage(async (page) => {
    const browser = page.context().browser();
    const categories = ['-*', 'devtools.timeline', 'v8.execute', 'disabled-by-default-v8.cpu_profiler', '__metadata'];
    await browser?.startTracing(page, { categories });
    await compute(page);
    text = (await browser?.stopTracing())?.toString('utf8') ?? '';
  });
  return text;
}

/** A snapshot of the heap in the pieces in which the browser sends it. */
async function heapPieces(
  session: CDPSession,
  method: 'HeapProfiler.takeHeapSnapshot' | 'HeapProfiler.stopTrackingHeapObjects',
): Promise<string> {
  const pieces: string[] = [];
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => pieces.push(chunk));
  await session.send(method, { reportProgress: false });
  return pieces.join('');
}

const trace = 'performance trace (Chrome, Node)';
/** Of a trace, the thread that computes. */
const renderer = speedscope();

export const chromiumFiles: readonly CorpusFile[] = [
  {
    id: 'chromium-trace-object',
    format: trace,
    program: 'Chromium, its tracing, as an object',
    event: 'cpu',
    make: async (folder) => {
      const file = path.join(folder, 'chromium.trace.json');
      writeFileSync(file, await traced());
      return file;
    },
    reference: renderer,
  },
  {
    id: 'chromium-trace-list',
    format: trace,
    program: 'Chromium, its tracing, as a list, packed with gzip',
    event: 'cpu',
    make: async (folder) => {
      const { traceEvents } = JSON.parse(await traced()) as { traceEvents: unknown };
      const file = path.join(folder, 'chromium-list.trace.json.gz');
      writeFileSync(file, gzipSync(JSON.stringify(traceEvents)));
      return file;
    },
    reference: renderer,
  },
  {
    id: 'chromium-cpu-profile',
    format: 'V8 CPU profile',
    program: 'Chromium, Profiler',
    event: 'cpu',
    make: async (folder) => {
      const file = path.join(folder, 'chromium.cpuprofile');
      await inPage(async (page, session) => {
        await session.send('Profiler.enable');
        await session.send('Profiler.start');
        await compute(page);
        writeFileSync(file, JSON.stringify((await session.send('Profiler.stop')).profile));
      });
      return file;
    },
    reference: speedscope(),
  },
  {
    id: 'chromium-heap-profile',
    format: 'V8 heap profile',
    program: 'Chromium, HeapProfiler.startSampling',
    event: 'heap',
    make: async (folder) => {
      const file = path.join(folder, 'chromium.heapprofile');
      await inPage(async (page, session) => {
        await session.send('HeapProfiler.startSampling', { samplingInterval: 4096 });
        await compute(page);
        writeFileSync(file, JSON.stringify((await session.send('HeapProfiler.stopSampling')).profile));
      });
      return file;
    },
    reference: speedscope(),
  },
  {
    id: 'chromium-heap-snapshot',
    format: 'V8 heap snapshot',
    program: 'Chromium, HeapProfiler.takeHeapSnapshot',
    event: 'heap',
    make: async (folder) => {
      const file = path.join(folder, 'chromium.heapsnapshot');
      await inPage(async (page, session) => {
        await compute(page, 1);
        writeFileSync(file, await heapPieces(session, 'HeapProfiler.takeHeapSnapshot'));
      });
      return file;
    },
    reference: heapSnapshotSizes,
  },
];
