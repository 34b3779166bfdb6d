import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { failureOf, removeTemporaryFolders, repositoryDir, temporaryFolder, TestEngine, untilGone } from '../support/engine.ts';
import { waitFor } from '../support/waitFor.ts';
import { longTest } from '../support/testTags.ts';

const slow = 240_000;
const services = path.join(repositoryDir, 'test', 'bench', 'leak', 'services');
const routes = [{ path: '/' }];

afterAll(removeTemporaryFolders);

function workspaceWith(...files: string[]): string {
  const workspace = temporaryFolder('workspace');
  for (const file of files) copyFileSync(path.join(services, file), path.join(workspace, file));
  return workspace;
}

describe('a service that is asked one question', { timeout: slow }, () => {
  it('leaks where each request leaves something in a Map, which is named with the line that fills it', longTest, async () => {
    const node = { runtime: 'node', command: ['node', 'service.cjs'], routes, build: [] };
    const engine = await TestEngine.start({
      workspaceDir: workspaceWith('service.cjs'),
      file: { targets: [{ ...node, id: 'leaky', env: { KIND: 'map-1000' } }] },
    });
    try {
      const { leak } = await engine.request('service/leak', { request: { target: 'leaky', connections: 4, budgetS: 20 } });
      expect(leak).toMatchObject({ verdict: 'leaks', doubt: null, notes: [] });
      // 100 numbers of 8 bytes, and what holds them.
      expect(leak.kept?.low).toBeGreaterThan(800);
      expect(leak.kept?.high).toBeLessThan(2_500);
      expect(leak.holders[0]).toMatchObject({ kind: 'Map', name: 'kept' });
      expect(leak.stacks.flatMap(({ frames }) => frames.map(({ file }) => path.basename(file)))).toContain('service.cjs');
      const counts = leak.cycles.map(({ requests }) => requests);
      expect(counts).toEqual([...counts].sort((a, b) => a - b));

      const cut = failureOf(engine.request('service/leak', { request: { target: 'leaky', budgetS: 60 } }));
      await waitFor(() => engine.processes().length >= 2, { timeoutMs: 60_000, what: 'the service and the load generator' });
      await engine.request('run/cancel', {});
      expect((await cut).code).toBe('cancelled');
      await untilGone(engine.processes(), 30_000);
    } finally {
      await engine.dispose();
    }
  });

  it('starts with and without an archive of its classes, says which jar or JDK they are from, and leaves no file', longTest, async () => {
    const workspace = workspaceWith('Service.java');
    execFileSync('javac', ['-d', workspace, path.join(workspace, 'Service.java')]);
    const before = readdirSync(workspace);
    const engine = await TestEngine.start({
      workspaceDir: workspace,
      file: { targets: [{ id: 'java', runtime: 'jvm', command: ['java', '-cp', '.', 'Service'], routes, build: [] }] },
    });
    try {
      const { startup } = await engine.request('service/startup', { request: { target: 'java', starts: 3, steadyS: 3 } });
      expect(startup.variants.map(({ starts }) => starts.length)).toEqual([3, 3]);
      for (const { ready, firstAnswer } of startup.variants) expect(firstAnswer?.mean).toBeGreaterThan(ready?.mean ?? Infinity);
      // Three seconds are too few to be sure, and enough to see what a request takes.
      for (const { steady } of startup.variants) {
        expect(steady?.afterMs).toBeNull();
        expect(steady?.watchedMs).toBeGreaterThan(2_500);
        expect(steady?.firstUs).toBeGreaterThan(0);
      }
      expect(startup.archive?.bytes).toBeGreaterThan(100_000);
      expect(startup.partsBy).toBe('class-loading');
      expect(startup.parts.map(({ name }) => name)).toContain('JDK, shared archive');
      expect(startup.notes).toEqual([]);
      expect(readdirSync(workspace).filter((name) => !before.includes(name) && !['benchside.json', '.benchside'].includes(name))).toEqual(
        [],
      );
    } finally {
      await engine.dispose();
    }
  });
});
