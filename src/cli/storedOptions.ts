import { parseRoundTrip } from '../model/domain/roundTrip.ts';
import type { ReportFormat } from '../model/protocol/protocol.ts';
import { command } from './command.ts';
import type { FlameGraphAsked } from './flameGraphOptions.ts';
import { type Reader, one, orNull } from './options.ts';
import { choice, decimal, read, whole, word } from './values.ts';

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

export const runsCommand = command({
  words: 'runs',
  description: 'list the runs of this folder, and what was found to help',
  means: () => ({}),
});

export const deleteCommand = command({
  words: 'delete <run>',
  description: 'delete a run, or an advice by its id',
  means: (_, run: string) => ({ run }),
});

const roundTrip: Reader<number> = (text, name) => read(name, parseRoundTrip(text));

const [leastCores, mostCores] = [0.1, 1024];

export const predictCommand = command({
  words: 'predict [run]',
  description:
    'what a run (default: the last) says of other surroundings: throughput, which tier is full and the pool that suffices, with more cores or instances or a database further away',
  options: {
    trial: one('--trial <key>', 'which trial of the run, or a part of its key, e.g. pool=8', word),
    rttMs: one('--rtt <time>', 'the round trip to the database, e.g. 1ms (default: as measured)', roundTrip),
    appCores: one(
      '--app-cores <n>',
      'cores of the machine of each instance (default: the machine of the run, which all share)',
      decimal(leastCores, mostCores),
    ),
    databaseCores: one('--database-cores <n>', 'cores of the machine of the database', decimal(leastCores, mostCores)),
    instances: one('--instances <n>', 'instances of the app (default: as measured)', whole(1, 1000)),
    pool: one('--pool <n>', 'connections to the database of each instance (default: as measured)', whole(1, 10_000)),
    clients: one('--clients <n>', 'requests at a time (default: the most that was measured)', whole(1, 100_000)),
  },
  means: ({ trial, ...values }, run = 'last') => ({ run, trial: trial ?? null, ...values }),
});

const output = one('-o, --output <file>', 'write there instead of to standard output', word);

export const otlpCommand = command({
  words: 'export otlp [run]',
  description: 'what was recorded of a run (default: the last) as OTLP profiles, for a collector of OpenTelemetry',
  options: {
    event: one('--event <name>', 'one of its events, e.g. cpu or wall (default: all)', word),
    trial: one('--trial <key>', 'which trial of the run', word),
    output,
  },
  means: ({ trial, ...values }, run = 'last'): FlameGraphAsked => ({
    source: run,
    trials: trial === undefined ? [] : [trial],
    process: null,
    diff: null,
    normalise: null,
    format: 'otlp',
    ...orNull(values),
  }),
});

export const prometheusCommand = command({
  words: 'export prometheus [run]',
  description: 'the figures of a run (default: the last) as Prometheus’ text, for its file collector or a push gateway',
  options: { output },
  means: ({ output: file }, run = 'last') => ({ run, output: file ?? null }),
});
