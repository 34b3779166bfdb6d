import { wholeNumber } from '../domain/format.ts';
import { present } from './present.ts';
import type { Traffic, TrafficIds, TrafficLeft, TrafficNote } from '../domain/traffic.ts';

const leftWords: Readonly<Record<TrafficLeft, string>> = {
  writes: 'left out: it writes (--writes ticks it)',
  fails: 'left out: every answer was an error',
  'no-body': 'left out: what it sent is not in a log',
  'not-asked': 'left out: a browser requests it on its own',
  rare: 'left out: it is too rare for a role',
};
const mostRoutes = 40;

export function trafficLines(traffic: Traffic): string[] {
  const { source, requests, sessions, ratePerS, peakPerS, concurrent, routes } = traffic;
  const rate =
    ratePerS === null || peakPerS === null
      ? ''
      : `; ${figure(ratePerS)} requests/s on average, ${figure(peakPerS)} in the busiest minute, ${figure(concurrent ?? 0)} sessions at a time`;
  return present(
    `${source}: ${count(requests, 'request')} of ${count(sessions, 'session')}${rate}.`,
    routes.slice(0, mostRoutes).map(({ route, share, left }) => {
      const sign = left === null ? '✓' : '·';
      return `  ${sign} ${percent(share)}  ${route}${left === null ? '' : `  (${leftWords[left]})`}`;
    }),
    routes.length > mostRoutes && `  … and ${routes.length - mostRoutes} more`,
    traffic.ids.map(idsLine),
    traffic.notes.map((note) => `! ${noteLine(note)}`),
    traffic.secrets.length > 0 && 'Secrets are not stored. Set these variables when you run it:',
    traffic.secrets.map(({ name, field, route }) => `  ${name}: what was sent as “${field}” to ${route}`),
  );
}

function idsLine({ route, parameter, values, column, existing, moved, written }: TrafficIds): string {
  const what = `:${parameter} of ${route}: ${count(values, 'value')}`;
  if (column === null) return `  ${what}, as they were recorded`;
  return `  ${what}; ${existing} of ${written} in the profile are rows of ${column}${moved === 0 ? '' : `, ${moved} of them in place of one that is not there`}`;
}

function noteLine(note: TrafficNote): string {
  switch (note.code) {
    case 'not-understood':
      return `${count(note.entries, 'entry', 'entries')} left out: files of a page, another host, or no request.`;
    case 'beyond-limits':
      return `${count(note.requests, 'request')} left out: there are more than are read.`;
    case 'unknown-cookies':
      return `${count(note.requests, 'request')} sent cookies that no recorded answer had set; these are left out. Record the log-in too if they are needed.`;
    case 'sampled-sessions':
      return `${count(note.sessions, 'session')} took so many different courses that ${note.roles} roles stand for them; the shares of the routes are kept.`;
    case 'no-ids':
      return `For :${note.parameter} of ${note.route} no table was found that has such keys: ${note.values === 0 ? 'numbers from 1 to 100 are drawn' : 'they stay as they were recorded'}.`;
    case 'no-database':
      return 'Keys stay as they were recorded; --target puts those of its database in their place.';
  }
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${wholeNumber(number)} ${number === 1 ? one : many}`;
}

function percent(share: number): string {
  const value = 100 * share;
  return `${value >= 10 || value === 0 ? wholeNumber(value) : figure(value)} %`.padStart(7);
}

function figure(value: number): string {
  return String(Number(value.toPrecision(2)));
}
