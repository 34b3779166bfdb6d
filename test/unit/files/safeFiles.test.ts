import { spawnSync } from 'node:child_process';
import { type FileHandle, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRegular } from '../../../src/engine/files/boundedFile.ts';
import { createFile, writeFailure, writeFully, writeNewFile } from '../../../src/engine/files/safeFiles.ts';

/** A handle on a disk that takes at most `room` bytes, `atOnce` per write, and reports no error for a part. */
function smallDisk(room: number, atOnce: number): { handle: FileHandle; taken: () => Buffer } {
  const taken: Buffer[] = [];
  let left = room;
  const write = (bytes: Uint8Array, offset: number, length: number): Promise<{ bytesWritten: number }> => {
    const size = Math.min(length, atOnce, left);
    if (size === 0 && length > 0)
      return Promise.reject(Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }));
    taken.push(Buffer.from(bytes.subarray(offset, offset + size)));
    left -= size;
    return Promise.resolve({ bytesWritten: size });
  };
  return { handle: { write } as unknown as FileHandle, taken: () => Buffer.concat(taken) };
}

describe('writeFully', () => {
  it('writes everything, however little each write takes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 500 }), fc.integer({ min: 1, max: 600 }), async (bytes, atOnce) => {
        const disk = smallDisk(10_000, atOnce);
        await writeFully(disk.handle, bytes);
        expect(disk.taken().equals(bytes)).toBe(true);
      }),
    );
  });

  it('fails when the disk is full although the write before reported no error', async () => {
    const error = await writeFully(smallDisk(300, 400).handle, new Uint8Array(400)).catch((thrown: unknown) => thrown);
    expect(writeFailure(error, '/data/runs').failure).toMatchObject({
      code: 'disk-full',
      message: expect.stringContaining('/data/runs') as string,
    });
  });

  it('takes a write of nothing for a full disk rather than trying for ever', async () => {
    const handle = { write: () => Promise.resolve({ bytesWritten: 0 }) } as unknown as FileHandle;
    const error = await writeFully(handle, new Uint8Array(4)).catch((thrown: unknown) => thrown);
    expect(writeFailure(error, '/data/runs').failure.code).toBe('disk-full');
  });
});

describe('files', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'benchside-files-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('are never written over or through a link', async () => {
    await writeFile(join(folder, 'there'), 'old');
    await symlink(join(folder, 'nowhere'), join(folder, 'link'));
    await expect(createFile(join(folder, 'there'))).rejects.toThrow(/EEXIST/);
    await expect(writeNewFile(join(folder, 'link'), Buffer.from('x'))).rejects.toThrow(/EEXIST|ELOOP/);
  });

  it.skipIf(process.platform === 'win32')('that are pipes are refused without waiting', async () => {
    expect(spawnSync('mkfifo', [join(folder, 'pipe')]).status).toBe(0);
    await expect(openRegular(join(folder, 'pipe'))).rejects.toThrow('is not a file');
  });
});
