import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { prepareDatabase } from '../../src/engine/services/prepareDatabase.ts';
import { PostgresServer } from '../../src/engine/services/postgresServer.ts';
import type { DatabaseAddress } from '../../src/engine/services/serverUrl.ts';
import { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import { sampleWants, seededDatabase } from './sampleData.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a test asks for the address of the PostgreSQL that all files share. */
    sharedPostgresDesk: string;
  }
}

/**
 * Before the tests of a project: a desk that gives whoever asks the address of one PostgreSQL with the samples' data, which is started when the first
 * file asks. It has databases of several files at the same time: who looks at sessions, asks for those of its own database.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const supervisor = new Supervisor();
  let started: Promise<DatabaseAddress> | undefined;
  const desk = createServer((_request, response) => {
    // A process that builds for seconds does not see its idle connection close, and its next fetch would fail on it.
    response.setHeader('connection', 'close');
    started ??= start(supervisor);
    started.then(
      (address) => response.end(JSON.stringify(address)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  desk.listen(0, '127.0.0.1');
  await once(desk, 'listening');
  project.provide('sharedPostgresDesk', `http://127.0.0.1:${(desk.address() as AddressInfo).port}/`);
  return async () => {
    desk.close();
    desk.closeAllConnections();
    await supervisor.stopAll();
  };
}

async function start(supervisor: Supervisor): Promise<DatabaseAddress> {
  const assetsDir = path.resolve(import.meta.dirname, '../..');
  // The folder of its data is named in the environment, by buildOnce.ts.
  const { address } = await PostgresServer.start(supervisor, { assetsDir, storageDir: '/nonexistent' });
  await prepareDatabase(address, sampleWants(seededDatabase), () => undefined);
  return address;
}
