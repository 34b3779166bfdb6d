import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';

/** Bundles the load worker as the build does, into a folder of its own, so that a test runs today's sources. */
export async function bundleLoadWorker(): Promise<{ workerPath: string; remove(): Promise<void> }> {
  const directory = await mkdtemp(path.join(tmpdir(), 'benchside-load-'));
  const workerPath = path.join(directory, 'loadWorker.cjs');
  await build({
    entryPoints: [path.resolve(import.meta.dirname, '../../src/engine/load/loadWorker.ts')],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    minify: true,
    keepNames: true,
    outfile: workerPath,
  });
  return { workerPath, remove: () => rm(directory, { recursive: true, force: true }) };
}
