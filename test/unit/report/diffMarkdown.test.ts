import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { VersionDiff } from '../../../src/model/domain/versionDiff.ts';
import { forestSvg } from '../../../src/engine/report/forest.ts';
import { diffMarkdown } from '../../../src/engine/report/markdownReport.ts';
import { forestText } from '../../../src/model/presentation/forest.ts';

const metric = (name: string, mean: number, half: number): VersionDiff['metrics'][number] => ({
  name,
  unit: 'ms',
  base: 1,
  head: mean,
  verdict: mean > 1 ? 'worse' : 'same',
  exact: false,
  ratio: { mean, ciLow: mean - half, ciHigh: mean + half },
});

const diff = (text: string, many = 1): VersionDiff => ({
  kind: 'diff',
  base: { label: text, commit: null, trialKey: null },
  head: { label: text, commit: null, trialKey: null },
  sameCode: false,
  verdict: 'worse',
  facts: { code: 'recorded', headline: text, reasons: [text] },
  notes: [],
  delta: 0.05,
  metrics: [metric('throughput', 1.2, 0.05), metric('p99', 4, 0.5)],
  statements: Array.from({ length: many }, () => ({ sql: text, kind: 'new' as const, base: 0, head: 20, nPlusOne: true })),
  files: Array.from({ length: many }, () => ({ path: text, added: 1, removed: 1 })),
  why: {
    functions: Array.from({ length: many }, () => ({
      name: text,
      file: text,
      line: 1,
      touched: true,
      event: 'cpu',
      unit: 'ns' as const,
      base: 1,
      head: 2,
      change: 1,
    })),
    flame: {
      event: 'cpu',
      unit: 'ns',
      base: 1,
      head: 2,
      boxes: Array.from({ length: many }, () => ({
        name: text,
        file: null,
        line: null,
        touched: false,
        depth: 0,
        start: 0,
        width: 1,
        base: 1,
        head: 2,
      })),
    },
    excerpt: null,
    recordings: null,
  },
});

describe('the page for a pull request', () => {
  it('begins with what a bot finds it by, and has the figures in sight', () => {
    const text = diffMarkdown(diff('It is slower.'), null);
    expect(text.split('\n').slice(0, 2)).toEqual(['<!-- benchside-diff -->', '### It is slower.']);
    expect(text).toContain('| throughput (ms) | 1.00 | 1.20 | \\+20 % | \\+15 % to +25 % | worse |');
    expect(text).toContain('<details><summary>Chart</summary>');
    expect(text).toContain('src="data:image/svg+xml;base64,');
  });

  it('is never larger than 60 kB, whatever there is to say', () => {
    const text = diffMarkdown(diff('x'.repeat(350), 100), null);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(60_000);
    expect(text).toContain('<details><summary>Statements that changed</summary>');
  });

  it('has the names of others as text: nothing of them ends a block or begins a tag', () => {
    fc.assert(
      fc.property(fc.constantFrom('```\n# x', '</details><script>', '@someone #1', '| a | b |', 'a`b', '\u2028```'), (text) => {
        const page = diffMarkdown(diff(text), null);
        // What is fenced is text as it is.
        const marked = page.replace(/```text\n[^`]*```/g, '');
        expect(marked).not.toContain('<script>');
        expect(page.match(/```/g)).toHaveLength(4);
        expect(marked.match(/<details>/g)).toHaveLength(marked.match(/<\/details>/g)?.length ?? -1);
      }),
    );
  });
});

describe('the forest of figures', () => {
  it('shows the change with its interval around no change, and an arrow for what lies beyond', () => {
    const lines = forestText(diff('x').metrics, 0.05);
    expect(lines).toHaveLength(3);
    expect(lines[1]).toMatch(/^throughput {2}·+┊*│┊*·*━+◆━+·* {2}\+20 %$/);
    expect(lines[2]).toMatch(/▶ {2}\+300 %$/);
    expect(new Set(lines.slice(1).map((line) => line.indexOf('│')))).toHaveLength(1);
    expect(forestText([], 0.05)).toEqual([]);
  });

  it('is a picture without script', () => {
    const svg = forestSvg([metric('<script>&', 1.2, 0.1)], 0.05) ?? '';
    expect(svg).toContain('&lt;script&gt;&amp;');
    expect(svg).not.toContain('<script');
    expect(forestSvg([], 0.05)).toBeNull();
  });
});
