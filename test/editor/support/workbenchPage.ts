import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { launchChromium } from '../../support/chromium.ts';
import type { Browser, FrameLocator, Locator, Page } from 'playwright-core';
import { waitFor } from '../../support/waitFor.ts';
import { PageProblems } from './pageProblems.ts';
import { type QuickInputRow, exactly, QuickInput } from './quickInput.ts';
import type { VsCodeServer } from './vscodeServer.ts';

const ARTEFACTS_FOLDER = resolve(import.meta.dirname, '../artefacts');
/** Long enough for a machine with two cores that is busy with something else. */
const SLOW_MS = 60_000;

/** Themes by the name the setting has, with the label in the theme picker and the class that the window gets. */
const THEMES = {
  'Default Dark Modern': { label: 'Dark Modern', className: 'vscode-theme-defaults-themes-dark_modern-json' },
  'Default Light Modern': { label: 'Light Modern', className: 'vscode-theme-defaults-themes-light_modern-json' },
  'Default High Contrast': { label: 'Dark High Contrast', className: 'hc-black' },
  'Default High Contrast Light': { label: 'Light High Contrast', className: 'hc-light' },
} as const;

export type ThemeName = keyof typeof THEMES;
const darkTheme: ThemeName = 'Default Dark Modern';
const askedPictures = process.env['BENCHSIDE_PICTURES'];
/** Of the window, in px: the first is that in which it opens. */
const pictureWidths = [1400, 1000, 420] as const;
const windowHeight = 900;

export interface TreeRow {
  label: string;
  description: string;
  /** Depth, 1 for a root. */
  level: number;
  /** Undefined for a leaf. */
  expanded: boolean | undefined;
}

export interface Notification {
  text: string;
  buttons: readonly string[];
}

/** A VS Code window in a real browser, driven by what a user sees and presses. */
export class WorkbenchPage {
  readonly quickInput: QuickInput;

  private constructor(
    /** For what this class has no word for. */
    readonly page: Page,
    private readonly browser: Browser,
    private readonly server: VsCodeServer,
    private readonly problems: PageProblems,
  ) {
    this.quickInput = new QuickInput(page);
  }

  /** Starts a browser with a fresh profile, 1400 × 900. */
  static async launch(server: VsCodeServer): Promise<WorkbenchPage> {
    const browser = await launchChromium();
    try {
      const context = await browser.newContext({ viewport: { width: pictureWidths[0], height: windowHeight } });
      const page = await context.newPage();
      page.setDefaultTimeout(SLOW_MS);
      page.on('dialog', (dialog) => void dialog.accept());
      const problems = new PageProblems();
      await problems.watch(context, page);
      return new WorkbenchPage(page, browser, server, problems);
    } catch (error) {
      await browser.close();
      throw error;
    }
  }

  /** Opens the server's workspace, or another folder, and waits until the window is drawn. */
  async open(folder?: string): Promise<void> {
    await this.page.goto(folder === undefined ? this.server.url : this.server.urlOf(folder));
    await this.#waitForWindow();
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.#waitForWindow();
  }

  /** Runs a command by its title in the palette, as “Category: Title”; waits until the extension that brings it is there. */
  async runCommand(title: string): Promise<void> {
    const row = this.quickInput.row(title).first();
    await waitFor(
      async () => {
        await this.#openPalette();
        try {
          await this.quickInput.fill(`>${title}`, 2_000);
          await row.waitFor({ timeout: 2_000 });
          // A palette that loses the focus closes, with its row still in the page: then it is opened again. A click that is only answered late has run
          // the command: it gets long enough not to be made twice.
          await row
            .locator('.label-name')
            .first()
            .click({ timeout: SLOW_MS / 4 });
          return true;
        } catch {
          return false;
        }
      },
      { timeoutMs: SLOW_MS, what: `the command “${title}” is in the palette` },
    );
    await row.waitFor({ state: 'hidden' });
  }

  /**
   * Runs a command that opens a quick pick, once more when the pick is not there: after a reload VS Code still moves the focus, and a pick that
   * loses it closes.
   */
  async runCommandFor(title: string, pick: string): Promise<void> {
    await waitFor(
      async () => {
        await this.runCommand(title);
        return this.quickInput.waitForOpen(pick, SLOW_MS / 4).then(
          () => true,
          () => false,
        );
      },
      { timeoutMs: SLOW_MS, what: `“${title}” asks “${pick}”` },
    );
  }

