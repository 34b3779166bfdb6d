import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { failure } from '../../../model/domain/failure.ts';

/** SHA-256 of `tools/clinic/package-lock.json`, which names the checksum of every package in its turn. */
export const clinicLockSha256 = 'c5b8383b49b17d4c693a5f7a314e486c7200474e64e08365fced5715496a3542';

/** What the installation takes on the disk, about. */
export const clinicInstallBytes = 160_000_000;

/** Written last, so that an installation that was cut short does not count as a whole one. */
const markerName = '.benchside-complete';

/** The folder in the extension's storage that holds the installation; named by the lockfile, so that another version goes to another folder. */
export function clinicFolder(storageDir: string): string {
  return path.join(storageDir, `clinic-${clinicLockSha256.slice(0, 12)}`);
}

/** Whether Clinic is installed, whole, from the lockfile that this version ships. */
export function clinicInstalled(storageDir: string): boolean {
  return isWhole(clinicFolder(storageDir));
}

export function isWhole(folder: string): boolean {
  try {
    return (
      readFileSync(path.join(folder, markerName), 'utf8') === clinicLockSha256 && existsSync(path.join(folder, 'node_modules', '@clinic'))
    );
  } catch {
    return false;
  }
}

/** What {@link isWhole} looks for: name and content of the marker. */
export function wholeMarker(): { name: string; content: string } {
  return { name: markerName, content: clinicLockSha256 };
}

/** The lockfile and package.json that come along; fails when the lockfile is not the one this version was made with. */
export function clinicManifest(assetsDir: string): { lock: string; manifest: string; packageCount: number } {
  const folder = path.join(assetsDir, 'tools', 'clinic');
  let lock: string;
  let manifest: string;
  try {
    lock = readFileSync(path.join(folder, 'package-lock.json'), 'utf8');
    manifest = readFileSync(path.join(folder, 'package.json'), 'utf8');
  } catch (error) {
    throw broken(`it could not be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (createHash('sha256').update(lock).digest('hex') !== clinicLockSha256) throw broken('it is not the one that Benchside came with');
  const { packages } = JSON.parse(lock) as { packages: Record<string, unknown> };
  const topLevel = Object.keys(packages).filter((name) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(name));
  return { lock, manifest, packageCount: topLevel.length };
}

function broken(why: string): Error {
  return failure(
    'clinic-lockfile-changed',
    `Clinic is not installed: the list of its packages cannot be trusted, ${why}.`,
    'Install the Benchside extension again.',
  );
}
