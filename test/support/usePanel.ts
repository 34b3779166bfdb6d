import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { PanelHost } from './panelHost.ts';

/** A host of the panel for the tests of a file, each with a page of its own that breaks no rule of the policy and throws nothing. */
export function usePanel(): () => PanelHost {
  let panel: PanelHost;
  beforeAll(async () => {
    panel = await PanelHost.start();
  });
  afterAll(() => panel.close());
  afterEach(async () => {
    expect(await panel.closePage()).toEqual({ violations: [], errors: [] });
  });
  return () => panel;
}
