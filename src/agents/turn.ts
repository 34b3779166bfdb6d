import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { attempt } from '../model/domain/attempt.ts';
import { failure } from '../model/domain/failure.ts';
import { readBoundedText } from '../engine/files/boundedFile.ts';
import { processIdentity } from '../engine/supervise/identity.ts';
import { holderOf, takeIdentityLock } from '../engine/supervise/identityLock.ts';

/**
 * Acquires the one turn to measure that all agents of this user have on this machine, as a file with the identity of its owner. Fails with `run-in-progress`
 * while another process has it; the turn of one that provably runs no more is free. Gives what ends the turn.
 */
export function takeTurn(storageDir: string): () => void {
  const file = path.join(storageDir, 'agent-measuring');
  mkdirSync(storageDir, { recursive: true, mode: 0o700 });
  const self = processIdentity(process.pid);
  if (self === null) throw failure('internal', 'This process cannot be identified.');
  if (takeIdentityLock(file, self, read))
    return () => {
      const holder = holderOf(file, read);
      if (holder?.pid === self.pid && holder.startTime === self.startTime) rmSync(file, { force: true });
    };
  throw failure(
    'run-in-progress',
    'Another client of agents measures on this machine now.',
    'Wait until it has ended: one measurement would spoil the other.',
  );
}

const mostBytes = 4096;

function read(file: string): string | null {
  return attempt(() => readBoundedText(file, { largestBytes: mostBytes }), null);
}
