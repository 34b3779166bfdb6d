import { describe, expect, it } from 'vitest';
import { withTarget, withTargets } from '../../../src/cli/meantTarget.ts';
import type { EngineClient } from '../../../src/engine/rpc/engineClient.ts';
import type { TargetState } from '../../../src/model/protocol/protocol.ts';
import { catalog, target } from '../extension/catalogs.ts';

/** What only lists these targets, and what was said. */
function listing(targets: TargetState[], problems: ReturnType<typeof catalog>['problems'] = []) {
  const said: string[] = [];
  const request = async (name: string) => {
    if (name !== 'catalog/get') throw new Error(`${name} was asked for`);
    return { ...catalog(targets), problems };
  };
  return { engine: { request: request as EngineClient['request'] }, terminal: { tell: (text: string) => void said.push(text) }, said };
}

const node = target({ id: 'node', origin: 'sample' });
const orders = target({ id: 'orders', origin: 'workspace' });
const stock = target({ id: 'stock', origin: 'workspace' });

describe('a command that names no target', () => {
  it('takes the only one of the folder, beside all samples, and says which', async () => {
    const { engine, terminal, said } = listing([orders, node]);
    expect(await withTargets({ request: { targets: [], load: 'smoke' } }, engine, terminal)).toEqual({
      targets: ['orders'],
      load: 'smoke',
    });
    expect(await withTarget({ request: {} }, engine, terminal)).toEqual({ target: 'orders' });
    expect(said).toEqual(Array(2).fill('Target: orders, the only one that this folder declares.'));
  });

  it('is told all of several, and by which option one is named', async () => {
    const { engine, terminal, said } = listing([orders, stock, node]);
    await expect(withTargets({ request: { targets: [] } }, engine, terminal)).rejects.toMatchObject({
      failure: { code: 'target-unknown', message: 'This folder declares 2 targets: orders, stock.', cure: 'Name one with --target.' },
    });
    expect(said).toEqual([]);
  });

  it('is told of the samples where the folder declares none, but for versions, which samples have not', async () => {
    const { engine, terminal } = listing([node]);
    const cure = '“benchside init” declares the service of this folder.';
    await expect(withTargets({ request: { targets: [] } }, engine, terminal)).rejects.toMatchObject({
      failure: { cure: `${cure} --target takes a sample: node.` },
    });
    await expect(withTarget({ request: {} }, engine, terminal)).rejects.toMatchObject({ failure: { cure } });
  });

  it('is told what is wrong with the file that would declare one', async () => {
    const problem = { code: 'workspace-file' as const, message: 'benchside.json:3: id is missing.', cure: 'Correct it.' };
    const { engine, terminal } = listing([node], [problem]);
    await expect(withTargets({ request: { targets: [] } }, engine, terminal)).rejects.toMatchObject({
      failure: { message: 'No target was named. benchside.json:3: id is missing.', cure: 'Correct it.' },
    });
  });

  it('leaves one that is named as it is, and asks for no list', async () => {
    const { engine, terminal, said } = listing([orders, stock]);
    expect(await withTargets({ request: { targets: ['stock'] } }, engine, terminal)).toEqual({ targets: ['stock'] });
    expect(await withTarget({ request: { target: 'stock' } }, engine, terminal)).toEqual({ target: 'stock' });
    expect(said).toEqual([]);
  });
});
