import * as z from 'zod';
import { always, worded } from '../findingTable.ts';
import { figure } from '../format.ts';
import { type LockedThing, lockedThingSchema, number, seen } from './figures.ts';
import { figureOf, mean, ms, ofCores, percentOf, plural } from './phrases.ts';

const several = z.boolean().describe('the load has more than one request at once');
const parts = z.array(
  z.object({ what: z.enum(['pool-wait', 'hold', 'outbound', 'stood-still', 'cpu']), ms: number.describe('of a request') }),
);

const partNames: Readonly<Record<z.infer<typeof parts>[number]['what'], string>> = {
  'pool-wait': 'waiting for a connection of the pool',
  hold: 'holding one',
  outbound: 'another service',
  'stood-still': 'waiting while the app stood still',
  cpu: 'CPU of app and load generator',
};

function partsPhrase(all: z.infer<typeof parts>): string {
  return all.map(({ what, ms: spent }) => `${partNames[what]} ${ms(spent)}`).join(', ');
}

function requestsWait(many: boolean): string {
  return many ? 'Requests wait' : 'A request waits';
}

const lockedOn = lockedThingSchema.nullable().default(null).describe('what most of them wait for; null: something else, or several');

const peer = z.string().nullable().default(null).describe('the other service, where its address is known');

const lockNames: Readonly<Record<LockedThing, string>> = {
  row: 'a row that another transaction had changed or locked',
  advisory: 'an advisory lock that another session held',
  table: 'a table that another transaction had locked',
};

const lockCauses: Readonly<Record<LockedThing, { who: string; queue: string; cure: string }>> = {
  row: {
    who: 'Transactions that change the same row',
    queue: 'row',
    cure: 'hold the lock for a shorter time (update last, commit at once) or to spread the row',
  },
  advisory: {
    who: 'Requests that take the same advisory lock',
    queue: 'lock',
    cure: 'take it last and give it back at once (one of a transaction is held until the commit), to lock a narrower key, or to let a sequence or a constraint do its work',
  },
  table: {
    who: 'Transactions that lock the same table as a whole',
    queue: 'table',
    cure: 'lock only the rows that are changed, or to hold the lock for a shorter time',
  },
};

