import { exitPhrase } from '../../model/domain/exitWords.ts';
import { failure, FailureError } from '../../model/domain/failure.ts';
import { type Reach, placeName, plainReach, socketOf } from '../load/connection.ts';
import { OwnTime } from '../observe/ownTime.ts';
import { poll } from '../supervise/pause.ts';
import type { Child } from '../supervise/supervisor.ts';
import { askStatus, silenceWords } from './askStatus.ts';
import type { DeclaredTarget } from './catalog.ts';
import { type Heard, hear, http2Only } from './hearing.ts';
import { groupListensOn, groupPlaces } from './listener.ts';
import { missingVariable } from './missingVariable.ts';
import { javaTooOld } from './neededJava.ts';
import { refusedLogin, refusedLoginCure, refusedLoginWords } from './refusedLogin.ts';
import { WatcherWait, watcherWords } from './watcherWait.ts';
import { socketPathOf } from './unixSocket.ts';

const everyMs = 25;
/** Where nothing is found at "ready.path", a route is requested instead, no more often than this. */
const routesEveryMs = 500;
/** The trace of an exception that goes through a framework is long. */
const loginLines = 300;
/** A target whose load has no GET is ready when it has answered 404 for so long. */
const nothingMs = 2_000;

interface Waited {
  name: string;
  signal?: AbortSignal | undefined;
}

/**
 * Waits until a target answers its readiness request well, wherever and however it listens, and returns how it is spoken to. One that has nothing at
 * "ready.path" (404) is ready when a route of it is answered well. Fails with `target-exited`, `java-too-old`, `speaks-http2`, and with `target-not-ready` and
 * what is known of where it listens.
 */
export async function waitUntilReady(child: Child, declared: DeclaredTarget, port: number, { name, signal }: Waited): Promise<Reach> {
  const { ready } = declared.target;
  const wait = new Waiting(declared, port);
  const own = new OwnTime(child.pgid);
  const watcher = new WatcherWait(child.log, own);
  const outcome = await poll(
    async () => {
      if (!child.running || watcher.isOver()) return 'exited';
      const heard = await wait.ask(signal);
      if ('silence' in heard || ('status' in heard && !(await wait.isReady(heard, signal)))) return null;
      if (groupListensOn(child.pgid, port, heard.reach) === false) {
        wait.notIts(`another program answers on ${givenPlace(declared, port)}`);
        return null;
      }
      if ('speaks' in heard) throw http2Only(name, { reach: heard.reach, port }, heard.speaks, child.log.tail(30));
      return heard.reach;
    },
    { isOver: () => own.isOver(ready.timeoutMs), everyMs, signal },
  );
  if (outcome === 'exited') throw await endedTooSoon(child, declared, name);
  if (outcome !== null) return outcome;
  // A server goes on without the app that it cannot load.
  const tooOld = javaTooOld(name, child.log.text(), child.log.tail(30));
  if (tooOld !== null) throw new FailureError(tooOld);
  const { last, cure } = whereItIs(child, declared, port, wait);
  throw failure(
    'target-not-ready',
    `${name} was not ready after ${ready.timeoutMs / 1000} s: ${last}${own.words('; ')}.`,
    cure,
    child.log.tail(30),
  );
}

/** Whether a target answers its readiness request on a port, and how it is spoken to; it is asked again until it does, or the signal is aborted. */
export async function untilReady(declared: DeclaredTarget, port: number, signal: AbortSignal): Promise<Reach> {
  const wait = new Waiting(declared, port);
  const answered = async (): Promise<Reach | null> => {
    const heard = await wait.ask(signal);
    return 'status' in heard && (await wait.isReady(heard, signal)) ? heard.reach : null;
  };
  const reach = await poll(answered, { timeoutMs: declared.target.ready.timeoutMs, everyMs, signal });
  return reach ?? plainReach;
}

/** What is heard of one target from question to question. */
class Waiting {
  /** What was heard last, in words. */
  last = silenceWords.refused;
  #known: Reach | null = null;
  #routesAskedAt = -Infinity;
  /** Since when it answers 404. */
  #nothingSince: number | null = null;

  constructor(
    private readonly declared: DeclaredTarget,
    private readonly port: number,
  ) {}

  /** Asks for "ready.path": where it was heard before, or wherever it may be. */
  async ask(signal: AbortSignal | undefined): Promise<Heard> {
    const { path } = this.declared.target.ready;
    const heard =
      (await this.#again(path, signal)) ?? (await hear({ port: this.port, socketPath: socketPathOf(this.declared) }, path, signal));
    // At ::1 another program may listen until it comes up at 127.0.0.1.
    this.#known = 'status' in heard && heard.reach.host === plainReach.host ? heard.reach : null;
    if ('status' in heard) this.last = `${path} answered ${heard.status}`;
    if ('silence' in heard) this.last = silenceWords[heard.silence];
    return heard;
  }

  /** The listener was another program. */
  notIts(words: string): void {
    this.#known = null;
    this.last = words;
  }

  async isReady({ reach, status }: { reach: Reach; status: number }, signal: AbortSignal | undefined): Promise<boolean> {
    return isWell(status) || this.#isThere(status) || (status === 404 && (await this.#aRouteAnswers(reach, signal)));
  }

  /** For a target whose load has other methods alone, such as GraphQL, a refused GET is an answer. */
  #isThere(status: number): boolean {
    if (status === 404) this.#nothingSince ??= performance.now();
    const takesGet = this.declared.target.routes.some(({ method, weight }) => method === 'GET' && weight > 0);
    // A server that listens before its app is there answers 404 at first, and an app without a GET always.
    const isLong = this.#nothingSince !== null && performance.now() - this.#nothingSince > nothingMs;
    return status === 405 || (!takesGet && status >= 400 && status < 500 && (status !== 404 || isLong));
  }