  /** Whether the palette offers the command now. */
  async offersCommand(title: string): Promise<boolean> {
    await this.#openPalette();
    await this.quickInput.fill(`>${title}`);
    const filtered = this.quickInput.widget
      .locator('.monaco-list-row')
      .filter({ has: this.page.locator('.highlight') })
      .or(this.quickInput.widget.locator('.monaco-list-row:is([aria-label$="similar commands"], [aria-label="No matching commands"])'));
    await filtered.first().waitFor();
    const rows = await this.quickInput.rows();
    await this.quickInput.cancel();
    return rows.some(({ label }) => label === title);
  }

  async waitForQuickPick(title: string): Promise<QuickInputRow[]> {
    await this.quickInput.waitForOpen(title, SLOW_MS);
    return this.quickInput.rows();
  }

  /**
   * Content of a visible webview, by the panel's title or by the extension's id (`publisher.name`).
   * After a reload the frame is another one: ask again.
   */
  async panelFrame(titleOrExtensionId: string): Promise<FrameLocator> {
    const outer = this.page.locator('iframe.webview.ready');
    const name = await waitFor(
      async () => {
        for (const frame of await outer.all()) {
          if (!(await frame.isVisible())) continue;
          const source = new URL((await frame.getAttribute('src')) ?? '', this.server.url);
          const content = frame.contentFrame().locator('#active-frame');
          const title = (await content.count()) > 0 ? await content.getAttribute('title') : undefined;
          if (titleOrExtensionId === title || titleOrExtensionId === source.searchParams.get('extensionId'))
            return frame.getAttribute('name');
        }
        return undefined;
      },
      { timeoutMs: SLOW_MS, everyMs: 100, what: `a webview “${titleOrExtensionId}” is shown` },
    );
    return this.page.frameLocator(`iframe.webview[name="${name}"]`).frameLocator('#active-frame');
  }

  /** Titles of the open editors and panels, left to right. */
  async tabTitles(): Promise<string[]> {
    return this.page.locator('.editor-group-container .tabs-container .tab .label-name').allInnerTexts();
  }

  /** Closes the editor of this title without saving, whichever has the focus. */
  async closeEditor(title: string): Promise<void> {
    const tab = this.page.locator('.editor-group-container .tabs-container .tab', { hasText: title });
    await tab.click();
    await this.page.locator('.editor-group-container.active .tab.active', { hasText: title }).waitFor();
    await this.runCommand('View: Revert and Close Editor');
    await tab.waitFor({ state: 'hidden' });
  }

  /** Shows a view container by the title of its icon in the activity bar. */
  async openContainer(title: string): Promise<void> {
    const heading = this.page.locator('.sidebar .composite.title', { hasText: new RegExp(title, 'i') });
    // A click on the icon of a container that is shown already would hide it.
    if (await heading.isVisible()) return;
    const icon = this.page.locator(`.activitybar .action-item:has([aria-label^="${title}"])`).first();
    await icon.waitFor();
    if ((await icon.getAttribute('aria-expanded')) !== 'true' && !(await icon.evaluate((item) => item.classList.contains('checked'))))
      await icon.click();
    await this.page.locator('.sidebar .composite.title', { hasText: new RegExp(title, 'i') }).waitFor();
  }

  /** Opens a file of the workspace by its name, as a person types it: whatever takes the focus meanwhile closes the list, which is then opened again. */
  async openFile(name: string): Promise<void> {
    const tryOnce = async (): Promise<void> => {
      const timeout = 10_000;
      await this.page.keyboard.press('ControlOrMeta+p');
      const input = this.page.locator('.quick-input-widget:visible input[type="text"]');
      await input.fill(name, { timeout });
      await this.page.locator('.quick-input-list .monaco-list-row.focused', { hasText: name }).first().waitFor({ timeout });
      await input.press('Enter', { timeout });
      await this.page.locator('.tab.active', { hasText: name }).waitFor({ timeout });
    };
    const isOpen = (): Promise<boolean> =>
      tryOnce().then(
        () => true,
        () => false,
      );
    await waitFor(isOpen, { timeoutMs: SLOW_MS, what: `“${name}” is the active editor` });
  }

