import { inject } from 'vitest';
import type { DatabaseAddress } from '../../src/engine/services/serverUrl.ts';

/** The PostgreSQL that all files share, for those of which it is not the subject. Each makes databases of its own there, and drops them. */
export async function sharedPostgres(): Promise<DatabaseAddress> {
  const answer = await fetch(inject('sharedPostgresDesk'));
  const text = await answer.text();
  if (!answer.ok) throw new Error(`The PostgreSQL that all files share did not start: ${text}`);
  return JSON.parse(text) as DatabaseAddress;
}
