// Shows the panel's views outside VS Code, under the panel's own policy: as pages to open, or as pictures.
// Usage: npm run preview [-- --list | --pictures[=folder] [--sheets]] [--only=scene,…] [--themes=dark,…] [--widths=1400,800,420] [--zoom=2] [--fold]
// Pictures fail on an error, a breach of the policy, a control without a name, and a page that is wider than the window. With --sheets the upper parts of all
// pictures of a theme and a width stand on one page; with --fold a picture is what is seen without scrolling. Motion is reduced, so that two pictures of a scene are the same.
// The pages are those of the build in dist: with “npm run watch” beside it, a page that is loaded anew shows what was changed.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { scenes } from './scenes/all.mjs';
import { benchside } from './scenes/setting.mjs';
import { themes } from './scenes/themes.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const option = (name) => process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
const flag = (name) => process.argv.includes(`--${name}`) || option(name) !== undefined;

/** What an option names of what there is. */
function chosenOf(name, known) {
  const wanted = option(name)?.split(',') ?? Object.keys(known);
  const unknown = wanted.filter((one) => !Object.hasOwn(known, one));
  if (unknown.length === 0) return wanted;
  console.error(`preview: there is no ${unknown.join(', ')}. Choose of ${Object.keys(known).join(', ')}.`);
  process.exit(2);
}
const chosen = chosenOf('only', scenes);
const chosenThemes = chosenOf('themes', themes);
const widths = (option('widths') ?? '1400,800,420').split(',').map(Number);
if (flag('list')) {
  console.log(chosen.join('\n'));
  process.exit();
}

const built = spawnSync(process.execPath, ['scripts/build.mjs', '--only=workbench,workbenchStyle,report,reportStyle,flame,flameStyle'], {
  cwd: root,
  stdio: 'inherit',
});
if (built.status !== 0) process.exit(1);

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

function reportPage(scene) {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><link rel="stylesheet" href="/report.css"><title>Report</title>
<style nonce="${nonce}">body { margin: 0 auto; max-width: 1280px; padding: 28px 32px; background: var(--bs-bg); font: 13px var(--vscode-font-family); }</style></head><body>
<script nonce="${nonce}">window.sent = []; window.violations = []; document.addEventListener('securitypolicyviolation', (event) => window.violations.push(event.effectiveDirective + ' ' + event.sample));</script>
<div id="charts"></div><script type="application/json" id="run-record" nonce="${nonce}">${inline(scene.run)}</script><script nonce="${nonce}" src="/report.js"></script></body></html>`;
}

/** Links to all pages that were asked for. */
function indexPage() {
  const rows = chosen.map((name) => {
    const links = chosenThemes.map((theme) => `<a href="/${name}/${theme}">${theme}</a>`);
    return `<tr><th align="left">${name}</th><td>${links.join(' ')}</td></tr>`;
  });
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Scenes</title></head><body><table>${rows.join('')}</table></body></html>`;
}

const controls = new Set([
  'button',
  'checkbox',
  'combobox',
  'link',
  'listbox',
  'menuitem',
  'radio',
  'searchbox',
  'slider',
  'spinbutton',
  'tab',
  'textbox',
]);

/** Controls of which a screen reader could not say what they are. */
async function nameless(tree) {
  const { nodes } = await tree.send('Accessibility.getFullAXTree');
  const faults = nodes.filter(({ ignored, role, name }) => !ignored && controls.has(role?.value) && (name?.value ?? '').trim() === '');
  return faults.map(({ role }) => `a ${role.value} has no name`);
}

async function tooWide(page) {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  return over > 1 ? [`the page is ${over} px wider than the window`] : [];
}

/** A scene whose messages are of an earlier schema shows that they were not understood. */
async function misread(page) {
  return (await page.getByText('message that it does not understand').count()) > 0 ? ['a message of the scene was not understood'] : [];
}

