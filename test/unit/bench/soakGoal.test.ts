import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { reachedBy, sureMiss } from '../../bench/soak/goal.ts';
import { growthByKind } from '../../bench/soak/heapKinds.ts';
import { soakTable } from '../../bench/soak/soakTable.ts';

const grew = (who: string, perHourMb: number) => ({ who, fromMb: 20, toMb: 21, perHourMb, low: perHourMb - 0.2, high: perHourMb + 0.2 });
const steady = [{ what: 'engine descriptors', from: 27, to: 27 }];
const kind = (who: string, objectsPerHourMb: number) => ({ who, objectsPerHourMb, compiledPerHourMb: 1.6 });

describe('the goal of a soak', () => {
  it('is reached by the whole heap, without knowing what it is made of', () => {
    const soaked = { grows: [grew('engine', 0.9), grew('panel', -0.1)], counts: steady };
    expect([reachedBy(soaked), sureMiss(soaked)]).toEqual(['heap', false]);
  });

  it('is reached by objects where the heap grows of what was compiled', () => {
    const soaked = { grows: [grew('engine', 1.8), grew('panel', 0.5)], kinds: [kind('engine', 0.1), kind('panel', 0)], counts: steady };
    expect([reachedBy(soaked), sureMiss(soaked)]).toEqual(['objects', false]);
  });

  it('is missed where objects grow too, where nobody has looked at them, and by a single descriptor', () => {
    const grows = [grew('engine', 1.8)];
    for (const kinds of [undefined, [], [kind('panel', 0)], [kind('engine', 1.4)]]) {
      expect(reachedBy({ grows, kinds, counts: steady })).toBeNull();
      expect(sureMiss({ grows, kinds, counts: steady })).toBe(true);
    }
    const leaking = { grows: [grew('engine', 0)], counts: [{ what: 'engine descriptors', from: 27, to: 28 }] };
    expect([reachedBy(leaking), sureMiss(leaking)]).toEqual([null, true]);
    expect(reachedBy({ grows: [], counts: steady })).toBeNull();
    expect(reachedBy({ grows: [grew('engine', NaN)], counts: steady })).toBeNull();
  });

  it('is not missed for sure where the interval of the slope reaches below it', () => {
    const soaked = { grows: [grew('engine', 1.1)], counts: steady };
    expect([reachedBy(soaked), sureMiss(soaked)]).toEqual([null, false]);
  });
});

describe('the kinds of what grew', () => {
  it('are told per hour, of those whose two snapshots are there', () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'benchside-soak-test-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const snapshot = (objectsMb: number, codeMb: number): string =>
      JSON.stringify({
        snapshot: { meta: { node_fields: ['type', 'name', 'self_size'], node_types: [['object', 'code'], 'string', 'number'] } },
        nodes: [0, 0, objectsMb * 2 ** 20, 1, 0, codeMb * 2 ** 20],
      });
    writeFileSync(path.join(folder, 'engine-warm.heapsnapshot'), snapshot(10, 5));
    writeFileSync(path.join(folder, 'engine-end.heapsnapshot'), snapshot(10.5, 7));
    writeFileSync(path.join(folder, 'panel-warm.heapsnapshot'), snapshot(1, 1));
    expect(growthByKind(folder, 30)).toEqual([
      { who: 'engine', minutes: 30, objectsMb: 0.5, compiledMb: 2, objectsPerHourMb: 1, compiledPerHourMb: 4 },
    ]);
  });

  it('stand in the table beside the slope of the heap, and a soak without them is still told', () => {
    const line = { minutes: 60, rounds: 40, engines: 40, grows: [grew('engine', 1.8)], counts: steady };
    const table = soakTable(`${JSON.stringify(line)}\n${JSON.stringify({ ...line, kinds: [kind('engine', 0.1)] })}\n`);
    expect(table).toContain('| 1.8 MB/h (1.6 to 2); now 21 MB |');
    expect(table).toContain('| 1.8 MB/h (1.6 to 2): objects 0.1, compiled 1.6; now 21 MB |');
    expect(table).toMatch(/\| \*\*no\*\* \|\n.*\| yes, by objects \|/);
  });
});
