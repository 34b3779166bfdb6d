// Writes what package.json says to the editor (contributes, activationEvents, capabilities) from src/extension/kit/manifest; the rest is written by hand.
// With --check it only compares, and exits with 1 when package.json is out of date.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { format } from 'oxfmt';
import { load, root, writeOrCheck } from './writtenFiles.mjs';

const { manifestParts } = await load('manifestParts.ts');
const filepath = path.join(root, 'package.json');
const manifest = { ...JSON.parse(await readFile(filepath, 'utf8')), ...manifestParts() };
const { code } = await format('package.json', JSON.stringify(manifest), { printWidth: 140, sortPackageJson: false });
await writeOrCheck({ 'package.json': code });
