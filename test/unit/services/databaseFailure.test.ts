import { describe, expect, it } from 'vitest';
import { databaseFailure } from '../../../src/engine/services/database.ts';
import { parsePostgresUrl } from '../../../src/engine/services/serverUrl.ts';
import { FailureError } from '../../../src/model/domain/failure.ts';

describe('what a failed statement means', () => {
  const address = parsePostgresUrl('postgres://me@127.0.0.1:5433/shop');

  it.each([
    new Error('Connection terminated unexpectedly'),
    new Error('Client has encountered a connection error and is not queryable'),
    new Error('Client was closed and is not queryable'),
    Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' }),
    Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
  ])('names a broken connection, whenever it was noticed: %s', (error) => {
    const told = databaseFailure(error, address, 'shop', null);
    expect(told instanceof FailureError ? told.failure : told).toMatchObject({
      code: 'postgres-unreachable',
      message: 'PostgreSQL at 127.0.0.1:5433 broke the connection off.',
      cure: 'Start it, or correct “benchside.postgres.url”.',
      detail: error.message,
    });
  });

  it('leaves alone what it does not know', () => {
    const error = Object.assign(new Error('syntax error at or near "SELEC"'), { code: '42601' });
    expect(databaseFailure(error, address, 'shop', null)).toBe(error);
  });
});
