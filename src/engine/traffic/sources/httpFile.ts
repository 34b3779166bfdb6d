import { type TrafficSource, headersOf, targetOf } from '../trafficSource.ts';
import { pathOfAddress, withKnown } from './variables.ts';

const requestLine = /^(?:(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+)(\S+)(?:\s+HTTP\/[\d.]+)?\s*$/;

/** Files of requests as editors send them (`.http`, `.rest`): blocks between `###`, variables as `@name = value`. */
export const httpFile: TrafficSource = {
  name: '.http file',
  sniff: (head) => head.split('\n').some((line) => requestLine.test(line.replace(/\{\{[^{}]*\}\}/g, 'x').trimEnd())),
  read({ text }, sink) {
    const known = new Map<string, string>();
    for (const block of text().split(/^###.*$/m)) {
      const lines = block.split(/\r?\n/);
      let at = 0;
      for (; at < lines.length; at += 1) {
        const line = (lines[at] ?? '').trim();
        const [, name, value] = /^@([\w.-]+)\s*=\s*(.*)$/.exec(line) ?? [];
        if (name !== undefined) known.set(name, value ?? '');
        else if (line !== '' && !/^(?:#|\/\/)/.test(line)) break;
      }
      if (at === lines.length) continue;
      const [, method = '', address = ''] = requestLine.exec(withKnown(lines[at] ?? '', known)) ?? [];
      const headers: [string, string][] = [];
      for (at += 1; at < lines.length && (lines[at] ?? '').trim() !== ''; at += 1) {
        const line = lines[at] ?? '';
        const colon = line.indexOf(':');
        if (colon > 0 && !/^\s*(?:#|\/\/)/.test(line))
          headers.push([line.slice(0, colon).trim(), withKnown(line.slice(colon + 1).trim(), known)]);
      }
      // What runs after the answer, and files that are named in place of a body, are not read.
      const body = lines.slice(at).join('\n').split(/^> /m)[0]?.trim();
      sink.add({
        method,
        target: targetOf(pathOfAddress(address))?.target,
        session: 'file',
        details: { headers: headersOf(headers), body: body === undefined || body === '' ? null : withKnown(body, known), answer: null },
      });
    }
  },
};
