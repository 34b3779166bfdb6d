/** Names of variables in what a tool for requests keeps: `{{baseUrl}}`. */
const variable = /\{\{\s*\$?([\w.-]+)\s*\}\}/g;
const deepest = 10;

/** A text with the variables that are known; of one that is not the name is left as a variable of the environment. */
export function withKnown(text: string, known: ReadonlyMap<string, string>, depth = 0): string {
  if (!text.includes('{{')) return text;
  return text.replace(variable, (_, name: string) => {
    const value = known.get(name);
    if (value !== undefined && depth < deepest) return withKnown(value, known, depth + 1);
    return `\${env:${name.replace(/\W+/g, '_').replace(/^(\d)/, '_$1')}}`;
  });
}

/** An address whose host is left open is one of the service. */
export function pathOfAddress(address: string): string {
  return address.replace(/^(?:\w+:\/\/)?\$\{env:\w+\}(?::\d+)?(?=\/|$)/, '') || '/';
}
