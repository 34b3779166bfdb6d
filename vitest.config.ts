import { defineConfig } from 'vitest/config';

/**
 * What takes long and matters less often: other runtimes between the oldest and the newest, ladders with an answer that is known beforehand, many
 * repetitions of the same. `npm test` leaves it out and runs one test of each behaviour; `npm run slow` runs it.
 */
const tags = [{ name: 'slow', description: 'Run by “npm run slow” only.' }];
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

// Integration and end-to-end tests start servers and measure: one file at a time, or they would measure each other. Components are large parts
// tried on real files, processes and pages, with nothing that another test beside it could spoil.
export default defineConfig({
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
      { test: { ...processes, name: 'components', maxWorkers: 4, include: ['test/components/**/*.test.ts'] } },
      { test: { ...processes, name: 'integration', fileParallelism: false, include: ['test/integration/**/*.test.ts'] } },
      { test: { ...processes, ...patient, name: 'e2e', maxWorkers: 2, include: ['test/e2e/**/*.test.ts'] } },
      { test: { ...processes, ...patient, name: 'slow', fileParallelism: false, include: ['test/slow/**/*.test.ts'] } },
    ],
  },
});
