import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { serve } from '../../../src/engine/rpc/engineServer.ts';
import type { Handlers, Notify } from '../../../src/engine/rpc/engineServer.ts';

describe('the engine’s end of the connection', () => {
  it('lets whoever says something go on when the client has gone', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    let notify: Notify | undefined;
    serve(input, output, (given) => {
      notify = given;
      return {} as Handlers;
    });
    notify?.('runs/changed', {});
    expect(String(await new Promise((resolve) => output.once('data', resolve)))).toMatch(/Content-Length|runs\/changed/);
    const closed = new Promise((resolve) => input.once('close', resolve));
    input.end();
    input.resume();
    await closed;
    // What is being cleared up tells of it: that must not throw.
    expect(() => notify?.('runs/changed', {})).not.toThrow();
  });
});
