import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type Reference, Sums } from '../corpus.ts';
import { npmPackage } from '../tools.ts';

interface DrawnFrame {
  name: string;
  /** Ticks of its own. */
  top: number;
  children?: readonly DrawnFrame[];
}

type TicksToTree = (ticks: unknown[], options: object) => Promise<{ merged: DrawnFrame }>;

/** What 0x itself draws of the ticks in its folder. Ticks in code of which it does not know a name are those of who called it, as in its picture. */
export const drawnBy0x: Reference = {
  by: '0x 6.0.0, what it draws',
  read: async (folder) => {
    const ticksToTree = createRequire(import.meta.url)(path.join(await npmPackage('0x'), 'lib', 'ticks-to-tree.js')) as TicksToTree;
    const ticks = JSON.parse(readFileSync(path.join(folder, 'ticks.json'), 'utf8')) as unknown[];
    // It changes what it is given.
    const total = ticks.length;
    const { merged } = await ticksToTree(ticks, {});
    const sums = new Sums();
    const open = [merged];
    for (let frame = open.pop(); frame !== undefined; frame = open.pop()) {
      if (frame !== merged) sums.add(nameOf(frame.name), frame.top);
      open.push(...(frame.children ?? []));
    }
    // Ticks without a stack have no box in the picture.
    return { total, functions: sums.functions };
  },
};

/** A name without the kind of its code and without its place. */
function nameOf(drawn: string): string {
  const name = drawn.replace(/(?: \[(?:INIT|[A-Z_]+(?::\w+)?)\])+$/, '');
  return name.replace(/ (?:file:|node:|internal\/|\/)\S*:\d+:\d+$/, '');
}
