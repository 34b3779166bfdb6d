import { sendJson } from '../../../node/answers.mjs';
import { idOf, numberIn } from '../../../node/parameters.mjs';

const COUNTERS = 1000;

const increment = { name: 'increment', text: 'UPDATE counters SET value = value + 1 WHERE id = $1 RETURNING id, value' };
const hold = { name: 'hold-lock', text: 'SELECT pg_sleep($1::integer / 1000.0)' };

/** Counts one row up and keeps it locked for as long as it has to: requests for the same row queue up in the database. */
export async function postCounter({ response, database, query, segment }) {
  const id = idOf(segment, COUNTERS);
  const ms = numberIn(query, 'ms', 0, 1000, 0);
  const [counter] = await database.transaction(async (ask) => {
    const rows = await ask(increment, [id]);
    if (ms > 0) await ask(hold, [ms]);
    return rows;
  });
  sendJson(response, 200, counter);
}
