import { describe, expect, it } from 'vitest';
import { contentSecurityPolicy, panelHtml } from '../../../../src/extension/panel/panelHtml.ts';

const parts = {
  cspSource: 'https://cdn',
  nonce: 'abc123',
  scriptUri: 'https://cdn/workbench.js',
  styleUri: 'https://cdn/workbench.css',
  flameScriptUri: 'https://cdn/flame.js',
};

describe('the panel’s page', () => {
  it('allows nothing but its own files, the nonce, data images and a worker of its own making', () => {
    expect(contentSecurityPolicy(parts.cspSource, parts.nonce)).toBe(
      "default-src 'none'; img-src https://cdn data:; style-src https://cdn 'nonce-abc123'; script-src 'nonce-abc123'; font-src https://cdn; worker-src blob:; base-uri 'none'; form-action 'none'",
    );
    expect(panelHtml(parts)).toContain(contentSecurityPolicy(parts.cspSource, parts.nonce));
  });

  it('has no script or style without the nonce', () => {
    const html = panelHtml(parts);
    for (const [tag] of html.matchAll(/<(script|style)\b[^>]*>/g)) expect(tag).toContain('nonce="abc123"');
    expect(html).not.toMatch(/\son\w+=|style=/);
  });
});
