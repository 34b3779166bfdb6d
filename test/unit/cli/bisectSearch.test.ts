import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EngineClient } from '../../../src/engine/rpc/engineClient.ts';
import { bisect } from '../../../src/cli/bisectCommand.ts';
import type { Terminal } from '../../../src/cli/terminal.ts';
import { failure } from '../../../src/model/domain/failure.ts';
import type { Verdict } from '../../../src/model/domain/tuning.ts';
import type { VersionDiff } from '../../../src/model/domain/versionDiff.ts';
import { comparedVersions } from '../../support/simulatedVersions.ts';
import { exampleVersions } from '../../support/versionRecords.ts';
import type { AskedOf } from '../../../src/model/protocol/measureRequest.ts';

const commits = Array.from({ length: 8 }, (_, index) => ({ commit: `${index}`.repeat(40), subject: `change ${index}` }));
const [good, bad] = ['9'.repeat(40), commits.at(-1)?.commit ?? ''];

/** What a comparison of a commit with the good one says, at a first look and at a longer one; or that it does not build. */
type Script = (index: number, longer: boolean) => Verdict | VersionDiff | 'does not build';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(path.join(tmpdir(), 'benchside-bisect-'))));
afterEach(() => rmSync(folder, { recursive: true }));

/** An engine that compares by a script, and is killed after so many comparisons. */
function scripted(
  script: Script,
  killedAfter = Infinity,
): { engine: EngineClient; asked: { head: string; budgetS: number | undefined; delta: number | undefined }[] } {
  const asked: { head: string; budgetS: number | undefined; delta: number | undefined }[] = [];
  const ended = (diff: VersionDiff): object => ({ run: null, outcome: 'complete', compared: { diff, markdown: '' } });
  const request = (name: string, params: unknown): Promise<unknown> => {
    if (name === 'diff/commits') return Promise.resolve({ good, bad, commits });
    const { head, budgetS, delta, why } = (params as { request: AskedOf<'diff'> }).request;
    const index = commits.findIndex(({ commit }) => commit === head);
    if (asked.length >= killedAfter) return Promise.reject(new Error('killed'));
    asked.push({ head: head ?? '', budgetS, delta });
    const says = script(index, budgetS === 540);
    // Recorded is only the commit that was found, against the one before it.
    if (why !== false) return Promise.resolve(ended(exampleVersions()));
    if (says === 'does not build') return Promise.reject(failure('build-failed', 'It could not be built.', 'Mend it.'));
    const diff =
      typeof says === 'string'
        ? exampleVersions({ verdict: says, facts: { code: 'recorded', headline: says, reasons: [] }, metrics: [] })
        : says;
    return Promise.resolve(ended(diff));
  };
  return { engine: { request, on: () => ({ dispose: () => undefined }) } as unknown as EngineClient, asked };
}

async function searched(engine: EngineClient, json = false, told: string[] = []): Promise<{ status: number; said: string }> {
  const said: string[] = [];
  const terminal = {
    print: (text: string) => said.push(text),
    json: (document: unknown) => said.push(JSON.stringify(document)),
    tell: (text: string) => told.push(text),
  } as unknown as Terminal;
  const command = {
    good: 'good',
    bad: 'bad',
    request: { target: 'shop' },
    log: path.join(folder, 'log.ndjson'),
    json,
    workspace: folder,
  };
  const status = await bisect(command as unknown as Parameters<typeof bisect>[0], engine, {
    ...terminal,
    signal: new AbortController().signal,
  });
  return { status, said: said.join('\n') };
}

const fourIsBad: Script = (index) => (index >= 4 ? 'worse' : 'same');

