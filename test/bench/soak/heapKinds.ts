import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';

const snapshotSchema = z.object({
  snapshot: z.object({ meta: z.object({ node_fields: z.array(z.string()), node_types: z.array(z.unknown()) }) }),
  nodes: z.array(z.number()),
});

/** What the engine of a script makes for itself while it compiles: it grows until each function has been hot once, and is no object of the program. */
const compiled = new Set(['code', 'hidden', 'object shape', 'synthetic']);

/** MB in a heap snapshot: of the program's own objects, texts and closures, and of what was compiled. */
function kindsIn(file: string): { objectsMb: number; compiledMb: number } {
  const { snapshot, nodes } = snapshotSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [typeAt, sizeAt] = [fields.indexOf('type'), fields.indexOf('self_size')];
  const names = z.array(z.string()).parse(types[typeAt]);
  let [objects, code] = [0, 0];
  for (let at = 0; at < nodes.length; at += fields.length) {
    const size = nodes[at + sizeAt] ?? 0;
    if (compiled.has(names[nodes[at + typeAt] ?? 0] ?? '')) code += size;
    else objects += size;
  }
  return { objectsMb: objects / 2 ** 20, compiledMb: code / 2 ** 20 };
}

/** What grew between the snapshots of a soak, of one process: its own objects and what was compiled. */
export interface GrownKinds {
  who: string;
  /** Between the two snapshots. */
  minutes: number;
  objectsMb: number;
  compiledMb: number;
  objectsPerHourMb: number;
  compiledPerHourMb: number;
}

/** Of each process whose two snapshots are in the folder; `minutes` lie between them. Figures are in MB to two places. */
export function growthByKind(folder: string, minutes: number): GrownKinds[] {
  return ['engine', 'client', 'panel'].flatMap((who) => {
    const [warm, end] = ['warm', 'end'].map((when) => path.join(folder, `${who}-${when}.heapsnapshot`));
    if (warm === undefined || end === undefined || !existsSync(warm) || !existsSync(end) || minutes <= 0) return [];
    const [before, after] = [kindsIn(warm), kindsIn(end)];
    const [objectsMb, compiledMb] = [after.objectsMb - before.objectsMb, after.compiledMb - before.compiledMb];
    return {
      who,
      minutes: twoPlaces(minutes),
      objectsMb: twoPlaces(objectsMb),
      compiledMb: twoPlaces(compiledMb),
      objectsPerHourMb: twoPlaces((60 * objectsMb) / minutes),
      compiledPerHourMb: twoPlaces((60 * compiledMb) / minutes),
    };
  });
}

function twoPlaces(value: number): number {
  return Math.round(value * 100) / 100;
}
