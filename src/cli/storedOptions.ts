import type { ReportFormat } from '../model/protocol/protocol.ts';
import { type Asked, command } from './command.ts';
import { one } from './options.ts';
import { choice, word } from './values.ts';

const reportFormats = { html: 'html', htm: 'html', markdown: 'markdown', md: 'markdown', csv: 'csv' } as const;
type ReportWord = keyof typeof reportFormats;

/** The format that is asked for; else the one that the file's ending means. */
function reportFormat(output: string | undefined, asked: ReportWord | undefined): ReportFormat {
  if (asked !== undefined) return reportFormats[asked];
  const ending = output?.split('.').pop()?.toLowerCase() ?? '';
  return Object.hasOwn(reportFormats, ending) ? reportFormats[ending as ReportWord] : 'html';
}

export const reportCommand = command({
  words: 'report <run>',
  description: 'a report of a run, or of an advice by its id',
  options: {
    output: one('-o, --output <file>', 'write there instead of to standard output: .html, .md or .csv', word),
    format: one(
      '--format <format>',
      'html, markdown or csv (default: by the ending of -o, else html)',
      choice(Object.keys(reportFormats) as ReportWord[]),
    ),
  },
  means: ({ output, format }, run: string) => ({ run, output: output ?? null, format: reportFormat(output, format) }),
});

export type ReportAsked = Asked<typeof reportCommand>;

export const runsCommand = command({
  words: 'runs',
  description: 'list the runs of this folder, and what was found to help',
  options: {},
  means: () => ({}),
});

export const deleteCommand = command({
  words: 'delete <run>',
  description: 'delete a run, or an advice by its id',
  options: {},
  means: (_, run: string) => ({ run }),
});
