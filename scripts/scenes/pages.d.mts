import type { Page } from 'playwright-core';

export function servePages(
  names: readonly string[],
  themeNames?: readonly string[],
): Promise<{ origin: string; close: () => Promise<void> }>;
export function openScene(page: Page, origin: string, name: string, themeName: string): Promise<void>;
