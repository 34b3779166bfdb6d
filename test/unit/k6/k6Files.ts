import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Failure, FailureError } from '../../../src/model/domain/failure.ts';

/** When the tests of these files begin, in ms since 1970. */
export const beganMs = 1_790_000_000_000;
export const header = 'metric_name,timestamp,metric_value,error_code,expected_response,method,name,scenario,status,extra_tags,metadata';

/** One request as a row: it ends `atMs` after the beginning. */
export interface Row {
  atMs: number;
  latencyMs?: number;
  metric?: string;
  name?: string;
  status?: number;
  errorCode?: number;
}

export function row(
  test: number,
  { atMs, latencyMs = 1, metric = 'http_req_duration', name = 'GET /', status = 200, errorCode }: Row,
): string {
  const fields = [errorCode ?? '', String(status >= 200 && status < 400), 'GET', name.includes(',') ? `"${name}"` : name, 'mix', status];
  return `${metric},${Math.round((beganMs + atMs) * 1000)},${latencyMs.toFixed(6)},${fields.join(',')},benchside=abcd.${test},`;
}

/** The file of one runner as k6 writes it. */
export function runnerFile(rows: readonly Row[], { test = 0, segment = '0:1', lateMs = 0 } = {}): string {
  const start = `benchside_started,${(beganMs + lateMs) * 1000},${beganMs + lateMs}.000000,,,,,mix,,segment=${segment}&benchside=abcd.${test},`;
  return [header, start, ...rows.map((one) => row(test, one)), ''].join('\n');
}

const folders: string[] = [];

/** Files of these contents, packed where the name says so. */
export function written(contents: Readonly<Record<string, string | Buffer>>): { path: string; name: string }[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'benchside-k6-'));
  folders.push(folder);
  return Object.entries(contents).map(([name, content]) => {
    const file = path.join(folder, name);
    writeFileSync(file, typeof content === 'string' && name.endsWith('.gz') ? gzipSync(content) : content);
    return { path: file, name };
  });
}

export function removeWritten(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

export async function failureOf(work: () => unknown): Promise<Failure> {
  try {
    await work();
  } catch (error) {
    if (error instanceof FailureError) return error.failure;
    throw error;
  }
  throw new Error('nothing failed');
}
