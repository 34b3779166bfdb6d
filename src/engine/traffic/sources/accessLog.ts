import type { TrafficSource } from '../trafficSource.ts';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const sampled = 20;

interface LogLine {
  client: string;
  time: string;
  method: string;
  target: string;
  status: number;
}

/** The common and the combined log format, which nginx, Apache, Tomcat and Spring’s servers write: `client … [time] "METHOD target HTTP/1.1" status …`. */
export const accessLog: TrafficSource = {
  continues: true,
  name: 'access log',
  sniff(head) {
    const lines = head.split('\n', sampled).filter((line) => line.trim() !== '');
    return lines.filter((line) => parsed(line) !== null).length * 2 > lines.length;
  },
  read({ lines }, sink) {
    const times = new LogTimes();
    for (const line of lines()) {
      const found = parsed(line);
      if (found !== null)
        sink.add({
          method: found.method,
          target: found.target,
          atMs: times.of(found.time),
          status: found.status,
          session: found.client,
        });
      else if (line.trim() !== '') sink.pass();
    }
  },
};

/** By signs that are looked for from left to right: the time of a line is that of its length. */
function parsed(line: string): LogLine | null {
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
    client: `${line.slice(0, open)}${agent}`,
    time: line.slice(open + 1, close),
    method: line.slice(from, first),
    target: target.split('#', 1)[0] ?? target,
    status,
  };
}

/** `10/Oct/2000:13:55:36 -0700` in ms since 1970. Lines of one second follow each other. */
class LogTimes {
  #text = '';
  #atMs: number | null = null;

  of(text: string): number | null {
    if (text === this.#text) return this.#atMs;
    this.#text = text;
    this.#atMs = logTime(text);
    return this.#atMs;
  }
}

function logTime(text: string): number | null {
  const match = /^(\d{1,2})\/([A-Z][a-z]{2})\/(\d{4}):(\d\d):(\d\d):(\d\d)(?:\.(\d{1,3}))?(?: ([+-])(\d\d)(\d\d))?$/.exec(text);
  if (match === null) {
    const other = Date.parse(text);
    return Number.isNaN(other) ? null : other;
  }
  const [, day, month = '', year, hour, minute, second, fraction = '0', sign, zoneHours = '0', zoneMinutes = '0'] = match;
  const zoneMs = (Number(zoneHours) * 60 + Number(zoneMinutes)) * 60_000 * (sign === '-' ? -1 : 1);
  const local = Date.UTC(Number(year), months.indexOf(month), Number(day), Number(hour), Number(minute), Number(second));
  return local + Number(fraction.padEnd(3, '0')) - zoneMs;
}
