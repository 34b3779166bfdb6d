// Bundles every entry point. Usage: node scripts/build.mjs [--watch] [--only=name,…] [--metafile]
// With --watch they can be debugged: not minified, and with their source maps inside.
import { context, build } from 'esbuild';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { commonJsParts } from './commonJsParts.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const watch = process.argv.includes('--watch');
const only = process.argv
  .find((argument) => argument.startsWith('--only='))
  ?.slice('--only='.length)
  .split(',');

// jsonc-parser's CommonJS form cannot be bundled; where a package has an ES module, that is taken.
const node = {
  platform: 'node',
  mainFields: ['module', 'main'],
  format: 'cjs',
  target: 'node20',
  sourcemap: 'linked',
  minify: true,
};
// pg asks for pg-native and cloudflare sockets only where they are installed.
const nodeExternals = ['pg-native', 'pg-cloudflare'];
const browser = { platform: 'browser', target: 'es2022', minify: true, legalComments: 'none' };

/** @type {Record<string, import('esbuild').BuildOptions>} */
const bundles = {
  extension: {
    ...node,
    sourcemap: false,
    entryPoints: ['src/extension/extension.ts'],
    external: ['vscode'],
    plugins: [commonJsParts('extension')],
  },
  engine: { ...node, entryPoints: ['src/engine/main.ts'], outfile: 'dist/engine.cjs', external: nodeExternals },
  reaper: { ...node, sourcemap: false, entryPoints: ['src/engine/supervise/reaperMain.ts'], outfile: 'dist/reaper.cjs' },
  profileWorker: { ...node, entryPoints: ['src/engine/profiles/profileWorker.ts'], outfile: 'dist/profileWorker.cjs' },
  runListWorker: { ...node, sourcemap: false, entryPoints: ['src/engine/runs/runListWorker.ts'], outfile: 'dist/runListWorker.cjs' },
  readingWorker: { ...node, sourcemap: false, entryPoints: ['src/engine/reading/readingWorker.ts'], outfile: 'dist/readingWorker.cjs' },
  k6Worker: { ...node, sourcemap: false, entryPoints: ['src/engine/k6/k6Worker.ts'], outfile: 'dist/k6Worker.cjs' },
  loadWorker: { ...node, entryPoints: ['src/engine/load/loadWorker.ts'], outfile: 'dist/loadWorker.cjs' },
  distanceProxy: {
    ...node,
    sourcemap: false,
    entryPoints: ['src/engine/services/distance/distanceProxy.ts'],
    outfile: 'dist/distanceProxy.cjs',
  },
  steadyWork: { ...node, sourcemap: false, entryPoints: ['src/engine/observe/steadyWork.ts'], outfile: 'dist/steadyWork.cjs' },
  nodeProbe: {
    ...node,
    sourcemap: false,
    // It runs on the app's Node.
    target: 'node18',
    entryPoints: ['src/probe/node/main.ts'],
    outfile: 'dist/nodeProbe.cjs',
  },
  cli: { ...node, sourcemap: false, entryPoints: ['src/cli/main.ts'], plugins: [commonJsParts('cli')] },
  // In parts: the page loads with the form, and each view when it is first looked at.
  workbench: {
    ...browser,
    format: 'esm',
    splitting: true,
    entryPoints: { workbench: 'webview/workbench/main.ts' },
    outdir: 'dist/webview',
    chunkNames: 'workbench-[hash]',
    metafile: true,
  },
  workbenchStyle: { ...browser, entryPoints: ['webview/workbench/workbench.css'], outfile: 'dist/webview/workbench.css' },
  flame: { ...browser, format: 'esm', entryPoints: ['webview/flame/main.ts'], outfile: 'dist/webview/flame.js' },
  flameStyle: { ...browser, entryPoints: ['webview/flame/flame.css'], outfile: 'dist/webview/flame.css' },
  flamePage: { ...browser, format: 'iife', entryPoints: ['webview/flamePage/main.ts'], outfile: 'dist/webview/flamePage.js' },
  flamePageStyle: { ...browser, entryPoints: ['webview/flamePage/flamePage.css'], outfile: 'dist/webview/flamePage.css' },
  report: { ...browser, format: 'iife', entryPoints: ['webview/report/main.ts'], outfile: 'dist/webview/report.js' },
  reportStyle: { ...browser, entryPoints: ['webview/report/report.css'], outfile: 'dist/webview/report.css' },
};

// A page of VS Code cannot load a worker by its address, so that these carry their text. With --watch it is that of the start.
const withFlameWorker = ['flame', 'flamePage'];
const flameWorkerEntry = 'webview/flame/worker/flameWorker.ts';
let flameWorker;
async function flameWorkerText() {
  if (flameWorker === undefined) {
    const settings = {
      ...browser,
      format: 'iife',
      entryPoints: [flameWorkerEntry],
      absWorkingDir: root,
      bundle: true,
      write: false,
      logLevel: 'warning',
    };
    flameWorker = (await build(settings)).outputFiles[0].text;
  }
  return flameWorker;
}

/** Parts carry a hash in their names: those of earlier builds go once the new ones are there. */
function removeStaleParts(metafile) {
  const made = new Set(Object.keys(metafile.outputs).map((output) => path.basename(output)));
  const folder = path.join(root, 'dist/webview');
  for (const name of readdirSync(folder))
    if (/^workbench-[A-Z0-9]+\.js$/.test(name) && !made.has(name)) rmSync(path.join(folder, name), { force: true });
}

/** Tells a problem matcher when builds begin and when all have ended. */
let underWay = 0;
const told = {
  name: 'told',
  setup(build) {
    build.onStart(() => {
      if (underWay === 0) console.log('build: started');
      underWay += 1;
    });
    build.onEnd(() => {
      underWay -= 1;
      if (underWay === 0) console.log('build: finished');
    });
  },
};

const chosen = Object.entries(bundles).filter(([name]) => only === undefined || only.includes(name));
mkdirSync(path.join(root, 'dist/webview'), { recursive: true });
// What is packed is built again after this.
if (watch) rmSync(path.join(root, '.cache/bundles.sha256'), { force: true });
// The root package is ESM; what is bundled for Node is CommonJS and ends in .cjs, so nothing else is needed here.
for (const [name, options] of chosen) {
  const entry = Object.values(options.entryPoints)[0];
  if (!existsSync(path.join(root, entry))) {
    console.error(`build: ${name} has no entry ${entry}`);
    process.exitCode = 1;
    continue;
  }
  const define = withFlameWorker.includes(name) ? { FLAME_WORKER_SOURCE: JSON.stringify(await flameWorkerText()) } : {};
  const settings = {
    ...options,
    ...(watch ? { minify: false, sourcemap: 'inline' } : {}),
    define,
    absWorkingDir: root,
    bundle: true,
    logLevel: 'warning',
    metafile: options.metafile === true || process.argv.includes('--metafile'),
  };
  if (watch) {
    settings.plugins = [...(options.plugins ?? []), told];
    await (await context(settings)).watch();
  } else {
    const result = await build(settings);
    if (options.splitting) removeStaleParts(result.metafile);
    if (process.argv.includes('--metafile')) writeFileSync(path.join(root, 'dist', `${name}.meta.json`), JSON.stringify(result.metafile));
  }
}
