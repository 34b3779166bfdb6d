import { describe, expect, it } from 'vitest';
import { textOf } from '../../../src/cli/textDocument.ts';
import { parsedCommand } from '../../support/parsedCommand.ts';
import { leakAnswer, startupAnswer } from '../../../src/model/agents/serviceAnswers.ts';
import { leakDocument, leakHeadline } from '../../../src/model/presentation/documents/leakDocument.ts';
import { startupDocument } from '../../../src/model/presentation/documents/startupDocument.ts';
import { type LeakReport, leakReportSchema } from '../../../src/model/domain/leak.ts';
import { startupReportSchema } from '../../../src/model/domain/startup.ts';

const leak: LeakReport = leakReportSchema.parse({
  target: 'shop',
  targetLabel: 'Shop',
  runtime: 'node',
  load: { name: 'steady', connections: 8, route: 'GET /cart' },
  verdict: 'leaks',
  doubt: null,
  kept: { mean: 120, low: 100, high: 140 },
  confidence: 0.99,
  smallest: 50,
  settling: 1,
  cycles: [
    { requests: 1_000, errors: 0, keptBytes: 10_000_000 },
    { requests: 2_500, errors: 3, keptBytes: 10_180_000 },
  ],
  classes: [{ name: 'Session', perCycle: [1_000, 1_500], bytes: 180_000 }],
  holders: [{ kind: 'Map', name: 'kept', objects: 2_500, bytes: 180_000 }],
  stacks: [{ bytes: 65_536, frames: [{ name: 'login', file: '/srv/login.js', line: 12 }] }],
  notes: ['errors'],
  spentS: 31,
  budgetS: 60,
});

describe('the answer whether it leaks', () => {
  it('has bytes of 1,000 requests with their interval, what holds them, and the line that made them', () => {
    const text = textOf(leakDocument(leak));
    expect(text).toContain('each 1,000 requests leave 117 KiB (99 %: 97.7 KiB to 137 KiB)');
    expect(text).toContain('Map “kept”: 2,500 new objects hang on it, 176 KiB');
    expect(text).toContain('login (/srv/login.js:12)');
    expect(text).toMatch(/Session +1,000, 1,500 +176 KiB/);
    expect(text).toContain('3 requests failed');
    expect(text).toContain('2,500 requests in 2 cycles with 8 connections (steady, GET /cart)');
  });

  it('says why it is none yet', () => {
    const undecided = { ...leak, verdict: 'undecided' } as const;
    expect(leakHeadline({ ...undecided, doubt: 'levels-off' })).toContain('as a cache does that fills');
    expect(leakHeadline({ ...undecided, doubt: 'interval', kept: { mean: 20, low: -40, high: 90 } })).toMatch(
      /−39.1 KiB to 87.9 KiB.*50 bytes/,
    );
    expect(leakHeadline({ ...undecided, doubt: 'few-cycles', kept: null })).toContain('too few cycles');
    expect(leakHeadline({ ...leak, verdict: 'does-not-leak', kept: { mean: -2, low: -9, high: 3 } })).toMatch(
      /^It does not leak.*50 bytes per request/,
    );
  });
});

describe('the answer to an agent', () => {
  it('whether it leaks keeps the names of the app apart, and asks for more time where it is open', () => {
    const { said, data, next } = leakAnswer(leak, {});
    expect(said).toEqual(
      expect.arrayContaining(['verdict: leaks', 'kept per request: 120.0 bytes (99 % interval 100.0 to 140.0)']) as string[],
    );
    expect(said.join(' ')).not.toMatch(/Session|login/);
    expect(data).toEqual([
      'grows: Session, 1,000, 1,500 more by cycle, 176 KiB',
      'held by: Map kept, 2,500 new objects',
      'allocated: 64.0 KiB in login (/srv/login.js:12)',
    ]);
    expect(next).toEqual([]);
    const open = leakAnswer({ ...leak, verdict: 'undecided', doubt: 'levels-off' }, {});
    expect(open.said).toContain('doubt: levels off');
    expect(open.next).toEqual([{ tool: 'check_leak', input: { target: 'shop', budgetS: 120 } }]);
  });
});

