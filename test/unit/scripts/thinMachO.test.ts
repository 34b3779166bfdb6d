import { describe, expect, it } from 'vitest';
import { thinMachO } from '../../../scripts/thinMachO.mjs';

/** A file of two processors: a header, and the code of each. */
function fat(): Buffer {
  const header = Buffer.alloc(64);
  header.writeUInt32BE(0xcafebabe, 0);
  header.writeUInt32BE(2, 4);
  for (const [index, [processor, offset, size]] of [
    [0x01000007, 64, 5],
    [0x0100000c, 69, 3],
  ].entries()) {
    header.writeUInt32BE(processor ?? 0, 8 + 20 * index);
    header.writeUInt32BE(offset ?? 0, 16 + 20 * index);
    header.writeUInt32BE(size ?? 0, 20 + 20 * index);
  }
  return Buffer.concat([header, Buffer.from('intelarm')]);
}

describe('a program of macOS for several processors', () => {
  it('is cut down to the one that is wanted', () => {
    expect(thinMachO(fat(), 'x64')?.toString()).toBe('intel');
    expect(thinMachO(fat(), 'arm64')?.toString()).toBe('arm');
  });
  it('is left as it is where it is of one alone, of others, or no such program', () => {
    const ofOne = Buffer.from('cffaedfe0c00000100000000', 'hex');
    const javaClass = Buffer.from('cafebabe0000003d0010', 'hex');
    for (const bytes of [ofOne, javaClass, Buffer.from('#!'), Buffer.alloc(0)]) expect(thinMachO(bytes, 'arm64')).toBeNull();
    expect(thinMachO(fat(), 'riscv')).toBeNull();
  });
});
