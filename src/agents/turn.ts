import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { failure } from '../model/failure.ts';
import { isGone, ownIdentityTag, parseIdentityTag } from '../engine/supervise/identity.ts';

/**
 * Takes the one turn to measure that all agents of this user have on this machine, as a file with the identity of who has it. Fails with `run-in-progress`
 * while another process has it; the turn of one that provably runs no more is free. Gives what ends the turn.
 */
export function takeTurn(storageDir: string): () => void {
  const file = path.join(storageDir, 'agent-measuring');
  mkdirSync(storageDir, { recursive: true, mode: 0o700 });
  const tag = ownIdentityTag();
  for (const retry of [true, false]) {
    try {
      writeFileSync(file, tag, { flag: 'wx', mode: 0o600 });
      return () => {
        if (ownerOf(file) === tag) rmSync(file, { force: true });
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const owner = parseIdentityTag(ownerOf(file) ?? '');
      if (retry && owner !== null && isGone(owner)) rmSync(file, { force: true });
    }
  }
  throw failure(
    'run-in-progress',
    'Another client of agents measures on this machine now.',
    'Wait until it has ended: one measurement would spoil the other.',
  );
}

function ownerOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return null;
  }
}
