import { describe, expect, it } from 'vitest';
import type { AgentHost } from '../../../src/agents/agentHost.ts';
import { AgentSession } from '../../../src/agents/agentSession.ts';
import { Measurements } from '../../../src/agents/measurements.ts';
import { failure } from '../../../src/model/domain/failure.ts';
import type { RequestName } from '../../../src/model/protocol/protocol.ts';
import { waitFor } from '../../support/waitFor.ts';
import { exampleCatalog, exampleRun } from '../webview/examples.ts';

const never = new AbortController().signal;

/** An engine that lists the examples; `answers` say what else it gives. A measurement ends when it is cancelled. */
function hostWith(answers: Partial<Record<RequestName, () => Promise<unknown>>> = {}): AgentHost & { asked: RequestName[]; turns: number } {
  let cancel: () => void = () => undefined;
  const known: Partial<Record<RequestName, () => Promise<unknown>>> = {
    'catalog/get': () => Promise.resolve(exampleCatalog),
    'runs/list': () => Promise.resolve({ runs: [] }),
    'measure/start': () =>
      new Promise((resolve) => {
        cancel = () => resolve({ runId: exampleRun.id, outcome: 'cancelled', stored: true, run: exampleRun });
      }),
    'run/cancel': () => {
      cancel();
      return Promise.resolve({ cancelled: true });
    },
    ...answers,
  };
  const host = {
    asked: [] as RequestName[],
    turns: 0,
    workspaceDir: null,
    toolPrefix: '',
    refusal: () => Promise.resolve(null),
    request: (name: RequestName) => {
      host.asked.push(name);
      return known[name]?.() ?? Promise.reject(failure('internal', `nobody answers ${name}`));
    },
    measure: (name: RequestName, _params: unknown, signal: AbortSignal) => {
      signal.addEventListener('abort', () => cancel());
      return host.request(name);
    },
    onRunEvent: () => ({ dispose: () => undefined }),
    takeTurn: () => {
      host.turns += 1;
      return () => {
        host.turns -= 1;
      };
    },
  };
  return host as unknown as AgentHost & { asked: RequestName[]; turns: number };
}

const target = exampleCatalog.targets[0]?.id;

describe('a session of an agent', () => {
  it('answers within its time though the engine does not', async () => {
    const session = new AgentSession(hostWith({ 'runs/list': () => new Promise(() => undefined) }), 30);
    const { text, failed } = await session.call('list_targets', {}, never);
    expect(failed).toBe(true);
    expect(text).toMatch(/^failure: engine-silent$/m);
    expect(text).toContain('Make the same call again.');
  });

  it('tells what is declared without secrets', async () => {
    const [first, ...others] = exampleCatalog.targets;
    if (first === undefined) throw new Error('no example');
    const word = 'Zq8agentCanary5xT';
    const routes = first.routes.map((route) => ({ ...route, path: `/items?api_key=${word}&page=2` }));
    const catalog = { ...exampleCatalog, targets: [{ ...first, description: `Bearer ${word}`, routes }, ...others] };
    const { text } = await new AgentSession(hostWith({ 'catalog/get': () => Promise.resolve(catalog) })).call('list_targets', {}, never);
    expect(text).toContain('/items?api_key=[redacted]&page=2');
    expect(text).not.toContain(word);
  });

  it('has one measurement at a time, which the end of the session ends, with its turn', async () => {
    const host = hostWith();
    const session = new AgentSession(host);
    expect((await session.call('start_run', { target }, never)).text).toContain('handle: m1 (run)');
    expect(host.turns).toBe(1);
    expect((await session.call('start_tuning', { target, values: { pool: [2, 4] } }, never)).text).toContain('failure: run-in-progress');
    await session.dispose();
    expect(host.turns).toBe(0);
    expect((await session.call('start_run', { target }, never)).failed).toBe(true);
  });

  it('tells a measurement that was cancelled by its handle and, once it is stored, by its run', async () => {
    const host = hostWith({ 'runs/get': () => Promise.resolve({ run: exampleRun }) });
    const session = new AgentSession(host);
    await session.call('start_run', { target }, never);
    const waiting = session.call('get_run', { run: 'm1', waitS: 25 }, never);
    await waitFor(() => host.asked.includes('measure/start'));
    expect((await session.call('cancel_run', { run: 'm1' }, never)).text).toContain('state: cancelling');
    expect((await waiting).text).toContain(`run: ${exampleRun.id}`);
    expect((await session.call('cancel_run', { run: 'm1' }, never)).text).toContain('nothing of that name');
  });

  it('cancels a measurement that lasts longer than its limit', async () => {
    const host = hostWith();
    const measurements = new Measurements(host);
    const { handle } = measurements.begin({
      noun: 'run',
      estimateS: 1,
      limitS: 0.02,
      work: async (signal) => {
        await host.measure('measure/start', { request: { kind: 'run', targets: ['any'] } }, signal);
        return () => ({ said: ['state: complete'], next: [], data: [] });
      },
    });
    const looked = await measurements.look(handle, 25, never);
    expect(host.asked).toEqual(['measure/start', 'run/cancel']);
    expect(looked).toMatchObject({ ended: { kind: 'done' }, active: { cancelling: true } });
    expect(host.turns).toBe(0);
  });

  it('stops waiting when nobody wants the answer any more, and goes on measuring', async () => {
    const host = hostWith();
    const session = new AgentSession(host);
    await session.call('start_run', { target }, never);
    const gone = new AbortController();
    const waiting = session.call('get_run', { run: 'm1', waitS: 25 }, gone.signal);
    gone.abort();
    expect((await waiting).text).toContain('state: measuring');
    expect(host.turns).toBe(1);
    await session.dispose();
  });

  it('asks the user’s permission before every call, and nothing else without it', async () => {
    const host = hostWith();
    const refused = { ...host, refusal: () => Promise.resolve(failure('not-allowed', 'No.', 'Ask.').failure) };
    expect((await new AgentSession(refused as AgentHost).call('list_targets', {}, never)).text).toContain('failure: not-allowed');
    expect(host.asked).toEqual([]);
  });
});
