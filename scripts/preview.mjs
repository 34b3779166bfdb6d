// Shows the panel's views outside VS Code, under the panel's own policy: as pages to open, or as pictures.
// Usage: npm run preview [-- --list | --pictures[=folder] [--sheets]] [--only=scene,…] [--themes=dark,…] [--widths=1400,800,420] [--height=900] [--zoom=2] [--fold]
// Pictures fail on an error, a breach of the policy, and on whatever scenes/faults.mjs finds. With --sheets the upper parts of all pictures of a theme and a width
// are on one page; with --fold a picture is what is seen without scrolling. Motion is reduced, so that two pictures of a scene are the same.
// The pages are those of the build in dist: with “npm run watch” running, a page that is loaded again shows what was changed.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chromiumFlags } from './chromiumFlags.mjs';
import { fileURLToPath } from 'node:url';
import { scenes } from './scenes/all.mjs';
import { faultsOf } from './scenes/faults.mjs';
import { openScene, servePages } from './scenes/pages.mjs';
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
const height = Number(option('height') ?? '900');
if (flag('list')) {
  console.log(chosen.join('\n'));
  process.exit();
}

const built = spawnSync(process.execPath, ['scripts/build.mjs', '--only=workbench,workbenchStyle,report,reportStyle,flame,flameStyle'], {
  cwd: root,
  stdio: 'inherit',
});
if (built.status !== 0) process.exit(1);

/** The upper parts of all pictures of a theme and a width, side by side. */
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

const pages = await servePages(chosen, chosenThemes);
const { origin } = pages;

if (!flag('pictures')) {
  console.log(`${chosen.join(' ')}\n\n${origin}/ has a page of each. Ctrl+C ends it; --pictures takes pictures instead, --only=… chooses.`);
} else {
  const { chromium } = await import('playwright-core');
  const out = path.resolve(option('pictures') ?? path.join(os.tmpdir(), 'webview-pictures'));
  mkdirSync(out, { recursive: true });
  const browser = await chromium.launch({ executablePath: process.env.BENCHSIDE_CHROMIUM ?? '/usr/bin/chromium', args: chromiumFlags });
  let wrong = 0;
  for (const themeName of chosenThemes) {
    for (const width of widths) {
      // As the editor zooms: fewer pixels of the page in the same window.
      const zoom = Number(option('zoom') ?? '1');
      const page = await browser.newPage({
        viewport: { width: Math.round(width / zoom), height: Math.round(height / zoom) },
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
        await openScene(page, origin, name, themeName);
        await page.waitForTimeout(250);
        const violations = await page.evaluate(() => window.violations ?? []);
        const failures = await page.evaluate(() => (window.sent ?? []).filter((message) => message.type === 'policyViolation').length);
        if (violations.length + failures > 0) {
          wrong += 1;
          console.error(`${name} ${themeName}: ${violations.join('; ')}`);
        }
        for (const fault of await faultsOf(page, tree)) {
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
  await pages.close();
  console.log(`${out}: ${wrong === 0 ? 'no violation, no error' : `${wrong} wrong`}`);
  process.exitCode = wrong === 0 ? 0 : 1;
}
