import { grouped } from '../../../model/domain/grouped.ts';

/** Output of a program of the system; null where it cannot be had. */
export type RunSystemProgram = (program: string, args: readonly string[]) => string | null;

/** A process and where it comes from. `pgid` 0: there are no groups. */
export interface ProcessRow {
  pid: number;
  ppid: number;
  pgid: number;
}

/** A TCP socket that listens, and whose it is. `host` is an IP literal: 0.0.0.0 and :: are all addresses. */
export interface ListeningSocket {
  pid: number;
  host: string;
  port: number;
}

/**
 * What a system without /proc says of its processes, by its own programs, which take 10 to 500 ms each. Null where a program is not there or says nothing that is
 * understood.
 */
export interface SystemTools {
  /** `zombie`: it has ended and was not collected; `none`: there is no such process. Else a number that no later process of this pid has. */
  startTime(pid: number): string | 'zombie' | 'none' | null;
  processes(): ProcessRow[] | null;
  listeners(): ListeningSocket[] | null;
}

/** The processes of a group and all that descend from them; where there are no groups, those that descend from its first. */
export function familyOf(rows: readonly ProcessRow[], pgid: number): number[] {
  const own = rows.flatMap((row) => (row.pgid === pgid || (row.pgid === 0 && row.pid === pgid) ? [row.pid] : []));
  return withDescendants(rows, own);
}

/** These processes and all that descend from them, parents first. */
export function withDescendants(rows: readonly ProcessRow[], pids: readonly number[]): number[] {
  const children = grouped(rows, ({ ppid }) => ppid);
  const family = new Set(pids);
  // A set continues with what is added to it meanwhile.
  for (const member of family) for (const { pid } of children.get(member) ?? []) family.add(pid);
  return [...family];
}
