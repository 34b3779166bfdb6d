import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { paletteCss, targetHueCount } from '../../../src/model/presentation/palette.ts';
import { hueShape, markPath, targetMarkOf } from '../../../src/model/presentation/targetHue.ts';
import { htmlReport } from '../../../src/engine/report/htmlReport.ts';
import { reportStyle } from '../../../src/engine/report/reportStyle.ts';
import { exampleRun } from '../../support/runRecords.ts';
import { hueColor } from '../../../webview/kit/style/hues.ts';

const themes = ['dark', 'light', 'contrast', 'contrastLight'] as const;
const looks = (id: string): string => `${hueColor(targetMarkOf(id))} ${hueShape(targetMarkOf(id))}`;

describe('the mark of a target', () => {
  it('is the same for ever: it follows from the id alone', () => {
    expect(['java', 'node', 'orders', 'shop-1', 'lab-node'].map(targetMarkOf)).toEqual([0, 1, 4, 12, 11]);
  });

  it('spreads over all hues and shapes, and hardly ever is the same for two', () => {
    const ids = Array.from({ length: 600 }, (_, index) => `service-${index}`);
    const counts = new Map<string, number>();
    for (const id of ids) counts.set(looks(id), (counts.get(looks(id)) ?? 0) + 1);
    expect(counts.size).toBe(30);
    expect(Math.max(...counts.values())).toBeLessThan(45);
    expect(looks('java')).not.toBe(looks('node'));
  });

  it('stands before each row of a report in the shape that the charts draw', () => {
    const run = exampleRun();
    const rows = htmlReport(run).match(/<tr[^>]*hue-\d[^>]*><td[^>]*><svg class="mark".*?<path d="[^"]+"/g) ?? [];
    expect(new Set(rows.map((row) => row.match(/hue-\d|d="[^"]+/g)?.join(' ')))).toEqual(
      new Set(['java', 'node'].map((id) => `hue-${targetMarkOf(id) % targetHueCount} d="${markPath(targetMarkOf(id))}`)),
    );
    expect(rows.length).toBeGreaterThanOrEqual(run.trials.length);
  });

  it('never has the hue of waiting for the pool, which each theme names apart', () => {
    for (const theme of themes) {
      const colours = [...paletteCss(theme).matchAll(/--bs-(hue|kind)-(\w+): (#[0-9a-f]{6});/g)];
      const hues = colours.flatMap(([, kind, , colour]) => (kind === 'hue' ? [colour] : []));
      expect(new Set(hues).size, theme).toBe(targetHueCount);
      expect(hues, theme).not.toContain(colours.find(([, , name]) => name === 'pool')?.[3] ?? 'no colour');
    }
  });

  it('has the same colours in a panel and in a report, also on paper, and none besides', () => {
    const beginning = (text: string): string => reportStyle.slice(reportStyle.indexOf(text));
    const until = (text: string): string => text.slice(0, text.indexOf('}'));
    expect(until(beginning(':root {'))).toContain(paletteCss('light'));
    expect(until(beginning('(prefers-color-scheme: dark)'))).toContain(paletteCss('dark'));
    expect(until(beginning('@media print'))).toContain(paletteCss('light'));
    const page = readFileSync(path.join(import.meta.dirname, '../../../webview/kit/style/page.css'), 'utf8');
    expect(page).not.toMatch(/--bs-(?:hue|kind)-\w+:/);
  });
});
