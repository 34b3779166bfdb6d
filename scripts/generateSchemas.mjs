// Writes schemas/*.schema.json from the zod schemas of src/model, and of package.json what follows from the list of profile formats. With --check it only compares, and exits with 1 when a file is out of date.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { format } from 'prettier';

async function load(name) {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(name, import.meta.url))],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}
const { schemaFiles } = await load('schemaFiles.ts');
const { withProfileEditors } = await load('profileEditors.ts');

const texts = {};
for (const [name, schema] of Object.entries(schemaFiles()))
  texts[`schemas/${name}`] = await format(JSON.stringify(schema), { parser: 'json', printWidth: 140 });
const manifest = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
texts['package.json'] = `${JSON.stringify(withProfileEditors(manifest), null, 2)}\n`;

let outdated = 0;
for (const [name, text] of Object.entries(texts)) {
  const path = fileURLToPath(new URL(`../${name}`, import.meta.url));
  if ((await readFile(path, 'utf8').catch(() => null)) === text) continue;
  outdated += 1;
  if (!process.argv.includes('--check')) await writeFile(path, text);
  console.error(`${process.argv.includes('--check') ? 'out of date' : 'written'}: ${name}`);
}
if (outdated > 0 && process.argv.includes('--check')) process.exitCode = 1;
