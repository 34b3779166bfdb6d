import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJfr } from '../../../../src/engine/calltree/jfr/readJfr.ts';
import type { JfrLimits } from '../../../../src/engine/calltree/jfr/jfrLimits.ts';
import { codeTiers, frameKinds } from '../../../../src/model/domain/callTree.ts';
import { FailureError } from '../../../../src/model/domain/failure.ts';
import { period, pools, sample, types } from './jfrExample.ts';
import { type ChunkSpec, chunk, compressed, text } from './jfrWriter.ts';
import { eventTotal } from '../../../../src/calltree/totals.ts';
import { cpuMsSince } from '../../../support/cpuMsSince.ts';

function failureOf(bytes: Uint8Array, limits: Partial<JfrLimits> = {}): { code: string; message: string } {
  try {
    readJfr(bytes, limits);
  } catch (thrown) {
    if (thrown instanceof FailureError) return thrown.failure;
    throw thrown;
  }
  return { code: 'read', message: '' };
}

describe('a recording written by hand', () => {
  it('gives functions, lines, threads, states, times and time weights', () => {
    const bytes = chunk({ types, pools, events: [sample(3_000_000, 5), sample(1_000_000, 5), period, sample(2_000_000, 99)] });
    const tree = readJfr(bytes);
    expect(tree.functions.name).toEqual(['org.acme.App.run', 'org.acme.App.__proto__']);
    expect([...tree.functions.kind].map((kind) => frameKinds[kind])).toEqual(['app', 'app']);
    expect([...tree.func]).toEqual([-1, 0, 1]);
    expect([...tree.line]).toEqual([0, 12, 33]);
    expect(tree.threads).toEqual(['worker <b>']);
    expect(tree.events.map(({ name, unit }) => ({ name, unit }))).toEqual([{ name: 'cpu', unit: 'ns' }]);
    expect([...(tree.events[0]?.self ?? [])]).toEqual([20e6, 0, 40e6]);
    expect([...(tree.samples?.timeUs ?? [])]).toEqual([1000, 2000, 3000]);
    expect([...(tree.samples?.node ?? [])]).toEqual([2, 0, 2]);
    expect(tree.states).toEqual(['', 'STATE_RUNNABLE']);
    expect([...(tree.samples?.state ?? [])]).toEqual([1, 1, 1]);
    expect([...(tree.tier ?? [])].map((tier) => codeTiers[tier])).toEqual(['unknown', 'optimised', 'optimised']);
  });

  it('counts samples where no period is recorded', () => {
    const tree = readJfr(chunk({ types, pools, events: [sample(1, 5), sample(2, 5)] }));
    expect(tree.events[0]).toMatchObject({ name: 'cpu', unit: 'count', self: new Float64Array([0, 0, 2]) });
  });

  it('turns the ticks of a duration into ns, and adds up chunks with clocks of their own', () => {
    const park = { type: 102, body: [0, ...compressed(500), 7, 5] };
    const slow = chunk({ types, pools, events: [park], ticksPerSecond: 1_000 });
    const fast = chunk({ types, pools, events: [park], ticksPerSecond: 1_000_000 });
    const tree = readJfr(Uint8Array.from([...slow, ...fast]));
    expect(tree.events[0]).toMatchObject({ name: 'lock', unit: 'ns', self: new Float64Array([0, 0, 500e6 + 500e3]) });
    expect(tree.nodeCount).toBe(3);
  });

  it('keeps the weight of stacks that are deeper than is read', () => {
    const tree = readJfr(chunk({ types, pools, events: [sample(1, 5), sample(2, 5)] }), { depth: 1 });
    expect(tree.functions.name.filter((_name, func) => tree.func.includes(func))).toEqual(['org.acme.App.run', '(deeper frames)']);
    expect([...(tree.events[0]?.self ?? [])]).toEqual([0, 0, 2]);
    expect([...(tree.tier ?? [])].map((tier) => codeTiers[tier])).toEqual(['unknown', 'optimised', 'unknown']);
  });

  it('is an empty tree where nothing was sampled', () => {
    expect(readJfr(chunk({ types, pools, events: [] }))).toMatchObject({ nodeCount: 1, events: [], samples: null });
  });
});

