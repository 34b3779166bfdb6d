import * as z from 'zod';
import { always, worded } from '../findingTable.ts';
import { wholeNumber } from '../format.ts';

const label = z.string().describe('of a service');
const version = z.string();
const way = z.string().describe('to start');

function ofWay(is: string): string {
  return is === 'as-is' ? '' : `, ${is}`;
}

/** Steps of what is no run: recordings, what is found of a service, versions that are built, files that are read and written. */
export const taskSteps = {
  // Recordings
  'starting-under-clinic': worded({ name: z.string() }).says(({ name }) => `Starting ${name} under clinic`),
  'reading-clinic': always('Reading what clinic recorded'),
  'writing-recording': always('Writing the recording'),
  'installing-clinic': worded({ done: z.number(), of: z.number() }).says(({ done, of }) => `Installing clinic: ${done} of ${of} packages`),
  'raw-rows': worded({ doing: z.enum(['Loading', 'Exporting']), rows: z.number(), of: z.number() }).says(
    ({ doing, rows, of }) => `${doing} raw samples: ${wholeNumber(rows)} of ${wholeNumber(of)}`,
  ),
  'reading-file': worded({ file: z.string() }).says(({ file }) => `Reading ${file}`),

  // A service, and the machine
  'resolving-differences': worded({ seconds: z.number() }).says(
    ({ seconds }) => `Measuring for ${seconds} s which differences it can resolve`,
  ),
  'leak-cycle': worded({
    cycle: z.number().describe('from 1'),
    kept: z.object({ low: z.number(), high: z.number() }).nullable().describe('bytes per request so far'),
  }).says(
    ({ cycle, kept }) =>
      `Cycle ${cycle}${kept === null ? '' : `: ${wholeNumber(kept.low)} to ${wholeNumber(kept.high)} bytes per request so far`}`,
  ),
  'tracing-growth': always('Looking for what grows'),
  start: worded({ start: z.number().describe('from 1'), of: z.number(), way }).says(
    ({ start, of, way: is }) => `Start ${start} of ${of}${ofWay(is)}`,
  ),
  'until-warm': worded({ way }).says(({ way: is }) => `Under load until it is warm${ofWay(is)}`),
  'watched-start': always('One start to see where its time goes'),
  'archiving-start': always('One start that leaves an archive of its classes'),
  'trying-address': worded({ label }).says(({ label: of }) => `Trying which variables tell ${of} where its database is`),
  'asking-routes': worded({ label }).says(({ label: of }) => `Asking ${of} once for each route`),
  'request-seen': worded({ status: z.number(), method: z.string(), path: z.string().describe('shortened') }).says(
    ({ status, method, path }) => `${status} ${method} ${path}`,
  ),

  // Versions
  'copying-version': worded({ version }).says(({ version: one }) => `Copying ${one}`),
  'building-version': worded({ version, command: z.array(z.string()) }).says(
    ({ version: one, command }) => `Building ${one}: ${command.join(' ')}`,
  ),
} as const;
