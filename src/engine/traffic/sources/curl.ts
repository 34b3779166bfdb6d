import { headersOf, targetOf } from '../trafficSource.ts';
import type { TrafficSource } from '../trafficSource.ts';

const takesValue =
  /^(?:-[XHdbFuAeomw]|--(?:request|header|data|data-raw|data-binary|data-ascii|data-urlencode|json|cookie|form|user|user-agent|referer|output|max-time|write-out|url|connect-timeout|cacert|cert|key))$/;
const data = /^(?:-d|--data(?:-raw|-binary|-ascii|-urlencode)?|--json)$/;

/** Lines of curl, as browsers copy them (“Copy as cURL”) and scripts have them; a backslash at its end continues a line. */
export const curl: TrafficSource = {
  id: 'curl',
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
      const found = address === null ? null : targetOf(/^(?:\w+:\/\/|\/)/.test(address) ? address : `http://${address}`);
      if (found === null) {
        sink.pass();
        continue;
      }
      const named = headersOf(headers);
      const body = bodies.length === 0 ? null : bodies.join('&');
      if (body !== null) named['content-type'] ??= 'application/x-www-form-urlencoded';
      sink.add({
        method: method ?? (body === null ? 'GET' : 'POST'),
        target: found.target,
        atMs: null,
        status: null,
        session: 'lines',
        details: { headers: named, body, answer: null },
      });
    }
  },
};

/** The words of each command as a shell reads them, as far as quotes and backslashes go: nothing is looked up or run. */
function commandsOf(text: string): string[][] {
  const commands: string[][] = [];
  let words: string[] = [];
  let word: string | null = null;
  const endWord = (): void => {
    if (word !== null) words.push(word);
    word = null;
  };
  const endCommand = (): void => {
    endWord();
    if (words.length > 0) commands.push(words);
    words = [];
  };
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    const next = text.charAt(at + 1);
    if (quote === "'") {
      if (sign === "'") quote = '';
      else word = `${word ?? ''}${sign}`;
    } else if (quote === '$') {
      // What `$'…'` escapes.
      if (sign === "'") quote = '';
      else if (sign === '\\') {
        word = `${word ?? ''}${next === 'n' ? '\n' : next === 't' ? '\t' : next}`;
        at += 1;
      } else word = `${word ?? ''}${sign}`;
    } else if (quote === '"') {
      if (sign === '"') quote = '';
      else if (sign === '\\' && /["\\$`]/.test(next)) {
        word = `${word ?? ''}${next}`;
        at += 1;
      } else word = `${word ?? ''}${sign}`;
    } else if (sign === '\\') {
      if (next === '\r' && text.charAt(at + 2) === '\n') at += 2;
      else if (next === '\n') at += 1;
      else {
        word = `${word ?? ''}${next}`;
        at += 1;
      }
    } else if (sign === "'" || sign === '"') {
      quote = sign;
      word ??= '';
    } else if (sign === '$' && next === "'") {
      quote = '$';
      word ??= '';
      at += 1;
    } else if (/[\n;|&]/.test(sign) && !(sign === '&' && word !== null && next !== '&' && !/\s/.test(next) && next !== '')) endCommand();
    else if (/\s/.test(sign)) endWord();
    else word = `${word ?? ''}${sign}`;
  }
  endCommand();
  return commands;
}
