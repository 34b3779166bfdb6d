import { defineConfig } from 'vitest/config';

// Integration and end-to-end tests start servers and measure: one file at a time, or they would measure each other. Components are large parts
// tried on real files, processes and pages, with nothing that another test beside it could spoil. What runs real processes is tried once more when it
// fails: a machine that is taken away for some seconds (a hypervisor's steal was seen at 58 %) is no fault of what is tested; what fails twice is.
export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', pool: 'forks', isolate: false, include: ['test/unit/**/*.test.ts'], testTimeout: 20_000 } },
      { test: { name: 'components', retry: 1, globalSetup: 'test/support/buildOnce.ts', include: ['test/components/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 120_000, pool: 'forks', maxWorkers: 2 } },
      { test: { name: 'integration', retry: 1, globalSetup: 'test/support/buildOnce.ts', include: ['test/integration/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 120_000, fileParallelism: false, pool: 'forks' } },
      { test: { name: 'e2e', globalSetup: 'test/support/buildOnce.ts', include: ['test/e2e/**/*.test.ts'], testTimeout: 180_000, hookTimeout: 180_000, fileParallelism: false, pool: 'forks' } },
    ],
  },
});
