// Runs a benchmark of Benchside itself. Usage: node scripts/bench.mjs [name]   names: the files of test/bench. Run one at a time, alone on the machine.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { root, setUp } from './setup.mjs';

const folder = path.join(root, 'test', 'bench');
const benches = new Map(readdirSync(folder).filter((file) => /\.(mjs|ts)$/.test(file)).map((file) => [file.replace(/\.(mjs|ts)$/, ''), path.join(folder, file)]));
const name = process.argv[2];
const file = benches.get(name ?? '');
if (file === undefined) {
  console.error(`Name one of: ${[...benches.keys()].join(', ')}.`);
  process.exit(2);
}
await setUp({ tests: name === 'editor' });
let program = file;
if (file.endsWith('.ts')) {
  const { build } = await import('esbuild');
  program = path.join(root, '.cache', 'bench', `${name}.mjs`);
  mkdirSync(path.dirname(program), { recursive: true });
  await build({ entryPoints: [file], outfile: program, bundle: true, platform: 'node', format: 'esm', packages: 'external', alias: { 'vscode-jsonrpc/node': 'vscode-jsonrpc/node.js' }, logLevel: 'warning', define: { 'import.meta.dirname': JSON.stringify(path.join(root, 'test/e2e/support')) } });
}
process.exitCode = spawnSync(process.execPath, [program], { cwd: root, stdio: 'inherit' }).status ?? 1;