  async #again(path: string, signal: AbortSignal | undefined): Promise<Heard | null> {
    if (this.#known === null) return null;
    const answer = await askStatus({ ...this.#known, port: this.port }, path, signal);
    return typeof answer === 'number' ? { reach: this.#known, status: answer } : null;
  }

  /** Its routes may all lie below a base path, and nothing at "/". */
  async #aRouteAnswers(reach: Reach, signal: AbortSignal | undefined): Promise<boolean> {
    if (performance.now() - this.#routesAskedAt < routesEveryMs) return false;
    const { routes } = this.declared.target;
    const asked = routes.filter(
      ({ method, parameters, askFirst }) => method === 'GET' && askFirst !== false && Object.keys(parameters).length === 0,
    );
    for (const { path } of asked) {
      const answer = await askStatus({ ...reach, port: this.port }, path, signal);
      if (typeof answer === 'number' && isWell(answer)) return true;
    }
    this.#routesAskedAt = performance.now();
    return false;
  }
}

function isWell(status: number): boolean {
  return status >= 200 && status < 400;
}

async function endedTooSoon(child: Child, declared: DeclaredTarget, name: string): Promise<Error> {
  const how = child.running ? watcherWords : exitPhrase(await child.exited);
  const said = child.log.tail(30);
  const tooOld = javaTooOld(name, child.log.text(), said);
  if (tooOld !== null) return new FailureError(tooOld);
  const login = refusedLogin(child.log.tail(loginLines));
  if (login !== null)
    return failure(
      'target-exited',
      `${name} ${how} before it was ready: ${refusedLoginWords(login)}.`,
      refusedLoginCure(login, declared.target),
      said,
    );
  const { id, env } = declared.target;
  const missing = declared.origin === 'workspace' ? missingVariable(said, Object.keys(env)) : null;
  const ended = failure(
    'target-exited',
    `${name} ${how} before it was ready${missing === null ? '' : `: ${missing} is missing`}.`,
    missing === null
      ? 'Look at its last output; correct the command, its settings or its environment.'
      : `Give it ${missing} in "env" of benchside.json; if that is the address of its database, in "env" of "postgres".`,
    said,
  );
  return missing === null ? ended : new FailureError({ ...ended.failure, variable: { target: id, name: missing } });
}

function givenPlace(declared: DeclaredTarget, port: number): string {
  const socketPath = socketPathOf(declared);
  return socketPath === undefined ? `port ${port}` : `the Unix socket ${socketOf(socketPath, port)}`;
}

/** What was heard of a target that did not become ready, or where it listens instead, with what to do. */
function whereItIs({ pgid }: Child, declared: DeclaredTarget, port: number, { last }: Waiting): { last: string; cure: string } {
  const { ready } = declared.target;
  const socketPath = socketPathOf(declared);
  if (last.endsWith(' answered 404'))
    return {
      last: `${last}, and none of its routes without parameters is answered well`,
      cure: `Name a path that it has in "ready.path". Where all of it lies below a base path, "ready.path" and the path of each route begin with that.`,
    };
  if (last === silenceWords.refused) {
    const { tcp, unix } = groupPlaces(pgid);
    const atPort = tcp.find((end) => end.port === port);
    if (socketPath === undefined && atPort !== undefined)
      return {
        last: `it listens on ${placeName({ host: atPort.host, tls: false }, port)} only`,
        cure: 'Benchside puts load on addresses of this machine alone: let it listen on 127.0.0.1, ::1, or on all addresses.',
      };
    const other = tcp[0];
    if (other !== undefined)
      return {
        last: `it listens on ${tcp.map((end) => placeName({ host: end.host, tls: false }, end.port)).join(', ')}, and not on ${givenPlace(declared, port)}, which it was given`,
        cure: `Name the variable that tells it its port ("port": {"env": …}), write {port} into its command, or name the port that it always uses ("port": {"fixed": ${other.port}}).`,
      };
    const [socket] = unix;
    if (socket !== undefined && socketPath === undefined)
      return {
        last: `it listens on the Unix socket ${socket}, and on no port`,
        cure: `Declare that: "port": {"socket": ${JSON.stringify(socket)}}, and the variable that tells it the path, if there is one.`,
      };
  }
  return {
    last,
    cure: `Check "ready.path" (${ready.path}) and that it listens on this machine’s loopback at the port it is given; then look at its last output.`,
  };
}
