import type { ReportFormat } from '../model/protocol/protocol.ts';
import { one } from './options.ts';
import { choice, word } from './values.ts';

const reportFormats = { html: 'html', htm: 'html', markdown: 'markdown', md: 'markdown', csv: 'csv' } as const;
type ReportWord = keyof typeof reportFormats;

/** Options of `report`. */
export const reportOptions = {
  output: one('-o, --output <file>', 'write there instead of to standard output: .html, .md or .csv', word),
  format: one(
    '--format <format>',
    'html, markdown or csv (default: by the ending of -o, else html)',
    choice(Object.keys(reportFormats) as ReportWord[]),
  ),
};

/** The format that is asked for; else the one that the file's ending means. */
export function reportFormat(output: string | undefined, asked: ReportWord | undefined): ReportFormat {
  if (asked !== undefined) return reportFormats[asked];
  const ending = output?.split('.').pop()?.toLowerCase() ?? '';
  return Object.hasOwn(reportFormats, ending) ? reportFormats[ending as ReportWord] : 'html';
}
