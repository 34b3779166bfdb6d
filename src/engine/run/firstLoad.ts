import type { Target } from '../../model/domain/target.ts';
import type { ProbeGroup } from '../probe/probeServer.ts';
import { calledByGroup } from '../probe/groupReport.ts';
import { pause } from '../supervise/pause.ts';
import { PeerWatch, declaredWords } from '../targets/peers.ts';
import type { TcpEnd } from '../targets/tcpTable.ts';
import type { RunContext } from './runContext.ts';

/** A process that load is put on, and the database that it was given. */
export interface Loaded {
  declared: { target: Pick<Target, 'running' | 'env' | 'command'> };
  child: { name: string; pgid: number };
  probe: ProbeGroup | null;
  given: TcpEnd | null;
}

/** When the hosts that the processes connect to are checked: connections that last no millisecond are many under load. */
const looksAtMs = [100, 300, 600, 1000, 2000];

/**
 * Puts the first load on, and aborts it as soon as a process connects to a host that nobody named. This finds hosts that it connects to only under load, or for
 * too short a time to be seen otherwise. Fails with `other-database`.
 */
export async function firstLoad<T>(
  loaded: readonly Loaded[],
  { server, signal }: Pick<RunContext, 'server' | 'signal'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const strangers = new AbortController();
  const ended = new AbortController();
  const own = loaded.filter(({ declared }) => declared.target.running === undefined);
  const watches = own.map(({ child }) => new PeerWatch(child.pgid, { meanwhile: false }));
  const look = async (): Promise<void> => {
    let passedMs = 0;
    for (const atMs of looksAtMs) {
      await pause(atMs - passedMs, ended.signal);
      passedMs = atMs;
      for (const [index, { declared, child, probe, given }] of own.entries())
        await server.requirePeers({
          name: child.name,
          peers: watches[index]?.peers() ?? [],
          given,
          declared: declaredWords(declared.target),
          ...(await calledByGroup(probe)),
        });
    }
  };
  const looking = look().catch((error: unknown) => {
    if (!ended.signal.aborted) strangers.abort(error);
  });
  try {
    return await work(AbortSignal.any([signal, strangers.signal]));
  } finally {
    ended.abort();
    await looking;
  }
}
