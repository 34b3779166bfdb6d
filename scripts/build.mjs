// Bundles every entry point. Usage: node scripts/build.mjs [--watch] [--only=name,…] [--metafile]
import { context, build } from 'esbuild';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const watch = process.argv.includes('--watch');
const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice('--only='.length).split(',');

// jsonc-parser's CommonJS form cannot be bundled; where a package has an ES module, that is taken.
const node = { platform: 'node', mainFields: ['module', 'main'], format: 'cjs', target: 'node20', sourcemap: 'linked', minify: true, keepNames: true };
// pg asks for pg-native and cloudflare sockets only where they are installed.
const nodeExternals = ['pg-native', 'pg-cloudflare'];
const browser = { platform: 'browser', target: 'es2022', minify: true, legalComments: 'none' };

/** @type {Record<string, import('esbuild').BuildOptions>} */
const bundles = {
  extension: { ...node, keepNames: false, sourcemap: false, entryPoints: ['src/extension/extension.ts'], outfile: 'dist/extension.cjs', external: ['vscode'] },
  engine: { ...node, entryPoints: ['src/engine/main.ts'], outfile: 'dist/engine.cjs', external: nodeExternals },
  loadWorker: { ...node, entryPoints: ['src/engine/load/loadWorker.ts'], outfile: 'dist/loadWorker.cjs' },
  cli: { ...node, entryPoints: ['src/cli/main.ts'], outfile: 'dist/cli.cjs', banner: { js: '#!/usr/bin/env node' } },
  workbench: { ...browser, format: 'esm', entryPoints: ['webview/workbench/main.ts'], outfile: 'dist/webview/workbench.js' },
  workbenchStyle: { ...browser, entryPoints: ['webview/workbench/workbench.css'], outfile: 'dist/webview/workbench.css' },
  report: { ...browser, format: 'iife', entryPoints: ['webview/report/main.ts'], outfile: 'dist/webview/report.js' },
  reportStyle: { ...browser, entryPoints: ['webview/report/report.css'], outfile: 'dist/webview/report.css' },
};

const chosen = Object.entries(bundles).filter(([name]) => only === undefined || only.includes(name));
mkdirSync(path.join(root, 'dist/webview'), { recursive: true });
// The root package is ESM; what is bundled for Node is CommonJS and ends in .cjs, so nothing else is needed here.
for (const [name, options] of chosen) {
  const entry = options.entryPoints[0];
  if (!existsSync(path.join(root, entry))) {
    console.error(`build: ${name} has no entry ${entry}`);
    process.exitCode = 1;
    continue;
  }
  const settings = { ...options, absWorkingDir: root, bundle: true, logLevel: 'warning', metafile: process.argv.includes('--metafile') };
  if (watch) {
    await (await context(settings)).watch();
  } else {
    const result = await build(settings);
    if (result.metafile !== undefined) writeFileSync(path.join(root, 'dist', `${name}.meta.json`), JSON.stringify(result.metafile));
  }
}
if (watch) console.log('build: watching');
