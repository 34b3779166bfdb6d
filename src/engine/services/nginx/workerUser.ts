import { statSync } from 'node:fs';
import path from 'node:path';
import { failure } from '../../../model/domain/failure.ts';
import { readSmallFile } from '../../supervise/smallFile.ts';

/** `nobody` with its group, which systems name differently. Fails with `nginx-no-user` where there is none. */
export function workerUser(): { user: string; group: string } {
  const entry = (file: string, test: (fields: string[]) => boolean): string[] | undefined =>
    (readSmallFile(file) ?? '')
      .split('\n')
      .map((line) => line.split(':'))
      .find(test);
  const gid = entry('/etc/passwd', ([name]) => name === 'nobody')?.[3];
  const group = entry('/etc/group', (fields) => gid !== undefined && fields[2] === gid)?.[0];
  const plain = /^[A-Za-z_][\w-]*$/;
  if (group !== undefined && plain.test(group)) return { user: 'nobody', group };
  throw failure(
    'nginx-no-user',
    'nginx is started by root here, and there is no user “nobody” as whom its workers could run.',
    'Run Benchside as another user than root, or add that user.',
  );
}

/** Fails with `socket-not-usable` where such a worker, which is nobody, may not connect to a Unix socket of an instance. */
export function requireOpenSocket(file: string): void {
  const closed = [file, ...foldersOf(file)].find((place, index) => (statSync(place).mode & (index === 0 ? 0o002 : 0o001)) === 0);
  if (closed === undefined) return;
  throw failure(
    'socket-not-usable',
    `nginx is started by root here, its workers run as “nobody”, and ${closed === file ? `the Unix socket ${file}` : `the folder ${closed} of the Unix socket ${file}`} lets only others in.`,
    'Run Benchside as another user than root, let it listen on a port, or open the socket and its folders to everybody (chmod o+w, o+x).',
  );
}

function foldersOf(file: string): string[] {
  const folder = path.dirname(file);
  return folder === file ? [] : [folder, ...foldersOf(folder)];
}