describe('the answer what a start takes', () => {
  const time = (mean: number) => ({ mean, low: mean * 0.9, high: mean * 1.1 });
  const steady = { connections: 8, afterMs: 9_000, watchedMs: 17_000, firstUs: 1_000, settledUs: 150 };
  const variant = { starts: [], ready: time(1_500), firstAnswer: time(1_600), firstTook: time(100), laterTook: time(5), steady };
  const report = startupReportSchema.parse({
    target: 'shop',
    targetLabel: 'Shop',
    runtime: 'jvm',
    route: 'GET /',
    variants: [
      { ...variant, way: 'as-is' },
      { ...variant, way: 'aot-cache', ready: time(900), steady: { ...steady, afterMs: null } },
    ],
    archive: {
      way: 'aot-cache',
      ratio: { mean: 0.6, ciLow: 0.5, ciHigh: 0.7 },
      verdict: 'better',
      bytes: 30_000_000,
      madeS: 4,
      options: { make: ['-XX:AOTCacheOutput=FILE'], use: ['-XX:AOTCache=FILE'] },
    },
    parts: [{ name: 'spring-core.jar', ms: 700, share: 0.5, classes: 1_234 }],
    partsBy: 'class-loading',
    notes: ['no-answer'],
    spentS: 60,
  });

  it('has times with intervals, where they go, and how to be ready sooner', () => {
    const { said } = startupAnswer(report, {});
    expect(said).toEqual([
      'state: complete',
      expect.stringMatching(/^start as it is: ready after 1\.5 s \(95 % interval .*\), first answer after 1\.6 s/),
      expect.stringMatching(/^start with an AOT cache: ready after 900 ms/),
      'with an AOT cache: better in time to ready; nothing was applied',
    ]);
    const text = textOf(startupDocument(report));
    expect(text).toContain('It is ready after 1.5 s (1.4 s to 1.7 s), and has given its first answer after 1.6 s');
    expect(text).toContain('It is warm after 9.0 s under 8 connections: a request takes 85 % less CPU than in the first second.');
    expect(text).toMatch(/as it is +9\.0 s +1,000 µs +150 µs +−85 %/);
    expect(text).toMatch(/with an AOT cache +not within 17 s/);
    expect(text).toContain('Most of it goes to spring-core.jar: 50 %.');
    expect(text).toContain('With an AOT cache it is ready sooner: −40 % time (−50 % to −30 %).');
    expect(text).toMatch(/spring-core\.jar +700 ms +50 % +1,234/);
    expect(text).toContain('start with -XX:AOTCache=FILE');
    expect(text).toContain('no route may be asked');
  });

  it('leaves out what was not tried', () => {
    const text = textOf(startupDocument({ ...report, archive: null, parts: [], partsBy: null, notes: [] }));
    expect(text).not.toMatch(/How to have it|Where the time goes|Notes/);
  });
});

describe('the command line', () => {
  it('asks of the target that is named, or else of the folder’s own', () => {
    expect(parsedCommand(['leak', '-t', 'shop', '--route', '/cart', '--budget', '2min', '-s', 'pool=4'])).toMatchObject({
      name: 'leak',
      request: { target: 'shop', route: '/cart', budgetS: 120, load: 'steady', settings: { pool: 4 } },
    });
    const { request } = parsedCommand(['startup']);
    expect(request).toEqual({ settings: {}, starts: 8, steadyS: 30 });
  });

  it.each([
    [['leak', '--budget', '1s'], /budget/],
    [['startup', '--starts', '1'], /starts/],
    [['leak', '-s', 'pool=2,4'], /one value/],
  ])('refuses %j', (argv, message) => {
    expect(() => parsedCommand(argv)).toThrow(message);
  });
});
