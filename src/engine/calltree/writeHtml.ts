import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { failure } from '../../model/domain/failure.ts';
import type { ProfileHead } from '../../model/domain/flame.ts';
import { BoundedText } from './boundedText.ts';
import { xmlText } from './svgText.ts';

/** The packed parts that a page holds. */
export interface PackedParts {
  packedTree(): Uint8Array;
  packedSamples(): Uint8Array | null;
}

/**
 * A page of its own with the viewer and the recording in it: opened from a disk it needs nothing else and may reach nothing else. The recording is in blocks
 * that no browser executes: `flame-head` (JSON), `flame-tree` and `flame-samples` (base64 of the packed parts).
 *
 * @param assetsDir folder that holds `dist/webview`, absolute. Fails with `viewer-missing` where the viewer is not there.
 */
export async function writeHtml(parts: PackedParts, head: ProfileHead, assetsDir: string): Promise<string> {
  const folder = path.join(assetsDir, 'dist', 'webview');
  const script = await readAsset(path.join(folder, 'flamePage.js'), true);
  const style = await readAsset(path.join(folder, 'flamePage.css'), false);
  // A script ends at the first such tag, wherever it is; in strings, templates and expressions the backslash changes nothing.
  const code = `\n${script.replace(/<\/(?=script)/gi, '<\\/')}\n`;
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${createHash('sha256').update(code).digest('base64')}' blob:`,
    'worker-src blob:',
    "style-src 'unsafe-inline'",
    'img-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const out = new BoundedText();
  out.push(
    `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="${policy}">\n`,
  );
  out.push('<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="color-scheme" content="light dark">\n');
  out.push(`<title>${xmlText(head.title)}</title>\n<style>\n${style.replace(/<(?=\/style)/gi, '\\3c ')}\n</style>\n</head>\n<body>\n`);
  block(out, 'flame-head', 'application/json', JSON.stringify(head).replaceAll('<', '\\u003c'));
  block(out, 'flame-tree', packedType, base64(parts.packedTree()));
  const samples = parts.packedSamples();
  if (samples !== null) block(out, 'flame-samples', packedType, base64(samples));
  out.push(`<script type="module">${code}</script>\n</body>\n</html>\n`);
  return out.toString();
}

const packedType = 'application/octet-stream+base64';

function block(out: BoundedText, id: string, type: string, content: string): void {
  out.push(`<script type="${type}" id="${id}">`);
  out.push(content);
  out.push('</script>\n');
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

async function readAsset(file: string, needed: boolean): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (!needed) return '';
    throw failure(
      'viewer-missing',
      'The viewer that belongs into the page is missing.',
      'Install Benchside again, or choose another format.',
      error instanceof Error ? error.message : String(error),
    );
  }
}
