import { once } from 'node:events';
import { createHash } from 'node:crypto';
import busboy from 'busboy';
import { sendJson } from '../../../node/answers.mjs';
import { RequestError } from '../../../node/requestError.mjs';
import { accountIdOf } from './accounts.mjs';

const MAX_FILE_BYTES = 1_048_576;
/** The file, and what a form puts around it. */
const MAX_BODY_BYTES = MAX_FILE_BYTES + 65_536;
const MAX_NAME_LENGTH = 200;

const insertUpload = {
  name: 'insert-upload',
  text: `
    INSERT INTO uploads (account_id, name, bytes, sha256)
    VALUES ($1, $2, $3, $4)
    RETURNING id, name, bytes, sha256`,
};

/** Takes the file in a form: its bytes are hashed and thrown away, what is known of it is kept. */
export async function postUpload({ request, response, database }) {
  const accountId = await accountIdOf(request, database);
  const { name, bytes, sha256 } = await readFile(request);
  const [upload] = await database.query(insertUpload, [accountId, name, bytes, sha256]);
  sendJson(response, 201, upload);
}

/** @throws {RequestError} 413 when the file is too large, 400 when there is none, or the body is no form */
async function readFile(request) {
  const tooLarge = `the file must not be larger than ${MAX_FILE_BYTES} bytes`;
  const form = formOf(request.headers);
  if (Number(request.headers['content-length']) > MAX_BODY_BYTES) throw new RequestError(413, tooLarge, { Connection: 'close' });
  let file;
  let broken = false;
  form.on('file', (field, stream, { filename }) => {
    if (field !== 'file' || file !== undefined) {
      stream.resume();
      return;
    }
    const hash = createHash('sha256');
    file = { name: filename ?? '', bytes: 0, hash };
    stream.on('data', (chunk) => {
      file.bytes += chunk.length;
      hash.update(chunk);
    });
    stream.on('error', () => {}); // what the form says is enough
  });
  form.on('error', () => {
    broken = true;
  });
  const closed = once(form, 'close').catch(() => {});
  if (!(await feed(request, form, () => broken))) throw new RequestError(413, tooLarge, { Connection: 'close' });
  form.end();
  await closed;
  if (broken) throw new RequestError(400, 'the form cannot be read');
  if (file === undefined) throw new RequestError(400, 'the form has no file in the field file');
  if (file.name.length < 1 || file.name.length > MAX_NAME_LENGTH || file.name.includes('\0')) {
    throw new RequestError(400, `the name of the file must have 1 to ${MAX_NAME_LENGTH} characters`);
  }
  if (file.bytes > MAX_FILE_BYTES) throw new RequestError(413, tooLarge);
  return { name: file.name, bytes: file.bytes, sha256: file.hash.digest('hex') };
}

function formOf(headers) {
  const notAForm = new RequestError(400, 'the body must be multipart/form-data');
  if (!/^multipart\/form-data\b/i.test(headers['content-type'] ?? '')) throw notAForm;
  try {
    return busboy({ headers, defParamCharset: 'utf8', limits: { files: 10, fields: 100 } });
  } catch {
    throw notAForm;
  }
}

/** Writes the body into the form, to its end even when the form cannot be read any more. @returns false when the body is too large */
async function feed(request, form, isBroken) {
  let bytes = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      bytes += chunk.length;
      if (bytes > MAX_BODY_BYTES) return false;
      if (!isBroken() && !form.write(chunk) && !isBroken()) await once(form, 'drain').catch(() => {});
    }
  } catch {
    throw new RequestError(400, 'the body could not be read');
  }
  return true;
}
