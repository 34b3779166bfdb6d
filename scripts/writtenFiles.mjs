// What the scripts have in common that write files of the repository from its TypeScript.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** Imports a TypeScript file of this folder. */
export async function load(name) {
  const { outputFiles } = await build({
    entryPoints: [path.join(root, 'scripts', name)],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

/** Writes those that are out of date, by their paths in the repository. With --check on the command line it only names them, and the process exits with 1. */
export async function writeOrCheck(texts) {
  const checks = process.argv.includes('--check');
  for (const [name, text] of Object.entries(texts)) {
    const file = path.join(root, name);
    if ((await readFile(file, 'utf8').catch(() => null)) === text) continue;
    if (checks) process.exitCode = 1;
    else await writeFile(file, text);
    console.error(`${checks ? 'out of date' : 'written'}: ${name}`);
  }
}
