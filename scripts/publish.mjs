// Publishes what `scripts/release.mjs` packed: the extension to the Marketplace and to Open VSX, the package to npm.
// Usage: node scripts/publish.mjs FOLDER [--dry-run]   Tokens: VSCE_PAT and OVSX_PAT; npm trusts the identity of the job (trusted publishing)
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { root, run } from './setup.mjs';

const [folder = 'release', ...options] = process.argv.slice(2);
const isDry = options.includes('--dry-run');
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const npx = process.platform === 'win32' ? 'npx.cmd' : 'npx';
const openVsx = 'ovsx@1.4.0';

const files = readdirSync(folder);
const sums = readFileSync(path.join(folder, 'SHA256SUMS'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split('  '));
for (const [sum, file] of sums) {
  const bytes = readFileSync(path.join(folder, file));
  if (createHash('sha256').update(bytes).digest('hex') !== sum) throw new Error(`${file} is not what was packed: its checksum differs.`);
}
const unlisted = files.filter((file) => file !== 'SHA256SUMS' && !sums.some(([, listed]) => listed === file));
if (unlisted.length > 0) throw new Error(`SHA256SUMS does not list ${unlisted.join(', ')}.`);

const names = JSON.parse(readFileSync(path.join(root, 'scripts/publication.json'), 'utf8'));
const placeholders = Object.entries(names).filter(([, value]) => /\bOWNER\b/.test(value));
if (placeholders.length > 0 && !isDry)
  throw new Error(
    `scripts/publication.json still has placeholders (${placeholders.map(([key]) => key).join(', ')}): say whose it is, and run npm run manifest.`,
  );

const absolute = (file) => path.resolve(folder, file);
const vsce = path.join(root, 'node_modules/@vscode/vsce/vsce');
const editions = files.filter((file) => file.endsWith('.vsix')).map(absolute);
const packages = files.filter((file) => file.endsWith('.tgz')).map(absolute);
const steps = [
  ...editions.map((file) => [process.execPath, [vsce, 'publish', '--packagePath', file]]),
  ...editions.map((file) => [npx, ['--yes', openVsx, 'publish', file]]),
  ...packages.map((file) => [npm, ['publish', file, '--access', 'public', '--provenance']]),
];
for (const [program, args] of steps) {
  console.log([path.basename(program), ...args.map((word) => path.relative(root, word) || word)].join(' '));
  if (!isDry) run(program, args, { show: true });
}
