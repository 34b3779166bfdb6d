import { lstatSync, rmSync } from 'node:fs';
import path from 'node:path';
import { failure } from '../../model/domain/failure.ts';
import { takesConnection } from '../load/connection.ts';
import { type DeclaredTarget, workingDirectory } from './catalog.ts';

/** `sun_path` holds so many bytes in addition to its end: 108 on Linux, 104 elsewhere. Longer ones are cut short without a word. */
const mostPathBytes = 103;

/** The Unix socket on which a target listens in place of a port: its whole path, with `{port}` still in it; undefined for a target with a port. */
export function socketPathOf(declared: DeclaredTarget): string | undefined {
  const { socket } = declared.target.port;
  return socket === undefined ? undefined : path.resolve(workingDirectory(declared), socket);
}

/** Fails with `socket-not-usable` where no program can listen at this path, and with `port-taken` where one already does. */
export async function requireFreeSocket(name: string, file: string): Promise<void> {
  if (process.platform === 'win32')
    throw failure(
      'socket-not-usable',
      `${name} is to listen on a Unix socket, which Windows has none of.`,
      'Let it listen on a port here.',
    );
  const bytes = Buffer.byteLength(file);
  if (bytes > mostPathBytes)
    throw failure(
      'socket-not-usable',
      `${name} is to listen on the Unix socket ${file}, whose path has ${bytes} bytes: the system takes ${mostPathBytes}.`,
      'Name a shorter path in "port": {"socket": …}, e.g. below /tmp.',
    );
  if (await takesConnection({ path: file }))
    throw failure(
      'port-taken',
      `${name} listens on the Unix socket ${file}, and another program listens there.`,
      'Stop that program, or write {port} into the path, so that each process has a socket of its own.',
    );
}

/** Removes what a program that was killed has left of its socket: the next one could not listen there. Anything else at that path stays. */
export function removeSocket(file: string): void {
  try {
    if (lstatSync(file).isSocket()) rmSync(file);
  } catch {
    // It has removed it itself, or we may not remove it.
  }
}
