import { changePhrase } from '../../model/format.ts';
import type { VersionMetric } from '../../model/versionDiff.ts';

/** Characters of the axis, which goes from half of base to one and a half; what lies beyond ends in an arrow. */
const cells = 41;
const half = 0.5;
const middle = (cells - 1) / 2;

/** A forest of the figures as text: a line for each with its change and its interval around “no change”. Counts have none. */
export function forestText(metrics: readonly VersionMetric[], delta: number): string[] {
  const shown = metrics.filter(({ ratio }) => ratio !== null);
  if (shown.length === 0) return [];
  const longest = Math.max(...shown.map(({ name }) => name.length));
  const axis = `${' '.repeat(longest)}  −50 %${' '.repeat(middle - 5)}0${' '.repeat(middle - 5)}+50 %`;
  return [
    axis,
    ...shown.map(({ name, ratio }) =>
      ratio === null ? '' : `${name.padEnd(longest)}  ${axisOf(ratio, delta)}  ${changePhrase(ratio.mean)}`,
    ),
  ];
}

function axisOf({ mean, ciLow, ciHigh }: NonNullable<VersionMetric['ratio']>, delta: number): string {
  const at = (ratio: number): number => Math.round(Math.min(1, Math.max(-1, (ratio - 1) / half)) * middle) + middle;
  const line = Array.from({ length: cells }, (_, cell): string => {
    const change = ((cell - middle) / middle) * half;
    return cell === middle ? '│' : Math.abs(change) <= delta ? '┊' : '·';
  });
  if (ciLow !== null && ciHigh !== null) for (let cell = at(ciLow); cell <= at(ciHigh); cell += 1) line[cell] = '━';
  line[at(mean)] = mean > 1 + half ? '▶' : mean < 1 - half ? '◀' : '◆';
  return line.join('');
}

const row = 24;
const label = 190;
const width = 420;
const colours = { worse: '#c4382b', better: '#2b7d3c', same: '#6b6b6b', unknown: '#6b6b6b' } as const;

/** The same as a picture: SVG without script, on its own ground, so that it reads on a light and on a dark page. */
export function forestSvg(metrics: readonly VersionMetric[], delta: number): string | null {
  const shown = metrics.filter(({ ratio }) => ratio !== null);
  if (shown.length === 0) return null;
  const height = row * (shown.length + 1) + 8;
  const x = (ratio: number): number => label + (width * (Math.min(1, Math.max(-1, (ratio - 1) / half)) + 1)) / 2;
  const text = (at: number, y: number, words: string, anchor = 'start'): string =>
    `<text x="${at}" y="${y}" text-anchor="${anchor}">${words.replace(/[&<>]/g, (c) => (c === '&' ? '&amp;' : c === '<' ? '&lt;' : '&gt;'))}</text>`;
  const total = label + width + 90;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${total} ${height}" width="${total}" height="${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${total}" height="${height}" fill="#fff"/>`,
    `<rect x="${x(1 - delta)}" y="${row}" width="${x(1 + delta) - x(1 - delta)}" height="${height - row - 8}" fill="#e4e4e4"/>`,
    `<line x1="${x(1)}" x2="${x(1)}" y1="${row}" y2="${height - 8}" stroke="#555"/>`,
    text(x(1), 16, 'no change', 'middle'),
    text(x(1 - half), 16, '−50 %', 'middle'),
    text(x(1 + half), 16, '+50 %', 'middle'),
    ...shown.flatMap(({ name, ratio, verdict }, index) => {
      if (ratio === null) return [];
      const y = row * (index + 1) + 14;
      const colour = colours[verdict ?? 'same'];
      const line =
        ratio.ciLow === null || ratio.ciHigh === null
          ? ''
          : `<line x1="${x(ratio.ciLow)}" x2="${x(ratio.ciHigh)}" y1="${y - 4}" y2="${y - 4}" stroke="${colour}" stroke-width="2"/>`;
      return [
        text(8, y, name),
        line,
        `<circle cx="${x(ratio.mean)}" cy="${y - 4}" r="4" fill="${colour}"/>`,
        text(label + width + 14, y, changePhrase(ratio.mean)),
      ];
    }),
    '</svg>',
  ].join('');
}
