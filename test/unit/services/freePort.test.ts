import type { NetworkInterfaceInfo } from 'node:os';
import { expect, it } from 'vitest';
import { freePort } from '../../../src/engine/services/freePort.ts';
import { failureOf } from '../../support/engine.ts';

const address = (more: Partial<NetworkInterfaceInfo>): NetworkInterfaceInfo =>
  ({ address: '', netmask: '', mac: '', cidr: null, internal: true, family: 'IPv4', ...more }) as NetworkInterfaceInfo;

it.each<[string, NetworkInterfaceInfo[]]>([
  ['none', []],
  ['::1 alone', [address({ family: 'IPv6', address: '::1' })]],
  ['that of a network card alone', [address({ internal: false })]],
])('a port is asked for in vain where this machine has no IPv4 address of its own: %s', async (_what, addresses) => {
  expect(await failureOf(freePort(() => ({ one: addresses })))).toMatchObject({
    code: 'loopback-missing',
    cure: expect.stringContaining('ip link set lo up') as string,
  });
});

it('a port is found where there is one, or where the system does not tell', async () => {
  expect(await freePort(() => ({ lo: [address({ address: '127.0.0.1' })] }))).toBeGreaterThan(0);
  const silent = (): never => {
    throw new Error('EACCES');
  };
  expect(await freePort(silent)).toBeGreaterThan(0);
});
