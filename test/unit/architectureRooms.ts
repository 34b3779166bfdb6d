import path from 'node:path';

/** One import within Benchside, both files as paths from the root of the repository. */
export interface Import {
  from: string;
  to: string;
}

/** Folders whose own folders are rooms. A file that lies in one of them directly is in the room of that folder’s name. */
const halls = ['src', 'src/engine', 'src/extension', 'webview', 'webview/flame'];

/** The room that a file is in: `src/engine/load` for everything in it and below it. */
export function roomOf(file: string): string {
  let room = path.posix.dirname(file);
  while (!halls.includes(room) && !halls.includes(path.posix.dirname(room))) room = path.posix.dirname(room);
  return room;
}

/** What is wrong with how rooms import each other, one readable text for each circle; none where all is well. */
export function circleFaults(imports: readonly Import[]): string[] {
  const examples = new Map<string, Import[]>();
  for (const one of imports) {
    const [from, to] = [roomOf(one.from), roomOf(one.to)];
    if (from === to) continue;
    const name = `${from} → ${to}`;
    examples.set(name, [...(examples.get(name) ?? []), one]);
  }
  const all = [...examples.keys()].sort();
  const seen = new Set<string>();
  return all.flatMap((name) => {
    const [from = '', to = ''] = name.split(' → ');
    const way = wayFrom(to, from, all);
    if (way === null) return [];
    const rooms = [from, ...way];
    const key = [...new Set(rooms)].sort().join(' ');
    if (seen.has(key)) return [];
    seen.add(key);
    const steps = rooms.slice(1).map((room, index) => `${rooms[index]} → ${room}`);
    const lines = steps.map((step) => {
      const [first, ...others] = examples.get(step) ?? [];
      return `  ${first?.from} imports ${first?.to}${others.length === 0 ? '' : `, and ${others.length} more`}`;
    });
    return [[`${rooms.join(' → ')} is a circle:`, ...lines].join('\n')];
  });
}

/** The shortest way along the arrows `from → to`, both ends in it; null where there is none. */
function wayFrom(start: string, end: string, arrows: readonly string[]): string[] | null {
  const ways = [[start]];
  const reached = new Set([start]);
  for (let way = ways.shift(); way !== undefined; way = ways.shift()) {
    const here = way[way.length - 1] ?? '';
    if (here === end) return way;
    for (const arrow of arrows) {
      const [from = '', to = ''] = arrow.split(' → ');
      if (from !== here || reached.has(to)) continue;
      reached.add(to);
      ways.push([...way, to]);
    }
  }
  return null;
}
