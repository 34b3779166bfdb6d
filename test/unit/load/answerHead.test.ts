import { describe, expect, it } from 'vitest';
import { announcesClose, headBytes } from '../../../src/engine/load/answerHead.ts';

const raw = (...words: string[]): Buffer[] => words.map((word) => Buffer.from(word, 'latin1'));

describe('the head of an answer', () => {
  it('has as many bytes as HTTP/1.1 writes for it', () => {
    const written = 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nX-Name: Zürich\r\n\r\n';
    expect(headBytes('Not Found', raw('Content-Length', '0', 'X-Name', 'Zürich'))).toBe(Buffer.byteLength(written, 'latin1'));
    expect(headBytes('OK', [])).toBe('HTTP/1.1 200 OK\r\n\r\n'.length);
  });

  it.each([
    [['Connection', 'close'], true],
    [['Date', 'now', 'CONNECTION', 'Close'], true],
    [['Connection', 'keep-alive'], false],
    [['X-Word', 'connection', 'close', 'x'], false],
    [[], false],
  ])('says of %j whether the connection closes: %s', (words, closes) => {
    expect(announcesClose(raw(...words))).toBe(closes);
  });
});
