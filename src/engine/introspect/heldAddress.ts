import type { FindingOf } from '../../model/domain/detection.ts';
import { addressFinding } from '../detect/parts.ts';
import type { Seen } from './seen.ts';

/**
 * The setting that gives a service the address of its database, by the property that has one in the process; the properties next to it hold user and password.
 * Null where none has.
 */
export function heldAddress(variables: Seen['variables']): FindingOf<'postgres'> | null {
  const found = variables.find(({ property, holds }) => property != null && holds != null);
  if (found?.holds == null) return null;
  const words = found.name.split('_');
  const beside = (...endings: string[]): string | undefined => {
    // `quarkus.datasource.jdbc.url` has its user one level higher.
    for (let end = words.length - 1; end >= Math.max(1, words.length - 2); end -= 1) {
      const names = endings.map((ending) => [...words.slice(0, end), ending].join('_'));
      const known = names.find((name) => variables.some((one) => one.name === name));
      if (known !== undefined) return known;
    }
    return undefined;
  };
  const user = beside('USERNAME', 'USER');
  const password = beside('PASSWORD');
  const env = { [found.holds]: found.name, ...(user === undefined ? {} : { user }), ...(password === undefined ? {} : { password }) };
  return addressFinding(env, {
    because: `${found.property ?? ''} has it when it runs, and is read from the environment, too`,
    sure: false,
  });
}
