// Packs what `npx benchside` installs: the command with its engine and probes, for every platform. PostgreSQL comes by optional packages of its own.
// Usage: node scripts/npmPackage.mjs [-o FOLDER] [--for-tests]   (--for-tests: of what is built here, for this machine)
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fetchAsyncProfiler } from './fetchAsyncProfiler.mjs';
import { npmManifest } from './publication.mjs';
import { javaSampleJars, root, run, setUp } from './setup.mjs';
import { stage } from './stage.mjs';

const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const index = process.argv.indexOf('-o');
const output = path.resolve(index === -1 ? root : (process.argv[index + 1] ?? root));

if (!process.argv.includes('--for-tests')) {
  await setUp();
  const missing = [...javaSampleJars, 'dist/jvmProbe.jar'].filter((file) => !existsSync(path.join(root, file)));
  if (missing.length > 0) throw new Error(`The package holds ${missing.join(', ')}: install a JDK and Maven, and run this again.`);
  fetchAsyncProfiler({ root, platforms: ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'] });
}
const staged = stage(root, ['README.md', 'LICENSE', 'ci'], ['media', 'vendor/postgres']);
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const allowed = readFileSync(path.join(root, '.vscodeignore'), 'utf8');
writeFileSync(path.join(staged, 'package.json'), `${JSON.stringify(npmManifest(manifest, allowed), null, 2)}\n`);
const [{ filename, size, unpackedSize }] = JSON.parse(
  run(npm, ['pack', '--json', '--ignore-scripts', '--pack-destination', output], { what: 'npm pack', cwd: staged }),
);
const file = path.join(output, path.basename(filename));
console.log(
  `${path.relative(process.cwd(), file)}  ${mebibytes(size ?? statSync(file).size)} MiB, ${mebibytes(unpackedSize)} MiB installed`,
);

function mebibytes(bytes) {
  return (bytes / 1024 / 1024).toFixed(1);
}
