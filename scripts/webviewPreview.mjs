// Shows the panel's views outside VS Code, under the panel's own policy, and takes pictures of them.
// Usage: node scripts/webviewPreview.mjs [--out=folder] [--only=scene,…] [--themes=dark,…] [--widths=1360,640] [--serve]
import { build } from 'esbuild';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { scenes } from './webviewScenes.mjs';
import { themes } from './webviewThemes.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const option = (name, fallback) => process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3) ?? fallback;
const out = path.resolve(option('out', path.join(os.tmpdir(), 'webview-pictures')));
const chosen = option('only', Object.keys(scenes).join(',')).split(',');
const chosenThemes = option('themes', Object.keys(themes).join(',')).split(',');
const widths = option('widths', '1360,640').split(',').map(Number);
const nonce = 'previewnonce0123456789';

const bundle = async (entry, format) => {
  const result = await build({
    entryPoints: [entry],
    absWorkingDir: root,
    bundle: true,
    minify: true,
    format,
    target: 'es2022',
    write: false,
    legalComments: 'none',
    logLevel: 'warning',
  });
  return result.outputFiles[0].text;
};
/** The Workbench in parts, as the real build makes it. */
async function workbenchParts() {
  const result = await build({
    entryPoints: { workbench: 'webview/workbench/main.ts' },
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    outdir: 'parts',
    chunkNames: 'workbench-[hash]',
    write: false,
    legalComments: 'none',
    logLevel: 'warning',
  });
  return Object.fromEntries(result.outputFiles.map((file) => [`/${path.basename(file.path)}`, ['text/javascript', file.text]]));
}
const served = {
  ...(await workbenchParts()),
  '/workbench.css': ['text/css', await bundle('webview/workbench/workbench.css', undefined)],
  '/report.js': ['text/javascript', await bundle('webview/report/main.ts', 'iife')],
  '/report.css': ['text/css', await bundle('webview/report/report.css', undefined)],
};
for (const [name, [, text]] of Object.entries(served)) console.log(`${name} ${(Buffer.byteLength(text) / 1024).toFixed(0)} KB`);

const policy = `default-src 'none'; img-src 'self' data:; style-src 'self' 'nonce-${nonce}'; script-src 'nonce-${nonce}'; font-src 'self'`;
const inline = (value) => JSON.stringify(value).replace(/</g, '\\u003c');

function panelPage(scene, theme) {
  const variables = Object.entries(theme.variables)
    .map(([name, value]) => `--vscode-${name}: ${value};`)
    .join(' ');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta property="csp-nonce" content="${nonce}">
<style nonce="${nonce}">:root { ${variables} }</style><link rel="stylesheet" href="/workbench.css"><title>Benchside</title></head>
<body class="${theme.bodyClass}" data-vscode-theme-kind="${theme.kind}">
<script nonce="${nonce}">
  let state = ${inline(scene.saved ?? null)} ?? undefined;
  window.sent = []; window.violations = [];
  document.addEventListener('securitypolicyviolation', (event) => window.violations.push(event.effectiveDirective + ' ' + (event.sample || event.blockedURI)));
  window.acquireVsCodeApi = () => ({
    getState: () => state, setState: (next) => { state = next; },
    postMessage: (message) => { window.sent.push(message); if (message.type === 'ready') for (const answer of ${inline(scene.messages)}) setTimeout(() => window.postMessage(answer, '*')); },
  });
</script>
<benchside-workbench></benchside-workbench>
<script type="module" nonce="${nonce}" src="/workbench.js"></script></body></html>`;
}

function reportPage(scene) {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><link rel="stylesheet" href="/report.css"><title>Report</title>
<style nonce="${nonce}">body { margin: 0 auto; max-width: 1280px; padding: 28px 32px; background: var(--bs-bg); font: 13px var(--vscode-font-family); }</style></head><body>
<script nonce="${nonce}">window.sent = []; window.violations = []; document.addEventListener('securitypolicyviolation', (event) => window.violations.push(event.effectiveDirective + ' ' + event.sample));</script>
<div id="charts"></div><script type="application/json" id="run-record" nonce="${nonce}">${inline(scene.run)}</script><script nonce="${nonce}" src="/report.js"></script></body></html>`;
}

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
  if (served[pathname]) {
    response.writeHead(200, { 'content-type': served[pathname][0] }).end(served[pathname][1]);
    return;
  }
  if (pathname === '/favicon.ico') {
    response.writeHead(204).end();
    return;
  }
  const [, sceneName, themeName] = pathname.split('/');
  const [scene, theme] = [scenes[sceneName], themes[themeName]];
  if (!scene || !theme) {
    response.writeHead(404).end();
    return;
  }
  response
    .writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy })
    .end(scene.report ? reportPage(scene) : panelPage(scene, theme));
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${server.address().port}`;

if (process.argv.includes('--serve')) {
  for (const scene of chosen) console.log(`${origin}/${scene}/dark`);
} else {
  mkdirSync(out, { recursive: true });
  const flags = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ];
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: flags });
  let wrong = 0;
  for (const themeName of chosenThemes) {
    for (const width of widths) {
      const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: themeName.includes('light') ? 'light' : 'dark' });
      page.on('pageerror', (error) => {
        wrong += 1;
        console.error(`${themeName}: ${error.stack ?? error.message}`);
      });
      page.on('console', (message) => {
        if (message.type() === 'error') console.error(`console: ${message.text()}`);
      });
      for (const name of chosen) {
        await page.goto(`${origin}/${name}/${themeName}`);
        await page.waitForFunction(
          (selector) => document.querySelector(selector)?.shadowRoot?.childElementCount > 0,
          scenes[name].report ? (scenes[name].run.study ? 'benchside-study-charts' : 'benchside-comparison-charts') : 'benchside-workbench',
        );
        if (scenes[name].act) await scenes[name].act(page);
        await page.waitForLoadState('networkidle');
        await page.waitForTimeout(250);
        const violations = await page.evaluate(() => window.violations);
        const failures = await page.evaluate(() => window.sent.filter((message) => message.type === 'policyViolation').length);
        if (violations.length + failures > 0) {
          wrong += 1;
          console.error(`${name} ${themeName}: ${violations.join('; ')}`);
        }
        await page.screenshot({ path: path.join(out, `${name}-${themeName}-${width}.png`), fullPage: true });
      }
      await page.close();
    }
  }
  await browser.close();
  server.close();
  console.log(`${out}: ${wrong === 0 ? 'no violation, no error' : `${wrong} wrong`}`);
  process.exitCode = wrong === 0 ? 0 : 1;
}
