import { pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { sendJson } from '../../../node/answers.mjs';
import { sqlStateOf } from '../../../node/databaseErrors.mjs';
import { readJsonObject, textIn } from '../../../node/jsonBody.mjs';
import { RequestError } from '../../../node/requestError.mjs';

const derive = promisify(pbkdf2);
/** Few, for a sample that is put under load: what guards real passwords takes hundreds of thousands. */
const ITERATIONS = 1000;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const TOKEN_BYTES = 16;
/** What PostgreSQL says when there is a row already whose name a new one was to have. */
const UNIQUE_VIOLATION = '23505';

// Bytes go to and fro as hexadecimal text, which every library passes on alike.
const insertAccount = {
  name: 'insert-account',
  text: "INSERT INTO accounts (name, salt, password_hash) VALUES ($1, decode($2, 'hex'), decode($3, 'hex')) RETURNING id, name",
};
const insertSession = { name: 'insert-session', text: 'INSERT INTO sessions (token, account_id) VALUES ($1, $2)' };
const accountByName = {
  name: 'account-by-name',
  text: `SELECT id, name, encode(salt, 'hex') AS "salt", encode(password_hash, 'hex') AS "hash" FROM accounts WHERE name = $1`,
};
const accountOfSession = {
  name: 'account-of-session',
  text: `
    SELECT account.id, account.name, (SELECT count(*)::integer FROM uploads WHERE account_id = account.id) AS "uploads"
    FROM sessions AS session
    JOIN accounts AS account ON account.id = session.account_id
    WHERE session.token = $1`,
};
const ownerOfSession = { name: 'owner-of-session', text: 'SELECT account_id AS "accountId" FROM sessions WHERE token = $1' };
const deleteSession = { name: 'delete-session', text: 'DELETE FROM sessions WHERE token = $1' };

/** Opens an account and logs its owner in. */
export async function postAccount({ request, response, database }) {
  const { name, password } = await readCredentials(request);
  const salt = randomBytes(SALT_BYTES);
  const hash = await hashOf(password, salt);
  const token = newToken();
  try {
    const [account] = await database.transaction(async (ask) => {
      const rows = await ask(insertAccount, [name, salt.toString('hex'), hash.toString('hex')]);
      await ask(insertSession, [token, rows[0].id]);
      return rows;
    });
    sendJson(response, 201, account, cookieWith(token));
  } catch (error) {
    if (sqlStateOf(error) === UNIQUE_VIOLATION) throw new RequestError(409, 'the name is taken');
    throw error;
  }
}

export async function postSession({ request, response, database }) {
  const { name, password } = await readCredentials(request);
  const [account] = await database.query(accountByName, [name]);
  if (account === undefined || !(await isPasswordOf(account, password))) throw new RequestError(401, 'name or password is wrong');
  const token = newToken();
  await database.query(insertSession, [token, account.id]);
  sendJson(response, 200, { id: account.id, name: account.name }, cookieWith(token));
}

/** Logs out; who is not logged in is so already. */
export async function endSession({ request, response, database }) {
  const token = tokenOf(request);
  if (token !== undefined) await database.query(deleteSession, [token]);
  response.writeHead(204);
  response.end();
}

export async function getAccount({ request, response, database }) {
  const token = tokenOf(request);
  const [account] = token === undefined ? [] : await database.query(accountOfSession, [token]);
  if (account === undefined) throw new RequestError(401, 'not logged in');
  sendJson(response, 200, account);
}

/**
 * The id of the account that a request comes from.
 * @throws {RequestError} 401 when it comes from none
 */
export async function accountIdOf(request, database) {
  const token = tokenOf(request);
  const [session] = token === undefined ? [] : await database.query(ownerOfSession, [token]);
  if (session === undefined) throw new RequestError(401, 'not logged in');
  return session.accountId;
}

async function readCredentials(request) {
  const body = await readJsonObject(request);
  if (typeof body.name !== 'string' || !/^[a-z0-9-]{3,40}$/.test(body.name)) {
    throw new RequestError(400, 'name must be 3 to 40 lower-case letters, digits and dashes');
  }
  return { name: body.name, password: textIn(body, 'password', 8, 200) };
}

async function isPasswordOf(account, password) {
  const hash = await hashOf(password, Buffer.from(account.salt, 'hex'));
  return timingSafeEqual(hash, Buffer.from(account.hash, 'hex'));
}

function hashOf(password, salt) {
  return derive(password, salt, ITERATIONS, HASH_BYTES, 'sha256');
}

function newToken() {
  return randomBytes(TOKEN_BYTES).toString('hex');
}

function cookieWith(token) {
  return { 'Set-Cookie': `session=${token}; Path=/; HttpOnly; SameSite=Lax` };
}

function tokenOf(request) {
  return /(?:^|; ?)session=([0-9a-f]{32})(?:;|$)/.exec(request.headers.cookie ?? '')?.[1];
}
