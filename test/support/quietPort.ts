import { isPortFree } from '../../src/engine/services/freePort.ts';

/**
 * A free TCP port of 127.0.0.1 below those that the kernel hands out on its own (from 32768 on Linux, 49152 elsewhere): no server of a test next to this
 * one is given it meanwhile, so that nobody listens there for as long as the caller does not.
 */
export async function quietPort(): Promise<number> {
  for (let i = 0; i < 100; i += 1) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    if (await isPortFree(port)) return port;
  }
  throw new Error('No port from 20000 to 29999 is free.');
}
