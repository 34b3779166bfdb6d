import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { InspectorChannel } from '../../../src/engine/probe/inspectorChannel.ts';

describe('an inspector session over a socket', () => {
  it('gives each message once and whole, in whatever pieces it comes, those too that come before anybody listens', () => {
    const text = '{"id":1}\n{"id":2,"result":"long"}\n{"id":3}\n';
    for (let size = 1; size <= text.length; size += 1) {
      const channel = new InspectorChannel(new Socket());
      const got: string[] = [];
      for (let at = 0; at < text.length; at += size) {
        if (at > 12 && at <= 12 + size)
          channel.listen(
            (message) => got.push(message),
            () => undefined,
          );
        channel.receive(text.slice(at, at + size));
      }
      if (got.length === 0)
        channel.listen(
          (message) => got.push(message),
          () => undefined,
        );
      expect(got).toEqual(text.trim().split('\n'));
    }
  });

  it('ends when a message exceeds what can be held', () => {
    const socket = new Socket();
    const channel = new InspectorChannel(socket, 100);
    channel.receive('x'.repeat(80));
    expect(socket.destroyed).toBe(false);
    channel.receive('x'.repeat(30));
    expect(socket.destroyed).toBe(true);
  });
});
