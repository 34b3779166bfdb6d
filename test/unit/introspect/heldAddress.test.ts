import { describe, expect, it } from 'vitest';
import { heldAddress } from '../../../src/engine/introspect/heldAddress.ts';
import type { Seen } from '../../../src/engine/introspect/seen.ts';

type Variable = Seen['variables'][number];
const property = (name: string, holds: Variable['holds'] = null): Variable => ({
  name,
  place: null,
  property: name.toLowerCase().replaceAll('_', '.'),
  holds,
});

describe('the address that a property has in the process', () => {
  it('is told by that property, with the user and the password beside it', () => {
    const found = heldAddress([
      property('APP_DATASOURCE_USERNAME'),
      property('APP_DATASOURCE_PASSWORD'),
      property('APP_DATASOURCE_URL', 'jdbcUrl'),
      property('OTHER_USERNAME'),
    ]);
    expect(found?.env).toEqual({ jdbcUrl: 'APP_DATASOURCE_URL', user: 'APP_DATASOURCE_USERNAME', password: 'APP_DATASOURCE_PASSWORD' });
  });

  it('has its user one word further out, where the address is one of several', () => {
    const found = heldAddress([property('APP_DATASOURCE_REACTIVE_URL', 'url'), property('APP_DATASOURCE_USERNAME')]);
    expect(found?.env).toEqual({ url: 'APP_DATASOURCE_REACTIVE_URL', user: 'APP_DATASOURCE_USERNAME' });
  });

  it('is not known where no property has one', () => {
    expect(heldAddress([property('APP_DATASOURCE_URL'), { name: 'DB_URL', place: 'App.java:3' }])).toBeNull();
  });
});
