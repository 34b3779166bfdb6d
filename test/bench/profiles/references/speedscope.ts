import { readFileSync } from 'node:fs';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import * as z from 'zod';
import { launchChromium } from '../../../support/chromium.ts';
import { type Reference, type Told, Sums } from '../corpus.ts';
import { npmPackage } from '../tools.ts';

const version = '1.25.0';
const exportSchema = z.object({
  shared: z.object({ frames: z.array(z.object({ name: z.string() })) }),
  profiles: z.array(
    z.discriminatedUnion('type', [
      z.object({
        type: z.literal('sampled'),
        name: z.string(),
        unit: z.string(),
        samples: z.array(z.array(z.number())),
        weights: z.array(z.number()),
      }),
      z.object({
        type: z.literal('evented'),
        name: z.string(),
        unit: z.string(),
        startValue: z.number(),
        endValue: z.number(),
        events: z.array(z.object({ type: z.enum(['O', 'C']), frame: z.number(), at: z.number() })),
      }),
    ]),
  ),
});
type Exported = z.infer<typeof exportSchema>;
const factors: Readonly<Record<string, number>> = { nanoseconds: 1, microseconds: 1e3, milliseconds: 1e6, seconds: 1e9 };
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
};

/** Speedscope's page in a browser, which opens files and saves what it made of them. */
class SpeedscopePage {
  #browser: Promise<Browser> | null = null;
  #server: Promise<Server> | null = null;
  #input: Uint8Array = new Uint8Array();

  /** What speedscope makes of a file, in its own form. */
  async exported(file: string): Promise<string> {
    this.#input = plain(readFileSync(file));
    const server = await (this.#server ??= this.#serve());
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const browser = await (this.#browser ??= launchChromium());
    const page = await browser.newPage({ acceptDownloads: true });
    try {
      const title = encodeURIComponent(path.basename(file).replace(/\.gz$/, ''));
      await page.goto(`${base}/index.html#profileURL=${encodeURIComponent(`${base}/input`)}&title=${title}`);
      await page.waitForFunction(`document.querySelectorAll('canvas').length === 3`, undefined, { timeout: 90_000 });
      const download = page.waitForEvent('download', { timeout: 60_000 });
      await page.keyboard.press('Control+s');
      return readFileSync(await (await download).path(), 'utf8');
    } finally {
      await page.close();
    }
  }

  async close(): Promise<void> {
    await (await this.#browser)?.close();
    const server = await this.#server;
    server?.closeAllConnections();
    server?.close();
  }

  async #serve(): Promise<Server> {
    const release = path.join(await npmPackage('speedscope'), 'dist', 'release');
    const server = createServer((request, response) => {
      const name = path.basename((request.url ?? '').split('?')[0] ?? '');
      response.setHeader('Content-Type', types[path.extname(name)] ?? 'application/octet-stream');
      try {
        response.end(name === 'input' ? this.#input : readFileSync(path.join(release, name)));
      } catch {
        response.writeHead(404).end();
      }
    });
    return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
  }
}

const page = new SpeedscopePage();

/** Closes the browser, where one was needed. */
export function closeSpeedscope(): Promise<void> {
  return page.close();
}

/** The text that speedscope saves of a file. */
export function speedscopeExport(file: string): Promise<string> {
  return page.exported(file);
}

/** What speedscope's own importers make of a file. */
export function speedscope(): Reference {
  return {
    by: `speedscope ${version}`,
    read: async (file) => sumsOf(exportSchema.parse(JSON.parse(await page.exported(file)))),
  };
}

function sumsOf({ shared, profiles }: Exported): Told {
  const sums = new Sums();
  for (const profile of profiles) {
    const factor = factors[profile.unit] ?? 1;
    const add = (frame: number | undefined, weight: number): void => {
      // Between stacks nothing goes on.
      if (frame !== undefined) sums.add(shared.frames[frame]?.name ?? '', weight * factor);
    };
    if (profile.type === 'sampled') {
      for (const [index, stack] of profile.samples.entries()) add(stack.at(-1), profile.weights[index] ?? 0);
      continue;
    }
    const open: number[] = [];
    let before = profile.startValue;
    for (const { type, frame, at } of profile.events) {
      add(open.at(-1), at - before);
      before = at;
      if (type === 'O') open.push(frame);
      else open.pop();
    }
  }
  return sums;
}

function plain(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
}
