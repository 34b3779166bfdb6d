import { describe, expect, it } from 'vitest';
import type { PlannedTrial } from '../../../src/engine/run/plan.ts';
import { TrialBook } from '../../../src/engine/run/trialBook.ts';
import type { BlockSighting } from '../../../src/engine/run/trialRecord.ts';
import { declared } from '../../support/declaredTarget.ts';
import { exampleBlock } from './exampleBlock.ts';

const requests = 1000;

/** A block in which every request took so long; `failed` voids it. */
function block(round: number, latencyUs: number, failed = 0): BlockSighting {
  return {
    round,
    startMs: 1000 * round,
    endMs: 1000 * round + 1000,
    probe: null,
    ended: null,
    postgresRestarted: false,
    cpuUs: { appCpuUs: null, postgresCpuUs: null, generatorCpuUs: null },
    result: exampleBlock(requests, latencyUs, failed),
  };
}

function planned(key: string): PlannedTrial {
  const process = { key, name: key, declared: declared('go'), settings: {}, asked: {}, instances: 1 };
  return { key, name: key, connections: 16, process };
}

const blocks = [block(1, 10_000), block(2, 500_000, 900), block(3, 20_000), block(4, 30_000)];

describe('what was seen of the trials of a run', () => {
  it('is the same looked at after every block as at the end, void blocks left out', () => {
    const [often, once] = [new TrialBook([planned('a')], []), new TrialBook([planned('a')], [])];
    for (const one of blocks) {
      often.of('a').blocks.push(one);
      often.recorded('a');
    }
    once.of('a').blocks.push(...blocks);
    expect(often.recorded('a')).toEqual(once.recorded('a'));
    expect(often.final()).toEqual(once.final());
    expect(once.recorded('a').trial).toMatchObject({ requests: 3 * requests, latencyMs: { mean: 20, max: 30 } });
    expect(once.recorded('a').trial.latencyMs?.p50).toBeCloseTo(20, 1);
  });

  it('shows the figures of void blocks until one is valid', () => {
    const book = new TrialBook([planned('a')], []);
    book.of('a').blocks.push(block(1, 500_000, 900));
    expect(book.recorded('a').trial).toMatchObject({ valid: false, latencyMs: { max: 500 } });
    book.of('a').blocks.push(block(2, 10_000), block(3, 10_000));
    expect(book.recorded('a').trial).toMatchObject({ valid: true, latencyMs: { max: 10 } });
  });

  it('is put together again only where something was added', () => {
    const book = new TrialBook([planned('a'), planned('b')], []);
    book.of('a').blocks.push(block(1, 10_000));
    const [first] = book.tried();
    book.of('b').problems.push({ code: 'has-ended', name: 'a' });
    expect(book.tried()).toHaveLength(2);
    expect(book.tried()[0]).toBe(first);
    book.of('a').blocks.push(block(2, 10_000));
    expect(book.tried()[0]).not.toBe(first);
  });

  it('takes in trials that a search adds, and knows no others', () => {
    const book = new TrialBook([planned('a')], []);
    expect(book.has('b')).toBe(false);
    book.add(planned('b'));
    expect(book.sightings.map((one) => one.planned.key)).toEqual(['a', 'b']);
    expect(() => book.of('c')).toThrow(RangeError);
  });
});
