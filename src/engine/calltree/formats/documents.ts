import { cpuCoverage } from '../../../calltree/cpuCoverage.ts';
import { writeDiffJson, writeDiffSvg } from '../writeDiff.ts';
import { writeFunctionJson } from '../writeFunctionJson.ts';
import { writeHtml } from '../writeHtml.ts';
import { writeSvg } from '../writeSvg.ts';
import type { ProfileFormat } from './profileFormat.ts';

/** What is written for people and for scripts, and not read again. */
export const svgPicture: ProfileFormat = {
  id: 'svg',
  label: 'SVG picture',
  endings: { '.svg': 'asked' },
  write: ({ tree, event, title }) => writeSvg(tree, event, title),
  writeDiff: (diff) => writeDiffSvg(diff),
};

export const functionJson: ProfileFormat = {
  id: 'json',
  label: 'Functions as JSON',
  endings: { '.json': 'asked' },
  write: ({ tree, event, fileOf, sentence, page: { head } }) =>
    writeFunctionJson(tree, event, fileOf, { sentence: sentence(), cpu: cpuCoverage(head.recording?.cpu, tree) }),
  writeDiff: writeDiffJson,
};

export const standalonePage: ProfileFormat = {
  id: 'html',
  label: 'Page that stands alone (HTML)',
  endings: { '.html': 'asked', '.htm': 'asked' },
  write: ({ event, page: { parts, head, assetsDir } }) => writeHtml(parts, { ...head, defaultEvent: event.name }, assetsDir),
};
