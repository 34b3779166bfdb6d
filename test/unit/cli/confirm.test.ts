import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { agreeingEngine } from '../../../src/cli/agreeingEngine.ts';
import { chooseNumber, confirm } from '../../../src/cli/confirm.ts';
import { FailureError } from '../../../src/model/domain/failure.ts';
import { startPhrase } from '../../../src/model/domain/detection.ts';
import type { EngineClient } from '../../../src/engine/rpc/engineClient.ts';
import { hostileTexts } from '../../support/hostileTexts.ts';

/** A person at a terminal, who answers what is asked, and what the terminal was given. */
function person(answer: string): {
  input: PassThrough & { isTTY: boolean };
  output: PassThrough & { isTTY: boolean };
  shown: () => string;
} {
  const [input, output] = [new PassThrough(), new PassThrough()].map((stream) => Object.assign(stream, { isTTY: true }));
  if (input === undefined || output === undefined) throw new Error('no streams');
  input.write(`${answer}\n`);
  return { input, output, shown: () => String(output.read() ?? '') };
}

const signal = new AbortController().signal;

describe('a question in a terminal', () => {
  it('carries nothing out of what it quotes, so that nothing of it can be hidden', async () => {
    const hiding = `evil.sh \u001b[8m\u001b]0;harm\u0007\u001b[2K\u009b1A\u202e`;
    const { shown, ...terminal } = person('n');
    expect(await confirm(`Start ${hiding} now?`, signal, true, terminal)).toBe(false);
    const text = shown();
    expect(text).toContain('Start evil.sh  now? [Y/n]');
    // The sequences of the line editor itself are its own.
    expect(text).not.toMatch(/\u001b\[8m|\u001b\]|\u001b\[2K|\u009b|\u202e/);
  });

  it('for one of several is answered by a number, by Enter with the first, and asked again otherwise', async () => {
    expect(await chooseNumber('Which?', 3, signal, person(''))).toBe(1);
    expect(await chooseNumber('Which?', 3, signal, person('3'))).toBe(3);
    expect(await chooseNumber('Which?', 3, signal, person('0'))).toBeNull();
    const answers = ['4', '2.5', 'second', '2'];
    const { input, output } = person('nothing of the kind');
    output.on('data', (text: Buffer) => {
      if (String(text).includes('[1]')) input.write(`${answers.shift() ?? ''}\n`);
    });
    expect(await chooseNumber('Which?', 3, signal, { input, output })).toBe(2);
    expect(await chooseNumber('Which?', 3, signal, { input: new PassThrough(), output: new PassThrough() })).toBeNull();
  });

  it('is answered by Enter as it says, and by nobody where there is no terminal', async () => {
    expect(await confirm('Go?', signal, true, person(''))).toBe(true);
    expect(await confirm('Go?', signal, false, person(''))).toBe(false);
    expect(await confirm('Go?', signal, false, person('yes'))).toBe(true);
    expect(await confirm('Go?', signal, false, { input: new PassThrough(), output: new PassThrough() })).toBeNull();
  });

  it('has a line for each thing that it is about, whatever that is called', async () => {
    const asked: string[] = [];
    for (const name of hostileTexts) {
      const question = {
        id: 'i',
        kind: 'sql' as const,
        subject: 's',
        yes: 'Apply',
        ask: `Apply ${name}?`,
        detail: `${name} will be applied.`,
      };
      const refuses = { request: () => Promise.reject(new FailureError({ code: 'postgres-consent', message: 'm', cure: 'c', question })) };
      const engine = agreeingEngine(refuses as unknown as EngineClient, {
        hosts: [],
        sql: [],
        ask: async (text) => {
          asked.push(text);
          return false;
        },
      });
      await expect(engine.request('measure/start', { request: { kind: 'run', targets: ['a'] } })).rejects.toThrow('not agreed');
      const service = { id: 'a', label: name, folder: name, because: '', driver: null, questions: [] };
      const command = {
        part: 'command' as const,
        title: '',
        because: '',
        sure: true,
        runtime: 'node' as const,
        command: ['sh', name],
        requires: [],
        requiresCure: null,
      };
      for (const line of startPhrase({ ...service, findings: [command] })) expect(line).not.toMatch(/[\n\r\u001b\u2028]/);
    }
    expect(asked).toHaveLength(hostileTexts.length);
    expect(asked.filter((text) => text.split('\n').length !== 3)).toEqual([]);
  });
});
