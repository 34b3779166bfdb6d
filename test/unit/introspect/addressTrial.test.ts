import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { type AddressTrial, addressTrial, namesAll } from '../../../src/engine/introspect/addressTrial.ts';

let trial: AddressTrial | null = null;
afterEach(async () => {
  await trial?.close();
  trial = null;
});

async function started(variables: Readonly<Record<string, string>>): Promise<AddressTrial> {
  trial = await addressTrial(new Map(Object.entries(variables)));
  if (trial === null) throw new Error('nothing can be tried');
  return trial;
}

/** What an app does at its start; nobody lets it in. */
async function connect(config: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(config);
  client.on('error', () => undefined);
  await expect(client.connect()).rejects.toThrow();
}

describe('which variables hold the address of a database', () => {
  it('is said by where an app goes: of two addresses the one that it uses', async () => {
    const { env, heard } = await started({ FIRST: 'postgres://a:b@db.example/x', SECOND: 'postgresql://c:d@db.example/y?sslmode=require' });
    expect(heard()).toBeNull();
    await connect({ connectionString: env['SECOND'] });
    expect(heard()).toEqual({ url: 'SECOND' });
  });

  it('is said with the user that a variable beside a whole address overrules', async () => {
    const shell = { SHOP_URL: 'postgresql://db.example/x', SHOP_WHO: 'ann', SHOP_PASSWORD: 'pst' };
    const { env, heard } = await started(shell);
    const { port } = new URL(env['SHOP_URL'] ?? '');
    await connect({ host: '127.0.0.1', port: Number(port), user: shell.SHOP_WHO, password: shell.SHOP_PASSWORD, database: 'x' });
    expect(heard()).toEqual({ url: 'SHOP_URL', user: 'SHOP_WHO', password: 'SHOP_PASSWORD' });
  });

  it('is said by where R2DBC goes', async () => {
    const { env, heard } = await started({ GOODS: 'r2dbc:postgresql://a:b@db.example/x' });
    await connect({ connectionString: (env['GOODS'] ?? '').replace(/^r2dbc:/, '') });
    expect(heard()).toEqual({ r2dbcUrl: 'GOODS' });
  });

  it.runIf(process.platform === 'linux')('is said by the parts that it was told, under whatever names', async () => {
    const shell = { SHOP_AT: 'db.example', SHOP_DOOR: '5499', SHOP_OTHER: '5498', SHOP_WHO: 'ann', SHOP_WORD: 'pst', SHOP_WHICH: 'goods' };
    const { env, heard } = await started(shell);
    await connect({
      host: env['SHOP_AT'],
      port: Number(env['SHOP_DOOR']),
      user: shell.SHOP_WHO,
      password: shell.SHOP_WORD,
      database: shell.SHOP_WHICH,
    });
    expect(heard()).toEqual({ host: 'SHOP_AT', port: 'SHOP_DOOR', user: 'SHOP_WHO', password: 'SHOP_WORD', database: 'SHOP_WHICH' });
  });

  it.runIf(process.platform === 'linux')('tells user, password and database apart by their names where they are one word', async () => {
    const { env, heard } = await started({
      DB_SERVER: 'localhost',
      DB_SERVER_PORT: '5432',
      DB_LOGIN: 'postgres',
      DB_PSWD: 'postgres',
      DB_NAME: 'postgres',
    });
    await connect({
      host: env['DB_SERVER'],
      port: Number(env['DB_SERVER_PORT']),
      user: 'postgres',
      password: 'postgres',
      database: 'postgres',
    });
    expect(heard()).toEqual({ host: 'DB_SERVER', port: 'DB_SERVER_PORT', user: 'DB_LOGIN', password: 'DB_PSWD', database: 'DB_NAME' });
  });

  it('is not tried where no variable can hold one', async () => {
    expect(
      await addressTrial(
        new Map([
          ['LEVEL', 'high'],
          ['PORT', '3000'],
        ]),
      ),
    ).toBeNull();
  });
});

describe('what the files say of an address', () => {
  const shell = { user: 'DB_USER', password: 'DB_PASSWORD' };
  const variables = (url: string): ReadonlyMap<string, string> =>
    new Map(Object.entries({ DB_URL: url, DB_USER: 'ann', DB_PASSWORD: 'pst' }));

  it.each([
    ['jdbc:postgresql://localhost/shop', { jdbcUrl: 'DB_URL', ...shell }, true],
    ['postgres://ann:pst@localhost/shop', { url: 'DB_URL' }, true],
    ['jdbc:postgresql://localhost/shop', { url: 'DB_URL' }, false],
    ['postgres://ann:pst@localhost/shop', { jdbcUrl: 'DB_URL', ...shell }, false],
    ['r2dbc:postgresql://localhost/shop', { jdbcUrl: 'DB_URL', ...shell }, false],
    ['postgres://ann:pst@localhost/shop', { r2dbcUrl: 'DB_URL' }, false],
  ])('is tried where the shell has it in another form: %s and %j', (url, names, whole) => {
    expect(namesAll(names, variables(url))).toBe(whole);
  });
});
