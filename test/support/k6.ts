import { spawn } from 'node:child_process';
import { accessSync, constants, mkdirSync } from 'node:fs';
import { type IncomingHttpHeaders, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

/** The k6 of this machine: named by BENCHSIDE_K6, or on the PATH; null without one. */
export const k6Program =
  [process.env['BENCHSIDE_K6'] ?? '', ...(process.env['PATH'] ?? '').split(path.delimiter).map((folder) => path.join(folder, 'k6'))].find(
    isProgram,
  ) ?? null;

/** Why tests with the real k6 are left out here. */
export const withoutK6 = 'there is no k6 on the PATH, nor named by BENCHSIDE_K6';

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return path.basename(file) === 'k6';
  } catch {
    return false;
  }
}

/** Runs one test of an exported folder with so many runners at once; gives their exit codes, and their files are in `results`. */
export async function runK6(folder: string, url: string, { runners = 1, test = 0 } = {}): Promise<number[]> {
  const results = path.join(folder, 'results');
  mkdirSync(results, { recursive: true });
  const cuts = ['0', ...Array.from({ length: runners - 1 }, (_, index) => `${index + 1}/${runners}`), '1'];
  return Promise.all(
    Array.from({ length: runners }, (_, runner) => {
      const segment = ['--execution-segment', `${cuts[runner]}:${cuts[runner + 1]}`, '--execution-segment-sequence', cuts.join(',')];
      const args = ['run', '--quiet', '--no-usage-report', '--address', '', '--out', `csv=${results}/${test}-${runner}.csv.gz`];
      const child = spawn(k6Program ?? 'k6', [...args, ...(runners === 1 ? [] : segment), 'script.js'], {
        cwd: folder,
        stdio: ['ignore', 'ignore', 'pipe'],
        env: {
          ...process.env,
          K6_CSV_TIME_FORMAT: 'unix_micro',
          BENCHSIDE_TEST: String(test),
          BENCHSIDE_URL: url,
          BENCHSIDE_RUNNERS: String(runners),
        },
      });
      let said = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
      return new Promise<number>((resolve, reject) => {
        child.on('error', reject);
        child.on('exit', (code) => (code === 0 || code === 99 ? resolve(code) : reject(new Error(`k6 ended with ${code}: ${said}`))));
      });
    }),
  );
}

export interface Asked {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** A service that keeps what it was asked, in the order in which requests came. */
export class AskedService {
  readonly asked: Asked[] = [];
  readonly #server: Server;

  constructor(answer: (asked: Asked) => { body?: string; headers?: Record<string, string>; afterMs?: number } = () => ({})) {
    this.#server = createServer((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body: Buffer.concat(pieces) };
        this.asked.push(one);
        const { body = 'ok', headers = {}, afterMs = 0 } = answer(one);
        const send = (): void => void response.writeHead(200, headers).end(body);
        if (afterMs > 0) setTimeout(send, afterMs);
        else send();
      });
    });
    this.#server.keepAliveTimeout = 60_000;
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
