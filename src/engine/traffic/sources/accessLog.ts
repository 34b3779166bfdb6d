import type { TrafficSource } from '../trafficSource.ts';

const sampled = 20;

/** The common and the combined log format, which nginx, Apache, Tomcat and Spring’s servers write: `client … [time] "METHOD target HTTP/1.1" status …`. */
export const accessLog: TrafficSource = {
  continues: true,
  name: 'access log',
  sniff(head) {
    const lines = head.split('\n', sampled).filter((line) => line.trim() !== '');
    return lines.filter((line) => parsed(line) !== null).length * 2 > lines.length;
  },
  read({ lines }, sink) {
    // Lines of one second follow each other.
    let second = '';
    let atMs: number | null = null;
    for (const line of lines()) {
      const found = parsed(line);
      if (found !== null) {
        const { time, method, target, status, session } = found;
        if (time !== second) [second, atMs] = [time, logTime(time)];
        sink.add({ method, target, atMs, status, session });
      } else if (line.trim() !== '') sink.pass();
    }
  },
};

/** By signs that are looked for from left to right: the time of a line is that of its length. */
function parsed(line: string) {
  const open = line.indexOf('[');
  const close = line.indexOf(']', open + 1);
  if (open < 1 || close === -1) return null;
  const from = line.indexOf('"', close) + 1;
  const to = from === 0 ? -1 : line.indexOf('"', from);
  if (to === -1) return null;
  const first = line.indexOf(' ', from);
  if (first === -1 || first > to) return null;
  const second = line.indexOf(' ', first + 1);
  const end = second === -1 || second > to ? to : second;
  const status = Number(line.slice(to + 2, to + 5));
  if (!Number.isInteger(status) || status < 100 || status > 599) return null;
  const target = line.slice(first + 1, end);
  if (!target.startsWith('/')) return null;
  const lastQuote = line.lastIndexOf('"');
  const agent = lastQuote > to ? line.slice(line.lastIndexOf('"', lastQuote - 1) + 1, lastQuote) : '';
  return {
    session: `${line.slice(0, open)}${agent}`,
    time: line.slice(open + 1, close),
    method: line.slice(from, first),
    target: target.split('#', 1)[0] ?? target,
    status,
  };
}

/** `10/Oct/2000:13:55:36 -0700` or another date, in ms since 1970. */
function logTime(text: string): number | null {
  const [, date, time, zone = ' +0000'] = /^(\d{1,2}\/[A-Z][a-z]{2}\/\d{4}):(\S+)( .*)?$/.exec(text) ?? [];
  const atMs = Date.parse(date === undefined ? text : `${date} ${time}${zone}`);
  return Number.isNaN(atMs) ? null : atMs;
}
