import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A document store that takes a known time for each answer, and serves as many at once as are asked for. */
export interface SlowStore {
  url: string;
  close: () => Promise<void>;
}

export async function startSlowStore(delayMs: number): Promise<SlowStore> {
  const server = createServer((request, response) => {
    const id = Number(/doc-(\d+)/.exec(request.url ?? '')?.[1] ?? 0);
    const body = JSON.stringify({
      _id: `doc-${id}`,
      _rev: '1-0',
      id,
      title: `Document ${id}`,
      body: 'Lorem ipsum dolor sit amet. '.repeat(20),
    });
    setTimeout(() => response.writeHead(200, { 'Content-Type': 'application/json' }).end(body), delayMs);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
