import { classifyJava } from '../../../calltree/frameKind.ts';
import { shortName } from '../../../calltree/shownNames.ts';
import { remembered } from '../../../model/domain/remembered.ts';

/** What request threads did at the moment of a thread dump. */
export interface ThreadDumpSummary {
  /** Request threads in all, those without work among them. */
  threads: number;
  /** Most frequent first. `state` is Java's, such as `BLOCKED`; `where` is what it waits for, or what of the app it is in. */
  groups: { state: string; where: string; count: number }[];
  /** Pools of threads that the app has besides those of its server and that have work; absent where there is none. */
  workers?: WorkerThreads[];
  /** Request threads that wait for a database connection, by where the app asks for it, the most frequent place first; absent where there is none. */
  asking?: AskingThreads[];
}

/** Threads that wait for a database connection at one place of the app. */
export interface AskingThreads {
  where: string;
  count: number;
  /** Whether they have passed a place at which others wait for a connection: they have got that one. */
  isFurther: boolean;
}

/** Threads of one executor, told by their names. */
export interface WorkerThreads {
  /** What their names have in common: `pool-2-thread`. */
  name: string;
  threads: number;
  atWork: number;
  /** Those at work that compute nothing at this moment. */
  waiting: number;
  /** What most of those at work do. */
  where: string;
}

interface Thread {
  name: string;
  state: string;
  /** Such as `com.zaxxer.hikari.pool.HikariPool.getConnection`, innermost first. */
  frames: string[];
  /** Of each frame, such as `Database.java:70`; '' where the dump has none. */
  places: string[];
  /** Class of the monitor that it waits to enter. */
  waitsToLock: string | null;
}

const serversNames =
  /^(qtp\d|https?-(?!client)|jetty|tomcat|catalina-|XNIO-|vert\.x-|reactor-http|nioEventLoopGroup|epollEventLoopGroup|executor-thread|default task-|Grizzly)/i;
const serversFrames =
  /^(jakarta\.servlet|javax\.servlet|org\.eclipse\.jetty\.(server|ee\d+|util\.thread)|org\.apache\.(catalina|coyote)|io\.undertow|sun\.net\.httpserver|com\.sun\.net\.httpserver|org\.springframework\.web(?!\.(?:client|reactive\.function\.client)\.)|org\.glassfish\.grizzly|io\.vertx|io\.micronaut\.(?:http\.server|web\.router)|io\.helidon\.webserver|io\.ktor\.server)\./;
const ofJdk = /^(java|javax|jdk|sun|com\.sun)\./;
/** Threads of our own probe. */
const ofProbe = /^benchside\.probe\.(wire|ProbeThread)/;

const ofSelecting = /^(sun\.nio\.ch\.(EPoll|KQueue|WEPoll|Net\.accept|ServerSocket|SelectorImpl)|java\.net\.PlainSocketImpl\.socketAccept)/;
const ofWorkers =
  /^(java\.util\.concurrent\.ThreadPoolExecutor\.getTask|java\.util\.concurrent\.ForkJoinPool\.(awaitWork|runWorker)|org\.eclipse\.jetty\.util\.thread\.QueuedThreadPool.*(idleJobPoll|JobPoll)|org\.eclipse\.jetty\.util\.thread\.ReservedThreadExecutor.*reservedWait|org\.apache\.tomcat\.util\.threads\.ThreadPoolExecutor\.getTask|org\.apache\.catalina\.core\.StandardServer\.await|org\.jboss\.threads\.EnhancedQueueExecutor|kotlinx\.coroutines\.scheduling\.CoroutineScheduler\$Worker\.(tryPark|park))/;
const ofSocketRead =
  /^(java\.net\.SocketInputStream\.socketRead|sun\.nio\.ch\.(SocketDispatcher\.read|Net\.poll|NioSocketImpl\.(park|tryRead|implRead)))/;

/** Waits that have a name. Of frames anywhere in the stack of a thread that waits, the first that fits. */
const knownWaits: readonly [RegExp, string][] = [
  [/^com\.zaxxer\.hikari\.(pool\.HikariPool|HikariDataSource)\.getConnection$/, 'HikariCP getConnection'],
  [/^org\.apache\.(commons\.pool2|tomcat\.dbcp\.pool2)\.impl\.GenericObjectPool\.borrowObject$/, 'dbcp2 borrowObject'],
  [/^org\.apache\.tomcat\.jdbc\.pool\.ConnectionPool\.borrowConnection$/, 'Tomcat JDBC borrowConnection'],
  [/^org\.postgresql\.(ds|jdbc2\.optional)\..*\.getConnection$/, 'pgjdbc getConnection'],
  [/^org\.apache\.hc\.(core5\.pool\.|client5\.http\.impl\.io\.PoolingHttpClientConnectionManager\$\d+\.get$)/, 'HttpClient pool lease'],
  [/^org\.apache\.http\.(pool\.AbstractConnPool|impl\.conn\.PoolingHttpClientConnectionManager\.leaseConnection)/, 'HttpClient pool lease'],
];

