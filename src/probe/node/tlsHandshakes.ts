import type { KnownClass } from './emitterWatch.ts';
import { hasMethods } from './objects.ts';

/** Counts the TLS connections that this process begins as a client, whatever library makes them. */
export class TlsHandshakes {
  #begun = 0;

  classes(): KnownClass {
    return {
      recognizes: (prototype) => hasMethods(prototype, 'getPeerCertificate', 'renegotiate', 'getEphemeralKeyInfo'),
      found: (socket) => {
        const { isServer } = (socket as { _tlsOptions?: { isServer?: unknown } })._tlsOptions ?? {};
        if (isServer !== true) this.#begun += 1;
      },
    };
  }

  report(): number {
    return this.#begun;
  }
}
