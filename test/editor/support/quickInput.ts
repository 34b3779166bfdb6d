import type { Locator, Page } from 'playwright-core';
import { waitFor } from '../../support/waitFor.ts';

export interface QuickInputRow {
  label: string;
  description: string;
  /** Undefined in a list of which only one can be picked. */
  checked: boolean | undefined;
  focused: boolean;
}

/** VS Code's quick pick or input box: one widget for both, shown at the top of the window. */
export class QuickInput {
  readonly widget: Locator;
  readonly #input: Locator;

  constructor(private readonly page: Page) {
    this.widget = page.locator('.quick-input-widget:visible');
    this.#input = this.widget.locator('input[type="text"]');
  }

  async isOpen(): Promise<boolean> {
    return (await this.widget.count()) > 0;
  }

  /** Waits until a quick pick or input box is open whose title, or else placeholder, contains `title`. */
  async waitForOpen(title: string, timeoutMs = 30_000): Promise<void> {
    await waitFor(async () => (await this.heading()).includes(title), { timeoutMs, everyMs: 50, what: `a quick pick “${title}”` });
  }

  async waitForClosed(timeoutMs = 10_000): Promise<void> {
    await this.widget.waitFor({ state: 'hidden', timeout: timeoutMs });
  }

  /** Title and placeholder, empty when nothing is open. */
  async heading(): Promise<string> {
    const texts = await this.widget.evaluateAll((widgets) =>
      widgets.map((widget) => {
        const title = widget.querySelector<HTMLElement>('.quick-input-title');
        const shown = title && title.style.display !== 'none' ? title.innerText : '';
        return `${shown}\n${widget.querySelector<HTMLInputElement>('input[type="text"]')?.placeholder ?? ''}`;
      }),
    );
    return texts.join('\n').trim();
  }

  /** What is wrong with the text in an input box, as the user reads it; empty when nothing is. */
  async message(): Promise<string> {
    return (await this.widget.locator('.quick-input-message:visible').allInnerTexts()).join(' ');
  }

  /** What is typed in the box now; empty when it is closed, without waiting for one to open. */
  async value(): Promise<string> {
    return (await this.#input.evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value)))[0] ?? '';
  }

  /** @param timeoutMs how long the widget may take to appear; a caller that asks again gives a short one. */
  async fill(text: string, timeoutMs = 60_000): Promise<void> {
    await this.#input.fill(text, { timeout: timeoutMs });
  }

  /** The rows on screen, top to bottom; a long list draws only those. */
  async rows(): Promise<QuickInputRow[]> {
    return this.widget.locator('.quick-input-list .monaco-list-row').evaluateAll((rows) =>
      rows
        .map((row) => {
          const checked = row.getAttribute('aria-checked');
          return {
            index: Number(row.getAttribute('data-index')),
            label: row.querySelector<HTMLElement>('.label-name')?.innerText ?? '',
            description: row.querySelector<HTMLElement>('.label-description')?.innerText ?? '',
            checked: checked === null ? undefined : checked === 'true',
            focused: row.classList.contains('focused'),
          };
        })
        .sort((one, other) => one.index - other.index)
        .map(({ label, description, checked, focused }) => ({ label, description, checked, focused })),
    );
  }

  /** The row of exactly this label. */
  row(label: string): Locator {
    return this.widget
      .locator('.quick-input-list .monaco-list-row')
      .filter({ has: this.page.locator('.label-name', { hasText: exactly(label) }) });
  }

  /** Picks the one row of this label, which closes a single pick or leads to the next step. */
  async pick(label: string): Promise<void> {
    await this.#show(label);
    await this.row(label).locator('.label-name').first().click();
  }

  /** Checks exactly these rows of a multiple pick and unchecks all others; `accept()` then takes them. */
  async pickRows(labels: readonly string[]): Promise<void> {
    for (const label of labels) await this.#setChecked(label, true);
    for (const { label, checked } of await this.rows()) {
      if (checked === true && !labels.includes(label)) await this.#setChecked(label, false);
    }
  }

  /** @param timeoutMs as for `fill`. */
  async accept(timeoutMs = 60_000): Promise<void> {
    await this.#input.press('Enter', { timeout: timeoutMs });
  }

  /** Takes the first row of a single pick, once there is one: Enter does nothing in a list that is still empty. */
  async acceptFirst(): Promise<void> {
    await this.widget.locator('.quick-input-list .monaco-list-row.focused').first().waitFor();
    await this.accept();
  }

  async cancel(): Promise<void> {
    await this.#input.press('Escape');
  }

  async #setChecked(label: string, wanted: boolean): Promise<void> {
    const filtered = await this.#show(label);
    const isChecked = async () => (await this.rows()).find((row) => row.label === label)?.checked;
    if ((await isChecked()) !== wanted) {
      await this.row(label).locator('.label-name').first().click();
      await waitFor(async () => (await isChecked()) === wanted, { what: `row “${label}” is ${wanted ? 'checked' : 'unchecked'}` });
    }
    if (filtered) await this.fill('');
  }

  /** Brings a row on screen, by filtering when the list is too long to draw it. Gives whether it had to filter. */
  async #show(label: string): Promise<boolean> {
    const row = this.row(label);
    try {
      await row.first().waitFor({ timeout: 3_000 });
      return false;
    } catch {
      await this.fill(label);
      await row.first().waitFor();
      return true;
    }
  }
}

/** Matches an element whose whole text is this. */
export function exactly(text: string): RegExp {
  return new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
}
