import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { hueShape, markPath, targetHueCount, targetMarkOf } from '../../../src/model/targetHue.ts';
import { htmlReport } from '../../../src/engine/report/htmlReport.ts';
import { reportStyle } from '../../../src/engine/report/reportStyle.ts';
import { exampleRun } from '../../support/runRecords.ts';
import { hueColor } from '../../../webview/kit/style/hues.ts';

const page = readFileSync(path.join(import.meta.dirname, '../../../webview/kit/style/page.css'), 'utf8');
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
    for (const style of [page, reportStyle]) {
      const themes = style.split('--bs-kind-pool:').slice(1);
      expect(themes.length).toBeGreaterThanOrEqual(3);
      const pinks = themes.map((rest) => rest.trim().slice(0, 7));
      const hues = [...style.matchAll(/--bs-hue-\d: (#\w+)/g)].map(([, colour]) => colour);
      expect(hues).toHaveLength(targetHueCount * themes.length);
      for (const pink of pinks) expect(hues).not.toContain(pink);
    }
  });

  it('has the same colours in a panel and in a report, also on paper', () => {
    const names = ['hue-0', 'hue-1', 'hue-2', 'hue-3', 'hue-4', 'kind-pool', 'kind-app', 'kind-postgres', 'kind-generator'];
    const coloursAfter = (style: string, beginning: string): string[] => {
      const rest = style.slice(style.indexOf(beginning));
      return names.map((name) => new RegExp(`--bs-${name}: (#[0-9a-f]{6});`).exec(rest)?.[1] ?? `no ${name}`);
    };
    const [dark, light] = ['body.vscode-dark {', 'body.vscode-light {'].map((theme) => coloursAfter(page, theme));
    expect(light).not.toEqual(dark);
    expect(coloursAfter(reportStyle, ':root {')).toEqual(light);
    expect(coloursAfter(reportStyle, '(prefers-color-scheme: dark)')).toEqual(dark);
    expect(coloursAfter(reportStyle, '@media print')).toEqual(light);
  });
});
