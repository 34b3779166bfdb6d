import { failure } from '../../../model/failure.ts';
import { readSmallFile } from '../../files/smallFile.ts';

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
