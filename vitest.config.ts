import { defineConfig } from 'vitest/config';

/**
 * Slow is what takes long and matters less often: other runtimes between the oldest and the newest, ladders with an answer that is known beforehand,
 * many repetitions of the same. Long is what takes seconds of two cores and is the one test of its behaviour: CI runs it, `npm test` does not unless it
 * is asked to.
 */
const tags = [
  { name: 'long', description: 'Run by CI and “npm test -- --long”.' },
  { name: 'slow', description: 'Run by “npm run slow” only.' },
];
const seeded = { setupFiles: ['test/support/propertySeed.ts'] };
const processes = {
  ...seeded,
  tags,
  globalSetup: 'test/support/buildOnce.ts',
  pool: 'forks' as const,
  hookTimeout: 120_000,
  testTimeout: 60_000,
};
/** For those that drive the editor. */
const patient = { testTimeout: 180_000, hookTimeout: 180_000 };

// The folders are named by what their tests cost: those that could spoil each other run alone; a window of the editor waits most of its time, so that two
// run at once; the others are large parts tried on real files, processes and pages, which wait for each other's ends more than they work.
export default defineConfig({
  // Here Vitest keeps how long each file took, and begins with the longest, lest one of them keeps a single worker busy at the end. Before the first run it begins with the largest.
  // Suites that run at the same time would forget each other's times in one file.
  cacheDir: `.cache/vite/${process.env['BENCHSIDE_SUITE'] ?? 'any'}`,
  test: {
    projects: [
      {
        test: {
          ...seeded,
          name: 'unit',
          pool: 'forks',
          isolate: false,
          maxWorkers: 2,
          include: ['test/unit/**/*.test.ts'],
          testTimeout: 20_000,
        },
      },
      {
        test: {
          ...processes,
          name: 'parallel',
          globalSetup: ['test/support/buildOnce.ts', 'test/support/postgresOnce.ts'],
          // A process takes one file after the other, which reads what they all import once.
          isolate: false,
          maxWorkers: 3,
          include: ['test/parallel/**/*.test.ts'],
        },
      },
      {
        test: {
          ...processes,
          name: 'alone',
          globalSetup: ['test/support/buildOnce.ts', 'test/support/postgresOnce.ts'],
          isolate: false,
          fileParallelism: false,
          include: ['test/alone/**/*.test.ts'],
        },
      },
      { test: { ...processes, ...patient, name: 'editor', isolate: false, maxWorkers: 2, include: ['test/editor/**/*.test.ts'] } },
      {
        test: {
          ...processes,
          ...patient,
          name: 'slow',
          globalSetup: ['test/support/buildOnce.ts', 'test/support/postgresOnce.ts'],
          fileParallelism: false,
          include: ['test/slow/**/*.test.ts'],
        },
      },
    ],
  },
});
