/*
 * Untrusted text: names in a recording, in benchside.json or in a stored run, what a server printed. It is shown and never acts.
 */

// What a terminal carries out: CSI sequences, and OSC, DCS, APC, PM and SOS strings with their end. An unfinished one loses its first character below.
const terminalSequences =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)/g;

// C0 without tab and line feed, C1, what turns the direction of writing, and what has no width and joins no letters: a person doesn't see it, and a program that reads
// along (as an agent does) does. ZWJ and ZWNJ are part of words.
const actingCharacters =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** The text without what a terminal or an editor would carry out or hide. Tabs and line ends stay; half a character becomes U+FFFD. */
export function withoutControls(text: string): string {
  return text
    .replace(terminalSequences, '')
    .replace(/\r\n/g, '\n')
    .replace(actingCharacters, '')
    .replace(/[\u2028\u2029]/g, '\n')
    .replace(/\p{Cs}/gu, '\ufffd');
}

/** {@link withoutControls} on one line, at most `longest` characters of it. */
export function onOneLine(text: string, longest = Number.POSITIVE_INFINITY): string {
  const line = withoutControls(text)
    .replace(/[\t\n]+/g, ' ')
    .trim();
  return shortened(line, longest);
}

/** SQL or a line of code, as a list shows it: white space of any length is one space. */
export function compacted(text: string, longest: number): string {
  return onOneLine(text.replace(/\s+/g, ' '), longest);
}

/** At most `longest` characters of a text. “…” marks the cut, so that what it leaves of a secret is found. */
export function shortened(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, '')}…` : text;
}

/** A text as a regular expression that matches exactly it. */
export function literalPattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

// As above, without what JSON escapes anyway.
const unescapedByJson = /[\u007f-\u009f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udc7f]/g;

/** A value as JSON without active characters: they are written as escapes with their numbers, so that a program reads what was meant. */
export function jsonText(value: unknown): string {
  const byNumber = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(unescapedByJson, (found) =>
    [...Array(found.length).keys()].map((at) => byNumber(found.charAt(at))).join(''),
  );
}
