// A package of npm's registry that is not installed here, such as the programs for another platform: only the very archive that the lock file names.
import { createHash, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Version and checksum (`sha512-…`) of a package by package-lock.json; fails where the lock file does not pin it by such a one. */
export function lockedPackage(root, name) {
  const { packages = {} } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  const { version, integrity } = packages[`node_modules/${name}`] ?? {};
  if (typeof version !== 'string' || !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ''))
    throw new Error(`package-lock.json has no version with a SHA-512 of ${name}: nothing of it is unpacked.`);
  return { version, integrity };
}

/** Fails unless the file is the one of that checksum; to be asked before anything of it is unpacked. */
export function assertIntegrity(file, integrity) {
  const wanted = Buffer.from(integrity.slice('sha512-'.length), 'base64');
  const actual = createHash('sha512').update(readFileSync(file)).digest();
  if (wanted.length !== actual.length || !timingSafeEqual(wanted, actual)) {
    throw new Error(
      `${path.basename(file)} is not the file that package-lock.json names: its SHA-512 is ${actual.toString('base64')}. Nothing of it was unpacked.`,
    );
  }
}
