import { onOneLine } from '../../model/plainText.ts';

/** Text that Markdown shows as it is: no markup, no HTML, no line break, and (by an invisible joiner) no mention, no reference to an issue, no link. */
export function escaped(text: string): string {
  return onOneLine(text)
    .replace(/[\\`*_[\]|<>~$]/g, '\\$&')
    .replace(/&/g, '&amp;')
    .replace(/^([#+\-=]|\d{1,9}[.)](?=\s|$))/, (start) => `${start.slice(0, -1)}\\${start.slice(-1)}`)
    .replace(/@|:\/\/|#(?=\d)|\bwww\./g, (start) => `${start.slice(0, 1)}\u2060${start.slice(1)}`);
}
