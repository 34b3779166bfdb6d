import { describe, expect, it } from 'vitest';
import { PieceLoader } from '../../../../webview/flame/app/pieceLoader.ts';

describe('a part of a recording that comes in pieces', () => {
  it('is asked for two pieces ahead, and joined in order whatever order they come in', () => {
    const asked: number[] = [];
    const loader = new PieceLoader('tree', null, (index) => asked.push(index));
    loader.start();
    expect(asked).toEqual([0, 1]);
    expect(loader.take(1, false, Uint8Array.of(3, 4))).toBeNull();
    expect(asked).toEqual([0, 1, 2]);
    expect(loader.take(2, true, Uint8Array.of(5))).toBeNull();
    expect(asked).toEqual([0, 1, 2]);
    expect(loader.take(0, false, Uint8Array.of(1, 2))).toEqual(Uint8Array.of(1, 2, 3, 4, 5));
  });

  it('takes a piece once, and none beyond the last', () => {
    const loader = new PieceLoader('samples', null, () => undefined);
    loader.start();
    expect(loader.take(0, true, Uint8Array.of(7))).toEqual(Uint8Array.of(7));
    expect(loader.take(0, true, Uint8Array.of(7))).toBeNull();
    expect(loader.take(1, true, new Uint8Array())).toBeNull();
    expect(loader.received).toBe(1);
  });

  it('asks for one piece alone of the wide nodes', () => {
    const asked: number[] = [];
    new PieceLoader('skeleton', 'cpu', (index) => asked.push(index)).start();
    expect(asked).toEqual([0]);
  });
});
