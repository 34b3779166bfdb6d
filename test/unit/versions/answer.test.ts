import { recorded as said } from '../../support/recorded.ts';
import { describe, expect, it } from 'vitest';
import type { ComparedMetric } from '../../../src/model/domain/comparison.ts';
import { cellText } from '../../../src/model/presentation/table.ts';
import { diffHeadline, diffNotes, diffReasons } from '../../../src/model/presentation/diffWords.ts';
import { diffTable, sideTitles } from '../../../src/model/presentation/versionDiffTable.ts';
import { judgeSlo } from '../../../src/model/domain/judgeSlo.ts';
import { defaultDelta } from '../../../src/model/domain/margin.ts';
import type { ChangedFunction, VersionDiff, VersionMetricId, VersionWhy } from '../../../src/model/domain/versionDiff.ts';
import type { Trial } from '../../../src/model/domain/run.ts';
import { composeDiff } from '../../../src/engine/versions/answer.ts';

const sides = {
  base: { label: 'main (1111111)', commit: '1'.repeat(40), trialKey: 'a' },
  head: { label: 'the working tree', commit: null, trialKey: 'b' },
};

/** A trial of 1,000 requests that sent these statements so often. */
function trial(calls: Readonly<Record<string, number>>, more: Partial<Trial> = {}): Trial {
  return {
    valid: true,
    reasons: [],
    throughput: { mean: 100, ciLow: null, ciHigh: null },
    latencyMs: null,
    errors: { total: 0 },
    resources: { app: { cpuUsPerRequest: null } },
    blocks: [{ valid: true, requests: 1000, round: 1, startMs: 0, windowMs: 4000 }],
    statements: Object.entries(calls).map(([sql, count]) => ({ sql, calls: count, rows: count })),
    ...more,
  } as unknown as Trial;
}

function figure(verdict: ComparedMetric['verdict'], mean: number, half: number): ComparedMetric {
  return {
    verdict,
    ratio: { mean, ciLow: mean - half, ciHigh: mean + half },
    of: 'throughput',
    delta: defaultDelta,
    moreRounds: verdict === 'unknown' ? 12 : null,
    chance: verdict === 'worse' || verdict === 'better' ? 0.001 : 0.5,
    method: [],
  };
}

function compared(
  throughput: ComparedMetric | null,
  a: Trial,
  b: Trial,
  more: { cpu?: ComparedMetric; judgeBy?: VersionMetricId[]; why?: VersionWhy } = {},
) {
  const pair = { a, b, delta: defaultDelta, throughput, p99: null, cpuPerRequest: more.cpu ?? null };
  return composeDiff(sides, pair, { headName: 'B', judgeBy: more.judgeBy }, { why: more.why ?? null });
}

/** What recordings say of one function. */
function recorded(more: Partial<ChangedFunction>): VersionWhy {
  const one: ChangedFunction = {
    name: 'format',
    file: 'a.js',
    line: 3,
    event: 'cpu',
    unit: 'ns',
    base: 1e6,
    head: 3e6,
    change: 2e6,
    touched: true,
  };
  return { functions: [{ ...one, ...more }], flame: null, excerpt: null, recordings: null };
}

/** The words of one row of the table. */
function rowOf(diff: VersionDiff, name: string): string[] {
  const row = diffTable(diff).rows.find(({ cells }) => cellText(cells[0] ?? { text: '', sort: null }).startsWith(name));
  return (row?.cells ?? []).map(cellText);
}

const select = 'select * from items where id = $1';