describe('a search for the commit, told by a script', () => {
  it('measures what cannot be told three times as long, and goes by what that says', async () => {
    const { engine, asked } = scripted((index, longer) => (index === 3 && !longer ? 'unknown' : fourIsBad(index, longer)));
    const { status, said } = await searched(engine);
    expect(said).toMatch(/^4444444 “change 4” made it slower\.\n/);
    expect(status).toBe(0);
    expect(asked.filter(({ head }) => head === commits[3]?.commit).map(({ budgetS }) => budgetS)).toEqual([180, 540]);
  });

  it('does not measure for longer what a first look tells beside a change as large as the whole', async () => {
    const figures = (verdict: Verdict, mean: number, ciLow: number, ciHigh: number): VersionDiff => {
      const [throughput] = exampleVersions().metrics;
      if (throughput === undefined) throw new Error('the example has a throughput');
      return exampleVersions({
        verdict,
        facts: { code: 'recorded', headline: verdict, reasons: [] },
        metrics: [{ ...throughput, id: 'throughput', ratio: { mean, ciLow, ciHigh }, verdict }],
      });
    };
    // 1.8 % slower, within −7.9 and +4.7 %, is no word on ±5 %, and enough where the newer version is 17 % slower.
    const { engine, asked } = scripted((index) =>
      index >= 4 ? figures('worse', 0.83, 0.78, 0.88) : figures('unknown', 0.982, 0.921, 1.047),
    );
    const { status, said } = await searched(engine);
    expect(said).toMatch(/^4444444 “change 4” most likely made it slower \(9\d %\)/);
    expect(status).toBe(0);
    expect(new Set(asked.map(({ budgetS }) => budgetS))).toEqual(new Set([180, undefined]));
    // What is the same within half of that is called the same.
    const [first, ...others] = asked.slice(0, -1).map(({ delta }) => delta);
    expect(first).toBeUndefined();
    for (const delta of others) expect(delta).toBeCloseTo(0.085, 5);
  });

  it('leaves out what can’t be told then either, and what does not build; it names all that it can be, as git does', async () => {
    const { engine, asked } = scripted((index, longer) =>
      index === 3 ? 'unknown' : index === 2 ? 'does not build' : fourIsBad(index, longer),
    );
    const { status, said } = await searched(engine);
    expect(said).toBe(
      'One of these made it slower: 2222222 “change 2”, 3333333 “change 3”, 4444444 “change 4”. Those between could not be told.',
    );
    expect(status).toBe(4);
    // What does not build does so however long it is measured.
    expect(asked.filter(({ head }) => head === commits[2]?.commit)).toHaveLength(1);
  });

  it('goes on after a kill at any step, asks for no commit twice, and finds the same', async () => {
    const whole = scripted(fourIsBad);
    const expected = await searched(whole.engine);
    const steps = whole.asked.length;
    expect(steps).toBeGreaterThan(3);
    for (let kill = 0; kill < steps; kill += 1) {
      rmSync(path.join(folder, 'log.ndjson'), { force: true });
      const first = scripted(fourIsBad, kill);
      await expect(searched(first.engine)).rejects.toThrow('killed');
      const second = scripted(fourIsBad);
      expect(await searched(second.engine)).toEqual(expected);
      expect([...first.asked, ...second.asked]).toEqual(whole.asked);
    }
  });

  it('says once that it was cancelled, and that the same command goes on, also where figures were kept', async () => {
    const { engine } = scripted(fourIsBad);
    const told: string[] = [];
    const cancelled = {
      ...engine,
      request: async (name: 'measure/start', params: never) => ({
        ...(await engine.request(name, params)),
        ...(name === 'measure/start' ? { outcome: 'cancelled', stored: true } : {}),
      }),
    } as unknown as EngineClient;
    await expect(searched(cancelled, false, told)).rejects.toThrow('Cancelled. The same command goes on where it was.');
    expect(told.filter((text) => /cancelled/i.test(text))).toEqual([]);
  });

  it('ends with why, where nothing speaks for a difference, and says that any commit may be it', async () => {
    const { engine, asked } = scripted(() => 'unknown');
    const { status, said } = await searched(engine);
    expect(said).toBe('Whether the newer version is slower can’t be told. unknown If it is, it may be any of the 8 commits.');
    expect(status).toBe(4);
    expect(asked.map(({ budgetS }) => budgetS)).toEqual([180, 540]);
  });

  it('says in words and in JSON whether a comparison decided that the newer version is slower, or its figures and your word alone', async () => {
    // 10 % slower, within −25 % and +8 %: too wide for a verdict, and more than a standard error.
    const headline = 'HEAD looks 10 % slower than v1 (−25 % to +8.0 %).';
    const looksSlower = (): VersionDiff => {
      const [throughput] = exampleVersions().metrics;
      if (throughput === undefined) throw new Error('the example has a throughput');
      const metric = { ...throughput, id: 'throughput', ratio: { mean: 0.9, ciLow: 0.75, ciHigh: 1.08 }, verdict: 'unknown' } as const;
      return exampleVersions({ verdict: 'unknown', facts: { code: 'recorded', headline, reasons: [] }, metrics: [metric] });
    };
    const open: Script = (index) => (index === 7 ? looksSlower() : 'same');
    const assumed = await searched(scripted(open).engine, true);
    expect(JSON.parse(assumed.said)).toMatchObject({ bisect: { culprits: [bad], chance: 1, slower: 'assumed', newer: headline } });
    // The same again, from the log.
    expect((await searched(scripted(open).engine)).said).toMatch(
      `7777777 “change 7” made it slower. That the newer version is slower at all was not decided: ${headline}\n`,
    );
    const told = async (script: Script): Promise<unknown> => {
      rmSync(path.join(folder, 'log.ndjson'), { force: true });
      const { said } = await searched(scripted(script).engine, true);
      return (JSON.parse(said) as { bisect: { slower: unknown } }).bisect.slower;
    };
    expect(await told(fourIsBad)).toBe('decided');
    // A comparison on the way decides it as well.
    expect(await told((index) => (index === 7 ? looksSlower() : fourIsBad(index, false)))).toBe('decided');
    expect([await told(() => 'same'), await told(() => 'unknown')]).toEqual(['no', 'unknown']);
  });

  it('answers with the commit, or with those that it can be, on a machine of which others take most of the CPU', async () => {
    // The recorded theft, so often that nine tenths of the CPU are gone; commits differ by a fifth from the fifth on.
    const world = { theft: 25, ofProcesses: 0.015, scatter: 0.2 };
    const found: { culprits: string; status: number; untold: number }[] = [];
    for (let seed = 1; seed <= 3; seed += 1) {
      rmSync(path.join(folder, 'log.ndjson'), { force: true });
      let untold = 0;
      const { engine } = scripted((index, longer) => {
        const { diff } = comparedVersions({ ...world, slower: index >= 4 ? 0.2 : 0 }, 104_729 * seed + 7919 * index, longer ? 360 : 120);
        untold += Number(diff.verdict === 'unknown');
        return diff;
      });
      const { status, said } = await searched(engine);
      found.push({ culprits: said.split('\n')[0] ?? '', status, untold });
    }
    // What was measured of commits that cannot be judged narrows it: the right one is among those that are named.
    expect(found.some(({ untold }) => untold > 0)).toBe(true);
    expect(found.filter(({ culprits }) => /made it slower/.test(culprits) && culprits.includes('“change 4”'))).toHaveLength(3);
  });
});