/** A wait for a connection of a database’s pool, as it is named above. */
export const databasePool = /getConnection$|borrowObject$|borrowConnection$/;

/** Clients of HTTP: a thread that waits in their code, and not for a pool, waits for an answer. */
const ofHttpClients =
  /^(jdk\.internal\.net\.http\.HttpClient(Impl|Facade)\.send$|org\.springframework\.http\.client\.JdkClientHttpRequest\.|sun\.net\.www\.(protocol\.)?https?\.|org\.apache\.(http|hc)\.|okhttp3\.|org\.eclipse\.jetty\.client\.)/;
/** Waits for what another thread is to bring. */
const ofResults =
  /^java\.util\.concurrent\.(CompletableFuture\.(waitingGet|timedGet)|FutureTask\.awaitDone|ForkJoinTask\.\w*[aA]waitDone|CountDownLatch\.await)$/;
const ofExecutors =
  /^(java\.util\.concurrent\.(ThreadPoolExecutor|ForkJoinPool)\.runWorker|kotlinx\.coroutines\.scheduling\.CoroutineScheduler\$Worker\.runWorker)$/;
const generated = /\$\$(Lambda|FastClass|Enhancer|SpringCGLIB|Proxy)/;

/** What a group waits for begins so where it is the answer of another service, or what another thread of the app is to bring. */
export const answerWait = 'answer of another service in ';
export const resultWait = 'result of another thread in ';

const longestWhere = 200;
const mostGroups = 50;

/**
 * Counts request threads by state and by what they wait for: a pool, a monitor, an answer from the network; else the innermost frame that is not
 * the JDK's. Request threads are those that a server has named or that are in a server's code, and where all of these are idle, those of executors that several
 * threads run the app's code in: the server hands its requests to them. In an app without a server that is known they are all threads that run any of its code.
 */
export function summarizeThreadDump(text: string): ThreadDumpSummary {
  const all = parse(text).filter(({ frames }) => frames.length > 0 && !frames.some((frame) => ofProbe.test(frame)));
  const serving = all.filter((thread) => serversNames.test(thread.name) || thread.frames.some((frame) => serversFrames.test(frame)));
  const handed = serving.every(isIdle) ? handedTo(all, new Set(serving)) : [];
  const chosen = serving.length > 0 ? [...serving, ...handed] : all.filter(({ frames }) => frames.some((frame) => !ofJdk.test(frame)));
  const groups = new Map<string, ThreadDumpSummary['groups'][number]>();
  for (const thread of chosen) {
    const where = whereOf(thread).slice(0, longestWhere);
    remembered(groups, `${thread.state} ${where}`, () => ({ state: thread.state, where, count: 0 })).count += 1;
  }
  const workers = serving.length > 0 ? workersOf(all, new Set(chosen)) : [];
  const asking = askingThreads(chosen);
  return {
    threads: chosen.length,
    groups: [...groups.values()].sort((a, b) => b.count - a.count).slice(0, mostGroups),
    ...(workers.length > 0 ? { workers } : {}),
    ...(asking.length > 0 ? { asking } : {}),
  };
}

function askingThreads(threads: readonly Thread[]): AskingThreads[] {
  const places = new Map<string, Thread[]>();
  for (const thread of threads) if (databasePool.test(whereOf(thread))) remembered(places, ownPlace(thread), () => []).push(thread);
  return [...places]
    .map(([where, all]) => {
      const isPassed = (other: string): boolean => other !== where && all.every((thread) => passes(thread, other));
      return { where: where.slice(0, longestWhere), count: all.length, isFurther: [...places.keys()].some(isPassed) };
    })
    .sort((a, b) => b.count - a.count);
}

/** Whether a place of the app is on a thread’s stack. */
function passes({ frames, places }: Thread, place: string): boolean {
  return frames.some((frame, index) => placeOf(frame, places[index] ?? '') === place);
}

function isIdle(thread: Thread): boolean {
  return whereOf(thread).startsWith('idle:');
}

/** Fewer threads of an executor that run the app's code may be its own work. */
const fewestHanded = 2;

/** The threads that run the app's code in executors that serve nothing by their names. */
function handedTo(all: readonly Thread[], serving: ReadonlySet<Thread>): Thread[] {
  return [...executorsOf(all).values()].flatMap((threads) => {
    const inApp = threads.filter((thread) => !serving.has(thread) && thread.frames.some((frame) => classifyJava(frame) === 'app'));
    return inApp.length < fewestHanded ? [] : inApp;
  });
}

