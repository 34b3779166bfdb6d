import { describe, expect, it } from 'vitest';
import {
  type ThresholdSource,
  sourceText,
  thresholdSourceSchema,
  thresholdSources,
} from '../../../../src/model/domain/verdict/thresholdSources.ts';
import { type Words, expectTable } from '../../../support/verdictWords.ts';

const words: Words<ThresholdSource> = [
  [{ code: 'valid-block' }, 'the rule for valid blocks'],
  [{ code: 'valid-blocks' }, 'the rules for valid blocks'],
  [{ code: 'locust-core' }, 'Locust warns at 90 % of a core'],
  [{ code: 'ours' }, 'our own, tried on services whose limit was known'],
  [{ code: 'mission-control-processes' }, 'JDK Mission Control, “Competing processes”: 40 %'],
  [{ code: 'ours-fair-scheduler' }, 'our own, tried on services whose limit was known; the scheduler shares fairly'],
  [{ code: 'never-empty-queue' }, 'a queue that is never empty (Little’s law)'],
  [
    { code: 'ours-work-behind-answer' },
    'our own, tried on services whose limit was known; work that goes on behind an answer gives them back',
  ],
  [{ code: 'measured-holds' }, 'as measured: from a fifth of the CPU on, waiting for it is a good part of a hold'],
  [{ code: 'ours-round-trips' }, 'our own, tried on services whose limit was known; less than that are round trips'],
  [{ code: 'polardb-sessions' }, 'PolarDB: sessions on CPU ≥ 80 % of the cores'],
  [{ code: 'doctor-utilisation' }, 'clinic doctor: utilisation ≥ 95 %'],
  [
    { code: 'ours-half-second' },
    'our own, tried on services whose limit was known; read over half a second, which may begin before the load does',
  ],
  [{ code: 'doctor-delay' }, 'clinic doctor: a median delay of 10 ms'],
  [
    { code: 'ours-blocked-loop' },
    'our own, tried on services whose limit was known; a loop that is busy with less is blocked, or waits for its turn',
  ],
  [{ code: 'ours-turn-of-loop' }, 'our own, tried on services whose limit was known; less may be a turn of the loop'],
  [{ code: 'ours-rows-read' }, 'our own, tried on services whose limit was known; nobody reads as many'],
  [{ code: 'ours-of-core' }, 'our own, tried on services whose limit was known; percent of a core'],
  [{ code: 'ours-each-second' }, 'our own, tried on services whose limit was known; a second'],
  [{ code: 'kernel-delayed-acks' }, 'the kernel’s counter DelayedACKs'],
  [{ code: 'linux-delack' }, 'Linux: TCP_DELACK_MIN is 40 ms'],
  [{ code: 'ours-timer-tick' }, 'our own, tried on services whose limit was known; the timer, and a tick of it'],
  [{ code: 'mission-control-pauses' }, 'JDK Mission Control: pauses of 10 % are a warning'],
  [{ code: 'ours-without-pauses' }, 'our own, tried on services whose limit was known; without these pauses at most half as much again'],
  [{ code: 'ours-roomy-heap' }, 'our own, tried on services whose limit was known; a heap with more room is not collected for want of it'],
  [{ code: 'mission-control-short-pauses' }, 'JDK Mission Control: pauses of 5 %'],
  [{ code: 'mission-control-cpu' }, 'JDK Mission Control: 80 % by one JVM; 85 % our own, tried on services whose limit was known'],
  [{ code: 'ours-cpython' }, 'our own, tried on services whose limit was known; CPython at its limit measured 98 % of a core'],
  [{ code: 'ours-of-readings' }, 'our own, tried on services whose limit was known; of the readings, and of the most that they show'],
  [{ code: 'ours-jetty' }, 'our own, tried on services whose limit was known; Jetty keeps a thread or two for itself'],
  [{ code: 'more-wait-than-threads' }, 'more requests wait than it has threads: some wait in its queue'],
  [{ code: 'mission-control-monitors' }, 'JDK Mission Control, threads blocked on monitors: 20 %'],
  [{ code: 'goetz-threads' }, 'Goetz: threads = cores × (1 + wait ÷ compute); sixteen times that'],
  [{ code: 'kernel-pressure' }, 'the kernel’s pressure stall information, some ≥ 20 %'],
  [{ code: 'mission-control-switches' }, 'JDK Mission Control: 10,000 context switches a second'],
  [{ code: 'hikari-dead-lock' }, 'HikariCP: pools and dead-lock'],
  [{ code: 'cores-of-proxy' }, 'of the cores that it may use (one for each worker, or its limit), 90 % as for the load generator'],
  [{ code: 'soft-limit' }, 'the soft limit of the process'],
  [{ code: 'gigabit-line' }, 'a line of 1 Gbit/s carries 119 MiB/s'],
  [{ code: 'healthy-loops' }, 'healthy closed loops measured 0.97 … 0.995'],
  [{ code: 'twice-fits' }, 'less than half used: twice the load would fit'],
  [{ code: 'one-at-a-time' }, 'one request at a time'],
  [{ code: 'one-each' }, 'as many as it has can each have one'],
  [{ code: 'any' }, 'any'],
  [{ code: 'any-time-out' }, 'any time-out of the pool'],
  [{ code: 'pool-of-as-many' }, 'a pool of as many can never be what they wait for'],
  [{ code: 'more-load-brings-more' }, 'with fewer, more load would bring more'],
  [{ code: 'beyond-one-core' }, 'other threads would add to one core'],
  [{ code: 'missing-to-app' }, 'more than that is missing to the app'],
  [{ code: 'little-on-trials' }, 'Little’s law, on the trials of this run'],
  [{ code: 'queue-behind-pool' }, 'a queue behind the pool makes it grow with the pool'],
  [{ code: 'rounds-of-run' }, 'the rounds of this run'],
  [{ code: 'published-c' }, 'the sign of the published experiment C'],
  [{ code: 'recorded', sentence: 'vmstat of the study' }, 'vmstat of the study'],
];

describe('where a limit comes from', () => {
  expectTable(words, Object.keys(thresholdSources), sourceText, (source) => thresholdSourceSchema.parse(source));

  it('is read as it was written where a record of before holds a text', () => {
    expect(sourceText(thresholdSourceSchema.parse('vmstat of the study'))).toBe('vmstat of the study');
  });
});
