import * as z from 'zod';
import { type Figures, worded } from '../findingTable.ts';
import { figure, wholeNumber } from '../format.ts';
import { inUse, number, seen } from './figures.ts';
import { allBusy, mean, ms, ofMax, percentOf, plural, waited } from './phrases.ts';

const holdOne = ', because requests hold one connection while they wait for another';
const stand = { max: seen, pending: seen, noneBack: z.boolean().describe('whether none was given back') };
const places = z.array(z.object({ at: z.string(), count: number })).describe('where such connections were taken, the most frequent first');
const perRequest = seen.describe('connections lost for each request; null: none was lost while it was measured');

function standing({ max, pending, noneBack }: { max: number | null; pending: number | null; noneBack: boolean }): string {
  const back = noneBack ? 'none was given back' : 'nearly none was given back before a wait ran out';
  return `all of its ${max ?? 'few'} connections were held, ${waited(pending)}, and ${back}`;
}

/** By which one of several pools is found in the app’s code. */
export const whichPool = {
  name: z.string().describe('as the pool calls itself'),
  madeAt: z.string().nullable().describe('function and file:line; null where that is not known'),
};

export function poolPhrase({ name, madeAt }: Figures<typeof whichPool>): string {
  return madeAt === null ? `“${name}”` : `made at ${madeAt}`;
}

function perThousand(each: number): string {
  return `${figure(1000 * each)} of every 1,000`;
}

/** Where the lost connections were acquired, as far as that was recorded. */
function whereTaken(held: number, [first, ...others]: z.infer<typeof places>): string {
  if (first === undefined) return '';
  const often = wholeNumber(first.count);
  const more = others.map(({ at, count }) => `, ${wholeNumber(count)} at ${at}`).join('');
  return ` ${often} of the ${wholeNumber(held)} ${often === '1' ? 'is' : 'are'} known to have been taken at ${first.at}${more}.`;
}

