import { describe, expect, it } from 'vitest';
import { addressCandidates, onlyAddress, shellVariables } from '../../../src/engine/introspect/shellVariables.ts';

describe('variables of the shell', () => {
  it('are those that a service can have set for itself, not those of the shell and of tools', () => {
    const env = {
      PATH: '/bin',
      HOME: '/home/me',
      npm_config_cache: 'x',
      LC_ALL: 'C',
      JAVA_HOME: '/jdk',
      EMPTY: '',
      SHOP_LIMIT: '3',
      Level: 'high',
    };
    expect([...shellVariables(env)]).toEqual([
      ['SHOP_LIMIT', '3'],
      ['Level', 'high'],
    ]);
  });

  it('can hold the address of a database by what stands in them, whatever they are called', () => {
    const variables = new Map([
      ['ONE', 'postgresql://me:secret@db.local/shop'],
      ['TWO', 'jdbc:postgresql://localhost/shop'],
      ['REACTIVE', 'r2dbc:postgresql://me:secret@localhost/shop'],
      ['THREE', 'mysql://localhost/shop'],
      ['ORDERS_AT', '10.0.0.5'],
      ['ORDERS_TCP', '5433'],
      ['ORDERS_AS', 'me'],
      ['PORT', '3000'],
      ['LEVEL', 'high'],
    ]);
    expect(addressCandidates(variables)).toEqual({
      urls: ['ONE'],
      jdbcUrls: ['TWO'],
      r2dbcUrls: ['REACTIVE'],
      parts: [{ hosts: ['ORDERS_AT'], ports: ['ORDERS_TCP'] }],
    });
  });

  it('of which two or fewer begin alike are no parts of an address', () => {
    const variables = new Map([
      ['LISTEN_HOST', 'localhost'],
      ['LISTEN_PORT', '3000'],
    ]);
    expect(addressCandidates(variables).parts).toEqual([]);
  });

  it.each([
    ['postgres://me:secret@localhost/shop', { url: 'SHOP_AT' }],
    ['r2dbc:postgresql://me:secret@localhost/shop', { r2dbcUrl: 'SHOP_AT' }],
    ['jdbc:postgresql://localhost/shop?user=me&password=secret', { jdbcUrl: 'SHOP_AT' }],
    // Other variables say who connects.
    ['jdbc:postgresql://localhost/shop', null],
    ['r2dbc:postgresql://localhost/shop', null],
  ])('of which one holds an address that says who connects have that alone: %s', (address, only) => {
    const variables = new Map([['SHOP_AT', address]]);
    expect(onlyAddress(variables)).toEqual(only);
    expect(onlyAddress(variables.set('OTHER', 'postgres://a:b@localhost/other'))).toBeNull();
  });
});
