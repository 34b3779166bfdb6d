import { describe, expect, it } from 'vitest';
import { contentSecurityPolicy, flameHtml } from '../../../../src/extension/panel/panelHtml.ts';

const parts = { cspSource: 'https://cdn', nonce: 'abc123', scriptUri: 'https://cdn/flame.js', styleUri: 'https://cdn/flame.css' };

describe('a flame graph’s page', () => {
  it('allows its own files, the nonce, and a worker made from its own script; nothing else', () => {
    expect(flameHtml(parts)).toContain(contentSecurityPolicy(parts.cspSource, parts.nonce));
  });

  it('has no script without the nonce and nothing inline', () => {
    const html = flameHtml(parts);
    for (const [tag] of html.matchAll(/<(script|style)\b[^>]*>/g)) expect(tag).toContain('nonce="abc123"');
    expect(html).not.toMatch(/\son\w+=|style=/);
    expect(html).toMatch(/<body>\s*<script/);
  });
});
