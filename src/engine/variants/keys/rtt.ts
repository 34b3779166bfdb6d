import { understood } from '../../../model/domain/parsed.ts';
import { mostRoundTripMs, parseRoundTrip } from '../../../model/domain/roundTrip.ts';
import type { VariantKey } from '../variantKey.ts';

/** By so much a distance may be measured as less than it is. */
const sloppyMs = 0.05;

export const rtt: VariantKey = {
  key: 'rtt',
  meaning: 'The round trip between the app and its database, in addition to that of this machine.',
  takes: `times from 0 to ${mostRoundTripMs}ms, such as 0, 0.5ms or 500us`,
  example: 'rtt=0,0.5ms,2ms',
  fits: ({ postgres, running }) => postgres !== undefined && running === undefined,
  of: 'a target that is given PostgreSQL by Benchside',
  means: 'proxy before the database',
  effect: 'What the distance to the database makes of the service, and of the pool that it needs.',
  cost: 'CPU time of this machine for a proxy, which all sides go through, also the one without a distance.',
  source: 'https://www.postgresql.org/docs/current/libpq-pipeline-mode.html',
  read: (text) => {
    const parsed = parseRoundTrip(text);
    return parsed.ok ? understood(`${parsed.value}ms`) : parsed;
  },
  copies: () => ['1ms', '1.001ms'],
  activation: (value) => ({ rttMs: Number.parseFloat(value) }),
  seen: async (value, view) => {
    const distance = await view.distance();
    if (distance === null) return null;
    const { addedMs, inUse } = distance;
    return { holds: inUse && addedMs >= Number.parseFloat(value) - sloppyMs, shown: inUse ? `${addedMs.toFixed(2)}ms` : 'none' };
  },
};
