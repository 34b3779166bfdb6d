import { Database } from '../../node/database.mjs';
import { DatabaseUnavailable, meaningOf } from '../../node/databaseErrors.mjs';

const begin = { text: 'BEGIN' };
const commit = { text: 'COMMIT' };
const rollback = { text: 'ROLLBACK' };

/** The sample's database, whose connections can be held for longer than one statement. */
export class LabDatabase extends Database {
  #pool;

  constructor(pool, timing = undefined) {
    super(pool, timing);
    this.#pool = pool;
  }

  /** Holds one connection as long as `work` takes, which runs its statements with `ask(statement, values)`. */
  async hold(work) {
    const client = await this.borrow();
    const since = performance.now();
    let broken = false;
    const ask = async (statement, values) => {
      try {
        return await this.#pool.rows(client, statement, values);
      } catch (error) {
        const meaning = meaningOf(error);
        broken ||= meaning instanceof DatabaseUnavailable;
        throw meaning;
      }
    };
    try {
      return await work(ask);
    } finally {
      this.giveBack(client, broken, since);
    }
  }

  /** As {@link hold}, in a transaction, which is rolled back when `work` throws. */
  transaction(work) {
    return this.hold(async (ask) => {
      await ask(begin, []);
      try {
        const result = await work(ask);
        await ask(commit, []);
        return result;
      } catch (error) {
        await ask(rollback, []).catch(() => {}); // the connection is lost, and with it the transaction
        throw error;
      }
    });
  }
}
