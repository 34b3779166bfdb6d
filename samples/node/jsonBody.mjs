import { RequestError } from './requestError.mjs';
import { notInRange } from './parameters.mjs';

const MAX_BODY_BYTES = 64 * 1024;
/** A body that is too large is read to its end and thrown away up to this size, so that the client gets to see the answer. */
const MAX_DISCARDED_BYTES = 1024 * 1024;

/**
 * Reads the JSON object in a request's body.
 * @throws {RequestError} 413 when the body is too large, 400 when it is no JSON object
 */
export async function readJsonObject(request) {
  const body = parse(await readBody(request));
  if (body === null || typeof body !== 'object' || Array.isArray(body)) throw new RequestError(400, 'the body must be a JSON object');
  return body;
}

/** A text of the body. Lengths are in UTF-16 units. PostgreSQL can store neither NUL nor half of a surrogate pair. */
export function textIn(body, name, min, max) {
  const value = body[name];
  if (typeof value !== 'string' || value.length < min || value.length > max || value.includes('\0') || !value.isWellFormed()) {
    throw new RequestError(400, `${name} must be a text of ${min} to ${max} characters`);
  }
  return value;
}

export function integerIn(body, name, min, max) {
  const value = body[name];
  if (!Number.isInteger(value) || value < min || value > max) throw notInRange(name, min, max);
  return value;
}

async function readBody(request) {
  const tooLarge = `the body must not be larger than ${MAX_BODY_BYTES} bytes`;
  if (Number(request.headers['content-length']) > MAX_DISCARDED_BYTES) throw new RequestError(413, tooLarge, { Connection: 'close' });
  const chunks = [];
  let bytes = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      bytes += chunk.length;
      if (bytes > MAX_DISCARDED_BYTES) break;
      if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
    }
  } catch {
    throw new RequestError(400, 'the body could not be read');
  }
  if (bytes > MAX_DISCARDED_BYTES) throw new RequestError(413, tooLarge, { Connection: 'close' });
  if (bytes > MAX_BODY_BYTES) throw new RequestError(413, tooLarge);
  return Buffer.concat(chunks);
}

function parse(bytes) {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    throw new RequestError(400, 'the body must be JSON in UTF-8');
  }
}
