// Writes what package.json says to the editor (contributes, activationEvents, capabilities) from src/extension/kit/manifest, and what it and server.json say of where
// Benchside is published from scripts/publication.json; the rest is written by hand.
// With --check it only compares, and exits with 1 when a file is out of date.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { format } from 'oxfmt';
import { publishedParts, serverFile } from './publication.mjs';
import { load, root, writeOrCheck } from './writtenFiles.mjs';

const { manifestParts } = await load('manifestParts.ts');
const filepath = path.join(root, 'package.json');
const manifest = { ...JSON.parse(await readFile(filepath, 'utf8')), ...publishedParts, ...manifestParts() };
const text = async (name, value) => (await format(name, JSON.stringify(value), { printWidth: 140, sortPackageJson: false })).code;
await writeOrCheck({
  'package.json': await text('package.json', manifest),
  'server.json': await text('server.json', serverFile(manifest)),
});
