import { chmodSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { withClient } from '../../../src/engine/services/database.ts';
import { postgresUrl } from '../../../src/engine/services/serverUrl.ts';
import { PostgresServer } from '../../../src/engine/services/postgresServer.ts';
import { childEnvironment } from '../../../src/engine/supervise/environment.ts';
import { processIdentity } from '../../../src/engine/supervise/identity.ts';
import { Journal } from '../../../src/engine/supervise/journal.ts';
import { Supervisor } from '../../../src/engine/supervise/supervisor.ts';
import { repositoryDir, temporaryFolder } from '../../support/engine.ts';
import { waitFor } from '../../support/waitFor.ts';

/** A PostgreSQL as users have theirs: every commit waits until the disk has it, which the workbench’s own does not ask for. */
export interface DurableServer {
  /** Of an empty database. */
  url: string;
  stop: () => Promise<void>;
}

const databaseName = 'planted';

/** Made with the workbench’s own programs in a folder of its own, and started again with what it leaves out for speed. It is ended by `stop`. */
export async function startDurableServer(): Promise<DurableServer> {
  const self = processIdentity(process.pid);
  if (self === null) throw new Error('this process cannot be identified');
  const scratch = temporaryFolder('durable');
  // Its programs run as another user when we are root, who must be able to enter.
  chmodSync(scratch, 0o755);
  const supervisor = new Supervisor(new Journal(path.join(scratch, 'journals'), `durable-${process.pid}`, self));
  const before = process.env['BENCHSIDE_POSTGRES_HOME'];
  process.env['BENCHSIDE_POSTGRES_HOME'] = path.join(scratch, 'home');
  const first = await PostgresServer.start(supervisor, { assetsDir: repositoryDir, storageDir: scratch }).finally(() => {
    if (before === undefined) delete process.env['BENCHSIDE_POSTGRES_HOME'];
    else process.env['BENCHSIDE_POSTGRES_HOME'] = before;
  });
  const { address } = first;
  const argv = readFileSync(`/proc/${first.child.pid}/cmdline`, 'utf8')
    .split('\0')
    .filter((word) => word !== '');
  const dataDir = argv[argv.indexOf('-D') + 1] ?? '';
  await first.stop();
  const { uid, gid } = statSync(dataDir);
  const child = await supervisor.start({
    name: 'durable PostgreSQL',
    kind: 'postgres',
    cwd: path.dirname(dataDir),
    env: childEnvironment({ LC_ALL: 'C', TZ: 'UTC' }),
    argv: [...argv, '-c', 'fsync=on', '-c', 'full_page_writes=on', '-c', 'wal_sync_method=fsync'],
    ...(process.getuid?.() === 0 ? { runAs: { uid, gid } } : {}),
  });
  try {
    await waitFor(() => withClient(address, address.database, (client) => client.query('SELECT 1')), { what: 'the durable server' });
    await withClient(address, address.database, (client) => client.query(`CREATE DATABASE ${databaseName}`));
  } catch (error) {
    await child.stop();
    throw error;
  }
  return { url: postgresUrl(address, databaseName), stop: () => child.stop().then(() => undefined) };
}
