/** A name, version or path is no longer than this. */
const longestText = 300;

export function withoutXmlComments(text: string): string {
  return withoutParts(text, /<!--/g, () => '-->');
}

/** Without the elements of these names, and what is in them. One that is not closed stays. */
export function withoutElements(text: string, names: readonly string[]): string {
  return withoutParts(text, new RegExp(`<(${names.join('|')})\\b`, 'g'), (name) => `</${name}>`);
}

/** The text of the first element of this name that holds only text. */
export function elementText(text: string, name: string): string | undefined {
  const begin = `<${name}>`;
  for (let at = text.indexOf(begin); at !== -1; at = text.indexOf(begin, at)) {
    at += begin.length;
    const end = text.indexOf('<', at);
    if (end === -1) return undefined;
    if (text.startsWith(`</${name}>`, end)) return text.slice(at, end).trim().slice(0, longestText);
    at = end;
  }
  return undefined;
}

/** The text between the first tag of this name and its end. */
export function elementContent(text: string, name: string): string {
  const start = text.indexOf(`<${name}>`);
  const end = start === -1 ? -1 : text.indexOf(`</${name}>`, start);
  return end === -1 ? '' : text.slice(start, end);
}

/** An end that was not found is not searched again. */
function withoutParts(text: string, begins: RegExp, endOf: (name: string) => string): string {
  const pieces: string[] = [];
  const missing = new Set<string>();
  let kept = 0;
  for (const { 1: name = '', index } of text.matchAll(begins)) {
    const end = endOf(name);
    if (index < kept || missing.has(end)) continue;
    const at = text.indexOf(end, index);
    if (at === -1) {
      missing.add(end);
      continue;
    }
    pieces.push(text.slice(kept, index));
    kept = at + end.length;
  }
  return `${pieces.join('')}${text.slice(kept)}`;
}
