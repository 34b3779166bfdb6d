// Runs a benchmark of Benchside itself. Usage: node scripts/bench.mjs [name] [options of its own]   names: the files of test/bench, and its folders with a main.ts.
// Run one at a time, alone on the machine.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { root, setUp } from './setup.mjs';

const folder = path.join(root, 'test', 'bench');
const benches = new Map(
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() || /\.(mjs|ts)$/.test(entry.name))
    .map((entry) => [entry.name.replace(/\.(mjs|ts)$/, ''), path.join(folder, entry.name, entry.isDirectory() ? 'main.ts' : '')]),
);
const name = process.argv[2];
const file = benches.get(name ?? '');
if (file === undefined) {
  console.error(`Name one of: ${[...benches.keys()].join(', ')}.`);
  process.exit(2);
}
const inEditor = ['editor', 'firstMinutes'].includes(name);
await setUp({ tests: inEditor });
let program = file;
if (file.endsWith('.ts')) {
  const { build } = await import('esbuild');
  program = path.join(root, '.cache', 'bench', `${name}.mjs`);
  mkdirSync(path.dirname(program), { recursive: true });
  await build({
    entryPoints: [file],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    alias: { 'vscode-jsonrpc/node': 'vscode-jsonrpc/node.js' },
    logLevel: 'warning',
    define: { 'import.meta.dirname': JSON.stringify(path.join(root, inEditor ? 'test/editor/support' : 'test/support')) },
  });
}
process.exitCode = spawnSync(process.execPath, [program, ...process.argv.slice(3)], { cwd: root, stdio: 'inherit' }).status ?? 1;
