import { expect, it } from 'vitest';
import { readPprof } from '../../../src/engine/calltree/readPprof.ts';
import { cpuMsSince } from '../../support/cpuMsSince.ts';

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)];
}
const field = (number: number, content: readonly number[] | Uint8Array): Uint8Array =>
  Buffer.concat([Buffer.from([(number << 3) | 2, ...varint(content.length)]), Buffer.from(content)]);

it('a small profile that names a long location again and again is refused in no time', () => {
  const line = [...field(4, [8, 1])];
  const location = field(4, [8, 1, ...Array.from({ length: 512 }, () => line).flat()]);
  const sample = field(2, Buffer.concat([field(1, Buffer.alloc(300_000, 1)), Buffer.from([16, 1])]));
  const file = Buffer.concat([field(1, [8, 1, 16, 1]), sample, location, field(5, [8, 1, 16, 1]), field(6, []), field(6, [97])]);
  const before = process.cpuUsage();
  expect(() => readPprof(file)).toThrow(/frames in its samples/);
  expect(cpuMsSince(before)).toBeLessThan(1_500);
});
