// Our flame graph against other viewers: the same file, the same browser, fresh processes, one after the other in turn.
// Usage: node scripts/bench.mjs flame [--inputs=collapsed-1m,…] [--viewers=ours,speedscope,…] [--rounds=5] [--timeout=300] [--out=FOLDER]
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { BenchServer } from './benchServer.ts';
import { type Input, type InputName, inputNames, prepareInput } from './inputs.ts';
import { type Measurement, measure } from './measure.ts';
import { prepareFor } from './preparePeers.ts';
import { markdown } from './report.ts';
import { viewers } from './viewers.ts';

const root = process.cwd();
const { values } = parseArgs({
  options: {
    inputs: { type: 'string', default: 'collapsed-1m,cpuprofile-500k,typescript-build' },
    viewers: { type: 'string', default: viewers.map(({ id }) => id).join(',') },
    rounds: { type: 'string', default: '5' },
    timeout: { type: 'string', default: '300' },
    out: { type: 'string', default: path.join(root, '.cache', 'bench', 'flame') },
  },
});

function chosenInputs(): Input[] {
  return values.inputs.split(',').map((name) => {
    if (!inputNames.includes(name as InputName)) throw new Error(`Name inputs of: ${inputNames.join(', ')}.`);
    return prepareInput(name as InputName, path.join(values.out, 'inputs'), root);
  });
}

async function run(): Promise<void> {
  const inputs = chosenInputs();
  const chosen = viewers.filter(({ id }) => values.viewers.split(',').includes(id));
  const built = spawnSync(process.execPath, ['scripts/build.mjs', '--only=flame,flameStyle,profileWorker'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (built.status !== 0 || !existsSync(path.join(root, 'dist', 'webview', 'flame.js')))
    throw new Error('The flame graph could not be built.');
  const parseHost = path.join(root, '.cache', 'bench', 'flameHost.mjs');
  await build({
    entryPoints: [path.join(root, 'test/bench/flame/parseHost.ts')],
    outfile: parseHost,
    bundle: true,
    platform: 'node',
    format: 'esm',
    // In one file, as the engine is.
    minify: true,
    logLevel: 'warning',
  });
  const madeMs: Record<string, number> = {};
  for (const input of inputs) {
    for (const { id, formats } of chosen) {
      if (!formats.includes(input.format)) continue;
      try {
        madeMs[`${input.name} ${id}`] = await prepareFor(id, input, root);
      } catch (error) {
        console.error(
          `${input.name} ${id}: no file could be made for it: ${error instanceof Error ? error.message.slice(0, 300) : String(error)}`,
        );
      }
    }
  }
  const pictures = path.join(values.out, 'pictures');
  mkdirSync(pictures, { recursive: true });
  const server = new BenchServer(root, parseHost);
  await server.start();
  const measurements: Measurement[] = [];
  try {
    for (const input of inputs) {
      for (let round = 0; round < Number(values.rounds); round += 1) {
        for (const viewer of chosen.filter(({ formats }) => formats.includes(input.format))) {
          // What gave no picture once is not waited for again.
          if (measurements.some((one) => one.input === input.name && one.viewer === viewer.id && one.firstPictureMs === null)) continue;
          const first = round === 0;
          const measurement = await measure(viewer, input, {
            server,
            timeoutMs: Number(values.timeout) * 1000,
            pictures: first ? pictures : null,
            work: viewer.id === 'ours',
          });
          measurements.push(measurement);
          const { firstPictureMs, failure } = measurement;
          console.error(`${input.name} ${viewer.id} ${round + 1}: ${failure ?? `${Math.round(firstPictureMs ?? 0)} ms`}`);
        }
      }
    }
  } finally {
    await server.stop();
  }
  const machine = { cpu: cpus()[0]?.model ?? '', cores: cpus().length, node: process.version };
  writeFileSync(
    path.join(values.out, 'results.json'),
    JSON.stringify({ machine, inputs: inputs.map(({ file: _file, ...facts }) => facts), madeMs, measurements }, null, 1),
  );
  console.log(markdown(inputs, measurements, viewers, madeMs));
  console.log(`Pictures and results.json: ${values.out}`);
}

await run();
