import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { portInUse, programOn, saysPortInUse } from '../../../src/engine/targets/portInUse.ts';

it.each([
  ['Error: listen EADDRINUSE: address already in use :::3000\n    at Server.setupListenHandle (node:net:1908:16)', 3000],
  ['Web server failed to start. Port 8080 was already in use.', 8080],
  ['java.io.IOException: Failed to bind to /0.0.0.0:8081\nCaused by: java.net.BindException: Address already in use', null],
  ['java.io.IOException: Failed to bind to /0.0.0.0:8081: Address already in use', 8081],
  ['12:34:56.789 ERROR Address already in use', null],
])('is read from what programs print: %j', (output, port) => {
  expect(saysPortInUse(output)).toBe(true);
  expect(portInUse(output)).toBe(port);
});

it('is not read from a port that something connects to', () => {
  expect(saysPortInUse('connect ECONNREFUSED 127.0.0.1:5432')).toBe(false);
  expect(portInUse('connect ECONNREFUSED 127.0.0.1:5432')).toBeNull();
});

it('comes with the program that listens there, where the system names it', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  expect(programOn(port)).toMatch(process.platform === 'linux' ? new RegExp(`^.+ \\(process ${process.pid}\\)$`) : /^another program$/);
  await new Promise((resolve) => server.close(resolve));
  expect(programOn(port)).toBe('another program');
});
