import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BreakingPoint, type LoadVerdict, findBreakingPoint } from '../../../src/engine/load/breakingPoint.ts';

/** A search on a target that keeps its SLO up to `limit`. */
function search(
  limit: number,
  options: { lowest?: number; highest?: number; maxSteps?: number } = {},
): Promise<BreakingPoint<LoadVerdict>> {
  const { lowest = 1, highest = 1024, maxSteps = 40 } = options;
  return findBreakingPoint({ lowest, highest, maxSteps, measure: (load) => Promise.resolve({ keeps: load <= limit }) });
}

/** Gives the verdicts of `script` for their loads in turn, and then by `limit`. */
function scripted(limit: number, script: Record<number, (boolean | null)[]>): (load: number) => Promise<LoadVerdict> {
  const left = new Map(Object.entries(script).map(([load, verdicts]) => [Number(load), [...verdicts]]));
  return (load) => {
    const verdict = left.get(load)?.shift();
    return Promise.resolve({ keeps: verdict === undefined ? load <= limit : verdict });
  };
}

describe('the search for the breaking point', () => {
  it('finds the highest load that keeps the SLO within 10 % and measures both sides of it twice', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 1023 }), async (limit) => {
        const { status, answer, breaksAt, path } = await search(limit);
        expect(status).toBe('found');
        expect(answer).toBeLessThanOrEqual(limit);
        expect(breaksAt).toBeGreaterThan(limit);
        expect((breaksAt ?? 0) - (answer ?? 0)).toBeLessThanOrEqual(Math.max(1, 0.1 * (answer ?? 0)));
        for (const load of [answer, breaksAt]) expect(path.filter((step) => step.load === load).length).toBe(2);
        expect(path.length).toBeLessThanOrEqual(13);
      }),
    );
  });

  it('asks first for the lowest and the highest load, and halves on a logarithmic scale', async () => {
    const { path, ...found } = await search(100);
    expect(path.slice(0, 6).map(({ load }) => load)).toEqual([1, 1024, 32, 181, 76, 117]);
    expect(found).toMatchObject({ status: 'found', kept: 2, broke: found.of });
  });

  it('says so when the lowest load breaks already, and when the highest still keeps it', async () => {
    expect(await search(3, { lowest: 4 })).toMatchObject({
      status: 'below-lowest',
      answer: null,
      breaksAt: 4,
      load: 4,
    });
    expect(await search(5000)).toMatchObject({
      status: 'above-highest',
      answer: 1024,
      breaksAt: null,
      load: 1024,
    });
  });

  it('repeats a measurement that is not valid once, and gives up on the second', async () => {
    const found = await findBreakingPoint({ lowest: 1, highest: 64, maxSteps: 30, measure: scripted(20, { 8: [null] }) });
    expect(found.status).toBe('found');
    expect(found.path.filter(({ load }) => load === 8).map(({ measurement }) => measurement.keeps)).toEqual([null, true]);
    const stuck = await findBreakingPoint({ lowest: 1, highest: 64, maxSteps: 30, measure: scripted(20, { 8: [null, null] }) });
    expect(stuck).toMatchObject({ status: 'invalid', answer: 1, breaksAt: 64, load: 8 });
  });

  it('goes on below a load that kept the SLO once and then did not', async () => {
    const steady = await search(100);
    const lucky = steady.answer ?? 0;
    const measure = scripted(lucky - 20, { [lucky]: [true, false] });
    const { status, answer, breaksAt } = await findBreakingPoint({ lowest: 1, highest: 1024, maxSteps: 40, measure });
    expect(status).toBe('found');
    expect(answer).toBeLessThanOrEqual(lucky - 20);
    expect(breaksAt).toBeLessThanOrEqual(lucky);
  });

  it('tells how often the load above the answer broke it, when not always', async () => {
    const steady = await search(100);
    const above = steady.breaksAt ?? 0;
    const found = await findBreakingPoint({
      lowest: 1,
      highest: 1024,
      maxSteps: 40,
      measure: scripted(100, { [above]: [false, true] }),
    });
    expect(found).toMatchObject({ status: 'found', breaksAt: above, broke: 1, of: 2 });
  });

  it('ends undecided, with what it knows, when its measurements are used up', async () => {
    const { path, ...found } = await search(100, { maxSteps: 4 });
    expect(path).toHaveLength(4);
    expect(found).toMatchObject({ status: 'undecided', steps: 4, answer: 32, breaksAt: 181 });
  });

  it('ends whatever the verdicts are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.constantFrom(true, false, null)), async (verdicts) => {
        const { path } = await findBreakingPoint({
          lowest: 1,
          highest: 64,
          maxSteps: 15,
          measure: () => Promise.resolve({ keeps: verdicts.next().value ?? null }),
        });
        expect(path.length).toBeLessThanOrEqual(16);
      }),
    );
  });

  it('stops at its signal', async () => {
    const abort = new AbortController();
    const measure = (): Promise<LoadVerdict> => {
      abort.abort();
      return Promise.resolve({ keeps: true });
    };
    await expect(findBreakingPoint({ lowest: 1, highest: 64, maxSteps: 15, measure, signal: abort.signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
  });
});
