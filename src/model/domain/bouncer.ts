import * as z from 'zod';
import type { SettingSpec } from './setting.ts';

/** The PgBouncer between the processes of a target and PostgreSQL; all processes of a target share one. */
export const bouncerSchema = z.strictObject({
  mode: z
    .enum(['transaction', 'session'])
    .default('transaction')
    .describe(
      'When a connection of the app gives its server connection back: after each transaction, so that few are enough for many; or when it is closed.',
    ),
  poolSize: z
    .number()
    .int()
    .min(1)
    .max(1000)
    .default(20)
    .describe('Its connections to PostgreSQL for all processes of the target together; the setting “bouncerPool” says another size.'),
  preparedStatements: z
    .number()
    .int()
    .min(0)
    .max(100_000)
    .optional()
    .describe(
      'Prepared statements by name that it keeps on each server connection in transaction mode (max_prepared_statements); needs PgBouncer 1.21 or later.',
    ),
  ignoreStartupParameters: z
    .array(z.string().regex(/^[a-zA-Z_][\w.]*$/, 'a parameter is a name such as options'))
    .max(20)
    .optional()
    .describe(
      'What the app asks for when it opens a connection, such as “options”, and may do without: PgBouncer refuses such a connection otherwise.',
    ),
});
export type Bouncer = z.infer<typeof bouncerSchema>;

/** The setting that a target with a PgBouncer has, unless it declares one of this name itself: its connections to PostgreSQL. */
export const bouncerPoolSetting = 'bouncerPool';
const largestPool = 400;

export function bouncerPoolSpec({ poolSize }: Bouncer): SettingSpec {
  return { kind: 'number', label: 'PgBouncer pool', min: 1, max: Math.max(largestPool, poolSize), default: poolSize, live: 'bouncer' };
}

/** “PgBouncer in transaction mode”. */
export function bouncerPhrase({ mode }: Pick<Bouncer, 'mode'>): string {
  return `PgBouncer in ${mode} mode`;
}
