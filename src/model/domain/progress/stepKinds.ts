import * as z from 'zod';
import { type OneOf, always, saidIn, schemaOf, worded } from '../findingTable.ts';
import { wholeNumber } from '../format.ts';
import { sqlRemarkFields, sqlRemarkText } from '../sqlRemark.ts';
import { warmUpFindingSchema, warmUpWords } from '../warmUpFinding.ts';
import { roundKindSchema, roundText, shortRoundText } from './roundKinds.ts';
import { stageKinds } from './stageKinds.ts';
import { taskSteps } from './taskSteps.ts';

const name = z.string().describe('of a trial or a process, as the run calls it');
const database = z.string();
const round = roundKindSchema;
const ofTurn = { name, round };

const preparedWords = {
  run: 'Reading this machine and preparing the run',
  tuning: 'Preparing the tuning',
  experiment: 'Reading this machine and preparing the experiment',
} as const;

const severalWords = {
  versions: () => 'both versions',
  values: (count: number) => (count === 1 ? 'one value' : `${count} values`),
  'in-turn': (count: number) => `${count} of them in turn`,
} as const;

/** What is being done: a code with its figures, and its words. */
export const stepKinds = {
  ...taskSteps,
  ...stageKinds,
  preparing: worded({ what: z.enum(['run', 'tuning', 'experiment']) }).says(({ what }) => preparedWords[what]),

  // The database
  'starting-postgres': always('Starting PostgreSQL'),
  'k6-volume': always('Making a volume for the files of k6 in the cluster'),
  'making-again': worded({ database, why: z.enum(['schema', 'owner']) }).says(({ database: of, why }) =>
    why === 'schema'
      ? `The schema of ${of} has changed: making it again`
      : `Making ${of} again: it belonged to the server's administrator, and belongs to a role of its own now`,
  ),
  'statements-not-counted': worded({ database, message: z.string() }).says(
    ({ database: of, message }) => `The statements of ${of} are not counted: ${message}`,
  ),
  'applying-sql': worded({ file: z.string(), database }).says(({ file, database: to }) => `Applying ${file} to ${to}`),
  'sql-remark': worded(sqlRemarkFields).says(sqlRemarkText),
  migrating: worded({ target: z.string(), command: z.array(z.string()) }).says(
    ({ target, command }) => `Migrating the database of ${target}: ${command.join(' ')}`,
  ),
  'copying-database': worded({ database, times: z.number().describe('its rows'), sql: z.string().nullable() }).says(
    ({ database: from, times, sql }) =>
      `Copying ${from}${times === 1 ? '' : ` with ${times} times the rows`}${sql === null ? '' : ` with ${sql}`}`,
  ),

  // Processes
  starting: worded({ name }).says(({ name: one }) => `Starting ${one}`),
  'starting-several': worded({ count: z.number(), target: z.string() }).says(
    ({ count, target }) => `Starting ${count} processes of ${target}`,
  ),
  'starting-fresh': worded({ name }).says(({ name: one }) => `Starting a fresh process: ${one}`),
  'starting-again': always('Starting all again: two processes of the same code differ'),
  'asking-again': worded({ name }).says(({ name: one }) => `Asking ${one} once more what others answer otherwise`),
  'warming-up': worded({ name: name.nullable(), processes: z.number() }).says(({ name: of, processes }) => {
    if (processes === 1) return `Warming up${of === null ? '' : ` ${of}`}`;
    return `Warming up ${processes} processes${of === null ? '' : ` of ${of}`} at once`;
  }),
  'warming-in-turns': worded({ names: z.array(name) }).says(({ names }) => `Warming up in turns: ${names.join(', ')}`),
  'warming-on': worded({ why: warmUpFindingSchema }).says(({ why }) => `Warming up in turns: ${warmUpWords(why)}`),
  'warming-falls': worded({ percent: z.number().describe('of the CPU per request'), withinS: z.number() }).says(
    ({ percent, withinS }) => `Warming up: ${percent} % less CPU per request than ${withinS} s ago`,
  ),
  'warming-rate': worded({ perS: z.number() }).says(({ perS }) => `Warming up: ${wholeNumber(perS)} requests/s`),

  // Rounds
  measuring: worded(ofTurn).says(({ name: one, round: in_ }) => `Measuring ${one}, ${roundText(in_)}`),
  'measuring-several': worded({ what: z.enum(['versions', 'values', 'in-turn']), count: z.number(), round }).says(
    ({ what, count, round: in_ }) => `Measuring ${severalWords[what](count)}, ${roundText(in_)}`,
  ),
  'route-alone': worded({ route: z.string(), name: name.nullable() }).says(
    ({ route, name: one }) => `${route} alone${one === null ? '' : `, ${one}`}`,
  ),
  'fresh-round': worded({ round: z.number(), of: z.number(), name: name.nullable(), bare: z.boolean().describe('without a probe') }).says(
    ({ round: is, of, name: one, bare }) =>
      `Fresh processes, round ${is} of ${of}${one === null ? '' : `: ${one}${bare ? ' without a probe' : ''}`}`,
  ),

  // Experiments
  'walking-roles': worded({ name, round: round.nullable() }).says(
    ({ name: one, round: in_ }) => `${one}: users walk their roles${in_ === null ? '' : `, ${roundText(in_)}`}`,
  ),
  'alone-and-together': worded(ofTurn).says(({ name: one, round: in_ }) => `${one}: alone and together, ${roundText(in_)}`),
  outage: worded(ofTurn).says(({ name: one, round: in_ }) => `${one}: load while instances come and go, ${roundText(in_)}`),
  connections: worded({ name, connections: z.number() }).says(
    ({ name: one, connections }) => `${one}: ${wholeNumber(connections)} ${connections === 1 ? 'connection' : 'connections'}`,
  ),
  'levelling-memory': worded({ name }).says(({ name: one }) => `${one}: load until memory is level or the first full collection`),

  // The end
  recording: worded({ name, seconds: z.number().nullable() }).says(
    ({ name: one, seconds }) => `Recording ${one}${seconds === null ? '' : ` for ${seconds} s`}`,
  ),
  'pricing-recording': worded({ name }).says(({ name: one }) => `Measuring what the recording of ${one} costs`),
  'pricing-raw': always('Measuring what raw samples cost'),
  stopping: always('Stopping the targets'),
  writing: always('Writing the run'),

  blocks: worded({ count: z.number() }).says(({ count }) =>
    count === 0 ? 'nothing measured yet' : `${count} ${count === 1 ? 'block' : 'blocks'} measured`,
  ),
} as const;

/** What is being done, as a code with its figures. */
export type Step = OneOf<typeof stepKinds>;
export const stepSchema = schemaOf(stepKinds);

export function stepText(step: Step): string {
  return saidIn(stepKinds, step);
}

/** The same where there is little room: "java · pool 8, round 2/3". */
export function shortStepText(step: Step): string {
  switch (step.code) {
    case 'measuring':
      return `${step.name}, ${shortRoundText(step.round)}`;
    case 'measuring-several':
      return `${severalWords[step.what](step.count)}, ${shortRoundText(step.round)}`;
    default:
      return stepText(step);
  }
}
