import { createServer } from 'node:net';
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
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => (address === null || typeof address === 'string' ? reject(new Error('no port')) : resolve(address.port)));
    });
  });
}

/** Whether nobody listens on this port of 127.0.0.1. Fails where there is no such address. */
export async function isPortFree(port: number): Promise<boolean> {
  requireLoopback();
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
