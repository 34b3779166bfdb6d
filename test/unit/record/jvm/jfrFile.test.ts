import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { completeJfrBytes } from '../../../../src/engine/record/jvm/jfrFile.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'benchside-jfr-file-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function chunk(
  length: number,
  { constants = 80, types = 70, says = length }: { constants?: number; types?: number; says?: number } = {},
): Buffer {
  const bytes = Buffer.alloc(length);
  bytes.write('FLR\0', 0, 'latin1');
  bytes.writeBigInt64BE(BigInt(says), 8);
  bytes.writeBigInt64BE(BigInt(constants), 16);
  bytes.writeBigInt64BE(BigInt(types), 24);
  return bytes;
}

async function completeBytes(...parts: Buffer[]): Promise<number> {
  const file = join(folder, 'recording.jfr');
  writeFileSync(file, Buffer.concat(parts));
  const handle = await open(file, 'r');
  try {
    return await completeJfrBytes(handle);
  } finally {
    await handle.close();
  }
}

it('whole chunks count, and what a killed process left unfinished does not', async () => {
  expect(await completeBytes(chunk(100), chunk(200))).toBe(300);
  expect(await completeBytes(chunk(100), chunk(200, { says: 0 }))).toBe(100);
  expect(await completeBytes(chunk(100), chunk(200, { constants: 0 }))).toBe(100);
  expect(await completeBytes(chunk(100), chunk(200).subarray(0, 150))).toBe(100);
  expect(
    await completeBytes(chunk(100), Buffer.from('something else that is long enough to hold a header, or so one would think at first')),
  ).toBe(100);
});

it('a file without one whole chunk holds nothing', async () => {
  expect(await completeBytes()).toBe(0);
  expect(await completeBytes(Buffer.alloc(1000))).toBe(0);
  expect(await completeBytes(chunk(100, { says: -1 }))).toBe(0);
  expect(await completeBytes(chunk(100, { says: 10 }))).toBe(0);
});
