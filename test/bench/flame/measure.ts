import path from 'node:path';
import { launchChromium } from '../../support/chromium.ts';
import type { CDPSession, Page } from 'playwright-core';
import type { BenchServer } from './benchServer.ts';
import { cpuMsBelow } from './cpuTime.ts';
import type { Input } from './inputs.ts';
import { probeScript } from './probe.ts';
import type { Shown, Viewer } from './viewers.ts';
import { type Work, measureWork } from './measureWork.ts';

/** So that memory can be asked for. */
const askedForMemory = ['--enable-precise-memory-info', '--enable-blink-features=ForceEagerMeasureMemory', '--js-flags=--expose-gc'];

/** Percentage points: viewers round, and some count a sample's time to its neighbour. */
const allowedDifference = 0.6;

/** Long enough for the slowest of them. */
const longestSwitchMs = 120_000;

/** One viewer, one file, one browser process. */
export interface Measurement {
  viewer: string;
  input: string;
  firstPictureMs: number | null;
  /** Of browser and host together until the first picture was noticed, at most 0.1 s after it; null where the system does not report it. */
  firstPictureCpuMs: number | null;
  /** Ours: the host has read the file. */
  readMs: number | null;
  /** All nodes are there; null where the first picture shows all. */
  completeMs: number | null;
  switches: Record<string, number | null>;
  /** Of the page's own thread, after a garbage collection. */
  jsHeapMb: number | null;
  /** Of the page and its workers, buffers among them, as the browser measures it. */
  pageMemoryMb: number | null;
  shown: Shown | null;
  work: Work | null;
  failure: string | null;
}

export interface MeasureOptions {
  server: BenchServer;
  timeoutMs: number;
  /** Where a picture of the viewer is left, to be looked at. */
  pictures: string | null;
  /** Also measure what scrolling and zooming cost; ours only. */
  work: boolean;
}

export async function measure(viewer: Viewer, input: Input, { server, timeoutMs, pictures, work }: MeasureOptions): Promise<Measurement> {
  server.file = viewer.made?.(input) ?? input.file;
  const measurement: Measurement = {
    viewer: viewer.id,
    input: input.name,
    firstPictureMs: null,
    firstPictureCpuMs: null,
    readMs: null,
    completeMs: null,
    switches: {},
    jsHeapMb: null,
    pageMemoryMb: null,
    shown: null,
    work: null,
    failure: null,
  };
  const browser = await launchChromium(askedForMemory);
  try {
    const page = await browser.newPage({ viewport: { width: 1600, height: 900 } });
    page.setDefaultTimeout(timeoutMs);
    await page.addInitScript(probeScript(viewer.present));
    const cdp = await page.context().newCDPSession(page);
    let cpuBefore = cpuMsBelow();
    await page.goto(`${server.url}${viewer.address(input)}`, { waitUntil: 'commit', timeout: timeoutMs });
    if (viewer.hand !== undefined) {
      await viewer.hand(page, input);
      cpuBefore = cpuMsBelow();
    }
    measurement.firstPictureMs = (await (
      await page.waitForFunction('window.benchProbe.firstPictureMs', undefined, { timeout: timeoutMs, polling: 100 })
    ).jsonValue()) as number;
    const cpuAfter = cpuMsBelow();
    measurement.firstPictureCpuMs = cpuBefore === null || cpuAfter === null ? null : cpuAfter - cpuBefore;
    if (viewer.id === 'ours') {
      measurement.completeMs = await toldAt(page, `message.type === 'drawn' && message.completeMs !== null`, timeoutMs);
      measurement.readMs = await toldAt(page, `message.type === 'head'`, timeoutMs);
    }
    if (pictures !== null) await page.screenshot({ path: path.join(pictures, `${input.name}-${viewer.id}.png`), timeout: timeoutMs });
    await memory(page, cdp, measurement);
    for (const { name, trigger, present } of viewer.switches) {
      const ms = page.evaluate(`window.benchProbe.switchView(() => { ${trigger} }, () => ${present})`) as Promise<number>;
      measurement.switches[name] = await within(ms, Math.min(timeoutMs, longestSwitchMs));
    }
    if (work) measurement.work = await measureWork(page, input);
    measurement.shown = await viewer.check(page, input);
    const { heavyPercent } = measurement.shown;
    const expected = (100 * input.heavy.self) / input.total;
    if (heavyPercent !== null && Math.abs(heavyPercent - expected) > allowedDifference)
      measurement.failure = `shows ${heavyPercent} % where it is ${expected.toFixed(2)} %`;
  } catch (error) {
    measurement.failure = (error instanceof Error ? error.message : String(error)).split('\n')[0]?.slice(0, 300) ?? '';
  } finally {
    await within(browser.close(), 10_000);
    await server.endHost();
  }
  return measurement;
}

/** When our page sent, or was given, that message. */
async function toldAt(page: Page, which: string, timeoutMs: number): Promise<number> {
  const told = `window.benchTold.find((message) => ${which})?.at`;
  return (await (await page.waitForFunction(told, undefined, { timeout: timeoutMs, polling: 50 })).jsonValue()) as number;
}

async function memory(page: Page, cdp: CDPSession, measurement: Measurement): Promise<void> {
  await cdp.send('HeapProfiler.collectGarbage');
  await cdp.send('Performance.enable');
  const { metrics } = await cdp.send('Performance.getMetrics');
  const used = metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value;
  measurement.jsHeapMb = used === undefined ? null : used / 1e6;
  const asked = page.evaluate(
    `crossOriginIsolated ? performance.measureUserAgentSpecificMemory().then(({ bytes }) => bytes / 1e6) : null`,
  ) as Promise<number | null>;
  measurement.pageMemoryMb = await within(asked, 60_000);
}

async function within<T>(work: Promise<T>, timeoutMs: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
