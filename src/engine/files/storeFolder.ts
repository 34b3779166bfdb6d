import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { failure } from '../../model/domain/failure.ts';
import { identityTagPattern, isForeign, isForsaken, isGone, ownIdentityTag, parseIdentityTag } from '../supervise/identity.ts';
import { assertRealFolder, ensureFolder, folderMode, statOrNull, syncFolder, systemCode, writeFailure } from './safeFiles.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** The name holds the owner, so that the owner is known at every moment. */
const temporaryName = new RegExp(String.raw`^\.tmp-${identityTagPattern}-`);
const trashName = /^\.trash-([a-z0-9]{1,12})-(.+)$/;

/** A new id: the time (ms since 1970) in base 36 and 96 random bits. */
export function timedId(timeMs: number = Date.now()): string {
  return `${timeMs.toString(36)}-${randomBytes(12).toString('hex')}`;
}

/**
 * A folder of things with ids, one folder each, below a root (`.benchside`) that is made by the first of them. Several processes may use one at a time:
 * a thing appears, goes into the trash and comes back by one rename.
 */
export class StoreFolder {
  readonly path: string;

  /** @param root absolute path of `.benchside` */
  constructor(
    readonly root: string,
    name: string,
  ) {
    this.path = join(root, name);
  }

  /** Makes the folder if it is missing. Throws `store-link` when a link or a file is in its place. */
  async make(): Promise<void> {
    const unlessThere = (error: unknown): void => {
      if (systemCode(error) !== 'EEXIST') throw error;
    };
    await mkdir(this.root, { recursive: true, mode: folderMode }).catch(unlessThere);
    await assertRealFolder(this.root);
    await ensureFolder(this.path);
    await writeFile(join(this.root, '.gitignore'), '*\n', { flag: 'wx', mode: 0o644 }).catch(unlessThere);
  }

  /** Throws `store-link` when a link or a file is in its place. */
  async assertReal(): Promise<void> {
    await assertRealFolder(this.root);
    await assertRealFolder(this.path);
  }

  /** The names in it, those of the trash and of what is being written too; none when there is no store yet. */
  async names(): Promise<string[]> {
    await this.assertReal();
    try {
      return await readdir(this.path);
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return [];
      throw failure('store-unreadable', `${this.path} cannot be read.`, 'Make that folder readable for your user.', String(error));
    }
  }

  /** Where a thing lies while it is being written. */
  temporary(id: string): string {
    return join(this.path, `.tmp-${ownIdentityTag()}-${id}`);
  }

  /**
   * Whether this is the name of something half-written that nobody will finish: its writer provably no longer runs, or is on another machine or in another
   * container and has written nothing for a day. `nowMs` is the time of day, ms since 1970.
   */
  async #isAbandoned(name: string, nowMs: number): Promise<boolean> {
    const writer = parseIdentityTag(temporaryName.exec(name)?.[1] ?? '');
    if (writer === null) return false;
    return isForeign(writer) ? isForsaken(await lastWritten(join(this.path, name)), nowMs) : isGone(writer);
  }

  /**
   * Removes what nobody will need: folders of writers that provably no longer run, those of writers on other machines or in other containers that nobody has
   * written into for a day, and trash older than a day. Returns how many folders went. `nowMs` is the time of day, ms since 1970.
   */
  async sweep(nowMs: number = Date.now()): Promise<number> {
    let count = 0;
    for (const name of await this.names()) {
      if (!isOldTrash(name, nowMs) && !(await this.#isAbandoned(name, nowMs))) continue;
      try {
        await rm(join(this.path, name), { recursive: true, force: true });
        count += 1;
      } catch (error) {
        throw writeFailure(error, this.path);
      }
    }
    return count;
  }

  /** Moves what has this id into the trash, or says that it is not there. */
  async discard(id: string): Promise<'discarded' | 'missing'> {
    await this.assertReal();
    try {
      await rename(join(this.path, id), join(this.path, `.trash-${Date.now().toString(36)}-${id}`));
      await syncFolder(this.path);
      return 'discarded';
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return 'missing';
      throw writeFailure(error, this.path);
    }
  }

  /** Brings the last of this id back from the trash, or says why not. */
  async restore(id: string): Promise<'restored' | 'missing' | 'exists'> {
    const name = (await this.names())
      .filter((entry) => trashName.exec(entry)?.[2] === id)
      .sort()
      .at(-1);
    if (name === undefined) return 'missing';
    if ((await statOrNull(join(this.path, id))) !== null) return 'exists';
    try {
      await rename(join(this.path, name), join(this.path, id));
      await syncFolder(this.path);
      return 'restored';
    } catch (error) {
      throw writeFailure(error, this.path);
    }
  }
}

/** When a file in a folder was last written, or the folder itself, ms since 1970. */
async function lastWritten(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const times = await Promise.all([folder, ...names.map((name) => join(folder, name))].map(statOrNull));
  return Math.max(0, ...times.map((stats) => stats?.mtimeMs ?? 0));
}

/** Whether this is the name of something that has been in the trash for more than a day. `nowMs` is the time of day, ms since 1970. */
function isOldTrash(name: string, nowMs: number): boolean {
  const trashedAt = trashName.exec(name)?.[1];
  return trashedAt !== undefined && nowMs - Number.parseInt(trashedAt, 36) > dayMs;
}