/** What verdicts say of what requests wait for, other than a pool or a processor. */
export const waitVerdicts = {
  // The database
  'database-lock': worded({ active: number.describe('sessions at work'), waiting: number, lockedOn }).says(
    ({ active, waiting, lockedOn: on }) =>
      `Locks in the database are the limit: of ${mean(active)} sessions at work, ${mean(waiting)} waited for ${on === null ? 'a lock that another transaction held' : lockNames[on]}.`,
  ),
  'database-lock-why': worded({ holdMs: seen, lockedOn }).says(({ holdMs, lockedOn: on }) => {
    const { who, queue, cure } = lockCauses[on ?? 'row'];
    return `${who} run one after the other, however many connections there are; a request held its connection for ${ms(holdMs)}. A larger pool makes the queue before the ${queue} longer. What helps is to ${cure}.`;
  }),
  'database-io': worded({ waiting: number, active: number.describe('sessions at work') }).says(
    ({ waiting, active }) =>
      `The database waits for its disk: ${mean(waiting)} of ${mean(active)} sessions at work waited for reading, writing or PostgreSQL’s inner locks.`,
  ),
  'database-io-why': always(
    'More connections add to that queue. Fewer commits (several rows in one transaction), a cache that holds what is read, or a faster disk shorten it.',
  ),

  // The app
  'app-lock': worded({ waiting: number, threads: number, where: z.string().nullable() }).says(
    ({ waiting, threads, where }) =>
      `A lock in the app is the limit: ${mean(waiting)} of ${mean(threads)} request threads waited for it${where === null ? '' : ` (${where})`}.`,
  ),
  'app-lock-why': worded({ poolQueues: z.boolean() }).says(
    ({ poolQueues }) =>
      `Whoever needs the lock goes one by one, so that throughput is one request per time that the lock is held, whatever the number of threads. Hold it for less, or give each part of the data a lock of its own.${poolQueues ? ' Requests hold a database connection while they wait for it, so that the pool is full, too: a larger one would only hold more of them.' : ''}`,
  ),
  'app-lets-few': worded({
    few: number.describe('requests'),
    to: peer,
    database: z.boolean().describe('they go to the database'),
    waitMs: seen.describe('of a request, in the app'),
    meanMs: seen,
  }).says(
    ({ few, to, database, waitMs, meanMs }) =>
      `The app itself is the limit, it seems: it lets only ${few} ${plural(few, 'request', 'requests')} at a time go to ${database ? 'the database' : (to ?? 'another service')}, and a request waits ${ms(waitMs)} of its ${ms(meanMs)} before that.`,
  ),
  'app-lets-few-why': worded({ eachMs: seen.describe('of one call') }).says(
    ({ eachMs }) =>
      `Whenever it was read, just as many were there, and never more; each takes ${ms(eachMs)}. The connections and the CPU have room. A semaphore, a limit of concurrency (p-limit), a queue with as many workers, or a thread that does it for all look like that.`,
  ),
  'executor-full': worded({ name: z.string().describe('of its threads'), threads: number, waiting: number, of: number }).says(
    ({ name, threads, waiting, of }) =>
      `A pool of threads in the app is the limit: ${threads === 1 ? 'the only thread' : `all ${threads} threads`} of “${name}” ${plural(threads, 'was', 'were')} at work, and ${mean(waiting)} of ${mean(of)} request threads waited for a result.`,
  ),
  'executor-full-why': worded({ where: z.string() }).says(
    ({ where }) =>
      `Most of these threads were at: ${where}. A request goes on only when one of them is free, however many threads take requests.`,
  ),
  'loop-blocked': worded({ waitMs: number, meanMs: seen, stalls: z.object({ maxMs: number, share: number }).nullable() }).says(
    ({ waitMs, meanMs, stalls }) =>
      `The event loop is blocked${stalls === null ? '' : ` for up to ${ms(stalls.maxMs)} at a time, ${percentOf(stalls.share)} of the time`}: a request waits ${ms(waitMs)} of its ${ms(meanMs)} for that.`,
  ),
  'loop-blocked-why': worded({
    stalls: seen.describe('how many were seen'),
    computes: z.boolean().describe('the process, meanwhile'),
  }).says(
    ({ stalls, computes }) =>
      `${stalls === null ? '' : `That was seen ${stalls} ${plural(stalls, 'time', 'times')}. `}${
        computes
          ? 'The process computes meanwhile: a timer, a large document, a regular expression or a loop keeps JavaScript busy.'
          : 'The process hardly computes meanwhile: a synchronous call waits for something, such as a file or another program.'
      } Nothing else of it can run until that is over, however little a request itself takes. Do it in pieces, or in a worker thread or another process.`,
  ),
  'server-loops-full': worded({
    name: z.string().describe('of their threads'),
    loops: number,
    computes: z.boolean().describe('the app, for most of that time'),
  }).says(
    ({ name, loops, computes }) =>
      `The event loop is the limit: ${loops === 1 ? 'the only one' : `one of the ${mean(loops)}`} of “${name}” was ${computes ? 'at work' : 'blocked'} nearly all the time.`,
  ),
  'server-loops-full-why': worded({ cpuPercent: seen.describe('of the app, of one core'), computes: z.boolean() }).says(
    ({ cpuPercent, computes }) =>
      computes
        ? `It computes meanwhile (the app used ${figure(cpuPercent ?? 0)} % of a core), and all its connections wait for it. More loops use more cores; what computes for long belongs on other threads.`
        : `The app hardly computes meanwhile${cpuPercent === null ? '' : ` (${figure(cpuPercent)} % of a core)`}: calls that wait (a query, another service, a file, a lock) are made on the loop’s own thread, and all its connections wait with it. More connections of a pool, or more CPU, bring nothing.`,
  ),
  'worker-pool': worded({ threads: number, waitMs: seen, meanMs: seen }).says(
    ({ threads, waitMs, meanMs }) =>
      `Node’s own pool of ${threads} ${plural(threads, 'thread', 'threads')} is the limit: a task waits ${ms(waitMs)} for one of them, and a request takes ${ms(meanMs)}.`,
  ),
  'worker-pool-why': worded({ busyWith: z.string().nullable().describe('tasks by their number, as Node names them') }).says(
    ({ busyWith }) =>
      `Files, names (dns.lookup), crypto and compression share these threads of libuv.${busyWith === null ? '' : ` Under way were ${busyWith}.`} The event loop and the CPU have room meanwhile.`,
  ),

  // Others
  'other-service': worded({ meanMs: seen, waitMs: number, to: peer }).says(
    ({ meanMs, waitMs, to }) =>
      `Another service${to === null ? '' : `, ${to},`} is the limit: of the ${ms(meanMs)} of a request, ${ms(waitMs)} were spent waiting for its answer.`,
  ),
  'other-service-why': worded({
    waiting: number.describe('calls under way, on average'),
    inTurn: z
      .object({ calls: number, eachMs: number })
      .nullable()
      .default(null)
      .describe('the calls of a request, of which one is under way at a time'),
    connects: z.boolean().default(false).describe('each call connects first'),
  }).says(({ waiting, inTurn, connects }) => {
    const turns =
      inTurn === null
        ? ''
        : `A request sends it ${mean(inTurn.calls)} calls of ${ms(inTurn.eachMs)}; one of them is under way nearly all the time and never two, as where each is sent when the one before it is answered. `;
    return `${turns}On average ${mean(waiting)} ${inTurn === null ? 'requests were waiting for it' : 'calls were under way'} at the same time, and no request waited for a connection${connects ? '; to connect is part of that time' : ', so that the app’s own settings are not what slows it'}.`;
  }),
  'name-look-ups': worded({ eachMs: number, meanMs: seen, maxMs: seen }).says(
    ({ eachMs, meanMs, maxMs }) =>
      `Looking names up takes most of the time: ${ms(eachMs)} of the ${ms(meanMs)} of a request${maxMs === null ? '' : `, ${ms(maxMs)} at the most`}.`,
  ),
  'name-look-ups-why': always(
    'Each new connection to a host looks its name up, and each look-up has a thread of libuv’s pool until it is answered. Connections that are kept open need none.',
  ),
  'delayed-answers': worded({ p50Ms: seen }).says(
    ({ p50Ms }) =>
      `TCP waits for itself: latency piles up at ${ms(p50Ms)}, as where Nagle’s algorithm holds the rest of an answer back until its beginning is acknowledged, and the acknowledgement is delayed for 40 ms.`,
  ),
  'delayed-answers-why': worded({ delayedAcks: seen.describe('for each request') }).says(
    ({ delayedAcks }) =>
      `Nothing computes meanwhile.${delayedAcks === null ? '' : ` The machine sent ${figure(delayedAcks)} delayed acknowledgements for each request.`} It happens where an answer is written in two pieces on a connection without TCP_NODELAY; a timer of 40 ms in the app looks the same.`,
  ),
  'proxy-full': worded({
    workers: number,
    usedShare: seen,
    cores: seen.describe('where they may use fewer than they are'),
    appShare: seen,
  }).says(({ workers, usedShare, cores, appShare }) => {
    const used = cores === null ? `${percentOf(usedShare)} of a core each` : (ofCores(usedShare, cores) ?? 'what they may use');
    return `The proxy is the limit: its ${workers} ${plural(workers, 'worker', 'workers')} used ${used}, and the app ${percentOf(appShare)} of its CPU.`;
  }),
  'proxy-holds': worded({ requests: number, arrived: number, appShare: seen }).says(
    ({ requests, arrived, appShare }) =>
      `The proxy is the limit: of ${requests} requests only ${mean(arrived)} had reached the app, which used ${percentOf(appShare)} of its CPU.`,
  ),
  'proxy-why': worded({ instances: number }).says(
    ({ instances }) =>
      `What stands in front of the ${figureOf(instances)} ${plural(instances, 'instance', 'instances')} lets no more through; another instance behind it would change nothing.`,
  ),

  // What nothing here watches
  'unseen-wait': worded({ several, of: z.object({ unseenMs: number, meanMs: number, cpuShare: seen }).nullable() }).says(
    ({ several: many, of }) =>
      `${requestsWait(many)} for something that nothing here watches${of === null ? '' : `: ${ms(of.unseenMs)} of the ${ms(of.meanMs)} of a request, with the CPU at ${percentOf(of.cpuShare)}`}.`,
  ),
  'held-for-unseen': worded({
    several,
    idleMs: number.describe('for which nothing is asked on the connection'),
    meanMs: number,
    cpuShare: seen,
  }).says(
    ({ several: many, idleMs, meanMs, cpuShare }) =>
      `${requestsWait(many)} for something while ${many ? 'they hold' : 'it holds'} a connection: for ${ms(idleMs)} of the ${ms(meanMs)} of a request nothing is asked of the database on it, and the CPU is at ${percentOf(cpuShare)}.`,
  ),
  'wait-for-loop': worded({ several, stoodMs: number, meanMs: number }).says(
    ({ several: many, stoodMs, meanMs }) =>
      `${requestsWait(many)} while the event loop is blocked: about ${ms(stoodMs)} of the ${ms(meanMs)} of a request.`,
  ),
  'no-single-limit': worded({ meanMs: number, knownMs: number }).says(
    ({ meanMs, knownMs }) =>
      `No single limit stands out: of the ${ms(meanMs)} of a request, ${ms(knownMs)} are accounted for, and nothing that is watched is full.`,
  ),
  'threads-at': worded({ threads: number, of: number, queued: z.boolean().describe('others queue for a pool'), where: z.string() }).says(
    ({ threads, of, queued, where }) =>
      `Thread dumps show ${mean(threads)} of ${mean(of)} request threads${queued ? ' that were not in the queue' : ''} at: ${where}.`,
  ),
  'second-asked': worded({ where: z.string(), threads: number.describe('on average over the dumps') }).says(
    ({ where, threads }) =>
      `Thread dumps show ${mean(threads)} request threads that hold a connection and wait for another one, asked for in ${where}.`,
  ),
  'time-unseen': always('How long a request takes, or what CPU the app used, was not seen.'),
  'perhaps-lock': always('It may be a lock in the app, another service or a pause.'),
  'perhaps-timer': always('It may be a timer, a lock, a file, a name look-up or another service.'),
  'loop-or-turn': worded({ taken: number.describe('share of the CPU') }).says(
    ({ taken }) =>
      `Whether a synchronous call blocks it, or it waits for its turn on the CPU, of which others took ${percentOf(taken)}, was not seen.`,
  ),
  spent: worded({ parts }).says(({ parts: all }) => `It is spent: ${partsPhrase(all)}.`),
  'rest-spent': worded({ parts }).says(({ parts: all }) => `The rest is accounted for: ${partsPhrase(all)}.`),
  'raise-load': always('Raise the load, to see what gives first.'),
  'queue-or-time': always('If twice the connections bring twice the throughput, it is only time that passes; if not, it is a queue.'),
} as const;
