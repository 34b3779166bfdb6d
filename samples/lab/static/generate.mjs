// Makes the static files that the samples serve: a photo of exactly 3,200,000 bytes, a page with forty assets, and the same page with bundles.
// The bytes are the same on every machine. Files that are right already are left alone. Usage: node generate.mjs [FOLDER]
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const PHOTO_BYTES = 3_200_000;
const SCRIPTS = 24;
const STYLES = 4;
const PICTURES = 12;

const folder = path.resolve(process.argv[2] ?? path.dirname(fileURLToPath(import.meta.url)));
for (const [name, content] of Object.entries(staticFiles())) keep(path.join(folder, name), Buffer.from(content));

/** Contents by the file's path in the folder. */
function staticFiles() {
  const numbered = (count, ending, make) => Array.from({ length: count }, (_, i) => [`assets/${twoDigits(i + 1)}.${ending}`, make(i + 1)]);
  const scripts = numbered(SCRIPTS, 'js', script);
  const styles = numbered(STYLES, 'css', style);
  const pictures = numbered(PICTURES, 'svg', picture);
  const contents = (files) => files.map(([, content]) => content).join('');
  return {
    'photo.jpg': photo(),
    ...Object.fromEntries([...scripts, ...styles, ...pictures]),
    'bundle.js': contents(scripts),
    'bundle.css': contents(styles),
    'page.html': page(
      styles.map(([name]) => `<link rel="stylesheet" href="/static/${name}">\n`).join(''),
      pictures.map(([name]) => `<img src="/static/${name}" alt="">\n`).join(''),
      scripts.map(([name]) => `<script src="/static/${name}"></script>\n`).join(''),
    ),
    'page-bundle.html': page(
      '<link rel="stylesheet" href="/static/bundle.css">\n',
      contents(pictures),
      '<script src="/static/bundle.js"></script>\n',
    ),
  };
}

function page(styles, pictures, scripts) {
  return `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Bulletin board</title>\n${styles}</head>\n<body>\n<h1>Bulletin board</h1>\n${pictures}${scripts}</body>\n</html>\n`;
}

/** A table of prices and the function that looks one up: 2 to 6 KB. */
function script(number) {
  const next = numbersFrom(number);
  const rows = Array.from({ length: 76 + (next() % 120) }, (_, i) => `  { id: ${i + 1}, cents: ${500 + (next() % 90_000)} },\n`).join('');
  return `(globalThis.board ??= {}).part${twoDigits(number)} = ((rows) => (id) => rows.find((row) => row.id === id)?.cents)([\n${rows}]);\n`;
}

function style(number) {
  const next = numbersFrom(1_000 + number);
  const rule = (i) =>
    `.part${twoDigits(number)} .cell${i} { padding: ${next() % 16}px; color: #${(next() % 0x1000000).toString(16).padStart(6, '0')}; }\n`;
  return Array.from({ length: 40 }, (_, i) => rule(i + 1)).join('');
}

function picture(number) {
  const next = numbersFrom(2_000 + number);
  const circle = () => `<circle cx="${next() % 64}" cy="${next() % 64}" r="${1 + (next() % 12)}" fill="hsl(${next() % 360} 60% 50%)"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64">${Array.from({ length: 12 }, circle).join('')}</svg>\n`;
}

/**
 * A grey baseline JPEG of 640 × 480, stretched with comments of pseudo-random bytes, which no decoder looks at. Each of its two Huffman tables has
 * one code of one bit: every one of the 4,800 blocks is two zero bits, “no difference to the block before” and “end of block”.
 */
function photo() {
  const segment = (marker, ...bytes) => Buffer.from([0xff, marker, (bytes.length + 2) >> 8, (bytes.length + 2) & 0xff, ...bytes]);
  const oneCode = [1, ...new Array(15).fill(0), 0x00];
  const start = Buffer.from([0xff, 0xd8]);
  const image = Buffer.concat([
    segment(0xdb, 0, ...new Array(64).fill(1)),
    segment(0xc0, 8, 480 >> 8, 480 & 0xff, 640 >> 8, 640 & 0xff, 1, 1, 0x11, 0),
    segment(0xc4, 0x00, ...oneCode, 0x10, ...oneCode),
    segment(0xda, 1, 1, 0x00, 0, 63, 0),
    Buffer.alloc((80 * 60 * 2) / 8),
    Buffer.from([0xff, 0xd9]),
  ]);
  const next = numbersFrom(20_260_101);
  const comments = [];
  for (let left = PHOTO_BYTES - start.length - image.length; left > 0;) {
    // Four bytes are marker and length; what is left over must be none, or enough for one more comment.
    const bytes = left <= 65_537 ? left : Math.min(65_537, left - 4);
    const comment = Buffer.from(Uint8Array.from({ length: bytes }, next));
    comment.writeUInt16BE(0xfffe, 0);
    comment.writeUInt16BE(bytes - 2, 2);
    comments.push(comment);
    left -= bytes;
  }
  return Buffer.concat([start, ...comments, image]);
}

/** Pseudo-random whole numbers from 0 to 2^31 − 1 (a linear congruential generator, without its weak low bit). */
function numbersFrom(seed) {
  let x = seed >>> 0;
  return () => {
    x = (Math.imul(x, 1_664_525) + 1_013_904_223) >>> 0;
    // The low bits of such a generator repeat soon: mix the high ones in.
    return (x ^ (x >>> 15)) >>> 1;
  };
}

function twoDigits(number) {
  return String(number).padStart(2, '0');
}

function keep(file, content) {
  if (contentOf(file)?.equals(content)) return;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
}

function contentOf(file) {
  try {
    return readFileSync(file);
  } catch {
    return null;
  }
}
