import { gunzipSync } from 'node:zlib';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** How a secret may be in bytes: as it is, with two bytes a character in either order, in base64 at any offset, and in hex. */
function formsOf(secret: string): Map<string, Buffer> {
  const plain = Buffer.from(secret);
  const wide = Buffer.from(secret, 'utf16le');
  const forms = new Map<string, Buffer>([
    ['plain', plain],
    ['UTF-16LE', wide],
    ['UTF-16BE', Buffer.from(wide).swap16()],
    ['hex', Buffer.from(plain.toString('hex'))],
    ['URL', Buffer.from(encodeURIComponent(secret))],
  ]);
  for (let offset = 0; offset < 3; offset += 1) {
    const encoded = Buffer.concat([Buffer.alloc(offset), plain])
      .toString('base64')
      .replace(/=+$/, '');
    // The characters at either end depend on what is next to it.
    const from = Math.ceil((offset * 4) / 3) + (offset === 0 ? 0 : 1);
    for (const alphabet of ['base64', 'base64url']) {
      const text = encoded.slice(from, -2);
      forms.set(`${alphabet} at ${offset}`, Buffer.from(alphabet === 'base64' ? text : text.replaceAll('+', '-').replaceAll('/', '_')));
    }
  }
  return forms;
}

/** Where secrets are in bytes, what is packed by gzip within them included; each as `secret: form`. */
export function secretsIn(bytes: Buffer, secrets: readonly string[]): string[] {
  const found = secrets.flatMap((secret) =>
    [...formsOf(secret)].flatMap(([form, wanted]) => (bytes.includes(wanted) ? [`${secret}: ${form}`] : [])),
  );
  const packed: string[] = [];
  for (let at = bytes.indexOf('\x1f\x8b\x08', 0, 'latin1'); at !== -1; at = bytes.indexOf('\x1f\x8b\x08', at + 1, 'latin1')) {
    try {
      packed.push(...secretsIn(gunzipSync(bytes.subarray(at)), secrets).map((one) => `${one}, in gzip`));
    } catch {
      // Three bytes that look like the beginning of an archive.
    }
  }
  return [...found, ...packed];
}

/** All files below a folder. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/** Which files below a folder hold a secret, and in which form. */
export function secretsBelow(folder: string, secrets: readonly string[]): string[] {
  return filesBelow(folder).flatMap((file) => {
    const name = path.relative(folder, file);
    return [...secretsIn(Buffer.from(name), secrets), ...secretsIn(readFileSync(file), secrets)].map((one) => `${name}: ${one}`);
  });
}
