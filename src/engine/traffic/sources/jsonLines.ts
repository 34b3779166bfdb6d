import { isIP } from 'node:net';
import { parsedJson } from '../../files/parsedJson.ts';
import { type TrafficSource, targetOf } from '../trafficSource.ts';

type Leaf = string | number;
const most = { depth: 5, leaves: 200, sampled: 200 } as const;
const methodWord = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/;
const firstLine = /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) (\S+)(?: HTTP\/[\d.]+)?$/;

/** What a field is by its values, whatever its logger calls it. Of several, a descriptive name decides. */
const fields = {
  line: { holds: (value: Leaf) => firstLine.test(String(value)), called: /request/i },
  method: { holds: (value: Leaf) => methodWord.test(String(value)), called: /method/i },
  target: { holds: (value: Leaf) => /^(?:\/|https?:\/\/)\S*$/.test(String(value)), called: /uri|url|path|target/i },
  status: { holds: (value: Leaf) => /^[1-5]\d\d$/.test(String(value)), called: /status|code/i },
  time: { holds: (value: Leaf) => timeOf(value) !== null, called: /time|date|ts$/i },
  client: { holds: (value: Leaf) => isIP(withoutPort(String(value))) !== 0, called: /client|remote|addr|ip/i },
} as const;
type Field = keyof typeof fields;

/** Logs of one JSON object a line (Caddy, Traefik, pino, nginx with a format of its own), whatever their fields are called. */
export const jsonLines: TrafficSource = {
  continues: true,
  name: 'JSON lines',
  sniff(head) {
    const lines = head.split('\n').slice(0, -1);
    const places = fieldPlaces(lines.length === 0 ? [head] : lines);
    return places.has('line') || (places.has('method') && places.has('target'));
  },
  read({ lines }, sink) {
    let sample: string[] | null = [];
    let places: Map<Field, string> = new Map();
    const take = (line: string): void => {
      const leaves = leavesOf(line);
      const value = (field: Field): string => String(leaves?.get(places.get(field) ?? '') ?? '');
      const [, lineMethod, lineTarget] = firstLine.exec(value('line')) ?? [];
      const status = Number(value('status'));
      sink.add({
        method: lineMethod ?? value('method'),
        target: targetOf(lineTarget ?? value('target'))?.target,
        atMs: timeOf(leaves?.get(places.get('time') ?? '') ?? ''),
        status: status >= 100 && status <= 599 ? status : null,
        session: withoutPort(value('client')),
      });
    };
    const begin = (): void => {
      if (sample === null) return;
      places = fieldPlaces(sample);
      const first = sample;
      sample = null;
      for (const line of first) take(line);
    };
    for (const line of lines()) {
      if (line.trim() === '') continue;
      if (sample === null) take(line);
      else if (sample.push(line) >= most.sampled) begin();
    }
    begin();
  },
};

/** Which place of the lines is which field: that in which it always is, if it is there; one with a descriptive name first. */
function fieldPlaces(lines: readonly string[]): Map<Field, string> {
  const parsed = lines.flatMap((line) => leavesOf(line) ?? []).slice(0, most.sampled);
  const places = new Map<Field, string>();
  for (const field of Object.keys(fields) as Field[]) {
    const { holds, called } = fields[field];
    const counts = new Map<string, number>();
    const refuted = new Set<string>();
    for (const leaves of parsed)
      for (const [place, value] of leaves)
        if (holds(value)) counts.set(place, (counts.get(place) ?? 0) + 1);
        else refuted.add(place);
    const fitting = [...counts].filter(([place, count]) => !refuted.has(place) && count * 2 > parsed.length).map(([place]) => place);
    const chosen = fitting.find((place) => called.test(place.split('/').pop() ?? '')) ?? fitting[0];
    if (chosen !== undefined) places.set(field, chosen);
  }
  return places;
}

function leavesOf(line: string): Map<string, Leaf> | null {
  const document = parsedJson(line);
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return null;
  const leaves = new Map<string, Leaf>();
  const walk = (value: unknown, place: string, depth: number): void => {
    if (leaves.size >= most.leaves) return;
    if (typeof value === 'string' || typeof value === 'number') leaves.set(place, value);
    else if (typeof value === 'object' && value !== null && !Array.isArray(value) && depth < most.depth)
      for (const [key, one] of Object.entries(value)) walk(one, `${place}/${key}`, depth + 1);
  };
  walk(document, '', 0);
  return leaves;
}

/** ISO dates, and seconds or milliseconds since 1970. */
function timeOf(value: Leaf): number | null {
  if (typeof value === 'number' || /^\d{10}(?:\d{3})?(?:\.\d+)?$/.test(value)) {
    const number = Number(value);
    if (number > 1e12 && number < 1e13) return number;
    return number > 1e9 && number < 1e10 ? number * 1000 : null;
  }
  if (!/^\d{4}-\d\d-\d\dT/.test(value)) return null;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : at;
}

function withoutPort(text: string): string {
  return text.replace(/^\[?([0-9a-fA-F.:]+?)\]?(?::\d+)?$/, (all, address: string) => (isIP(address) === 0 ? all : address));
}
