import { constants, lstatSync, readdirSync } from 'node:fs';
import { type FileHandle, chmod, copyFile, lchown, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { tooLarge } from '../../../calltree/treeLimits.ts';
import { failure } from '../../../model/domain/failure.ts';
import { jfrLimits } from '../../calltree/jfr/jfrLimits.ts';
import { scrubJfr } from '../../calltree/jfr/scrubJfr.ts';
import { fileMode } from '../../files/safeFiles.ts';
import { identityTagPattern, isAbandoned, ownIdentityTag, parseIdentityTag, processIdentity } from '../../supervise/identity.ts';
import type { JvmProcess } from './jvmProcess.ts';
import { completeJfrBytes } from './jfrFile.ts';

/** The name holds the owner: the JVM's pid, then our identity. */
export const exchangeFolderForm = String.raw`benchside-jvm-(\d+)-${identityTagPattern}-[A-Za-z0-9]{6}`;
const folderName = new RegExp(`^${exchangeFolderForm}$`);

/**
 * A folder in the JVM's temporary folder that it can write to and whose path has no character that its commands give a meaning to.
 * It belongs to the JVM's user, nobody else can enter it.
 */
export class ExchangeFolder {
  private constructor(
    private readonly jvm: JvmProcess,
    /** The path that the JVM uses. */
    readonly jvmPath: string,
  ) {}

  static async create(jvm: JvmProcess): Promise<ExchangeFolder> {
    const parent = path.join(jvm.rootDir, jvm.tempDir);
    try {
      const created = await mkdtemp(path.join(parent, `benchside-jvm-${jvm.pid}-${ownIdentityTag()}-`));
      if ((process.geteuid?.() ?? jvm.uid) !== jvm.uid) await lchown(created, jvm.uid, jvm.gid);
      return new ExchangeFolder(jvm, path.join(jvm.tempDir, path.basename(created)));
    } catch (error) {
      throw failure(
        'attach-failed',
        `No folder can be made in ${parent} for the JVM’s recording.`,
        'Make that folder writable for you.',
        String(error),
      );
    }
  }

  /**
   * Removes what an engine that no longer runs has left behind for this JVM, and returns whether there was any: then a profiler that runs in it is Benchside's.
   */
  static async removeAbandoned(jvm: JvmProcess): Promise<boolean> {
    const owners = new Set([jvm.uid, process.geteuid?.() ?? jvm.uid]);
    const parent = path.join(jvm.rootDir, jvm.tempDir);
    let found = false;
    for (const name of readdirSync(parent)) {
      const [, jvmPid, tag] = folderName.exec(name) ?? [];
      const stats = lstatSync(path.join(parent, name), { throwIfNoEntry: false });
      const engine = parseIdentityTag(tag ?? '');
      if (engine === null || !owners.has(stats?.uid ?? -1) || !isAbandoned(engine, stats?.mtimeMs ?? 0)) continue;
      const isOfThisJvm = Number(jvmPid) === jvm.pid;
      if (!isOfThisJvm && processIdentity(Number(jvmPid)) !== null) continue;
      await rm(path.join(parent, name), { recursive: true, force: true }).catch(() => undefined);
      found ||= isOfThisJvm;
    }
    return found;
  }

  /** A file in it, as the JVM names it. */
  jvmFile(name: string): string {
    return path.join(this.jvmPath, name);
  }

  /** The same file, as we reach it. */
  ownFile(name: string): string {
    return path.join(this.jvm.rootDir, this.jvmPath, name);
  }

  /** Copies a file into it, for the JVM's user to read. */
  async put(source: string, name: string): Promise<string> {
    await copyFile(source, this.ownFile(name), constants.COPYFILE_EXCL);
    await chmod(this.ownFile(name), 0o755);
    return this.jvmFile(name);
  }

  /** The first 64 KiB of a text that the JVM wrote; empty when there is none. */
  async text(name: string): Promise<string> {
    const bytes = Buffer.alloc(64 * 1024);
    // Not through a link: its writer is another user, perhaps, and we may be root.
    const file = await open(this.ownFile(name), constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => null);
    if (file === null) return '';
    try {
      return bytes.toString('utf8', 0, (await file.read(bytes, 0, bytes.length, 0)).bytesRead);
    } finally {
      await file.close();
    }
  }

  /**
   * Moves a recording to a folder, without the last chunk when that was not finished and without what could be a secret. Fails where it cannot be read, since nobody
   * could vouch for it then, and where not one chunk is complete: with `recording-unreadable`, or for a process that has ended with `process-gone`. `recorder` made it.
   */
  async takeRecording(name: string, folder: string, recorder: string, hasEnded: boolean): Promise<void> {
    const bytes = await this.#completePart(name);
    if (bytes !== null) return writeFile(path.join(folder, name), bytes, { mode: fileMode });
    const { pid } = this.jvm;
    throw hasEnded
      ? failure('process-gone', `Process ${pid} ended during the recording, and nothing that it recorded can be read.`)
      : failure('recording-unreadable', `${recorder} in process ${pid} has left no recording that can be read.`);
  }

  async #completePart(name: string): Promise<Buffer | null> {
    const input = await open(this.ownFile(name), constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => null);
    if (input === null) return null;
    try {
      if (!(await input.stat()).isFile()) return null;
      const length = await completeJfrBytes(input);
      if (length === 0) return null;
      if (length > jfrLimits.bytes) throw tooLarge(`more than ${jfrLimits.bytes / 2 ** 20} MiB`);
      const bytes = await readStart(input, length);
      scrubJfr(bytes);
      return bytes;
    } finally {
      await input.close();
    }
  }

  /** Never fails. */
  async remove(): Promise<void> {
    await rm(path.join(this.jvm.rootDir, this.jvmPath), { recursive: true, force: true }).catch(() => undefined);
  }
}

async function readStart(from: FileHandle, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  for (let done = 0; done < length;) {
    const { bytesRead } = await from.read(bytes, done, length - done, done);
    if (bytesRead === 0) throw new Error('it became shorter while it was read');
    done += bytesRead;
  }
  return bytes;
}
