import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { chromiumFlags } from '../../scripts/chromiumFlags.mjs';

/** The machine’s Chromium, or the one that BENCHSIDE_CHROMIUM names; `more` are further flags. */
export function launchChromium(more: readonly string[] = []): Promise<Browser> {
  const executablePath = process.env['BENCHSIDE_CHROMIUM'] ?? '/usr/bin/chromium';
  if (!existsSync(executablePath))
    throw new Error(`There is no browser at ${executablePath}. Install Chromium, or set BENCHSIDE_CHROMIUM to the path of one.`);
  return chromium.launch({ executablePath, args: [...chromiumFlags, ...more] });
}
