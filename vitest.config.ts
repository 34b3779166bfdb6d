import { defineConfig } from 'vitest/config';

// Integration and end-to-end tests start servers and measure: one file at a time, or they would measure each other. Components are large parts
// tried on real files, processes and pages, with nothing that another test beside it could spoil.
export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['test/unit/**/*.test.ts'], testTimeout: 20_000 } },
      { test: { name: 'components', globalSetup: 'test/support/buildOnce.ts', include: ['test/components/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 120_000, pool: 'forks', maxWorkers: 2 } },
      { test: { name: 'integration', globalSetup: 'test/support/buildOnce.ts', include: ['test/integration/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 120_000, fileParallelism: false, pool: 'forks' } },
      { test: { name: 'e2e', globalSetup: 'test/support/buildOnce.ts', include: ['test/e2e/**/*.test.ts'], testTimeout: 180_000, hookTimeout: 180_000, fileParallelism: false, pool: 'forks' } },
    ],
  },
});