/** The upper parts of all pictures of a theme and a width, beside each other. */
async function takeSheet(browser, out, themeName, width) {
  const shown = width < 600 ? width : Math.round(width / 2);
  const columns = Math.floor(1700 / shown);
  const figures = chosen.map((name) => {
    const picture = readFileSync(path.join(out, `${name}-${themeName}-${width}.png`)).toString('base64');
    return `<figure style="margin:0;height:${shown < width ? 560 : 900}px;overflow:hidden"><figcaption>${name}</figcaption><img width="${shown}" src="data:image/png;base64,${picture}"></figure>`;
  });
  const page = await browser.newPage({ viewport: { width: columns * (shown + 8), height: 900 } });
  await page.setContent(
    `<body style="display:grid;grid-template-columns:repeat(${columns},${shown}px);gap:8px;margin:0;font:12px monospace">${figures.join('')}</body>`,
  );
  await page.waitForTimeout(250);
  await page.screenshot({ path: path.join(out, `sheet-${themeName}-${width}.png`), fullPage: true });
  await page.close();
}

// A flame graph asks for its recording piece by piece, so that each has a server of its own.
const flameHosts = new Map(
  chosen.flatMap((name) => (scenes[name].flame ? [[name, benchside.serveFlame(scenes[name].flame, scenes[name].extra)]] : [])),
);

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
  const asset = /^\/([\w-]+)\.(js|css)$/.exec(pathname);
  if (asset !== null) {
    const type = asset[2] === 'js' ? 'text/javascript' : 'text/css';
    response.writeHead(200, { 'content-type': type }).end(readFileSync(path.join(root, 'dist/webview', `${asset[1]}.${asset[2]}`)));
    return;
  }
  if (pathname === '/') {
    response.writeHead(200, { 'content-type': 'text/html' }).end(indexPage());
    return;
  }
  if (pathname === '/favicon.ico') {
    response.writeHead(204).end();
    return;
  }
  const [, sceneName, themeName] = pathname.split('/');
  const [scene, theme] = [scenes[sceneName], themes[themeName]];
  if (scene?.flame && theme) {
    const host = await flameHosts.get(sceneName);
    response.writeHead(302, { location: host.url(theme) }).end();
    return;
  }
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

if (!flag('pictures')) {
  console.log(`${chosen.join(' ')}\n\n${origin}/ has a page of each. Ctrl+C ends it; --pictures takes pictures instead, --only=… chooses.`);
} else {
  const { chromium } = await import('playwright-core');
  const out = path.resolve(option('pictures') ?? path.join(os.tmpdir(), 'webview-pictures'));
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
  const browser = await chromium.launch({ executablePath: process.env.BENCHSIDE_CHROMIUM ?? '/usr/bin/chromium', args: flags });
  let wrong = 0;
  for (const themeName of chosenThemes) {
    for (const width of widths) {
      // As the editor zooms: fewer pixels of the page in the same window.
      const zoom = Number(option('zoom') ?? '1');
      const page = await browser.newPage({
        viewport: { width: Math.round(width / zoom), height: Math.round(900 / zoom) },
        deviceScaleFactor: zoom,
        colorScheme: /light/i.test(themeName) ? 'light' : 'dark',
        reducedMotion: 'reduce',
      });
      const tree = await page.context().newCDPSession(page);
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
          scenes[name].flame
            ? 'benchside-flame'
            : scenes[name].report
              ? scenes[name].run.study
                ? 'benchside-study-charts'
                : 'benchside-comparison-charts'
              : 'benchside-workbench',
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
        for (const fault of [...(await nameless(tree)), ...(await tooWide(page)), ...(await misread(page))]) {
          wrong += 1;
          console.error(`${name} ${themeName} ${width}: ${fault}`);
        }
        await page.screenshot({ path: path.join(out, `${name}-${themeName}-${width}.png`), fullPage: !flag('fold') });
      }
      await page.close();
      if (flag('sheets')) await takeSheet(browser, out, themeName, width);
    }
  }
  await browser.close();
  server.close();
  for (const host of flameHosts.values()) await (await host).close();
  console.log(`${out}: ${wrong === 0 ? 'no violation, no error' : `${wrong} wrong`}`);
  process.exitCode = wrong === 0 ? 0 : 1;
}
