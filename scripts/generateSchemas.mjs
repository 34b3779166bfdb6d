// Writes schemas/*.schema.json from the zod schemas of src/model. With --check it only compares, and exits with 1 when a file is out of date.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { format } from 'prettier';

const script = fileURLToPath(new URL('schemaFiles.ts', import.meta.url));
const { outputFiles } = await build({
  entryPoints: [script],
  bundle: true,
  write: false,
  platform: 'node',
  format: 'esm',
  logLevel: 'error',
});
const { schemaFiles } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);

let outdated = 0;
for (const [name, schema] of Object.entries(schemaFiles())) {
  const path = fileURLToPath(new URL(`../schemas/${name}`, import.meta.url));
  const text = await format(JSON.stringify(schema), { parser: 'json', printWidth: 140 });
  if ((await readFile(path, 'utf8').catch(() => null)) === text) continue;
  outdated += 1;
  if (!process.argv.includes('--check')) await writeFile(path, text);
  console.error(`${process.argv.includes('--check') ? 'out of date' : 'written'}: schemas/${name}`);
}
if (outdated > 0 && process.argv.includes('--check')) process.exitCode = 1;
