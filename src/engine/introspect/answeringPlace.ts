import { runtimes } from '../../model/domain/runtimes.ts';
import { exitPhrase } from '../../model/domain/exitWords.ts';
import { FailureError, failure } from '../../model/domain/failure.ts';
import { noSuchPath } from '../../model/domain/noSuchPath.ts';
import type { Route } from '../../model/domain/target.ts';
import type { ConnectionTarget } from '../load/connection.ts';
import { OwnTime } from '../observe/ownTime.ts';
import { poll } from '../supervise/pause.ts';
import type { Child } from '../supervise/supervisor.ts';
import type { DeclaredTarget } from '../targets/catalog.ts';
import { type Place, hear, http2Only } from '../targets/hearing.ts';
import { groupPorts } from '../targets/listener.ts';
import { javaTooOld } from '../targets/neededJava.ts';
import { portInUse, programOn, saysPortInUse } from '../targets/portInUse.ts';
import { refusedLogin, refusedLoginCure, refusedLoginWords } from '../targets/refusedLogin.ts';
import { answersAny } from './furtherStart.ts';
import { WatcherWait, watcherWords } from '../targets/watcherWait.ts';
import { commandNotFound, errorSaid, missingProgram, refusedPlace, withoutFrames } from './startOutput.ts';

/** What still computes is still coming up. */
export const computingTimes = 3;
/** Where all that listens speaks HTTP/2 alone for so long, nothing else is coming: a port of HTTP/1.1 may be opened a little later. */
const http2AloneMs = 3_000;

/**
 * Waits until something of the service answers HTTP, however it answers. Of several ports it is the one that answers one of `routes`, as a port of its own for
 * health checks does not, and else the one that it was given. Fails with `speaks-http2` where all that listens speaks that alone.
 */
export async function answeringPlace(
  child: Child,
  given: number,
  declared: DeclaredTarget,
  { routes, signal }: { routes: readonly Route[]; signal: AbortSignal },
): Promise<ConnectionTarget> {
  const { ready, runtime, label, id } = declared.target;
  const name = label ?? id;
  const own = new OwnTime(child.pgid);
  const watcher = new WatcherWait(child.log, own);
  let http2Since: number | null = null;
  const found = await poll(
    async () => {
      if (!child.running || watcher.isOver()) return 'exited';
      const ports = groupPorts(child.pgid) ?? [given];
      const others: Place[] = [];
      let answering: ConnectionTarget | null = null;
      for (const port of [...ports].sort((a, b) => Number(b === given) - Number(a === given))) {
        let heard = await hear({ port }, ready.path, signal);
        // A route may wait for tables that are not there, or close the connection where it fails, in a service that is up.
        if ('silence' in heard && heard.silence !== 'refused') heard = await hear({ port }, `/${noSuchPath}`, signal);
        if ('speaks' in heard) others.push({ reach: heard.reach, port });
        if (!('status' in heard)) continue;
        const at = { ...heard.reach, port };
        if (routes.length === 0 || ports.length === 1 || (await answersAny(routes, at, signal))) return at;
        answering ??= at;
      }
      if (answering !== null) return answering;
      const [other] = others;
      if (other === undefined || others.length < ports.length) http2Since = null;
      else if (performance.now() - (http2Since ??= performance.now()) > http2AloneMs)
        throw http2Only(name, other, other.reach.tls ? 'h2' : 'h2c', child.log.tail(30));
      return null;
    },
    { isOver: () => own.isOver(runtimes[runtime].comesUpWithinMs, computingTimes), everyMs: 50, signal },
  );
  if (found !== null && found !== 'exited') return found;
  const said = child.log.tail(300);
  const detail = withoutFrames(said, 30);
  const tooOld = javaTooOld(name, child.log.text(), detail);
  if (tooOld !== null) throw new FailureError(tooOld);
  if (saysPortInUse(detail)) {
    const port = portInUse(said);
    throw failure(
      'port-taken',
      port === null
        ? `${name} does not come up: its last output says that its port is in use.`
        : `${name} does not come up: it wants port ${port}, and ${programOn(port)} listens there.`,
      'Stop that program, or let the service listen on another port, and look again.',
      detail,
    );
  }
  if (found === 'exited') {
    const [refused, login] = [refusedPlace(said), refusedLogin(said)];
    const exit = child.running ? null : await child.exited;
    const how = `${name} ${exit === null ? watcherWords : exitPhrase(exit)} before it answered`;
    const program = exit?.code === commandNotFound ? missingProgram(said) : null;
    if (program !== null)
      throw failure(
        'program-not-found',
        `${how}: it calls ${program}, which is not installed here.`,
        `Install ${program}, or name a command without it: benchside init -- COMMAND`,
        detail,
      );
    if (exit?.code === 0 && detail.trim() === '')
      throw failure(
        'target-exited',
        `${how}, and printed nothing, as a library or a script does.`,
        'Name the command that starts a service: benchside init -- COMMAND',
      );
    if (login !== null)
      throw failure('target-exited', `${how}: ${refusedLoginWords(login)}.`, refusedLoginCure(login, declared.target), detail);
    throw failure(
      'target-exited',
      refused === null ? [`${how}.`, ...errorSaid(said)].join(' ') : `${how}: its output says that ${refused} refused a connection.`,
      refused === null
        ? 'Look at its last output: it may need a variable or another service that its files do not name.'
        : `Start what it wants at ${refused}, or let it read that address from a variable.`,
      detail,
    );
  }
  throw failure(
    'target-not-ready',
    `${name} did not answer on any port within ${Math.round(own.spentMs() / 1_000)} s${own.words(': ')}.`,
    own.isComputing
      ? 'Look at its last output: it may need longer than that, or go round in a circle.'
      : 'Look at its last output: it may wait for another service.',
    detail,
  );
}
