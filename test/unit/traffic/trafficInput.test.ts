import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { trafficInput } from '../../../src/engine/traffic/trafficInput.ts';

let folder = '';
beforeAll(() => void (folder = mkdtempSync(path.join(tmpdir(), 'benchside-lines-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function linesOf(bytes: Buffer | string): string[] {
  const file = path.join(folder, 'access.log');
  writeFileSync(file, bytes);
  return [...trafficInput(file).lines()];
}

describe('the lines of a file of traffic', () => {
  it('are whole wherever its pieces of a megabyte end, and have no byte order mark', () => {
    // Lines of three bytes a character, so that a piece ends within one.
    const lines = Array.from({ length: 40_000 }, (_, n) => `${n} ${'€'.repeat(n % 23)}`);
    expect(linesOf(`\ufeff${lines.join('\n')}\n`)).toEqual(lines);
    expect(linesOf(lines.join('\r\n'))).toEqual(lines);
    expect(linesOf('\ufeffone')).toEqual(['one']);
    expect(linesOf('')).toEqual([]);
  });

  it('are cut where they are longer than 64 KB, in any number of pieces', () => {
    const long = 'x'.repeat(3 * 1024 * 1024);
    const [first, second, last] = linesOf(`${long}\nnext\n${'y'.repeat(70_000)}\n`);
    expect([first?.length, second, last?.length]).toEqual([64 * 1024, 'next', 64 * 1024]);
  });
});
