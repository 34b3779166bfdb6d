import { damaged } from '../../calltree/treeLimits.ts';

const [quote, backslash, openList, closeList, openObject, closeObject] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Calls back with the place of each object of a list: the document itself, or what its field of that name holds. Nothing is made of what is in them, so that
 * a document of any size can be read. False where the document ends within the list.
 *
 * @throws FailureError `profile-damaged` where there is no such list.
 */
export function listedObjects(bytes: Uint8Array, field: string, format: string, use: (start: number, end: number) => void): boolean {
  let at = listStart(bytes, field);
  if (at === -1) throw damaged(format, `it has no list of “${field}”`);
  for (at += 1; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === closeList) return true;
    if (byte !== openObject) continue;
    const end = valueEnd(bytes, at);
    if (end === -1) return false;
    use(at, end);
    at = end - 1;
  }
  return false;
}

/** Where the list begins; -1 where there is none. */
function listStart(bytes: Uint8Array, field: string): number {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const first = bytes.findIndex((byte) => byte > 0x20);
  if (bytes[first] === openList) return first;
  const name = `"${field}"`;
  for (let at = first + 1; at > 0 && at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === openObject || byte === openList) {
      const end = valueEnd(bytes, at);
      if (end === -1) return -1;
      at = end - 1;
    } else if (byte === quote) {
      const end = stringEnd(bytes, at);
      if (end === -1) return -1;
      if (end - at === name.length && text.toString('latin1', at, end) === name) {
        for (at = end; at < bytes.length && bytes[at] !== openList; at += 1) if (bytes[at] === quote || bytes[at] === openObject) return -1;
        return at < bytes.length ? at : -1;
      }
      at = end - 1;
    }
  }
  return -1;
}

/** Where the object or list that begins there ends; -1 where the document ends before. */
function valueEnd(bytes: Uint8Array, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (byte === quote) {
      at = stringEnd(bytes, at) - 1;
      if (at < 0) return -1;
    } else if (byte === openObject || byte === openList) depth += 1;
    else if (byte === closeObject || byte === closeList) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

function stringEnd(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at += 1) {
    if (bytes[at] === backslash) at += 1;
    else if (bytes[at] === quote) return at + 1;
  }
  return -1;
}