describe('what is no whole recording is refused with one sentence', () => {
  const good = chunk({ types, pools, events: [sample(1, 5), period] });
  const changed = (change: (view: DataView) => void): Uint8Array => {
    const copy = good.slice();
    change(new DataView(copy.buffer));
    return copy;
  };

  it.each([
    ['an empty file', new Uint8Array(), 'profile-damaged'],
    ['another format', new TextEncoder().encode('x'.repeat(200)), 'jfr-not-a-recording'],
    ['an old version', changed((view) => view.setUint32(4, 0x10000)), 'jfr-version'],
    ['a file that is still being written', changed((view) => view.setBigInt64(8, 0n)), 'jfr-unfinished'],
    ['uncompressed numbers', changed((view) => view.setUint32(64, 0)), 'jfr-uncompressed'],
    ['a negative size', changed((view) => view.setBigInt64(8, -5n)), 'profile-damaged'],
    ['a clock that stands still', changed((view) => view.setBigInt64(56, 0n)), 'profile-damaged'],
    ['constants outside the chunk', changed((view) => view.setBigInt64(16, 2n ** 40n)), 'profile-damaged'],
    ['types that lie in the constants', changed((view) => view.setBigInt64(24, view.getBigInt64(16))), 'profile-damaged'],
  ])('%s', (_name, bytes, code) => {
    const failure = failureOf(bytes);
    expect(failure.code).toBe(code);
    expect(failure.message).toMatch(/^[A-Z][^\n]*\.$/);
  });

  it('a file cut anywhere', () => {
    for (let length = 0; length < good.length; length += 1) expect(failureOf(good.subarray(0, length)).code).not.toBe('read');
  });

  it('constants that point back at themselves', () => {
    expect(failureOf(chunk({ types, pools, events: [sample(1, 5)], delta: -1 })).code).toBe('profile-damaged');
    expect(failureOf(chunk({ types, pools, events: [sample(1, 5)], delta: 1 })).code).toBe('profile-damaged');
  });

  it('a type that contains itself', () => {
    const loop = [...types, { id: 50, name: 'loop', fields: [['self', 50]] as const }];
    expect(failureOf(chunk({ types: loop, pools: [...pools, { type: 50, constants: [[1, []]] }], events: [sample(1, 5)] })).code).toBe(
      'profile-damaged',
    );
  });

  it('a stack of two thousand million frames that take no byte, at once', () => {
    const empty = types.map((type) => (type.id === 16 ? { id: 16, name: 'jdk.types.StackFrame', fields: [] } : type));
    const long = pools.map((pool) => (pool.type === 17 ? { type: 17, constants: [[5, [1, ...compressed(2 ** 31)]] as const] } : pool));
    const began = process.cpuUsage();
    expect(failureOf(chunk({ types: empty, pools: long, events: [sample(1, 5)] })).code).toBe('profile-damaged');
    expect(cpuMsSince(began)).toBeLessThan(1_000);
  });

  it('types that multiply without taking a byte, in bounded time', () => {
    const fan = (id: number, of: number): ChunkSpec['types'][number] => ({
      id,
      name: `fan${id}`,
      fields: Array.from({ length: 40 }, (_one, index) => [`f${index}`, of] as const),
    });
    const bomb = [...types, { id: 50, name: 'nothing' }, ...Array.from({ length: 12 }, (_one, level) => fan(51 + level, 50 + level))];
    const began = process.cpuUsage();
    expect(failureOf(chunk({ types: bomb, pools: [...pools, { type: 62, constants: [[1, []]] }], events: [sample(1, 5)] })).code).toBe(
      'profile-damaged',
    );
    expect(cpuMsSince(began)).toBeLessThan(10_000);
  });

  it('a text that stands for itself is no text, and not a loop', () => {
    const own = pools.map((pool) => (pool.type === 4 ? { type: 4, constants: [[1, [2, 1]] as const] } : pool));
    expect(readJfr(chunk({ types, pools: own, events: [sample(1, 5)] })).threads).toEqual(['(thread 7)']);
  });

  it('more than the limits allow', () => {
    const limits: Partial<JfrLimits>[] = [{ bytes: 100 }, { nodes: 2 }, { constants: 3 }, { nameCharacters: 20 }, { samples: 0 }];
    for (const limit of limits) expect([limit, failureOf(good, limit).code]).toEqual([limit, 'profile-too-large']);
  });

  it('any changed bytes give a tree or a failure, never anything else', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }), (changes) => {
        const copy = good.slice();
        for (const [at, value] of changes) copy[at] = value;
        expect(failureOf(copy).code).toMatch(/^(read|profile-|jfr-)/);
      }),
      { numRuns: 1500 },
    );
  });
});

describe('a recording of CPU and wall clock in one event, as async-profiler wrote it before it had two', () => {
  const states = ['STATE_DEFAULT', 'STATE_SLEEPING', 'STATE_RUNNABLE'];
  const inState = (timeNs: number, state: number): ChunkSpec['events'][number] => ({
    type: 100,
    body: [...compressed(timeNs), ...text('skipped'), 7, 5, state],
  });
  const setting = (name: string, value: string): ChunkSpec['events'][number] => ({
    type: 101,
    body: [0, 100, ...text(name), ...text(value)],
  });
  const withStates = pools?.map((pool) =>
    pool.type === 11 ? { type: 11, constants: states.map((name, index) => [index + 1, text(name)] as const) } : pool,
  );
  const samples = [inState(1, 1), inState(2, 2), inState(3, 2), inState(4, 3)];
  const read = (...settings: ChunkSpec['events']): Record<string, number> => {
    const tree = readJfr(chunk({ types, pools: withStates ?? [], events: [...settings, ...samples] }));
    return Object.fromEntries(tree.events.map((event) => [event.name, eventTotal(event)]));
  };

  it('has samples whose thread has a state for those of the wall clock, by its own period', () => {
    expect(read(setting('event', 'cpu'), setting('interval', '10000000'), setting('wall', '200000000'))).toEqual({
      cpu: 10e6,
      wall: 600e6,
    });
  });

  it('has all of them for the CPU where the wall clock was not sampled', () => {
    expect(read(setting('event', 'cpu'), setting('interval', '10000000'))).toEqual({ cpu: 40e6 });
  });
});
