import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { failure } from '../../model/domain/failure.ts';

/** Without loopback a listener may report success although nobody ever reaches it. */
function requireLoopback(interfaces: () => ReturnType<typeof networkInterfaces> = networkInterfaces): void {
  let addresses;
  try {
    addresses = Object.values(interfaces()).flat();
  } catch {
    // It may not be asked for.
    return;
  }
  if (addresses.some((one) => one?.internal === true && one.family === 'IPv4')) return;
  throw failure(
    'loopback-missing',
    'This machine has no address 127.0.0.1, over which Benchside, the app and its database speak to each other.',
    'Bring the loopback interface up (ip link set lo up), with IPv4: in a container or network namespace it may be down, or have ::1 alone.',
  );
}

/** A TCP port of 127.0.0.1 that was free a moment ago. The caller must be ready to find it in use and ask again. */
export async function freePort(interfaces?: typeof networkInterfaces): Promise<number> {
  requireLoopback(interfaces);
  return listenBriefly(0);
}

/** Whether nobody listens on this port of 127.0.0.1. Fails where there is no such address. */
export async function isPortFree(port: number): Promise<boolean> {
  requireLoopback();
  const listened = listenBriefly(port);
  return listened.then(() => true).catch(() => false);
}

/** The port on which it listened. Rejects where another program does. */
async function listenBriefly(port: number): Promise<number> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return own;
}
