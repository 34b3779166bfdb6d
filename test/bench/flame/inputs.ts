import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { type InputFacts, writeCollapsedInput, writeCpuProfileInput } from './generateInputs.ts';

export interface Input extends InputFacts {
  name: string;
  file: string;
  format: 'collapsed' | 'cpuprofile';
  /** The checksum that the bench expects; null for a profile that is recorded on each machine. */
  expectedSha256: string | null;
}

/** Seeds and checksums of the generated files: the same everywhere. */
const generated = [
  {
    name: 'collapsed-100k',
    format: 'collapsed',
    nodes: 100_000,
    seed: 11,
    sha256: '1c5c95401a8979f38a4b8a300b2d910f044e63332505b3e5f1ac2634130ec568',
  },
  {
    name: 'collapsed-1m',
    format: 'collapsed',
    nodes: 1_000_000,
    seed: 1,
    sha256: '8e4b28246f77ed4a3ce8d3feefa9fb19194c0b49514f3ab6e811aeb77d129c25',
  },
  {
    name: 'cpuprofile-50k',
    format: 'cpuprofile',
    nodes: 50_000,
    samples: 110_000,
    seed: 12,
    sha256: 'd3e5ab53314de19354c397d71908f5ef26cf17ca84f7b5240421b97ded20bf28',
  },
  {
    name: 'cpuprofile-500k',
    format: 'cpuprofile',
    nodes: 500_000,
    samples: 1_100_000,
    seed: 2,
    sha256: '3d8a4e5e603e50d141114e4bc867b5e484fb56d469802df368a86bc79cca7c4b',
  },
] as const;

export const inputNames = [...generated.map(({ name }) => name), 'typescript-build'] as const;
export type InputName = (typeof inputNames)[number];

/** The input of that name; it is made when it is not there, and its checksum is compared with the published one. */
export function prepareInput(name: InputName, folder: string, root: string): Input {
  mkdirSync(folder, { recursive: true });
  const spec = generated.find((one) => one.name === name);
  if (spec === undefined) return realInput(folder, root);
  const file = path.join(folder, `${name}.${spec.format}`);
  const factsFile = `${file}.facts.json`;
  if (!existsSync(file) || !existsSync(factsFile)) {
    const facts =
      spec.format === 'collapsed'
        ? writeCollapsedInput(file, spec.nodes, spec.seed)
        : writeCpuProfileInput(file, spec.nodes, spec.samples, spec.seed);
    writeFileSync(factsFile, JSON.stringify(facts));
  }
  const facts = JSON.parse(readFileSync(factsFile, 'utf8')) as InputFacts;
  if (facts.sha256 !== spec.sha256) throw new Error(`${name} has the checksum ${facts.sha256}, not the published ${spec.sha256}.`);
  return { ...facts, name, file, format: spec.format, expectedSha256: spec.sha256 };
}

/** A CPU profile of TypeScript checking this repository. */
function realInput(folder: string, root: string): Input {
  const file = path.join(folder, 'typescript-build.cpuprofile');
  if (!existsSync(file)) {
    const dir = path.join(folder, 'recording');
    rmSync(dir, { recursive: true, force: true });
    const tsc = path.join(root, 'node_modules', 'typescript', 'lib', 'tsc.js');
    spawnSync(process.execPath, ['--cpu-prof', '--cpu-prof-interval', '100', '--cpu-prof-dir', dir, tsc, '--noEmit', '-p', root], {
      cwd: root,
      stdio: 'ignore',
    });
    const [made] = readdirSync(dir);
    if (made === undefined) throw new Error('Node wrote no profile of the TypeScript build.');
    renameSync(path.join(dir, made), file);
    rmSync(dir, { recursive: true, force: true });
  }
  const bytes = readFileSync(file);
  return {
    name: 'typescript-build',
    file,
    format: 'cpuprofile',
    expectedSha256: null,
    ...factsOfCpuProfile(bytes),
    bytes: bytes.length,
    sha256: sha256(bytes),
  };
}

interface RawProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
  timeDeltas: number[];
}

/** By adding up samples × time deltas, with no code of Benchside in between. */
function factsOfCpuProfile(bytes: Buffer): Pick<InputFacts, 'nodes' | 'total' | 'heavy'> {
  const profile = JSON.parse(bytes.toString('utf8')) as RawProfile;
  const names = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
  const selfs = new Map<string, { name: string; self: number }>();
  let total = 0;
  for (const [index, id] of profile.samples.entries()) {
    const delta = Math.max(0, profile.timeDeltas[index] ?? 0);
    const frame = names.get(id);
    total += delta;
    if (frame === undefined || frame.url === '') continue;
    const key = `${frame.functionName}|${frame.url}|${frame.lineNumber}`;
    const entry = selfs.get(key) ?? { name: frame.functionName || '(anonymous)', self: 0 };
    entry.self += delta;
    selfs.set(key, entry);
  }
  const [heavy] = [...selfs.values()].sort((a, b) => b.self - a.self);
  return { nodes: profile.nodes.length, total, heavy: heavy ?? { name: '', self: 0 } };
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Makes `file` from another, unless it is there and newer; gives how long that took when it was done, in ms. */
export async function made(file: string, from: string, make: () => Promise<void> | void): Promise<number> {
  const age = (one: string): number => statSync(one, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const note = `${file}.made`;
  if (age(file) < age(from) || age(note) < age(file)) {
    const start = performance.now();
    await make();
    if (!existsSync(file)) throw new Error(`${file} was not made.`);
    writeFileSync(note, String(performance.now() - start));
  }
  return Number(readFileSync(note, 'utf8'));
}

/** Runs a program to its end; fails with what it said. */
export function runProgram(program: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'], maxBuffer: 1e8 });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${String(stderr).slice(-2000)}`);
}

/** async-profiler's converter, fetched by Maven. */
export function jfrConverter(): string {
  const version = '4.5';
  const jar = path.join(homedir(), '.m2', 'repository', 'tools', 'profiler', 'jfr-converter', version, `jfr-converter-${version}.jar`);
  if (!existsSync(jar))
    spawnSync('mvn', ['-q', 'dependency:get', `-Dartifact=tools.profiler:jfr-converter:${version}`], { stdio: 'inherit' });
  if (!existsSync(jar)) throw new Error('Maven did not fetch tools.profiler:jfr-converter.');
  return jar;
}