/** The threads of executors, by what their names have in common. */
function executorsOf(all: readonly Thread[]): Map<string, Thread[]> {
  const pools = new Map<string, Thread[]>();
  for (const thread of all) {
    // A factory of threads that gives all of them one name has no number in it.
    const name = /^(.*?)[-#\s]?\d*$/.exec(thread.name)?.[1] ?? '';
    if (name === '' || !thread.frames.some((frame) => ofExecutors.test(frame))) continue;
    remembered(pools, name, () => []).push(thread);
  }
  return pools;
}

/** Executors by the names of their threads, without those that serve requests and those in which nothing but the JDK runs. */
function workersOf(all: readonly Thread[], serving: ReadonlySet<Thread>): WorkerThreads[] {
  return [...executorsOf(all)].flatMap(([name, threads]) => {
    const atWork = threads.filter(({ frames }) => frames.some((frame) => !ofJdk.test(frame)));
    if (atWork.length === 0 || threads.some((thread) => serving.has(thread))) return [];
    const counts = new Map<string, number>();
    for (const thread of atWork) counts.set(whereOf(thread), (counts.get(whereOf(thread)) ?? 0) + 1);
    const [where = ''] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? [];
    const waiting = atWork.filter((thread) => thread.state !== 'RUNNABLE' || readsNow(thread)).length;
    return {
      name: name.slice(0, longestWhere),
      threads: threads.length,
      atWork: atWork.length,
      waiting,
      where: where.slice(0, longestWhere),
    };
  });
}

function whereOf(thread: Thread): string {
  const { state, frames, waitsToLock } = thread;
  const top = frames.slice(0, 4);
  if (top.some((frame) => ofSelecting.test(frame))) return 'idle: waits for connections';
  const own = ownPlace(thread);
  if (state === 'BLOCKED') return `monitor of ${waitsToLock ?? 'a class that is not told'} at ${own}`;
  if (state !== 'RUNNABLE') {
    for (const frame of frames) {
      const known = knownWaits.find(([pattern]) => pattern.test(frame));
      if (known !== undefined) return known[1];
    }
    if (frames.slice(0, 12).some((frame) => ofWorkers.test(frame))) return 'idle: waits for work';
  }
  if (frames[0] !== undefined && /^java\.lang\.Thread\.sleep/.test(frames[0])) return `sleep in ${own}`;
  const reads = readsNow(thread);
  if ((reads || state !== 'RUNNABLE') && frames.some((frame) => ofHttpClients.test(frame))) return `${answerWait}${own}`;
  if (reads) return `socket read in ${own}`;
  return state !== 'RUNNABLE' && frames.slice(0, 12).some((frame) => ofResults.test(frame)) ? `${resultWait}${own}` : own;
}

/** Whether it waits for data of a socket, which Java calls runnable. */
function readsNow({ frames }: Thread): boolean {
  return frames.slice(0, 8).some((frame) => ofSocketRead.test(frame));
}

/** The innermost method of the app’s own, else of what is not the JDK’s, with its line: `Orders.open, Orders.java:12`. */
function ownPlace({ frames, places }: Thread): string {
  const first = (fits: (frame: string) => boolean): number => frames.findIndex(fits);
  const written = first((frame) => classifyJava(frame) === 'app' && !generated.test(frame));
  const index = Math.max(0, written >= 0 ? written : first((frame) => !ofJdk.test(frame)));
  const frame = frames[index];
  return frame === undefined ? 'unknown' : placeOf(frame, places[index] ?? '');
}

function placeOf(frame: string, place: string): string {
  const name = shortName(frame.replace(/\$\$Lambda.*(?=\.)/, '').replace(/\.lambda\$([^.$]+)\$\d+$/, '.$1'));
  return place === '' ? name : `${name}, ${place}`;
}

/** Threads of Java in the order of the dump; the JVM's own have no state and no frames. */
function parse(text: string): Thread[] {
  const threads: Thread[] = [];
  let current: Thread | null = null;
  for (const line of text.split('\n')) {
    const name = /^"(.*)" (?:#\d|\[|daemon|prio|os_prio|cpu)/.exec(line)?.[1];
    if (name !== undefined) {
      current = { name, state: 'UNKNOWN', frames: [], places: [], waitsToLock: null };
      threads.push(current);
    } else if (line === '' || line.startsWith('"')) current = null;
    else if (current !== null) readLine(current, line);
  }
  return threads;
}

function readLine(thread: Thread, line: string): void {
  const state = /^ +java\.lang\.Thread\.State: ([A-Z_]+)/.exec(line)?.[1];
  if (state !== undefined) thread.state = state;
  const [, frame, place = ''] = /^\tat ([^\s(]+)\((?:[\w.]+(?:@[\w.+-]+)?\/)?([^)]*)/.exec(line) ?? [];
  if (frame !== undefined) {
    // Without the module, which some JDKs put before the class.
    thread.frames.push(frame.replace(/^[\w.]+(@[\w.+-]+)?\/+/, ''));
    thread.places.push(/:\d+$/.test(place) ? place : '');
  }
  const monitor = /^\t- waiting to (?:re-)?lock <[^>]*> \(a ([^)]+)\)/.exec(line)?.[1];
  if (monitor !== undefined) thread.waitsToLock = monitor.replace(/^java\.lang\.Class for /, '');
}