describe('what two versions differ in', () => {
  it('names the sides, the change and its interval', () => {
    expect(diffHeadline(compared(figure('worse', 0.88, 0.03), trial({}), trial({})))).toBe(
      'The working tree is 12 % slower than main (1111111) (−15 % to −9.0 %).',
    );
    expect(diffHeadline(compared(figure('worse', 0.2, 0.01), trial({}), trial({})))).toMatch(
      /^The working tree is 5\.00 times slower than/,
    );
    expect(diffHeadline(compared(figure('same', 1.01, 0.02), trial({}), trial({})))).toBe(
      'The working tree is as fast as main (1111111), within ±5 % (−1.0 % to +3.0 %).',
    );
    expect(diffHeadline(compared(figure('same', 0.98, 0.01), trial({}), trial({})))).toBe(
      'The working tree is 2.0 % slower than main (1111111), which is within ±5 % (−3.0 % to −1.0 %).',
    );
    expect(diffHeadline(compared(figure('unknown', 0.98, 0.08), trial({}), trial({})))).toBe(
      'The working tree looks 2.0 % slower than main (1111111) (−10 % to +6.0 %); about 50 s more would decide.',
    );
  });

  it('is decided by counts where times cannot decide, and never against them', () => {
    const [a, b] = [trial({ [select]: 1000 }), trial({ [select]: 9000 })];
    const open = compared(figure('unknown', 0.98, 0.08), a, b);
    expect(open.verdict).toBe('worse');
    expect(diffHeadline(open)).toMatch(
      /^The working tree sends 9 statements instead of 1 statement for each request; it looks 2.0 % slower than main/,
    );
    expect(compared(figure('better', 1.2, 0.05), a, b).verdict).toBe('better');
  });

  it('is decided by CPU per request where throughput cannot tell, and says so; by what was asked for alone', () => {
    const [a, b, open] = [trial({}), trial({}), figure('unknown', 0.98, 0.08)];
    const cpu = figure('worse', 1.2, 0.05);
    const found = compared(open, a, b, { cpu });
    expect(found.verdict).toBe('worse');
    expect(diffHeadline(found)).toMatch(
      /^The working tree uses 20 % more CPU for each request; it looks 2.0 % slower than main \(1111111\)/,
    );
    expect(compared(open, a, b, { cpu, judgeBy: ['throughput'] }).verdict).toBe('unknown');
    expect(compared(figure('better', 1.2, 0.05), a, b, { cpu }).verdict).toBe('better');
  });

  it('has no figure that differs by a chance that lies in looking at several', () => {
    const [a, b] = [trial({}), trial({})];
    const perhaps = { ...figure('worse', 1.1, 0.09), chance: 0.04 };
    const found = compared({ ...figure('worse', 0.9, 0.09), chance: 0.04 }, a, b, { cpu: perhaps });
    expect(found.metrics.filter(({ verdict }) => verdict === 'worse')).toEqual([]);
    expect(found.verdict).toBe('unknown');
    expect(compared(figure('worse', 0.9, 0.05), a, b, { cpu: perhaps }).metrics.map(({ verdict }) => verdict)).toContain('worse');
  });

  it('is not worse by CPU alone where that may be a compiler that was kept waiting', () => {
    const [a, b, cpu] = [trial({}), trial({}), { ...figure('worse', 1.15, 0.12), chance: 0.02 }];
    expect(compared(figure('unknown', 0.85, 0.15), a, b, { cpu }).verdict).toBe('unknown');
    expect(compared(figure('unknown', 0.85, 0.15), a, b, { cpu: { ...cpu, chance: 0.002 } }).verdict).toBe('worse');
    // What the recordings show of a function that the change touched is the second kind of evidence.
    const verdictWith = (touched: boolean, change: number) =>
      compared(figure('unknown', 0.85, 0.15), a, b, { cpu, why: recorded({ touched, change }) }).verdict;
    expect([verdictWith(true, 2e6), verdictWith(true, -2e6), verdictWith(false, 2e6)]).toEqual(['worse', 'unknown', 'unknown']);
  });

  it('names first what can be pointed at: a function that the change touched, then answers of another size, then others', () => {
    const answers = (bytesPerSecond: number): Partial<Trial> => ({
      blocks: [{ valid: true, requests: 1000, bytesPerSecond, round: 1, startMs: 0, windowMs: 1000 }] as never,
    });
    const [a, b, worse, cpu] = [
      trial({}, answers(600_000)),
      trial({}, answers(9_000_000)),
      figure('worse', 0.5, 0.05),
      figure('worse', 3, 0.2),
    ];
    const answer = 'Each answer holds 8.8 KiB instead of 600 B.';
    const first = (touched: boolean, other = b) => diffReasons(compared(worse, a, other, { cpu, why: recorded({ touched }) })).slice(0, 2);
    expect(first(false)).toEqual([answer, expect.stringMatching(/^format \(a\.js:3\) takes 2\.00 ms more/)]);
    expect(first(true)).toEqual([expect.stringMatching(/^format \(a\.js:3\), which the change touched/), answer]);
    expect(first(false, trial({}, answers(650_000)))[0]).toMatch(/^format/);
  });

  it('names what the change touched of what ran where no function differs by more than chance, and only with a verdict', () => {
    const [a, b, worse] = [trial({}), trial({}), figure('worse', 0.97, 0.01)];
    const place = (name: string, line: number) => ({ name, file: 'a.js', line });
    const reasons = (figures: ComparedMetric, ...ran: ReturnType<typeof place>[]) =>
      diffReasons(compared(figures, a, b, { why: { ...recorded({ touched: false }), functions: [], ran } })).filter((one) =>
        one.includes('ran'),
      );
    expect(reasons(worse, place('format', 3))).toEqual([
      'Of what ran, the change touched only format (a.js:3); its part cannot be distinguished from chance.',
    ]);
    expect(reasons(worse, place('format', 3), place('parse', 9))).toEqual([
      'Of what ran, the change touched format (a.js:3) and parse (a.js:9); the part of each cannot be distinguished from chance.',
    ]);
    expect(reasons(worse, ...[1, 2, 3, 4].map((line) => place('f', line)))).toEqual([]);
    expect(reasons(figure('same', 1, 0.01), place('format', 3))).toEqual([]);
  });

  it('is worse by an objective that the first keeps and the second misses', () => {
    const slo = (passed: boolean): Partial<Trial> => ({
      slo: { passed, rows: [{ what: 'p99', limit: '≤ 50 ms', value: passed ? '40 ms' : '62 ms', passed }] },
    });
    const found = compared(figure('same', 1, 0.02), trial({}, slo(true)), trial({}, slo(false)));
    expect(found.verdict).toBe('worse');
    expect(diffHeadline(found)).toMatch(/misses the objective \(p99 62 ms \(limit ≤ 50 ms\)\); it is as fast as/);
    expect(compared(figure('same', 1, 0.02), trial({}, slo(false)), trial({}, slo(false))).verdict).toBe('same');
    expect(diffNotes(found)).toEqual([
      'The objective (under the load of the profile): p99 ≤ 50 ms: main (1111111) 40 ms (kept), the working tree 62 ms (missed).',
    ]);
  });

  it('is judged by p99 at the fixed rate where that is known, and not where its interval holds the limit', () => {
    const objective = { p99Ms: 50, errorShare: 0.01 };
    const atRate = (p99Ms: number): Trial => {
      const openLoop = { rate: 640, p99Ms, ciLow: 0.9 * p99Ms, ciHigh: 1.1 * p99Ms, ratioToBest: null, blocks: 8, carried: true };
      const one = trial({}, { openLoop, requests: 1000, errors: { total: 0 } as Trial['errors'] });
      return { ...one, slo: judgeSlo(objective, one, { p99AtRate: true }) };
    };
    const same = figure('same', 1, 0.02);
    const found = compared(same, atRate(40), atRate(60));
    expect(found.verdict).toBe('worse');
    expect(diffReasons(found)[0]).toMatch(/p99 at 640 req\/s 60\.0 ms \(54\.0 – 66\.0 ms\) \(limit ≤ 50 ms\)/);
    expect(diffNotes(found)[0]).toMatch(
      /^The objective \(p99 at a fixed rate, the rest under the load of the profile\): p99 at 640 req\/s ≤ 50 ms: /,
    );
    // 52 ms may as well be 47.
    expect(compared(same, atRate(40), atRate(52)).verdict).toBe('same');
    expect(diffNotes(compared(same, atRate(40), atRate(52)))[0]).toMatch(/the working tree 52\.0 ms \(46\.8 – 57\.2 ms\) \(undecided\)/);
  });

  it('shows what is allocated, collected, kept and how fast it starts, and judges by it only where that is asked for', () => {
    const started = (startUpMs: number[], afterFullBytes: number): Partial<Trial> => ({
      startUpMs,
      startRssBytes: startUpMs.map((ms) => 1e5 * ms),
      memory: { gcUsPerRequest: 3, afterFullBytes },
    });
    const [a, b] = [trial({}, started([500, 510, 505], 20e6)), trial({}, started([900, 905, 910], 80e6))];
    const same = figure('same', 1, 0.02);
    const { metrics, verdict } = compared(same, a, b);
    expect(verdict).toBe('same');
    expect(metrics.find(({ id }) => id === 'start-up')).toMatchObject({ verdict: 'worse', exact: false, counts: false });
    expect(metrics.find(({ id }) => id === 'memory')).toMatchObject({ verdict: 'worse', exact: false, counts: false });
    const once = compared(same, trial({}, { startRssBytes: [5e7] }), trial({}, { startRssBytes: [9e7] })).metrics;
    expect(once.find(({ id }) => id === 'memory')).toMatchObject({ base: expect.closeTo(50), head: expect.closeTo(90), verdict: null });
    expect(metrics.find(({ id }) => id === 'heap')).toMatchObject({ base: 20, head: 80, verdict: null });
    expect(compared(same, a, b, { judgeBy: ['heap'] })).toMatchObject({ verdict: 'worse' });
    expect(compared(same, a, b, { judgeBy: ['gc'] })).toMatchObject({ verdict: 'same' });
  });

  it('compares what is allocated by its own counts, whatever the slices say of CPU time', () => {
    const measured = (cpuUs: number, allocatedBytes: number): Partial<Trial> => ({
      key: String(cpuUs * allocatedBytes),
      blocks: Array.from({ length: 8 }, (_, index) => {
        const slices = Array.from({ length: 10 }, (_slice, at) => at);
        return {
          valid: true,
          requests: 1000,
          round: index + 1,
          startMs: 4000 * index,
          windowMs: 2000,
          allocatedBytesPerRequest: allocatedBytes + (index % 2),
          slices: {
            pass: slices,
            atMs: slices.map((at) => 100 * at),
            throughput: slices.map(() => 100),
            appUs: slices.map((at) => cpuUs + (at % 3)),
          },
        };
      }) as never,
    });
    const ofAllocations = (a: Partial<Trial>, b: Partial<Trial>) =>
      compared(figure('same', 1, 0.02), trial({}, a), trial({}, b)).metrics.find(({ id }) => id === 'allocations');
    expect(ofAllocations(measured(2000, 20_000), measured(2400, 20_001))).toMatchObject({ verdict: 'same' });
    expect(ofAllocations(measured(2000, 20_000), measured(2001, 24_000))).toMatchObject({
      verdict: 'worse',
      ratio: { mean: expect.closeTo(1.2, 2) },
    });
  });

  it('tells statements that are new, gone or sent more often, the largest change first, and those sent for each row', () => {
    const { statements, metrics } = compared(
      figure('worse', 0.5, 0.1),
      trial({ [select]: 1000, 'select 1': 1000, 'delete from old': 500 }),
      trial({ [select]: 6000, 'select 1': 1010, 'insert into log values ($1)': 1000 }),
    );
    expect(statements.map(({ sql, kind, nPlusOne }) => [sql, kind, nPlusOne])).toEqual([
      [select, 'more often', true],
      ['insert into log values ($1)', 'new', false],
      ['delete from old', 'gone', false],
    ]);
    expect(metrics.find(({ name }) => name === 'statements per request')).toMatchObject({
      base: 2.5,
      head: 8.01,
      exact: true,
      verdict: 'worse',
    });
  });

  it('says nothing about statements where PostgreSQL did not count them', () => {
    const { statements, metrics } = compared(
      figure('same', 1, 0.01),
      trial({}, { statements: undefined as never }),
      trial({ [select]: 5 }),
    );
    expect(statements).toEqual([]);
    expect(metrics.some(({ name }) => name === 'statements per request')).toBe(false);
  });

  it('says of what is open how much longer would decide it, or why no time would', () => {
    const rounds = (count: number): Partial<Trial> => ({
      blocks: Array.from({ length: count }, (_, index) => ({
        valid: true,
        requests: 100,
        round: index + 1,
        startMs: 4000 * index,
        windowMs: 4000,
      })) as never,
    });
    const [a, b] = [trial({}, rounds(20)), trial({}, rounds(20))];
    // 9 % slower alone, which a second figure that scatters may explain: a few rounds more, of four seconds each.
    const perhaps = { ...figure('worse', 0.91, 0.088), chance: 0.045 };
    const found = compared(perhaps, a, b, { cpu: { ...figure('same', 1, 0.02), chance: 0.9 } });
    expect(found.verdict).toBe('unknown');
    expect(diffHeadline(found)).toBe(
      'The working tree looks 9.0 % slower than main (1111111) (−18 % to −0.2 %); about 40 s more would decide.',
    );
    const hopeless = { ...figure('unknown', 0.9, 0.4), moreRounds: null };
    expect(diffHeadline(compared(hopeless, a, b))).toMatch(
      /^The working tree can’t be told from main \(1111111\) yet \(−50 % to \+30 %\); it scatters too much for more time to decide\.$/,
    );
    const single = { ...hopeless, ratio: { mean: 0.9, ciLow: null, ciHigh: null } };
    expect(diffHeadline(compared(single, a, b))).toBe('The working tree can’t be told from main (1111111) yet; there are too few rounds.');
  });

  it('tells no direction of what few rounds, or an interval of everything, say', () => {
    const wild = { ...figure('unknown', 2.21, 0), ratio: { mean: 2.21, ciLow: null, ciHigh: null } };
    const found = compared(wild, trial({}), trial({}));
    expect(diffHeadline(found)).toMatch(/can’t be told from main \(1111111\) yet; about 50 s more would decide\.$/);
    expect(rowOf(found, 'throughput')).toEqual(['throughput (req/s)', expect.any(String), expect.any(String), '–', '', 'undecided']);
    const wide = { ...figure('unknown', 1.1, 0), ratio: { mean: 1.1, ciLow: 0.6, ciHigh: 2.3 } };
    expect(diffHeadline(compared(wide, trial({}), trial({})))).toMatch(/yet \(−40 % to \+130 %\)/);
    const narrow = { ...figure('unknown', 1.1, 0), ratio: { mean: 1.1, ciLow: 0.9, ciHigh: 1.3 } };
    expect(diffHeadline(compared(narrow, trial({}), trial({})))).toMatch(/looks 10 % faster than/);
  });

  it('shows both sides as the pairs compare them, whatever their means over all rounds are', () => {
    const mean = (value: number): Partial<Trial> => ({ throughput: { mean: value, ciLow: null, ciHigh: null, blocks: [] } });
    const { metrics } = compared(figure('same', 0.993, 0.02), trial({}, mean(888)), trial({}, mean(1493)));
    const [throughput] = metrics;
    expect((throughput?.head ?? 0) / (throughput?.base ?? 1)).toBeCloseTo(0.993);
    expect(Math.sqrt((throughput?.head ?? 0) * (throughput?.base ?? 0))).toBeCloseTo(Math.sqrt(888 * 1493));
  });

  it('says by how much two starts of the same version differed, beside the change', () => {
    const started = (...figures: [start: number, throughput: number][]): Partial<Trial> => ({
      blocks: figures.map(([start, throughput], index) => ({
        valid: true,
        requests: 100,
        round: index + 1,
        start,
        throughput,
        appCpuUsPerRequest: null,
        startMs: 0,
        windowMs: 1000,
      })) as never,
    });
    const a = trial({}, started([1, 100], [1, 100], [2, 103], [2, 103]));
    const b = trial({}, started([1, 100], [2, 99]));
    const found = compared(figure('same', 1, 0.02), a, b);
    expect(found.metrics[0]?.again?.base).toBeCloseTo(0.03);
    expect(found.metrics[0]?.again?.head).toBeCloseTo(1 / 99);
    expect(rowOf(found, 'throughput')[5]).toBe('3 %, 1 %');
    // What is not proven has no direction then; what is has.
    const wide = trial({}, started([1, 100], [1, 100], [2, 140], [2, 140]));
    expect(diffHeadline(compared(figure('unknown', 1.13, 0.12), wide, b))).toMatch(
      /can’t be told from main \(1111111\) yet \(\+1\.0 % to \+25 %\)/,
    );
    expect(diffHeadline(compared(figure('unknown', 1.13, 0.12), a, b))).toMatch(/looks 13 % faster than/);
    expect(diffHeadline(compared(figure('better', 1.13, 0.05), wide, b))).toMatch(/is 13 % faster than/);
    // Of processes that were started once there is no such column.
    expect(rowOf(compared(figure('same', 1, 0.02), trial({}, started([1, 100])), trial({}, started([1, 90]))), 'throughput')).toHaveLength(
      6,
    );
  });

  it('is worse where the second fails requests that the first answers, however fast', () => {
    const failed = (count: number, valid: boolean): Trial =>
      trial({}, { valid, reasons: valid ? [] : said('They failed.'), errors: { total: count } as Trial['errors'] });
    const worse = compared(null, failed(0, true), failed(250, false));
    expect(worse.verdict).toBe('worse');
    expect(diffHeadline(worse)).toBe('The working tree fails 20 % of the requests, which main (1111111) answers.');
    expect(diffReasons(worse)).toEqual(['They failed.']);
    // A mishap of a moment, what both fail, and what head mends: its speed is not known.
    const open = [
      [failed(0, true), failed(11, false)],
      [failed(50, true), failed(250, false)],
      [failed(250, false), failed(0, true)],
    ] as const;
    expect(open.map(([a, b]) => compared(null, a, b).verdict)).toEqual(['unknown', 'unknown', 'unknown']);
  });

  it('says of which version nothing is known, and why, where it was not measured as asked', () => {
    const found = compared(
      null,
      trial({}),
      trial({}, { valid: false, reasons: said('The app died.'), errors: { total: 0 } as Trial['errors'] }),
    );
    expect(found.verdict).toBe('unknown');
    expect(diffHeadline(found)).toBe('The working tree was not measured as asked, so that nothing is known of its speed. The app died.');
    expect(diffHeadline(compared(null, trial({}), trial({}, { blocks: [] })))).toBe('Nothing was measured of the working tree.');
  });
});

describe('the names over the columns', () => {
  const titles = (base: string, head: string): string[] => {
    const both = sideTitles({ base: { label: base }, head: { label: head } });
    return [both.base.title, both.head.title];
  };

  it('are those of the sides: short, and still apart', () => {
    expect(titles('main (3f2a91c)', 'the working tree')).toEqual(['main', 'working tree']);
    expect(titles('HEAD~1 (5361179)', 'HEAD (829a544)')).toEqual(['HEAD~1', 'HEAD']);
    expect(titles('main (3f2a91c)', 'main (829a544)')).toEqual(['main (3f2a91c)', 'main (829a544)']);
    const long = 'feature/orders-in-one-statement (3f2a91c)';
    expect(titles(long, 'the working tree')).toEqual(['feature/…e-statement', 'working tree']);
    expect(sideTitles({ base: { label: long }, head: { label: 'HEAD' } }).base.full).toBe(long);
    const [one, other] = titles('feature/a-first-statement', 'feature/b-first-statement');
    expect(one).not.toBe(other);
  });
});
