import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LoadedWorkspaceFile, loadWorkspaceFile } from '../../../src/engine/targets/workspaceFile.ts';
import { cpuMsSince } from '../../support/cpuMsSince.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'benchside-hostile-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function loaded(text: string): LoadedWorkspaceFile {
  const file = path.join(dir, 'benchside.json');
  writeFileSync(file, text);
  const read = loadWorkspaceFile(file);
  if (read === null) throw new Error('there is a file');
  return read;
}

const target = (index: number): string => `{"id":"t${index}","runtime":"node","command":["node"],"routes":[{"path":"/"}]}`;
const list = (count: number, one: (index: number) => string): string => Array.from({ length: count }, (_, index) => one(index)).join();
/** All that may be declared. */
const most = `{"targets":[${list(500, target)}]}`;

describe('a benchside.json that is too much', () => {
  it.each<[string, string, RegExp]>([
    ['75,000 targets', `{"targets":[${list(45_000, target)}]}`, /holds more than 50000 values/],
    ['501 targets', `{"targets":[${list(501, target)}]}`, /targets: it declares 501, and at most 500 are read/],
    ['400,000 faults', `{"targets":[${list(400_000, () => '{}')}]}`, /holds more than 50000 values/],
    ['faults as far as it is read', `{"targets":[{"routes":[${list(49_000, () => '{}')}]}]}`, /^benchside\.json:1:/],
    ['brackets', '['.repeat(90_000), /^benchside\.json:1:/],
  ])('is refused in no time: %s', { timeout: 20_000 }, (_what, text, message) => {
    const usual = process.cpuUsage();
    for (let time = 0; time < 3; time += 1) loaded(most);
    const usualMs = cpuMsSince(usual);
    const read = (): LoadedWorkspaceFile & { tookMs: number } => {
      const began = process.cpuUsage();
      return { ...loaded(text), tookMs: cpuMsSince(began) };
    };
    const { content, problems, tookMs: firstMs } = read();
    // A collection of the heap that was due before is no part of it.
    const tookMs = Math.min(firstMs, read().tookMs);
    expect(content).toBeNull();
    expect(problems.length).toBeLessThanOrEqual(20);
    expect(problems[0]?.message).toMatch(message);
    expect(problems[0]?.cure).toMatch(/benchside\.json/);
    // Three good files take some 70 ms on a machine that does nothing else. With other programs running, both take more CPU time, and their ratio stays.
    expect(tookMs).toBeLessThan(20 * usualMs);
  });

  it('is read with as many targets as are allowed', () => {
    expect(loaded(most).content?.targets).toHaveLength(500);
  });

  it('may begin with a byte order mark', () => {
    expect(loaded(`\ufeff{"targets":[${target(1)}]}`).content?.targets).toHaveLength(1);
  });
});
