import type { CDPSession, Page } from 'playwright-core';

export function faultsOf(page: Page, session: CDPSession): Promise<string[]>;