  /** The rows on screen of a view in the open container. */
  async treeRows(viewTitle: string): Promise<TreeRow[]> {
    return this.#view(viewTitle)
      .locator('.monaco-list-row')
      .evaluateAll((rows) =>
        rows
          .sort((one, other) => Number(one.getAttribute('data-index')) - Number(other.getAttribute('data-index')))
          .map((row) => {
            const expanded = row.getAttribute('aria-expanded');
            return {
              label: row.querySelector<HTMLElement>('.label-name')?.innerText ?? '',
              description: row.querySelector<HTMLElement>('.label-description')?.innerText ?? '',
              level: Number(row.getAttribute('aria-level')),
              expanded: expanded === null ? undefined : expanded === 'true',
            };
          }),
      );
  }

  /** The row of exactly this label. */
  treeRow(viewTitle: string, label: string): Locator {
    return this.#view(viewTitle)
      .locator('.monaco-list-row')
      .filter({ has: this.page.locator('.label-name', { hasText: exactly(label) }) });
  }

  /** Presses an action of a row that shows when the pointer is on it. */
  async pressRowAction(viewTitle: string, label: string, actionTitle: string): Promise<void> {
    const row = this.treeRow(viewTitle, label).first();
    await row.hover();
    await row.locator(`.action-label[aria-label^="${actionTitle}"]`).click();
  }

  /** Text shown in a view that has no rows. */
  async welcomeText(viewTitle: string): Promise<string> {
    return this.#view(viewTitle).locator('.welcome-view-content').innerText();
  }

  /** The notifications on screen, newest first. */
  async notifications(): Promise<Notification[]> {
    return this.page.locator('.notifications-toasts .notification-list-item').evaluateAll((items) =>
      items.map((item) => ({
        text: item.querySelector<HTMLElement>('.notification-list-item-message')?.innerText ?? '',
        buttons: [...item.querySelectorAll<HTMLElement>('.notification-list-item-buttons-container .monaco-button')]
          .map((button) => button.innerText.trim())
          .filter((text) => text !== ''),
      })),
    );
  }

  async waitForNotification(text: RegExp): Promise<Notification> {
    return waitFor(async () => (await this.notifications()).find((notification) => text.test(notification.text)), {
      timeoutMs: SLOW_MS,
      everyMs: 50,
      what: `a notification ${String(text)}`,
    });
  }

  async pressNotificationButton(text: RegExp, button: string): Promise<void> {
    const item = this.page.locator('.notifications-toasts .notification-list-item').filter({ hasText: text }).first();
    await item.locator('.monaco-button', { hasText: exactly(button) }).click();
  }

  /** Text of the modal dialog that is open, or undefined. */
  async dialogText(): Promise<string | undefined> {
    const texts = await this.page.locator('.monaco-dialog-box .dialog-message-container').allInnerTexts();
    return texts.length === 0 ? undefined : texts.join('\n');
  }

  async pressDialogButton(button: string): Promise<void> {
    await this.page.locator('.monaco-dialog-box .monaco-button', { hasText: exactly(button) }).click();
  }

  /** Texts of the visible status-bar items, left to right, with “ · ” between them. Icons have no text. */
  async statusBarText(): Promise<string> {
    const texts = await this.page
      .locator('.statusbar-item')
      .evaluateAll((items) =>
        items.filter((item) => item.getClientRects().length > 0).map((item) => (item as HTMLElement).innerText.replace(/\s+/g, ' ').trim()),
      );
    return texts.filter((text) => text !== '').join(' · ');
  }

  /** Chooses a color theme in VS Code's own picker and waits until the window has it. */
  async setTheme(name: ThemeName): Promise<void> {
    const { label, className } = THEMES[name];
    const window = this.page.locator(`.monaco-workbench.${className}`);
    if ((await window.count()) > 0) return;
    await this.runCommand('Preferences: Color Theme');
    await this.quickInput.waitForOpen('Select Color Theme');
    await this.quickInput.fill(label);
    await this.quickInput.pick(label);
    await this.quickInput.waitForClosed();
    await window.waitFor();
  }

