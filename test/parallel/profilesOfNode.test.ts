import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventTotal } from '../../src/calltree/totals.ts';
import { type OpenedFile, openFile } from '../../src/engine/profiles/openedFile.ts';

/**
 * A program that computes in one function for a second and a half of CPU and keeps objects of one class. The CPU is counted, because next to
 * other work so much time has few ticks in it; the snapshot, which takes many, is written where it is asked for.
 */
const program = `
class Kept { constructor(n) { this.n = n; this.more = [n]; } }
const kept = [];
function spin(n) { let sum = 0; for (let i = 0; i < n; i += 1) sum += Math.sqrt(i) % 7; return sum; }
function busy() { const end = process.cpuUsage().user + 1500000; while (process.cpuUsage().user < end) spin(20000); }
for (let i = 0; i < 5000; i += 1) kept.push(new Kept(i));
busy();
if (process.argv[2] === 'snapshot') require('v8').writeHeapSnapshot('kept.heapsnapshot');
console.log(kept.length);
`;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'benchside-node-profiles-'));
  writeFileSync(path.join(folder, 'program.js'), program);
  execFileSync(process.execPath, ['--prof', 'program.js'], { cwd: folder });
  const categories = 'v8,node,disabled-by-default-v8.cpu_profiler';
  const traced = [
    '--cpu-prof',
    '--cpu-prof-name=whole.cpuprofile',
    '--trace-event-categories',
    categories,
    '--trace-event-file-pattern',
    'trace.json',
  ];
  execFileSync(process.execPath, [...traced, 'program.js', 'snapshot'], { cwd: folder });
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function total({ tree }: OpenedFile, name: string): number {
  const event = tree.events.find((one) => one.name === name);
  return event === undefined ? 0 : eventTotal(event);
}

/** What a function takes with all that it calls, as a share. */
function shareOf({ tree }: OpenedFile, name: string): number {
  const self = tree.events[0]?.self ?? new Float64Array();
  let weight = 0;
  for (let node = 1; node < tree.nodeCount; node += 1) {
    if (tree.functions.name[tree.func[node] ?? -1] !== name) continue;
    for (let below = node; below < (tree.subtreeEnd[node] ?? 0); below += 1) weight += self[below] ?? 0;
  }
  return weight / self.reduce((sum, one) => sum + one, 0);
}

describe('what Node itself writes', () => {
  it('as a log of V8 has each tick once, in the function that computes', async () => {
    const log = readdirSync(folder).find((name) => name.endsWith('-v8.log')) ?? '';
    const opened = await openFile(path.join(folder, log));
    const ticks = readFileSync(path.join(folder, log), 'utf8').match(/^tick,/gm)?.length ?? 0;
    expect(ticks).toBeGreaterThan(100);
    expect(total(opened, 'cpu')).toBe(ticks);
    expect(shareOf(opened, 'busy')).toBeGreaterThan(0.5);
    expect(opened.format).toBe('V8 log (node --prof)');
  }, 60_000);

  it('as a log of V8 keeps its functions where newer marks of compiled code stand in it', async () => {
    const log = readdirSync(folder).find((name) => name.endsWith('-v8.log')) ?? '';
    const text = readFileSync(path.join(folder, log), 'latin1');
    const marked = text.replace(
      /^(code-creation,.*,)([+*^~])$/gm,
      (_line, head: string, mark: string) => `${head}${mark === '*' ? "o*'" : mark}`,
    );
    expect(marked).not.toBe(text);
    const newer = path.join(folder, 'newer-v8.log');
    writeFileSync(newer, marked, 'latin1');
    const opened = await openFile(newer);
    rmSync(newer);
    // V8 puts "spin" into its caller sooner or later: how much is left to it is the same in both, and the caller has all of it.
    const original = await openFile(path.join(folder, log));
    expect(shareOf(original, 'spin')).toBeGreaterThan(0);
    for (const name of ['spin', 'busy']) expect(shareOf(opened, name)).toBe(shareOf(original, name));
    expect(shareOf(opened, 'busy')).toBeGreaterThan(0.5);
  }, 60_000);

  it('as a trace has the time that its own CPU profile has of the same run', async () => {
    const [trace, profile] = [await openFile(path.join(folder, 'trace.json')), await openFile(path.join(folder, 'whole.cpuprofile'))];
    expect(total(trace, 'cpu') / total(profile, 'cpu')).toBeGreaterThan(0.9);
    expect(total(trace, 'cpu') / total(profile, 'cpu')).toBeLessThan(1.1);
    expect(Math.abs(shareOf(trace, 'busy') - shareOf(profile, 'busy'))).toBeLessThan(0.1);
  }, 60_000);

  it('as a heap snapshot has the objects of a class', async () => {
    const file = path.join(folder, 'kept.heapsnapshot');
    const { tree } = await openFile(file);
    const kept = tree.functions.name.indexOf('Kept');
    const node = tree.func.indexOf(kept);
    const objects = tree.events.find(({ name }) => name === 'objects');
    expect(objects?.self[node]).toBeGreaterThanOrEqual(5000);
    const { nodes, snapshot } = JSON.parse(readFileSync(file, 'utf8')) as {
      nodes: number[];
      snapshot: { meta: { node_fields: string[] } };
    };
    const [width, sizeAt] = [snapshot.meta.node_fields.length, snapshot.meta.node_fields.indexOf('self_size')];
    const bytes = nodes.reduce((sum, value, index) => (index % width === sizeAt ? sum + value : sum), 0);
    expect(tree.events.find(({ name }) => name === 'heap')?.self.reduce((sum, one) => sum + one, 0)).toBe(bytes);
  }, 60_000);
});