/** What verdicts say of the app's pool of database connections. */
export const poolVerdicts = {
  'pool-full': worded({ ...inUse.shape, pending: seen, processes: number.describe('that have a pool each') }).says(
    ({ busy, max, pending, processes }) => {
      const each = processes < 2 || max === null ? '' : ` (${mean(max / processes)} in each of ${processes} processes)`;
      return `The connection pool is the limit: ${allBusy({ busy, max })}${each} and ${waited(pending)}.`;
    },
  ),
  'one-pool-full': worded({ ...inUse.shape, pending: seen, ...whichPool, others: inUse }).says(
    ({ pending, name, madeAt, others, ...pool }) => {
      const rest = `while ${ofMax(others.busy, others.max) ?? 'few'} connections of the app’s other pools were in use`;
      return `One of the app’s connection pools is the limit, ${poolPhrase({ name, madeAt })}: ${allBusy(pool)} and ${waited(pending)}, ${rest}.`;
    },
  ),
  'one-pool-full-why': worded({
    setting: z.string(),
    isOfSetting: z.boolean().nullable().describe('null: another one has its size, too'),
  }).says(({ setting, isOfSetting }) =>
    isOfSetting === null
      ? `Whether it is the pool that “${setting}” sizes was not seen.`
      : isOfSetting
        ? `By its size it is the pool that “${setting}” sets.`
        : `By its size it is not the pool that “${setting}” sets, of which a larger one brings nothing.`,
  ),
  'pool-full-why': worded({
    waitMs: seen,
    holdMs: seen,
    postgresShare: seen,
    appShare: seen,
    isShared: z.boolean().describe('the app has a share of the CPU'),
  }).says(
    ({ waitMs, holdMs, postgresShare, appShare, isShared }) =>
      `A request waited ${ms(waitMs)} for a connection and held it for ${ms(holdMs)}, while the database and the CPU had room (PostgreSQL at ${percentOf(postgresShare)}, ${isShared ? 'the app’s share' : 'the app'} at ${percentOf(appShare)} of the cores).`,
  ),
  'connections-needed': worded({ connections: number, processes: number, holdMs: seen }).says(
    ({ connections, processes, holdMs }) =>
      `Without the wait the load would need about ${connections} connections${processes > 1 ? ' in all processes together' : ''}: requests per second × the ${ms(holdMs)} for which each holds one (Little’s law).`,
  ),
  'connections-held': worded({ ...inUse.shape, active: number.describe('sessions on which a statement ran'), pending: seen }).says(
    ({ active, pending, ...pool }) =>
      `Connections are held while the database has nothing to do: ${allBusy(pool)}, but a statement ran on ${active < 0.05 ? 'none' : `only ${mean(active)}`} of them, and ${waited(pending)}.`,
  ),
  'connections-held-why': worded({
    holdMs: seen,
    usedMs: number,
    elsewhere: z
      .object({ to: z.string().nullable(), waitMs: number.describe('of a request') })
      .nullable()
      .default(null)
      .describe('the wait for another service, where it is as long as most of what is left'),
  }).says(
    ({ holdMs, usedMs, elsewhere }) =>
      `A request keeps its connection for ${ms(holdMs)} and uses it for about ${ms(usedMs)}.${elsewhere === null ? '' : ` It waits ${ms(elsewhere.waitMs)} for the answer of another service${elsewhere.to === null ? '' : ` (${elsewhere.to})`}, by these times while it keeps the connection.`} A larger pool would only hold more connections idle, and would bring nothing at all where requests wait for each other meanwhile (a lock in the app); do the other work (a computation, a call to another service) before the connection is taken or after it is given back.`,
  ),

  // It runs dry
  'pool-locked-up': worded(stand).says((seenOf) => `The connection pool locked itself up: ${standing(seenOf)}${holdOne}.`),
  'pool-stands': worded(stand).says((seenOf) => `The connection pool came to a stand: ${standing(seenOf)}.`),
  'pool-stands-why': worded({
    outlived: seen.describe('connections that outlived the request that took them'),
    unsure: number.describe('such of which that is not known'),
  }).says(({ outlived, unsure }) => {
    const unknown = unsure === 0 ? '' : `, and of ${mean(unsure)} it is not known`;
    const known = outlived === null ? '' : `: ${mean(outlived)} of the connections outlived the request that took them${unknown}`;
    return `Either requests hold one connection while they wait for another, or requests end without giving theirs back${known}. A larger pool cures only the first.`;
  }),
  'pool-ran-dry': worded({
    timeouts: number,
    max: seen,
    holdsOne: z.boolean().describe('requests hold one connection while they wait for another'),
  }).says(
    ({ timeouts, max, holdsOne }) =>
      `The connection pool ran dry: ${wholeNumber(timeouts)} ${plural(timeouts, 'request', 'requests')} gave up waiting for one of its ${max ?? 'few'} ${max === 1 ? 'connection' : 'connections'}${holdsOne ? holdOne : ''}.`,
  ),
  'pool-ran-dry-why': worded({ holdMs: seen }).says(
    ({ holdMs }) =>
      `A connection was held for ${ms(holdMs)} on average, and the queue before the pool was longer than the time-out allows. Throughput is that of a service which turns requests away.`,
  ),
  'second-connection': worded({
    requests: number.describe('at work at once'),
    each: number.describe('connections of one'),
    floor: number,
    inEach: z.boolean(),
  }).says(
    ({ requests, each, floor, inEach }) =>
      `When every connection is held by a request that waits for a second one, none of them can go on until the wait runs out. With ${requests} requests at work that each take ${each}, this cannot happen from ${requests} × (${each} − 1) + 1 = ${floor} connections on${inEach ? ', in each process' : ''}.`,
  ),

  // It loses connections
  'pool-leaks': worded({ lost: number, max: seen, pending: seen }).says(
    ({ lost, max, pending }) =>
      `Connections leak, and the pool is dry: ${wholeNumber(lost)} of its ${max ?? 'few'} connections were taken by requests that are over and never given back, and ${waited(pending)}.`,
  ),
  'pool-leaks-why': worded({
    held: number,
    places,
    perRequest,
    lentInAll: seen.describe('connections since it began; null: those that were lost are not of them'),
  }).says(
    ({ held, places: taken, perRequest: each, lentInAll }) =>
      `No request under way holds one of them, so that it is no request that waits for a second connection.${whereTaken(held, taken)}${each === null ? '' : ` ${perThousand(each)} requests lost one while it was measured.`}${lentInAll === null ? '' : ` Since it began, ${wholeNumber(held)} of the ${wholeNumber(lentInAll)} that were taken were lost, ${perThousand(held / lentInAll)}.`} A larger pool runs dry as well, only later.`,
  ),
  'leaks-too': worded({ grew: number, perRequest: number, held: number, places, max: seen, lastsS: seen }).says(
    ({ grew, perRequest: each, held, places: taken, max, lastsS }) => {
      const left = Math.max(0, (max ?? 0) - held);
      const lasts =
        left === 0
          ? ` All ${max} are lost by now.`
          : ` At this rate the ${left} that are left of ${max} last for about ${figure(lastsS ?? 0)} s of this load.`;
      const when = max === null || lastsS === null ? '' : lasts;
      return `Connections seem to leak, too: ${wholeNumber(grew)} were taken by requests that are over and were not given back, ${perThousand(each)} requests.${when}${whereTaken(held, taken)}`;
    },
  ),
  'many-connections': worded({
    max: number,
    processes: number,
    usual: number.describe('max_connections of most servers'),
    keptBack: number,
  }).says(
    ({ max, processes, usual, keptBack }) =>
      `Together the pools may open ${wholeNumber(max)} connections${processes > 1 ? ` (${mean(max / processes)} in each of ${processes} processes)` : ''}; PostgreSQL allows ${usual} where its max_connections was not raised, and keeps ${keptBack} of them back.`,
  ),

  // PgBouncer
  'bouncer-full': worded({ busy: seen, max: number, waiting: number }).says(
    ({ waiting, ...pool }) =>
      `PgBouncer’s pool of ${pool.max} is the limit: ${allBusy(pool)} and ${mean(waiting)} of the app’s connections waited for one.`,
  ),
  'bouncer-full-why': worded({ waitMs: seen, postgresShare: seen }).says(
    ({ waitMs, postgresShare }) =>
      `A request waited ${ms(waitMs)} for a connection of PgBouncer’s, while PostgreSQL was at ${percentOf(postgresShare)} of its cores. The app’s own pool holds its connection meanwhile: a larger one would make only that queue longer.`,
  ),
  'bouncer-keeps': worded({ clients: number.describe('connections of the app’s pools'), max: number }).says(
    ({ clients, max }) =>
      `In session mode a connection of the app keeps its server connection until it is closed: of ${mean(clients)} connections of the app’s pools only ${max} have one, and requests on the others wait until they give up.`,
  ),
  'bouncer-starves': worded({ timeouts: number }).says(
    ({ timeouts }) =>
      `Requests gave up waiting for a connection of the app’s own pool (${wholeNumber(timeouts)}), since those that held one waited here. A larger pool of the app would make only this queue longer.`,
  ),
  'bouncer-thread': worded({ cpuPercent: number }).says(
    ({ cpuPercent }) => `PgBouncer itself is the limit: its one thread used ${percentOf(cpuPercent / 100)} of a core.`,
  ),
  'bouncer-thread-why': worded({ postgresShare: seen }).says(
    ({ postgresShare }) =>
      `Every statement and every row goes through that thread, however many connections it has; PostgreSQL was at ${percentOf(postgresShare)} of its cores.`,
  ),

  // Pools of the HTTP client and of threads
  'client-pool-full': worded({ ...inUse.shape, pending: seen, to: z.string().nullable().default(null).describe('the other service') }).says(
    ({ pending, to, ...pool }) =>
      `The HTTP client’s pool${to === null ? '' : ` for ${to}`} is the limit: ${allBusy(pool)} and ${waited(pending)}.`,
  ),
  'client-pool-full-why': worded({ max: seen, holdMs: seen }).says(
    ({ max, holdMs }) =>
      `The app asks another service through ${max ?? 'few'} ${max === 1 ? 'connection' : 'connections'}; an answer took ${ms(holdMs)}. Many clients allow only 2 connections to one host unless they are told otherwise, so that more load only makes the queue longer while the CPU is idle.`,
  ),
  'threads-full': worded({ busy: number, max: seen, waiting: seen }).says(
    ({ busy, max, waiting }) =>
      `The thread pool is the limit: ${mean(busy)} of its ${max ?? 'few'} threads were at work, and ${waited(waiting)} for one.`,
  ),
  'threads-full-why': worded({
    cpuShare: seen,
    atDatabase: number.describe('threads with a connection'),
    elsewhere: number.describe('threads'),
  }).says(({ cpuShare, atDatabase, elsewhere }) => {
    const what = [
      ...(atDatabase >= 0.5 ? [`${mean(atDatabase)} of them held a database connection`] : []),
      ...(elsewhere >= 0.5 ? [`${mean(elsewhere)} waited for another service`] : []),
    ].join(', ');
    return `The CPU had room (${percentOf(cpuShare)} of the machine was used), so that these threads were waiting rather than computing${what === '' ? '; for what, a recording tells' : `: ${what}`}. A thread that waits costs little; more of them let more requests wait at the same time.`;
  }),
} as const;
