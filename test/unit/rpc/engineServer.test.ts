import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { told } from '../../../src/engine/files/redactRecord.ts';
import { notifications } from '../../../src/model/protocol/protocol.ts';
import { type FindHandler, type Notify, serve } from '../../../src/engine/rpc/engineServer.ts';

const asksNothing: FindHandler = (name) => {
  throw new Error(`${name} was asked for`);
};

describe('the engine’s end of the connection', () => {
  it('says nothing while something runs but by what takes secrets out', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    let notify: Notify | undefined;
    serve(
      input,
      output,
      (given) => {
        notify = given;
        return asksNothing;
      },
      {
        failure: (value) => value,
        notification: (name, value) => told(notifications[name], value, ['hunter2hunter2']),
      },
    );
    const note = { code: 'answer-hint', route: 'GET /a', hint: 'that it printed is “hunter2hunter2”' } as const;
    notify?.('run/event', { type: 'note', runId: 'r', note });
    await setImmediate();
    const sent = String(output.read());
    expect(sent).toContain('that it printed is “[redacted]”');
    expect(sent).not.toContain('hunter2');
  });

  it('lets whoever says something go on when the client has gone', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    let notify: Notify | undefined;
    serve(input, output, (given) => {
      notify = given;
      return asksNothing;
    });
    notify?.('runs/changed', {});
    expect(String(await new Promise((resolve) => output.once('data', resolve)))).toMatch(/Content-Length|runs\/changed/);
    const closed = new Promise((resolve) => input.once('close', resolve));
    input.end();
    input.resume();
    await closed;
    // What is being cleared up reports it: that must not throw.
    expect(() => notify?.('runs/changed', {})).not.toThrow();
  });
});
