import { describe, expect, it } from 'vitest';
import { type Finding, failedRequestKinds, findingKinds, findingSchema } from '../../../src/model/domain/findingKinds.ts';
import { discards, findingText, isOf, isSame, quotesLine, withoutRepetition } from '../../../src/model/domain/findings.ts';
import { type WarmUpFinding, warmUpWords } from '../../../src/model/domain/warmUpFinding.ts';
import { recorded } from '../../support/recorded.ts';

const exit = { code: 1, signal: null };
const share = { count: 412, attempts: 20_000, limit: 0.001 } as const;
const failed = { code: 'requests-failed', kind: 'status5xx', ...share } as const;

/** Each kind with its words. */
const words: readonly (readonly [Finding, string])[] = [
  [{ code: 'app-restarted' }, 'The app was restarted or died while it was measured. Look at its log.'],
  [{ code: 'database-restarted' }, 'PostgreSQL was restarted or died while the app was measured. Look at its log.'],
  [
    { code: 'ended-in-round', name: 'Node', exit, round: 2, lastLine: 'fatal: no, not that' },
    'Node exited with code 1 during round 2. Look at its log; its last line is: fatal: no, not that.',
  ],
  [
    { code: 'ended-before', name: 'Node', exit: { code: null, signal: 'SIGKILL' } },
    'Node was ended by SIGKILL before it could be measured. Look at its log.',
  ],
  [{ code: 'has-ended', name: 'Node' }, 'Node has ended. Look at its log.'],
  [
    { code: 'not-started', failure: 'target-exited', message: 'Jetty exited.', remedy: 'Correct the command.', round: 3 },
    'Round 3: Jetty exited. Correct the command.',
  ],
  [
    { code: 'setting-refused', setting: 'pool', value: 8, why: null, round: null },
    'pool 8: the app did not take it. Measure it in a process of its own.',
  ],
  [
    { code: 'setting-refused', setting: 'pool', value: 8, why: { code: 'size-not-taken', size: 8 }, round: 2 },
    'Round 2: pool 8: The app did not take the new size of 8. Measure it in a process of its own.',
  ],
  [{ code: 'setting-not-in-force', message: { code: 'probe-silent' } }, 'The probe does not answer.'],
  [{ code: 'setting-not-taken', setting: 'pool', value: 8, why: { code: 'probe-silent' } }, 'pool 8: The probe does not answer.'],
  [
    { code: 'value-not-in-force', setting: 'jvm.gc', value: 'ZGC', seen: 'G1' },
    'jvm.gc was to be ZGC, and in the process it is G1. Look for what sets jvm.gc elsewhere: a script, a file of options, or the code of the app itself.',
  ],
  [
    failed,
    '412 requests were answered with a server error (5xx): 2.06 % of all, where errors together may be 0.100 %. Look at the app’s log, and fix it or leave that route out.',
  ],
  [
    { code: 'few-requests-failed', kind: 'refused', count: 1, attempts: 20_000, limit: 0.001 },
    'The app refused a connection 1 time: 0.005 % of all, where errors together may be 0.100 %. See whether the app was still running, and whether its backlog is long enough.',
  ],
  [{ code: 'nothing-answered' }, 'Not one request was answered. See whether the route is slower than a block is long.'],
  [{ code: 'answers-missing', count: 7 }, '7 requests got no answer in time, so the slowest are missing from the latency.'],
  [
    { code: 'answers-outstanding', count: 1 },
    'One request still had no answer at the end and counts with the time waited so far, so the true latency is higher.',
  ],
  [
    { code: 'requests-unaccounted', count: 3 },
    '3 requests are neither answered nor failed nor under way, so latency may belong to other requests.',
  ],
  [
    { code: 'generator-cpu', value: 97, limit: 90 },
    'The load generator was saturated (its CPU 97.0 % of a core, limit 90 %): what was measured is the generator. Use fewer connections or a heavier route, or let k6 put the load on (--generator k6=2).',
  ],
  [
    { code: 'generator-loop', value: 0.95, limit: 0.9 },
    'The load generator was saturated (its event loop busy 95.0 % of the time, limit 90.0 %): what was measured is the generator. Use fewer connections or a heavier route, or let k6 put the load on (--generator k6=2).',
  ],
  [
    { code: 'generator-idle', value: 0.7, limit: 0.9 },
    'The load generator did not keep its connections busy (throughput × latency ÷ connections is 0.700, limit 0.9): what was measured is partly the generator. Use fewer connections or a heavier route.',
  ],
  [
    { code: 'k6-part-missing', from: 0.5, to: null },
    'The file of a runner is missing: nothing is known of the part from 0.500 on of the test.',
  ],
  [{ code: 'k6-part-twice' }, 'Several files are of the same part of the test: it was run more than once, or a file was copied.'],
  [{ code: 'k6-apart', value: 4, windowS: 10 }, 'The runners began 4.00 s apart, of a window of 10.0 s: they measured at different times.'],
  [{ code: 'k6-ended-early', count: 1, of: 2, file: 'a.csv' }, '1 of 2 runners ended before the window did (a.csv): look at their logs.'],
  [
    { code: 'k6-dropped', count: 5 },
    'k6 dropped 5 iterations, since as many virtual users as allowed were busy: the rate that was asked for was not put on the service.',
  ],
  [
    { code: 'k6-too-slow', count: 90, due: 100 },
    'k6 began 90 of 100 requests that were due and have ended: its runners were too slow, or answers never came.',
  ],
  [{ code: 'nothing-measured' }, 'No block of it was measured. Let the run finish.'],
  [{ code: 'not-measured' }, 'It was not measured.'],
  [
    { code: 'by-hand' },
    'Measured in a live session, by hand and in no random order: a drift of the machine would look like a difference. Tune the setting, or run the values side by side, before you rely on it.',
  ],
  [
    { code: 'cpu-unsteady', durationMs: 8_000, why: { code: 'compiling', share: 0.6 }, share: 0.03 },
    'After 8.00 s of warm-up compilers of the runtime still took 60.0 % of the app’s CPU. The app’s CPU is 3.00 % of a request’s time at the most: throughput hardly follows it, and a warm app uses less CPU than is shown.',
  ],
  [
    { code: 'unsteady', durationMs: 20_000, why: { code: 'trend', series: 'throughput', change: 0.09, overS: 10 } },
    'After 20.0 s of warm-up throughput was still rising: by 9.0 % over the last 10 s; the rounds that follow are mirrored, so that a drift falls on all values alike.',
  ],
  [
    { code: 'few-for-p99', count: 1700, limit: 2000 },
    'p99 rests on fewer than 20 requests (1,700 in all, 2,000 are needed): do not rely on it.',
  ],
  [
    { code: 'session-statement', statement: 'LISTEN a' },
    '“LISTEN a” holds for a session, and in transaction mode the next statement of the app may meet another one. Say it within a transaction (SET LOCAL, pg_advisory_xact_lock), give it a connection past PgBouncer (LISTEN), or use session mode.',
  ],
  [
    { code: 'distance-lasted', rttMs: 0.5, lastedMs: 0.74 },
    'A round trip to the database took 0.740 ms while it was measured, and not 0.500 ms: the proxy that delays waited for a core itself. Read the figures as those of the longer distance, or measure where a core is free.',
  ],
  [
    { code: 'rate-carried', ratePerS: 100 },
    'At a fixed rate of 100 requests/s; latency counts from the time at which each request was to be sent.',
  ],
  [
    { code: 'rate-not-carried', ratePerS: 100, value: 0.5, limit: 0.99 },
    'It cannot carry 100 requests/s: 50.0 % were answered in time, 99 % are needed. Its latency says only how long the blocks were.',
  ],
  [
    { code: 'sent-late', count: 3, of: 1000 },
    '3 of 1,000 requests were sent more than 10 ms late, because the machine was busy; their wait is in the latency.',
  ],
  [{ code: 'not-sent', count: 2 }, '2 requests were not sent, because too many were under way.'],
  [{ code: 'recorded', sentence: 'Of an earlier version.' }, 'Of an earlier version.'],
  [
    { code: 'blocks-left-out', count: 1, of: 3, why: [{ code: 'database-restarted' }] },
    '1 of 3 blocks is left out. PostgreSQL was restarted or died while the app was measured. Look at its log.',
  ],
];

