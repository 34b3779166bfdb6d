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
  const children = new Map<number, number[]>();
  for (const { pid, ppid } of rows) children.set(ppid, [...(children.get(ppid) ?? []), pid]);
  const members = new Set(rows.flatMap((row) => (row.pgid === pgid || (row.pgid === 0 && row.pid === pgid) ? [row.pid] : [])));
  // A set continues with what is added to it meanwhile.
  for (const member of members) for (const child of children.get(member) ?? []) members.add(child);
  return [...members];
}
