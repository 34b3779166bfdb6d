import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JfrCursor } from '../../../../src/engine/calltree/jfr/jfrCursor.ts';
import { FailureError } from '../../../../src/model/domain/failure.ts';
import { compressed, text } from './jfrWriter.ts';

const cursor = (bytes: readonly number[]): JfrCursor => new JfrCursor(Uint8Array.from(bytes));

describe('compressed numbers', () => {
  it('every 64-bit number is read exactly, and no byte more than it has', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        const bytes = compressed(value);
        const reader = cursor([...bytes, 0x55]);
        expect(BigInt(reader.key())).toBe(value);
        expect(reader.position).toBe(bytes.length);
      }),
    );
  });

  it('a number that is exact as a number is never a bigint, so that equal keys are equal in a map', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        expect(cursor(compressed(value)).key()).toBe(value);
      }),
    );
  });

  it('padded numbers are read as the same number', () => {
    expect(cursor([0x81, 0x80, 0x80, 0x00]).key()).toBe(1);
    expect(cursor([0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00]).key()).toBe(1);
  });

  it('skipping ends where reading ends', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 9, maxLength: 20 }), (bytes) => {
        const read = new JfrCursor(bytes);
        const skipped = new JfrCursor(bytes);
        read.key();
        skipped.skipCompressed();
        expect(skipped.position).toBe(read.position);
      }),
    );
  });

  it('a number that is cut off is a failure', () => {
    expect(() => cursor([0x80, 0x80]).key()).toThrow(FailureError);
  });
});

describe('texts', () => {
  it('UTF-8 texts are read as they were written, and skipped to the same place', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        const bytes = [...text(value), 7];
        const reader = cursor(bytes);
        expect(reader.text(1000)).toEqual({ text: value });
        const skipper = cursor(bytes);
        skipper.skipText();
        expect(skipper.position).toBe(reader.position);
      }),
    );
  });

  it('each other encoding is read', () => {
    expect(cursor([0]).text(10)).toEqual({ text: null });
    expect(cursor([1]).text(10)).toEqual({ text: '' });
    expect(cursor([2, 9]).text(10)).toEqual({ poolKey: 9 });
    expect(cursor([4, 2, ...compressed(0x3a9), 0x41]).text(10)).toEqual({ text: 'ΩA' });
    expect(cursor([5, 2, 0xe9, 0x41]).text(10)).toEqual({ text: 'éA' });
    expect(() => cursor([6, 0]).text(10)).toThrow(FailureError);
    expect(() => cursor([6, 0]).skipText()).toThrow(FailureError);
  });

  it('a long text is cut, and what follows is read from its true end', () => {
    const reader = cursor([...text('x'.repeat(500)), 42]);
    expect(reader.text(10)).toEqual({ text: `${'x'.repeat(10)}…` });
    expect(reader.byte()).toBe(42);
  });

  it('a length beyond the end is a failure, not an allocation', () => {
    expect(() => cursor([3, ...compressed(2 ** 40)]).text(10)).toThrow(FailureError);
    expect(() => cursor([4, ...compressed(-1)]).text(10)).toThrow(FailureError);
  });
});
