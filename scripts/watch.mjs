// Builds the bundles and checks the types whenever a file changes, until it is ended. Usage: npm run watch
import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const types = ['node_modules/typescript/bin/tsc', '-p', '.', '--watch', '--preserveWatchOutput'];
const watchers = [
  ['scripts/build.mjs', '--watch'],
  [...types, '--incremental', '--tsBuildInfoFile', '.cache/types.tsbuildinfo'],
].map((args) => spawn(process.execPath, args, { cwd: root, stdio: 'inherit' }));
// One without the other would look as if all were well.
for (const watcher of watchers)
  watcher.on('exit', (code) => {
    process.exitCode = code ?? 1;
    for (const other of watchers) other.kill();
  });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => watchers.forEach((watcher) => watcher.kill()));
