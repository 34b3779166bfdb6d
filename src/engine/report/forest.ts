import { changePhrase } from '../../model/domain/format.ts';
import { type ForestLine, fixedScale, knownLines, sameBand } from '../../model/presentation/forest.ts';
import { escapeHtml } from './html.ts';

const row = 24;
const label = 190;
const width = 420;
const total = label + width + 90;
const colours = { worse: '#c4382b', better: '#2b7d3c', same: '#6b6b6b', unknown: '#6b6b6b' } as const;

/** The same as a picture: SVG without script, on its own ground, so that it reads on a light and on a dark page. */
export function forestSvg(lines: readonly ForestLine[], delta: number): string | null {
  const shown = knownLines(lines);
  if (shown.length === 0) return null;
  const height = row * (shown.length + 1) + 8;
  const x = (ratio: number): number => label + width * fixedScale.place(ratio);
  const [low, high] = sameBand(delta).map(x);
  const text = (at: number, y: number, words: string, anchor = 'start'): string =>
    `<text x="${at}" y="${y}" text-anchor="${anchor}">${escapeHtml(words)}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${total} ${height}" width="${total}" height="${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${total}" height="${height}" fill="#fff"/>`,
    `<rect x="${low ?? 0}" y="${row}" width="${(high ?? 0) - (low ?? 0)}" height="${height - row - 8}" fill="#e4e4e4"/>`,
    `<line x1="${x(1)}" x2="${x(1)}" y1="${row}" y2="${height - 8}" stroke="#555"/>`,
    ...fixedScale.ticks.map(({ ratio, text: words }) => text(x(ratio), 16, words, 'middle')),
    ...shown.flatMap(({ name, ratio, verdict }, index) => {
      const y = row * (index + 1) + 14;
      const colour = colours[verdict ?? 'same'];
      const { mean, ciLow, ciHigh } = ratio;
      return [
        text(8, y, name),
        ciLow === null || ciHigh === null
          ? ''
          : `<line x1="${x(ciLow)}" x2="${x(ciHigh)}" y1="${y - 4}" y2="${y - 4}" stroke="${colour}" stroke-width="2"/>`,
        `<circle cx="${x(mean)}" cy="${y - 4}" r="4" fill="${colour}"/>`,
        text(label + width + 14, y, changePhrase(mean)),
      ];
    }),
    '</svg>',
  ].join('');
}
