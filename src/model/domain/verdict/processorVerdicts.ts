import * as z from 'zod';
import { always, worded } from '../findingTable.ts';
import { bytesPhrase, figure } from '../format.ts';
import { number, ofCoresUsed, seen } from './figures.ts';
import { mean, ms, ofCores, percentOf, theApp } from './phrases.ts';

const cpuPercent = number.describe('of one core');
const cpuMs = seen.describe('CPU of a request');

/** " A request takes 1.20 ms of it." */
function each(perRequestMs: number | null): string {
  return perRequestMs === null ? '' : ` A request takes ${ms(perRequestMs)} of it.`;
}

/** What verdicts say of processors: the machine's, those of an event loop and of one thread, and what keeps them busy. */
export const processorVerdicts = {
  cpu: worded({ instances: number, used: ofCoresUsed, isShared: z.boolean().describe('the app has a share of the CPU'), cpuMs }).says(
    ({ instances, used, isShared, cpuMs: eachMs }) => {
      const ofShare = isShared ? ', its share,' : '';
      const perRequest = eachMs === null ? '' : `${isShared ? ' ' : ', '}${ms(eachMs)} for each request`;
      return `The CPU is the limit: ${theApp(instances)} used ${ofCores(used.share, used.cores) ?? 'all of it'}${ofShare}${perRequest}.`;
    },
  ),
  'cpu-full': worded({
    left: z.boolean().describe('what others left of the machine, rather than all of it'),
    instances: number,
    cpuPercent,
    postgresPercent: seen,
    proxyPercent: seen,
    generatorPercent: seen,
    used: ofCoresUsed.describe('by all of them together'),
    taken: seen.describe('where part of that is waits for their turn: the share that others took'),
  }).says(({ left, instances, cpuPercent: app, postgresPercent, proxyPercent, generatorPercent, used, taken }) => {
    const others = [
      ...(postgresPercent === null ? [] : [`PostgreSQL ${figure(postgresPercent)} %`]),
      ...(proxyPercent === null ? [] : [`the proxy ${figure(proxyPercent)} %`]),
      ...(generatorPercent === null ? [] : [`the load generator ${figure(generatorPercent)} %`]),
    ].join(', ');
    const cores = ofCores(used.share, used.cores);
    const ofLeft =
      taken === null ? `${cores ?? 'all'} that were left` : `they used or waited for ${cores}, of which others took ${percentOf(taken)}`;
    const together = left ? ofLeft : (cores ?? 'all there is');
    return `The ${left ? 'CPU that others left' : 'machine’s CPU'} is full: ${theApp(instances)} used ${figure(app)} % of a core${others === '' ? ', which is' : `, ${others}; together`} ${together}.`;
  }),
  'cpu-why': worded({ isOwn: z.boolean().describe('the app fills it alone'), isJvm: z.boolean() }).says(
    ({ isOwn, isJvm }) =>
      `No setting makes cores; ${isOwn ? 'a cheaper request does as much' : 'app, database and load generator compete for the same ones, and what one of them saves the others can use'}.${isJvm ? ' As many busy threads as cores are enough; more of them only take turns.' : ''}`,
  ),
  'one-core': worded({ cpuPercent, idle: z.object({ cores: number, of: number }).nullable().describe('null: hardly any') }).says(
    ({ cpuPercent: app, idle }) =>
      `One core is the limit: the app used ${figure(app)} % of a core, and never more than one${idle === null ? '' : `, while ${figure(idle.cores)} of the ${figure(idle.of)} were idle`}.`,
  ),
  'one-core-each': worded({ processes: number, cpuPercent }).says(
    ({ processes, cpuPercent: app }) =>
      `One core for each process is the limit: the ${processes} processes of the app used ${figure(app)} % of a core together, and no more.`,
  ),
  'one-core-wanted': worded({ cpuPercent }).says(
    ({ cpuPercent: app }) =>
      `One core is the limit: the app used ${figure(app)} % of a core and waited for the rest of it, which others took; of a second one it asked for nothing.`,
  ),
  'one-core-left': worded({ cpuPercent, taken: number }).says(
    ({ cpuPercent: app, taken }) =>
      `One core seems to be the limit: the app used ${figure(app)} % of a core, as much as is left of one while ${percentOf(taken)} of the CPU is taken.`,
  ),
  'one-core-why': worded({ cpuMs }).says(
    ({ cpuMs: eachMs }) =>
      `A runtime that runs one thread at a time, as CPython does, uses one core however many threads or connections it has.${each(eachMs)} More processes use more cores; so does a cheaper request.`,
  ),
  'loop-full': worded({ loopShare: seen, used: ofCoresUsed.describe('by the machine') }).says(
    ({ loopShare, used }) =>
      `The event loop is the limit: it was busy ${percentOf(loopShare)} of the time, while the machine used ${ofCores(used.share, used.cores) ?? 'only some of its cores'}.`,
  ),
  'loop-full-why': worded({ cpuMs }).says(
    ({ cpuMs: eachMs }) =>
      `JavaScript of one process runs on one core, whatever the others do.${each(eachMs)} Another instance or worker uses another core; moving the computation off the loop keeps it free for everything else.`,
  ),
  'loop-computes-little': worded({ cpuPercent }).says(
    ({ cpuPercent: app }) =>
      `It is busy without computing (CPU ${figure(app)} % of a core): something blocks it, such as a synchronous read or a wait. Nothing else of this process can run meanwhile.`,
  ),
  gc: worded({ instances: number, pauseShare: seen, maxPauseMs: seen }).says(
    ({ instances, pauseShare, maxPauseMs }) =>
      `The garbage collector is the limit: it stopped ${theApp(instances)} for ${percentOf(pauseShare)} of the time${maxPauseMs === null ? '' : `, once for ${ms(maxPauseMs)}`}.`,
  ),
  'gc-why': worded({
    waits: z.object({ waitMs: number, meanMs: seen }).nullable().describe('of a request, where they are long'),
    heapShare: seen,
  }).says(
    ({ waits, heapShare }) =>
      `While it works, no request does.${waits === null ? '' : ` A request waits ${ms(waits.waitMs)} of its ${ms(waits.meanMs)} for it.`}${heapShare === null ? '' : ` ${percentOf(heapShare)} of the heap was in use.`} A heap that holds what stays alive with room to spare is collected less often; allocating less helps at any size.`,
  ),
  oversubscribed: worded({ threads: number, cores: number, enough: number.describe('threads that would do') }).says(
    ({ threads, cores, enough }) =>
      `Too many threads take turns: ${mean(threads)} were at work on ${mean(cores)} cores, where about ${mean(enough)} would keep them busy.`,
  ),
  'oversubscribed-why': worded({ switchesPerS: seen }).says(
    ({ switchesPerS }) =>
      `The CPU is full, and every further thread only makes all others wait longer: their stacks and turns cost memory, caches and switches (${switchesPerS === null ? 'not seen' : `${figure(switchesPerS)} a second`}) and bring no throughput.`,
  ),
  'large-answers': worded({ bytes: number.describe('of an answer'), bytesPerS: number }).says(
    ({ bytes, bytesPerS }) => `The size of the answers is the limit: ${bytesPhrase(bytes)} each, ${bytesPhrase(bytesPerS)} a second.`,
  ),
  'large-answers-why': always(
    'Time goes into copying and sending. A line of 1 Gbit/s would be full at about 119 MiB a second; on one machine the copying itself takes the CPU of the app and of the load generator.',
  ),
  'busy-machine': worded({ taken: number.describe('share of the CPU') }).says(
    ({ taken }) => `The machine is busy with other programs: they took ${percentOf(taken)} of its CPU, and no core was left idle.`,
  ),
  'busy-machine-why': worded({ unexplainedMs: seen, meanMs: seen }).says(
    ({ unexplainedMs, meanMs }) =>
      `Nothing in the app explains ${ms(unexplainedMs)} of the ${ms(meanMs)} of a request: most likely it waited for its turn on the CPU.`,
  ),

  // The database's
  'database-cpu': worded({ used: ofCoresUsed, cpuMs, isOwn: z.boolean().describe('it fills its cores alone') }).says(
    ({ used, cpuMs: eachMs, isOwn }) =>
      `The database’s CPU is the limit: PostgreSQL used ${ofCores(used.share, used.cores) ?? 'its cores'}, ${ms(eachMs)} for each request${isOwn ? '' : ', which is most of what app, database and load used'}.`,
  ),
  'database-cpu-apart': worded({
    executeMs: number.describe('of a request'),
    cpuMs: number.describe('of a request'),
    calls: number.describe('statements of a request'),
  }).says(
    ({ executeMs, cpuMs: allMs, calls }) =>
      `The statements of a request (${mean(calls)}) take ${ms(executeMs)} while they execute, less than half of the ${ms(allMs)} of CPU that PostgreSQL uses for it: the rest is what PostgreSQL does to receive, parse and plan them and to answer, and its own processes. What helps is to send fewer statements, and to prepare those that are sent again (one text, with parameters).`,
  ),
  'database-cpu-why': worded({ appShare: seen, holdMs: seen }).says(
    ({ appShare, holdMs }) =>
      `The app itself used ${percentOf(appShare)} of its CPU. More connections would only share the same cores (a request held one for ${ms(holdMs)}); what helps is a cheaper statement: an index, fewer rows, a result that is kept.`,
  ),
} as const;
