import { type RawEnding, RawBlock } from '../../src/engine/load/raw/rawBlock.ts';
import type { RawCommand } from '../../src/engine/load/raw/rawCommand.ts';
import { type RawRow, rawRows } from '../../src/engine/raw/rawFile.ts';
import type { ProxyTimes } from '../../src/engine/raw/proxyTimes.ts';
import type { RawBlockResult } from '../../src/model/domain/rawSample.ts';

export const exampleMix = [
  { method: 'GET', path: '/ads/:id' },
  { method: 'POST', path: '/ads' },
] as const;

export function rawCommand(file: string, changes: Partial<RawCommand> = {}): RawCommand {
  return { file, idPrefix: 'run1-1', share: 1, maxRows: 1_000_000, timing: true, trialKey: 'node|pool=4|c=8', block: 1, ...changes };
}

/** A request that was answered in 1.25 ms, and whose app told its times. */
export const exampleEnding: RawEnding = {
  startMs: 1000,
  latencyMs: 1.25,
  status: 200,
  bytes: 312,
  error: '',
  serverTiming: 'app;dur=1.000, pool;dur=0.250, db;dur=0.500',
  counted: true,
  timed: true,
};

/** Writes a block of so many requests, one every ms, in turn of each route. */
export async function writeBlock(
  command: RawCommand,
  count: number,
  change: (index: number) => Partial<RawEnding> = () => ({}),
): Promise<RawBlockResult> {
  const block = new RawBlock(command, exampleMix);
  for (let index = 0; index < count; index++) {
    const tag = block.issue(index % exampleMix.length);
    block.ended(tag, { ...exampleEnding, startMs: performance.now() + index, ...change(index) });
  }
  return block.finish();
}

export async function allRows(file: string, proxy: ProxyTimes | null = null): Promise<RawRow[]> {
  const rows: RawRow[] = [];
  for await (const batch of rawRows(file, proxy)) rows.push(...batch);
  return rows;
}
