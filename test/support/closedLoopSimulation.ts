import { SeededRandom } from '../../src/engine/statistics/seededRandom.ts';

/** A closed loop that is simulated event by event. Times in ms; `draw` gives one of that mean. */
export interface SimulatedLoop {
  clients: number;
  threads: number;
  appMs: number;
  pool: number;
  heldMs: number;
  outsideMs: number;
  draw: (meanMs: number, random: SeededRandom) => number;
}

/** Requests per ms after a beginning that does not count. Both queues are served in the order of arrival. */
export function simulatedThroughput(
  { clients, threads, appMs, pool, heldMs, outsideMs, draw }: SimulatedLoop,
  requests: number,
  seed: number,
): number {
  const random = new SeededRandom(seed);
  const places = [
    { free: threads, waiting: [] as number[], meanMs: appMs },
    { free: pool, waiting: [] as number[], meanMs: heldMs },
  ];
  let events: { atMs: number; client: number; stage: number }[] = [];
  const at = (atMs: number, client: number, stage: number): void => {
    let place = events.length;
    while (place > 0 && (events[place - 1]?.atMs ?? 0) > atMs) place -= 1;
    events.splice(place, 0, { atMs, client, stage });
  };
  const enter = (stage: number, client: number, nowMs: number): void => {
    const place = places[stage];
    if (place === undefined) return at(nowMs + outsideMs, client, stage);
    if (place.free === 0) return void place.waiting.push(client);
    place.free -= 1;
    at(nowMs + draw(place.meanMs, random), client, stage);
  };
  for (let client = 0; client < clients; client += 1) enter(0, client, 0);
  const beginning = Math.floor(requests / 5);
  let [done, fromMs, nowMs] = [0, 0, 0];
  while (done < requests) {
    const next = events[0];
    if (next === undefined) break;
    events = events.slice(1);
    nowMs = next.atMs;
    const place = places[next.stage];
    if (place !== undefined) {
      place.free += 1;
      const waiting = place.waiting.shift();
      if (waiting !== undefined) enter(next.stage, waiting, nowMs);
      enter(next.stage + 1, next.client, nowMs);
      continue;
    }
    done += 1;
    if (done === beginning) fromMs = nowMs;
    enter(0, next.client, nowMs);
  }
  return (done - beginning) / (nowMs - fromMs);
}
