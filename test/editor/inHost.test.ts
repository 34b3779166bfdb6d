import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { longTest } from '../support/testTags.ts';
import { runInHost } from './inHost/run.ts';

/** The extension itself, as F5 loads it. */
const EXTENSION_FOLDER = resolve(import.meta.dirname, '../..');

it('every test inside the extension host passes', { timeout: 600_000, ...longTest }, async () => {
  const workspaceDir = await mkdtemp(join(tmpdir(), 'benchside-in-host-workspace-'));
  try {
    const results = await runInHost({ workspaceDir, extensionDevelopmentPath: EXTENSION_FOLDER });
    expect(results.length).toBeGreaterThan(0);
    expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
  } finally {
    await rm(workspaceDir, { recursive: true, force: true });
  }
});
