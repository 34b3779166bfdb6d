import type { Memento } from 'vscode';
import { expect, it } from 'vitest';
import { Memory } from '../../../../src/extension/services/memory.ts';

function memento(): Memento {
  const state = new Map<string, unknown>();
  return {
    keys: () => [...state.keys()],
    get: (key: string) => state.get(key),
    update: (key: string, value: unknown) => Promise.resolve(void state.set(key, value)),
  } as Memento;
}

it('remembers the published experiment and the experiment of a tuning apart', async () => {
  const memory = new Memory(memento());
  await memory.remember({ kind: 'experiment', id: 'C1' });
  await memory.rememberExperiment('pool of the shop');
  expect(await memory.last('experiment')).toMatchObject({ id: 'C1' });
  expect(memory.lastExperiment).toBe('pool of the shop');
});
