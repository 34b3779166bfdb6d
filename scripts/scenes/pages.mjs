// Serves a page of each scene, under the panel's own policy: what the preview, the pictures of the guide and the tests of all scenes look at.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { scenes } from './all.mjs';
import { benchside, root } from './setting.mjs';
import { themes } from './themes.mjs';

const nonce = 'previewnonce0123456789';
const policy = `default-src 'none'; img-src 'self' data:; style-src 'self' 'nonce-${nonce}'; script-src 'nonce-${nonce}'; font-src 'self'; base-uri 'none'; form-action 'none'`;
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

/** The charts of a report alone. */
function chartsPage(scene) {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><link rel="stylesheet" href="/report.css"><title>Report</title>
<style nonce="${nonce}">body { margin: 0 auto; max-width: 1280px; padding: 28px 32px; background: var(--bs-bg); font: 13px var(--vscode-font-family); }</style></head><body>
<script nonce="${nonce}">window.sent = []; window.violations = []; document.addEventListener('securitypolicyviolation', (event) => window.violations.push(event.effectiveDirective + ' ' + event.sample));</script>
<div id="charts"></div><script type="application/json" id="run-record" nonce="${nonce}">${inline(scene.run)}</script><script nonce="${nonce}" src="/report.js"></script></body></html>`;
}

/** A report as it is written: a page that needs nothing but itself. */
function wholeReport({ run }) {
  const bundled = (name) => readFileSync(path.join(root, 'dist/webview', name), 'utf8');
  return benchside.htmlReport(run, { script: bundled('report.js'), styles: bundled('report.css') });
}

/** Links to all pages that were asked for. */
function indexPage(names, themeNames) {
  const rows = names.map((name) => {
    const links = themeNames.map((theme) => `<a href="/${name}/${theme}">${theme}</a>`);
    return `<tr><th align="left">${name}</th><td>${links.join(' ')}</td></tr>`;
  });
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Scenes</title></head><body><table>${rows.join('')}</table></body></html>`;
}

/** Serves these scenes on a free port: `origin/scene/theme` is a page of each. */
export async function servePages(names, themeNames = Object.keys(themes)) {
  // A flame graph asks for its recording piece by piece, so that each has a server of its own.
  const flameHosts = new Map(
    names.flatMap((name) => (scenes[name].flame ? [[name, benchside.serveFlame(scenes[name].flame, scenes[name].extra)]] : [])),
  );
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const html = { 'content-type': 'text/html' };
    const asset = /^\/([\w-]+)\.(js|css)$/.exec(pathname);
    if (asset !== null) {
      const type = asset[2] === 'js' ? 'text/javascript' : 'text/css';
      response.writeHead(200, { 'content-type': type }).end(readFileSync(path.join(root, 'dist/webview', `${asset[1]}.${asset[2]}`)));
      return;
    }
    if (pathname === '/') {
      response.writeHead(200, html).end(indexPage(names, themeNames));
      return;
    }
    if (pathname === '/favicon.ico') {
      response.writeHead(204).end();
      return;
    }
    const [, sceneName, themeName] = pathname.split('/');
    const [scene, theme] = [scenes[sceneName], themes[themeName]];
    if (!scene || !theme) response.writeHead(404).end();
    else if (scene.flame) response.writeHead(302, { location: (await flameHosts.get(sceneName)).url(theme) }).end();
    else if (scene.report === 'whole') response.writeHead(200, html).end(wholeReport(scene));
    else
      response
        .writeHead(200, { ...html, 'content-security-policy': policy })
        .end(scene.report ? chartsPage(scene) : panelPage(scene, theme));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      for (const host of flameHosts.values()) await (await host).close();
    },
  };
}

/** Opens a scene and does on it what belongs to it; resolves once it is drawn. */
export async function openScene(page, origin, name, themeName) {
  const scene = scenes[name];
  await page.goto(`${origin}/${name}/${themeName}`);
  await page.waitForFunction(
    (selector) => document.querySelector(selector)?.shadowRoot?.childElementCount > 0,
    scene.flame
      ? 'benchside-flame'
      : scene.report
        ? scene.run.result.kind === 'experiment'
          ? 'benchside-experiment-charts'
          : 'benchside-comparison-charts'
        : 'benchside-workbench',
  );
  if (scene.act) await scene.act(page);
  await page.waitForLoadState('networkidle');
}
