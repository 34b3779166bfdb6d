import { readFileSync } from 'node:fs';
import path from 'node:path';
import { attempt } from '../../model/domain/attempt.ts';

export interface UnixListener {
  /** The path that the listening process named; whole, unless that was relative. */
  path: string;
  inode: string;
}

/** __SO_ACCEPTCON: the socket listens. */
const accepts = 0x10000;

/** The Unix sockets of this machine that listen and have a path; none where the platform does not report them (anything but Linux). */
export function unixListeners(): UnixListener[] {
  return parseUnixTable(unixTable());
}

/** The inodes of all Unix sockets of this machine, connected ones too. */
export function unixInodes(table = unixTable()): Set<string> {
  return new Set(table.split('\n').flatMap((line) => line.trim().split(/ +/)[6] ?? []));
}

function unixTable(): string {
  return attempt(() => readFileSync('/proc/net/unix', 'utf8'), '');
}

/** Those that listen at this path, which is whole. Of one that was named from a folder of its process only that end is known. */
export function socketsAt(whole: string, sockets: readonly UnixListener[] = unixListeners()): UnixListener[] {
  return sockets.filter((one) =>
    path.isAbsolute(one.path) ? path.normalize(one.path) === whole : whole.endsWith(`/${path.normalize(one.path)}`),
  );
}

/**
 * The kernel's table. Names of the abstract namespace, which begin with @, are no paths.
 * Source: proc(5), /proc/net/unix: Num, RefCount, Protocol, Flags, Type, St, Inode, Path; the flags in hexadecimal.
 */
export function parseUnixTable(text: string): UnixListener[] {
  return text.split('\n').flatMap((line) => {
    const [, flags, inode, at] = /^[0-9a-f]+: [0-9A-F]+ [0-9A-F]+ ([0-9A-F]+) [0-9A-F]+ [0-9A-F]+ +(\d+) (.+)$/i.exec(line) ?? [];
    if (flags === undefined || inode === undefined || at === undefined || at.startsWith('@')) return [];
    return (Number.parseInt(flags, 16) & accepts) === 0 ? [] : [{ path: at, inode }];
  });
}
