// Runs one after the other in one engine, opens and closes profiles and panels, starts and stops other engines, for as long as asked, and looks at what is
// held after each round: heap after a collection, descriptors, nodes of the page. After the warm-up (a quarter of the time) nothing may grow by more than
// 1 MB an hour, by a straight line whose 95 % interval is reported. Linux only: it looks into /proc. Needs a build and Chromium.
// A heap that grows by more than that may yet be well: it holds compiled code too, which V8 makes of a function when it is first called and again each time
// it has got hotter. How much there can be of it is bounded by the size of the program, and the last functions get hot hours after the first. What leaks is
// objects, and of those there is no bound. So the goal is reached by the whole heap, or else by the program's own objects, and then what was compiled is reported next to it.
// Options: --minutes M (60); --snapshots FOLDER writes heap snapshots of all three after the warm-up and at the end, and keeps how much of what grew between
// them is Benchside’s objects and how much compiled code: without it only the whole heap is known; --steady-code lets engine and client compile a function whole when it is first called, and neither optimise
// nor forget it, so that what grows is not code that gets hot one after the other for an hour. Exit status 1
// where the goal is missed for sure. What was seen is in results/soak.jsonl, the newest soak last; round by round it is in .cache/soak.ndjson.
import { appendFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { setFlagsFromString, writeHeapSnapshot } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { removeTemporaryFolders, repositoryDir, TestEngine } from '../../support/engine.ts';
import { SoakedEngine, steadyCodeFlags } from './enginePart.ts';
import { type Held, growthOf } from './growth.ts';
import { sureMiss } from './goal.ts';
import { growthByKind } from './heapKinds.ts';
import { PanelProcess, panelOption, servePanel } from './panelProcess.ts';
import { soakFile } from './soakTable.ts';

// The same file is the process of the panel.
if (process.argv.includes(panelOption)) {
  await servePanel();
  await new Promise(() => undefined);
}
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    snapshots: { type: 'string' },
    'steady-code': { type: 'boolean', default: false },
  },
});
const minutes = Number(values.minutes);

if (values['steady-code']) for (const flag of steadyCodeFlags) setFlagsFromString(flag);
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** What this process holds, which is a client of the engine as the extension's host is, and nothing else. */
function ofClient(): { heapMb: number; descriptors: number } {
  collect();
  return { heapMb: process.memoryUsage().heapUsed / 2 ** 20, descriptors: readdirSync('/proc/self/fd').length };
}

const soaked = await SoakedEngine.start(values['steady-code']);
const panel = await PanelProcess.start();
const began = performance.now();
const elapsed = (): number => (performance.now() - began) / 60_000;
const held: Held[] = [];
const progressFile = path.join(repositoryDir, '.cache', 'soak.ndjson');
writeFileSync(progressFile, '');
let engines = 0;
let failed = 0;
/** When the heaps were written after the warm-up. */
let warmMinutes: number | null = null;
let endMinutes = 0;

/** Writes what each of them holds; while its heap is written a process is paused. */
async function snapshot(when: string): Promise<void> {
  if (values.snapshots === undefined) return;
  mkdirSync(values.snapshots, { recursive: true });
  const at = (who: string): string => path.join(values.snapshots ?? '', `${who}-${when}.heapsnapshot`);
  writeFileSync(at('engine'), await soaked.snapshot());
  writeFileSync(at('panel'), await panel.snapshot());
  writeHeapSnapshot(at('client'));
}

try {
  while (elapsed() < minutes) {
    const run = await soaked.run();
    if (run === null) failed += 1;
    else {
      await panel.follow(soaked.engine.events, run);
      await panel.openAndClose(run);
    }
    await soaked.openProfiles();
    const other = await TestEngine.start();
    await other.catalog();
    await other.dispose();
    engines += 1;
    removeTemporaryFoldersOf(other);
    const [engine, page, client] = [await soaked.held(), await panel.held(), ofClient()];
    held.push({
      minutes: elapsed(),
      heapMb: { engine: engine.heapMb, panel: page.heapMb, client: client.heapMb },
      counts: {
        'engine descriptors': engine.descriptors,
        'client descriptors': client.descriptors,
        'panel nodes': page.nodes,
        'panel documents': page.documents,
        'panel listeners': page.listeners,
      },
    });
    appendFileSync(progressFile, `${JSON.stringify(held.at(-1))}\n`);
    if (warmMinutes === null && elapsed() >= minutes / 4) {
      warmMinutes = elapsed();
      await snapshot('warm');
    }
  }
  endMinutes = elapsed();
  await snapshot('end');
} finally {
  await panel.close();
  await soaked.engine.dispose();
  removeTemporaryFolders();
}

const after = held.filter((one) => one.minutes >= minutes / 4);
const [first, last] = [after[0], after.at(-1)];
const grows = Object.keys(last?.heapMb ?? {}).map((who) => {
  const growth = growthOf(after.map((one) => ({ minutes: one.minutes, value: one.heapMb[who] ?? 0 })));
  return {
    who,
    fromMb: round(first?.heapMb[who]),
    toMb: round(last?.heapMb[who]),
    perHourMb: round(growth?.perHour),
    low: round(growth?.low),
    high: round(growth?.high),
  };
});
const counts = Object.keys(last?.counts ?? {}).map((what) => ({ what, from: first?.counts[what] ?? 0, to: last?.counts[what] ?? 0 }));
console.table(grows);
const kinds = values.snapshots === undefined || warmMinutes === null ? undefined : growthByKind(values.snapshots, endMinutes - warmMinutes);
if (kinds !== undefined) console.table(kinds);
console.table(counts);
mkdirSync(path.dirname(soakFile), { recursive: true });
appendFileSync(
  soakFile,
  `${JSON.stringify({ at: new Date().toISOString(), node: process.version, minutes: round(elapsed()), rounds: held.length, steadyCode: values['steady-code'], failed, engines, grows, kinds, counts, held })}\n`,
);
process.exitCode = sureMiss({ grows, kinds, counts }) ? 1 : 0;

function round(value: number | undefined): number {
  return value === undefined ? NaN : Math.round(value * 100) / 100;
}

function removeTemporaryFoldersOf({ workspaceDir, storageDir }: TestEngine): void {
  for (const folderOf of [workspaceDir, storageDir]) rmSync(folderOf, { recursive: true, force: true });
}
