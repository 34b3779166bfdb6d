import { linkTarget } from './smallFile.ts';
import { type ProcessIdentity, allPids, allProcesses, isSameProcess, processIdentity } from './identity.ts';
import { isPostgres } from './marked.ts';
import { sendSignal } from './stopLadder.ts';
import { withDescendants } from './system/systemTools.ts';

/*
 * What a child has started may leave its group, its session and its environment behind (`setsid env -i …`). It is still known by its parents, for as long as
 * these live, and by the output that it has inherited, for as long as it keeps that.
 */

const outputDescriptors = [1, 2] as const;

/** What a process writes its output to, such as `socket:[123]`: only it and what it starts have these. Linux only; elsewhere none. */
export function outputsOf(pid: number): string[] {
  if (process.platform !== 'linux') return [];
  return [
    ...new Set(
      outputDescriptors.flatMap((descriptor) => {
        const target = linkTarget(`/proc/${pid}/fd/${descriptor}`);
        return target !== null && /^(?:socket|pipe):\[\d+\]$/.test(target) ? [target] : [];
      }),
    ),
  ];
}

/** The processes below one, at this moment. */
export function descendantsOf(pid: number): ProcessIdentity[] {
  return withDescendants(allProcesses(), [pid]).flatMap((one) => (one === pid ? [] : (processIdentity(one) ?? [])));
}

/** The processes that write to the output of a child, and were not started before it. */
export function holdersOf(outputs: readonly string[], child: ProcessIdentity): ProcessIdentity[] {
  if (outputs.length === 0) return [];
  return allPids().flatMap((number) => {
    if (number === process.pid || !outputsOf(number).some((output) => outputs.includes(output))) return [];
    const identity = processIdentity(number);
    const isOfChild =
      identity !== null &&
      identity.bootId === child.bootId &&
      identity.pidNamespace === child.pidNamespace &&
      Number(identity.startTime) >= Number(child.startTime);
    return isOfChild ? [identity] : [];
  });
}

/** Kills those that still run; PostgreSQL is never killed. Returns those that were signalled. */
export function killEscaped(identities: readonly ProcessIdentity[]): ProcessIdentity[] {
  return identities.filter(
    (identity) => !isPostgres(identity.pid) && isSameProcess(identity) && sendSignal(identity.pid, 'SIGKILL', 'process'),
  );
}
