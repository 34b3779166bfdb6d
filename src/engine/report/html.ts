import { createHash } from 'node:crypto';
import { withoutControls } from '../../model/domain/plainText.ts';

/** Text as HTML shows it literally, in elements and in quoted attributes. What a terminal would carry out is dropped. */
export function escapeHtml(text: string): string {
  return withoutControls(text)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/'/g, '&#39;');
}

/** A value as JSON that cannot end or open an element inside of a `<script type="application/json">`. */
export function jsonForScript(value: unknown): string {
  return JSON.stringify(value)
    .replace(/</g, '\\u003c')
    .replace(/>/g, '\\u003e')
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029');
}

/**
 * JavaScript as it may be inside `<script>`: `</script`, `<script` and `<!--` are written with an escape, as the HTML standard advises (they occur only in
 * strings, templates and regular expressions), and line ends are those the parser will hash.
 */
export function scriptText(source: string): string {
  return unixLines(source).replace(/<(?=\/?script|!--)/gi, '\\x3C');
}

/** CSS as it may be inside `<style>`. */
export function styleText(source: string): string {
  return unixLines(source).replace(/<(?=\/style)/gi, '\\3C ');
}

/** The source expression that lets a Content-Security-Policy accept exactly this inline script or style. */
export function cspHash(text: string): string {
  return `'sha256-${sha256(text)}'`;
}

/** sha256 in base64. */
export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('base64');
}

function unixLines(source: string): string {
  return source.replace(/\r\n?/g, '\n').replace(/\u0000/g, '');
}