  /** Writes `test/editor/artefacts/<name>.png` and gives its path. */
  async screenshot(name: string): Promise<string> {
    const path = join(ARTEFACTS_FOLDER, `${name}.png`);
    await mkdir(ARTEFACTS_FOLDER, { recursive: true });
    await this.page.screenshot({ path });
    return path;
  }

  /** A picture for people to look at, where they ask for any: BENCHSIDE_PICTURES is `dark`, or `all` for each theme. It is of what goes away while themes change. */
  async picture(name: string): Promise<void> {
    if (askedPictures !== undefined) await this.screenshot(name);
  }

  /** Pictures of the same in each theme that is asked for, and of all themes in three widths of the window too. Changing the theme takes seconds. */
  async pictures(name: string): Promise<void> {
    if (askedPictures === undefined) return;
    for (const theme of askedPictures === 'dark' ? [darkTheme] : (Object.keys(THEMES) as ThemeName[])) {
      await this.setTheme(theme);
      const themed = `${name}-${theme.replace('Default ', '').toLowerCase().replaceAll(' ', '-')}`;
      if (askedPictures === 'dark') await this.screenshot(themed);
      else await this.#inWidths(themed);
    }
    await this.setTheme(darkTheme);
  }

  /** In the narrowest without the side bar, as people do next to another window. */
  async #inWidths(name: string): Promise<void> {
    const sideBar = this.page.locator('.part.sidebar');
    const toggled = await sideBar.isVisible();
    for (const width of [...pictureWidths].reverse()) {
      if (toggled && (await sideBar.isVisible()) !== width > Math.min(...pictureWidths)) await this.#toggleSideBar(sideBar);
      await this.page.setViewportSize({ width, height: windowHeight });
      await this.page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
      await this.screenshot(`${name}-${width}`);
    }
  }

  async #toggleSideBar(sideBar: Locator): Promise<void> {
    const state = (await sideBar.isVisible()) ? 'hidden' : 'visible';
    await this.page.locator('.titlebar [aria-label^="Toggle Primary Side Bar"]').click();
    // Away from the button, whose hover would be in the picture.
    await this.page.mouse.move(0, 0);
    await sideBar.waitFor({ state });
  }

  /** Content-policy violations in webviews since the start. */
  cspViolations(): readonly string[] {
    return this.problems.policyViolations;
  }

  /** Console errors and uncaught errors since the start, without what this server always says. */
  consoleErrors(): readonly string[] {
    return this.problems.consoleErrors;
  }

  /** Closes quick picks, menus and dialogs that are open. */
  async dismiss(): Promise<void> {
    const open = this.page.locator('.quick-input-widget:visible, .monaco-dialog-box, .context-view .monaco-menu:visible');
    for (let presses = 0; presses < 5 && (await open.count()) > 0; presses += 1) await this.page.keyboard.press('Escape');
  }

  async close(): Promise<void> {
    await this.browser.close();
  }

  #view(title: string): Locator {
    return this.page.locator('.pane', { has: this.page.locator('.pane-header .title', { hasText: exactly(title) }) }).locator('.pane-body');
  }

  /** Key presses are lost while the window is still busy: press until the palette is there. */
  async #openPalette(): Promise<void> {
    let attempt = 0;
    await waitFor(
      async () => {
        if (await this.quickInput.isOpen()) await this.page.keyboard.press('Escape');
        // Where a list has the focus, one of the two keys may be taken by it.
        await this.page.keyboard.press(attempt % 2 === 0 ? 'F1' : 'Control+Shift+P');
        attempt += 1;
        try {
          await this.quickInput.widget.waitFor({ timeout: 2_000 });
          return (await this.quickInput.value()).startsWith('>');
        } catch {
          return false;
        }
      },
      { timeoutMs: SLOW_MS, what: 'the command palette is open' },
    );
  }

  async #waitForWindow(): Promise<void> {
    await this.page.locator('.monaco-workbench .statusbar').waitFor();
    await this.page.locator('.monaco-workbench .activitybar .action-item').first().waitFor();
  }
}
