import { ProfileHost } from '../../../src/engine/profiles/profileHost.ts';
import type { ProfilePart } from '../../../src/model/domain/flame.ts';

/*
 * What serves our page: the engine's own code, in a process that is started again for every measurement and reads the file in a worker as
 * the engine does. Talks with the bench over the pipe that Node gives to a forked child.
 */

interface Question {
  id: number;
  part: ProfilePart;
  event: string | null;
  index: number;
}

const [file = '', root = '', worker = ''] = process.argv.slice(2);
const host = new ProfileHost(worker, root);
const head = host.open({ kind: 'file', path: file }, new AbortController().signal);

function answer(id: number, result: unknown): void {
  process.send?.({ id, result });
}

head.then(
  (value) => answer(0, value),
  (error: unknown) => answer(0, { failure: String(error) }),
);
process.on('message', ({ id, part, event, index }: Question) => {
  void head
    .then(({ profileId }) => host.ask(profileId, 'piece', { part, event, index }))
    .then(({ data, last }) => answer(id, { data: Buffer.from(data, 'base64'), last }));
});
process.on('disconnect', () => process.exit(0));
