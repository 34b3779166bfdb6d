/** Only this much of a name is read for a label; a caller that shows more has a limit of its own. */
const longestLabel = 400;

// Characters that are not seen or that turn the text around them: a name must not be able to look like another one.
const unseen = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** A name as it is shown: bounded, control characters by their symbols (␊), and other unseen or direction-changing characters replaced by �. */
export function displayName(name: string, longest = longestLabel): string {
  const cut = name.length > longest ? `${name.slice(0, longest)}…` : name;
  return cut.replace(unseen, (character) => controlSymbol(character.charCodeAt(0)));
}

function controlSymbol(code: number): string {
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : '\ufffd';
}

/** Without the packages that lead to a class: `java.util.HashMap.put` → `HashMap.put`; other names stay whole. */
export function shortName(name: string): string {
  const shown = displayName(name);
  const headEnd = shown.search(/[(<]/);
  const head = headEnd === -1 ? shown : shown.slice(0, headEnd);
  const match = /^(?:[a-z_][\w$-]*[./])+(?=[A-Z])/.exec(head);
  return match ? shown.slice(match[0].length) : shown;
}

/** "HikariPool.java:162", or '' where nothing is known. A path is cut to its last part. */
export function placePhrase(file: string, line: number): string {
  if (file === '') return '';
  const last = file.split(/[\\/]/).at(-1) || file;
  const name = displayName(last, 79);
  return line > 0 ? `${name}:${line}` : name;
}
