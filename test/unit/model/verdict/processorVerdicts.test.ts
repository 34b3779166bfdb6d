import { describe } from 'vitest';
import { processorVerdicts } from '../../../../src/model/domain/verdict/processorVerdicts.ts';
import { type VerdictWords, expectWords } from '../../../support/verdictWords.ts';

const words: VerdictWords = [
  [
    { code: 'cpu', instances: 1, used: { share: 0.95, cores: 2 }, isShared: false, cpuMs: 1.2 },
    'The CPU is the limit: the app used 95 % of 2 cores, 1.20 ms for each request.',
  ],
  [
    { code: 'cpu', instances: 2, used: { share: 0.95, cores: 0.5 }, isShared: true, cpuMs: 1.2 },
    'The CPU is the limit: the 2 instances of the app used 95 % of 0.500 cores, its share, 1.20 ms for each request.',
  ],
  [
    { code: 'cpu', instances: 1, used: { share: null, cores: null }, isShared: false, cpuMs: null },
    'The CPU is the limit: the app used all of it.',
  ],
  [
    {
      code: 'cpu-full',
      left: false,
      instances: 1,
      cpuPercent: 140,
      postgresPercent: 30,
      proxyPercent: 15,
      generatorPercent: 12,
      used: { share: 0.98, cores: 2 },
      taken: null,
    },
    'The machine’s CPU is full: the app used 140 % of a core, PostgreSQL 30.0 %, the proxy 15.0 %, the load generator 12.0 %; together 98 % of 2 cores.',
  ],
  [
    {
      code: 'cpu-full',
      left: true,
      instances: 1,
      cpuPercent: 140,
      postgresPercent: null,
      proxyPercent: null,
      generatorPercent: null,
      used: { share: 0.97, cores: 1.5 },
      taken: null,
    },
    'The CPU that others left is full: the app used 140 % of a core, which is 97 % of 1.50 cores that were left.',
  ],
  [
    {
      code: 'cpu-full',
      left: true,
      instances: 1,
      cpuPercent: 60,
      postgresPercent: 25,
      proxyPercent: null,
      generatorPercent: 15,
      used: { share: 0.95, cores: 2 },
      taken: 0.3,
    },
    'The CPU that others left is full: the app used 60.0 % of a core, PostgreSQL 25.0 %, the load generator 15.0 %; together they used or waited for 95 % of 2 cores, of which others took 30 %.',
  ],
  [
    { code: 'cpu-why', isOwn: true, isJvm: true },
    'No setting makes cores; a cheaper request does as much. As many busy threads as cores are enough; more of them only take turns.',
  ],
  [
    { code: 'cpu-why', isOwn: false, isJvm: false },
    'No setting makes cores; app, database and load generator compete for the same ones, and what one of them saves the others can use.',
  ],
  [
    { code: 'one-core', cpuPercent: 98, idle: { cores: 2.8, of: 4 } },
    'One core is the limit: the app used 98.0 % of a core, and never more than one, while 2.80 of the 4.00 were idle.',
  ],
  [{ code: 'one-core', cpuPercent: 98, idle: null }, 'One core is the limit: the app used 98.0 % of a core, and never more than one.'],
  [
    { code: 'one-core-each', processes: 3, cpuPercent: 292 },
    'One core for each process is the limit: the 3 processes of the app used 292 % of a core together, and no more.',
  ],
  [
    { code: 'one-core-wanted', cpuPercent: 72 },
    'One core is the limit: the app used 72.0 % of a core and waited for the rest of it, which others took; of a second one it asked for nothing.',
  ],
  [
    { code: 'one-core-left', cpuPercent: 76, taken: 0.25 },
    'One core seems to be the limit: the app used 76.0 % of a core, as much as is left of one while 25 % of the CPU is taken.',
  ],
  [
    { code: 'one-core-why', cpuMs: 3.2 },
    'A runtime that runs one thread at a time, as CPython does, uses one core however many threads or connections it has. A request takes 3.20 ms of it. More processes use more cores; so does a cheaper request.',
  ],
  [
    { code: 'one-core-why', cpuMs: null },
    'A runtime that runs one thread at a time, as CPython does, uses one core however many threads or connections it has. More processes use more cores; so does a cheaper request.',
  ],
  [
    { code: 'loop-full', loopShare: 0.98, used: { share: 0.6, cores: 2 } },
    'The event loop is the limit: it was busy 98 % of the time, while the machine used 60 % of 2 cores.',
  ],
  [
    { code: 'loop-full', loopShare: 0.98, used: { share: null, cores: null } },
    'The event loop is the limit: it was busy 98 % of the time, while the machine used only some of its cores.',
  ],
  [
    { code: 'loop-full-why', cpuMs: 1.2 },
    'JavaScript of one process runs on one core, whatever the others do. A request takes 1.20 ms of it. Another instance or worker uses another core; moving the computation off the loop keeps it free for everything else.',
  ],
  [
    { code: 'loop-computes-little', cpuPercent: 12 },
    'It is busy without computing (CPU 12.0 % of a core): something blocks it, such as a synchronous read or a wait. Nothing else of this process can run meanwhile.',
  ],
  [
    { code: 'gc', instances: 1, pauseShare: 0.4, maxPauseMs: 120 },
    'The garbage collector is the limit: it stopped the app for 40 % of the time, once for 120 ms.',
  ],
  [
    { code: 'gc', instances: 1, pauseShare: 0.4, maxPauseMs: null },
    'The garbage collector is the limit: it stopped the app for 40 % of the time.',
  ],
  [
    { code: 'gc-why', waits: { waitMs: 40, meanMs: 41.7 }, heapShare: 0.9 },
    'While it works, no request does. A request waits 40.0 ms of its 41.7 ms for it. 90 % of the heap was in use. A heap that holds what stays alive with room to spare is collected less often; allocating less helps at any size.',
  ],
  [
    { code: 'gc-why', waits: null, heapShare: null },
    'While it works, no request does. A heap that holds what stays alive with room to spare is collected less often; allocating less helps at any size.',
  ],
  [
    { code: 'oversubscribed', threads: 200, cores: 2, enough: 4 },
    'Too many threads take turns: 200 were at work on 2 cores, where about 4 would keep them busy.',
  ],
  [
    { code: 'oversubscribed-why', switchesPerS: 90_000 },
    'The CPU is full, and every further thread only makes all others wait longer: their stacks and turns cost memory, caches and switches (90,000 a second) and bring no throughput.',
  ],
  [
    { code: 'oversubscribed-why', switchesPerS: null },
    'The CPU is full, and every further thread only makes all others wait longer: their stacks and turns cost memory, caches and switches (not seen) and bring no throughput.',
  ],
  [
    { code: 'large-answers', bytes: 500_000, bytesPerS: 300_000_000 },
    'The size of the answers is the limit: 488 KiB each, 286 MiB a second.',
  ],
  [
    { code: 'large-answers-why' },
    'Time goes into copying and sending. A line of 1 Gbit/s would be full at about 119 MiB a second; on one machine the copying itself takes the CPU of the app and of the load generator.',
  ],
  [{ code: 'busy-machine', taken: 0.86 }, 'The machine is busy with other programs: they took 86 % of its CPU, and no core was left idle.'],
  [
    { code: 'busy-machine-why', unexplainedMs: 18, meanMs: 20 },
    'Nothing in the app explains 18.0 ms of the 20.0 ms of a request: most likely it waited for its turn on the CPU.',
  ],
  [
    { code: 'database-cpu', used: { share: 0.95, cores: 2 }, cpuMs: 0.9, isOwn: true },
    'The database’s CPU is the limit: PostgreSQL used 95 % of 2 cores, 0.900 ms for each request.',
  ],
  [
    { code: 'database-cpu', used: { share: null, cores: null }, cpuMs: null, isOwn: false },
    'The database’s CPU is the limit: PostgreSQL used its cores, an unknown time for each request, which is most of what app, database and load used.',
  ],
  [
    { code: 'database-cpu-apart', executeMs: 0.2, cpuMs: 1.79, calls: 21 },
    'The statements of a request (21) take 0.200 ms while they execute, less than half of the 1.79 ms of CPU that PostgreSQL uses for it: the rest is what PostgreSQL does to receive, parse and plan them and to answer, and its own processes. What helps is to send fewer statements, and to prepare those that are sent again (one text, with parameters).',
  ],
  [
    { code: 'database-cpu-why', appShare: 0.1, holdMs: 6 },
    'The app itself used 10 % of its CPU. More connections would only share the same cores (a request held one for 6.00 ms); what helps is a cheaper statement: an index, fewer rows, a result that is kept.',
  ],
];

describe('what a verdict says of processors', () => expectWords(words, Object.keys(processorVerdicts)));
