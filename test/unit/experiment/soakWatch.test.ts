import { describe, expect, it } from 'vitest';
import { noteText } from '../../../src/model/presentation/runNotes.ts';
import type { Observation } from '../../../src/model/domain/observation.ts';
import { SoakWatch } from '../../../src/engine/run/experiment/soakWatch.ts';

const soakS = 600;
const use = {
  cpuPercent: 0,
  cpuUs: 0,
  processes: 1,
  voluntarySwitches: 0,
  involuntarySwitches: 0,
  waitedForCpuUs: 0,
  firstThreadUs: null,
  descriptorLimit: 1024,
};

/** One sample and two ticks a second, of an app as the functions say it is at a time of the soak. */
function watched(app: {
  mb?: (s: number) => number;
  files?: (s: number) => number;
  p50Ms?: (s: number) => number;
  errors?: (s: number) => number;
}): SoakWatch {
  const watch = new SoakWatch('/', 60);
  const observations = Array.from({ length: soakS }, (_, s): Observation => {
    const { mb = () => 100, files = () => 40 } = app;
    return {
      timeMs: 5_000 + (60 + s) * 1000,
      windowMs: 1000,
      trialKey: 'a',
      postgres: null,
      generator: null,
      host: null,
      sessions: null,
      instances: [],
      app: { ...use, rssBytes: mb(s) * 1_048_576, threads: 11, descriptors: files(s) },
    };
  });
  for (let half = 0; half <= 2 * (60 + soakS); half += 1) {
    const s = half / 2 - 60;
    watch.tick({
      stage: 'measure',
      elapsedMs: half * 500,
      windowMs: 500,
      throughput: 100,
      p99Ms: 9,
      p50Ms: s < 0 ? 500 : (app.p50Ms ?? (() => 5))(s),
      errors: s < 0 ? 50 : (app.errors ?? (() => 0))(s),
    });
  }
  watch.observed(observations, soakS);
  return watch;
}

describe('a soak', () => {
  it('finds no growth in an app that is level, whatever the stress before it did', () => {
    expect(noteText(watched({}).note('Node'))).toBe(
      'Node was up for all of the 11 min 0 s. No growth of memory, open descriptors, threads, median response time and errors in the second half of the soak.',
    );
  });

  it('takes a heap that fills at the beginning for no growth', () => {
    expect(watched({ mb: (s) => 100 + Math.min(s, 200) }).note('Node')).toMatchObject({ grew: [] });
  });

  it('names each thing that grew, and by how much', () => {
    const watch = watched({
      mb: (s) => 100 + s,
      files: (s) => 40 + s / 10,
      p50Ms: (s) => 5 + s / 100,
      errors: (s) => (s > 500 ? 3 : 0),
    });
    expect(noteText(watch.note('Node'))).toMatch(
      /Growth of .*: memory by 5\d %, open descriptors by 3\d %, median response time by 3\d % and errors from 0\.0 to 6\.0 a second\. Look at it over a longer soak\.$/,
    );
  });

  it('says for how long an app lasted that ended before its time', () => {
    const watch = new SoakWatch('/', 0);
    const tick = (elapsedMs: number): void =>
      watch.tick({ stage: 'measure', elapsedMs, windowMs: 500, throughput: 0, p50Ms: null, p99Ms: null, errors: 9 });
    tick(6_480_000);
    watch.ended();
    tick(43_200_000);
    expect(noteText(watch.note('Node'))).toMatch(/^Node was up for 1 h 48 min of the 12 h 0 min, then it ended\./);
  });

  it('keeps no more values of half a day than of half an hour', () => {
    const watch = new SoakWatch('/', 0);
    for (let second = 0; second < 43_200; second += 1)
      watch.tick({ stage: 'measure', elapsedMs: second * 1000, windowMs: 1000, throughput: 1, p50Ms: second, p99Ms: null, errors: 0 });
    const [latency] = watch.series('node');
    expect(latency?.points.length).toBeLessThanOrEqual(2_000);
    expect(latency?.points.length).toBeGreaterThan(900);
    expect(latency?.points.at(-1)?.[0]).toBeGreaterThan(43_000);
  });
});
