import { type TrafficSource, headersOf, targetOf } from '../trafficSource.ts';

const takesValue =
  /^(?:-[XHdbFuAeomw]|--(?:request|header|data|data-raw|data-binary|data-ascii|data-urlencode|json|cookie|form|user|user-agent|referer|output|max-time|write-out|url|connect-timeout|cacert|cert|key))$/;
const data = /^(?:-d|--data(?:-raw|-binary|-ascii|-urlencode)?|--json)$/;

/** Lines of curl, as browsers copy them (“Copy as cURL”) and scripts have them; a backslash at its end continues a line. */
export const curl: TrafficSource = {
  name: 'curl lines',
  sniff: (head) => /^\s*(?:\$\s+)?curl\s/m.test(head),
  read({ text }, sink) {
    for (const words of commandsOf(text())) {
      const [program, ...given] = words[0] === '$' ? words.slice(1) : words;
      if (program !== 'curl') continue;
      let method: string | null = null;
      let address: string | null = null;
      const bodies: string[] = [];
      const headers: [string, string][] = [];
      for (let at = 0; at < given.length; at += 1) {
        const glued = /^(--[\w-]+)=(.*)$/s.exec(given[at] ?? '') ?? /^(-[XHdbu])(.+)$/s.exec(given[at] ?? '');
        const option = glued?.[1] ?? given[at] ?? '';
        if (!option.startsWith('-')) {
          address ??= option;
          continue;
        }
        const value = glued?.[2] ?? (takesValue.test(option) ? (given[(at += 1)] ?? '') : '');
        if (option === '-X' || option === '--request') method = value.toUpperCase();
        else if (option === '--url') address = value;
        else if (data.test(option)) bodies.push(value);
        else if (option === '-b' || option === '--cookie') headers.push(['cookie', value]);
        else if (option === '-u' || option === '--user') headers.push(['authorization', `Basic ${Buffer.from(value).toString('base64')}`]);
        else if (option === '-H' || option === '--header') {
          const colon = value.indexOf(':');
          if (colon > 0) headers.push([value.slice(0, colon).trim(), value.slice(colon + 1).trim()]);
        } else if (option === '-I' || option === '--head') method = 'HEAD';
        if (option === '--json') headers.push(['content-type', 'application/json']);
      }
      const named = headersOf(headers);
      const body = bodies.length === 0 ? null : bodies.join('&');
      if (body !== null) named['content-type'] ??= 'application/x-www-form-urlencoded';
      sink.add({
        method: method ?? (body === null ? 'GET' : 'POST'),
        target: address === null ? undefined : targetOf(/^(?:\w+:\/\/|\/)/.test(address) ? address : `http://${address}`)?.target,
        session: 'lines',
        details: { headers: named, body, answer: null },
      });
    }
  },
};

const part = String.raw`'[^']*'?|\$'(?:\\[\s\S]|[^'\\])*'?|"(?:\\[\s\S]|[^"\\])*"?|\\(?!\r?\n)[\s\S]|[^\s'"\\;|&]`;
/** A word, in which an address may be without quotes, or what ends a command. What continues a line is neither. */
const wordOrEnd = new RegExp(`(?:${part})(?:${part}|&(?=[^&\\s]))*|[\\n;|&]|\\\\\\r?\\n`, 'g');
const quoted = /\$'((?:\\[\s\S]|[^'\\])*)'?|'([^']*)'?|"((?:\\[\s\S]|[^"\\])*)"?|\\([\s\S])/g;
const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** The words of each command as a shell reads them, as far as quotes and backslashes go: nothing is looked up or run. */
function commandsOf(text: string): string[][] {
  const commands: string[][] = [[]];
  for (const [token] of text.matchAll(wordOrEnd)) {
    if (/^[\n;|&]$/.test(token)) commands.push([]);
    else if (!/^\\\r?\n$/.test(token)) commands.at(-1)?.push(withoutQuotes(token));
  }
  return commands.filter((words) => words.length > 0);
}

function withoutQuotes(word: string): string {
  return word.replace(
    quoted,
    (_, ansi?: string, plain?: string, double?: string, escaped?: string) =>
      plain ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? (ansi ?? '').replace(/\\(?:u([\da-f]{4})|([\s\S]))/gi, unescaped),
  );
}

function unescaped(_: string, code: string | undefined, sign = ''): string {
  return code === undefined ? (escapes[sign] ?? sign) : String.fromCharCode(Number.parseInt(code, 16));
}