describe('a finding', () => {
  it.each(words)('%j has its words, and is the same after a message', (finding, text) => {
    expect(findingText(finding)).toBe(text);
    expect(findingSchema.parse(JSON.parse(JSON.stringify(finding)))).toEqual(finding);
  });

  it('has words in every kind that there is', () => {
    expect(new Set(words.map(([{ code }]) => code))).toEqual(new Set(Object.keys(findingKinds)));
  });

  it('has words for every kind of error', () => {
    for (const kind of failedRequestKinds) expect(findingText({ ...failed, kind })).toMatch(/^412 requests were |^The app refused /);
  });

  it('says whose it is, and where the last words of its program are', () => {
    const log = { file: 'process-1.log', lastLine: 'fatal' };
    expect(findingText({ code: 'has-ended', name: 'Node', about: 'Node · pool 2', log })).toBe(
      'Node · pool 2: Node has ended. Look at its log. Its log is process-1.log in the run’s folder. The last line that it printed is “fatal”.',
    );
    expect(quotesLine({ code: 'has-ended', name: 'Node', log }, 'fatal')).toBe(true);
    expect(quotesLine({ code: 'has-ended', name: 'fatal' }, 'fatal')).toBe(false);
  });

  it('that another version found is kept as one of which nothing more is known', () => {
    expect(findingSchema.parse({ code: 'not-yet-known', value: 3 })).toMatchObject({ code: 'recorded' });
    expect(findingSchema.safeParse('a sentence').success).toBe(false);
    expect(findingSchema.safeParse({ code: 'k6-dropped' }).success).toBe(false);
  });

  it('discards by its kind, whatever it says', () => {
    expect(discards(failed)).toBe(true);
    expect(discards({ ...failed, code: 'few-requests-failed' })).toBe(false);
    expect(recorded('The load generator was saturated.').some((one) => discards(one) || isOf(one, 'generator-full'))).toBe(false);
  });

  it('is the same as another with the same figures, and repeats one that differs in figures only', () => {
    expect(isSame(failed, { ...failed, about: 'pool 2' })).toBe(true);
    expect(isSame(failed, { ...failed, count: 413 })).toBe(false);
    const other = { ...failed, kind: 'timeout' } as const;
    expect(withoutRepetition([failed, { ...failed, count: 413 }, other])).toEqual([failed, other]);
  });
});

describe('why a warm-up was not steady', () => {
  const reasons: readonly (readonly [WarmUpFinding, string])[] = [
    [{ code: 'few-ticks', value: 7, limit: 8 }, 'too little was seen to tell: 7 of the 8 ticks that are needed'],
    [{ code: 'no-answers' }, 'no requests were answered'],
    [{ code: 'late-cut', series: 'throughput' }, 'throughput was still changing in the second half of the warm-up'],
    [
      { code: 'between-thirds', series: 'cpu', change: -0.04 },
      'what a second of CPU serves fell by 4.0 % between the last two thirds of the warm-up',
    ],
    [{ code: 'varies', series: 'throughput' }, 'throughput varies so much that more time is needed to tell'],
    [{ code: 'trend', series: 'throughput', change: -0.1, overS: 12.4 }, 'throughput was still falling: by 10.0 % over the last 12 s'],
  ];
  it.each(reasons)('%j has its words', (found, text) => {
    expect(warmUpWords(found)).toBe(text);
  });
});
