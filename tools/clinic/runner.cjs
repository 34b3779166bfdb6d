/**
 * Runs one of Clinic's tools on an app, in a process of its own and in an empty folder of its own.
 *
 *     node runner.cjs REQUEST.json
 *
 * The request is described by `clinicRequestSchema` in src/engine/record/clinic/clinicMessages.ts; it holds the app's environment and is deleted
 * when it has been read. What happens is printed on standard output in lines that begin with the request's mark, among those that the app prints.
 * SIGINT ends the app by the tool's own way, after which the tool's data are read and written as plain JSON. Clinic's HTML is never made.
 */
'use strict';

const fs = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');
const { fileURLToPath } = require('node:url');

/** Set by the engine on everything it starts; they stay when the environment becomes the app's. */
const engineMarks = ['BENCHSIDE_ENGINE', 'BENCHSIDE_CHILD'];

const requestFile = process.argv[2];
const request = JSON.parse(fs.readFileSync(requestFile, 'utf8'));
fs.rmSync(requestFile);

const toolRequire = createRequire(path.join(request.packageDir, 'package.json'));

function tell(message) {
  fs.writeSync(1, `\n${request.mark}${JSON.stringify(message)}\n`);
}

function fail(stage, error) {
  tell({ type: 'failed', stage, message: String(error?.message ?? error).slice(0, 2000) });
  process.exit(1);
}

process.on('uncaughtException', (error) => fail('tool', error));
process.on('unhandledRejection', (error) => fail('tool', error));

/** The app inherits this process's environment, so it becomes the app's. */
function takeEnvironment() {
  const kept = Object.fromEntries(engineMarks.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
  for (const name of Object.keys(process.env)) delete process.env[name];
  const report = path.join(request.dataDir, 'app.json');
  Object.assign(process.env, request.env, kept, {
    NO_INSIGHT: 'true',
    BENCHSIDE_CLINIC_TARGET: JSON.stringify({ cwd: request.cwd, report }),
  });
  if (request.tool !== 'clinic-doctor') return;
  // Node opens its trace after the app has gone to its own folder; doctor looks for it in this one.
  const pattern = `"--trace-event-file-pattern=${path.join(process.cwd(), 'node_trace.${rotation}.log').replaceAll('\\', '\\\\')}"`;
  process.env.NODE_OPTIONS = [process.env.NODE_OPTIONS ?? '', pattern].join(' ').trim();
}

const packages = { 'clinic-doctor': '@clinic/doctor', 'clinic-flame': '@clinic/flame', 'clinic-heap': '@clinic/heap-profiler' };

function readLines(file, decoder) {
  const source = fs.createReadStream(file);
  source.on('error', (error) => fail('analysis', error));
  decoder.on('error', (error) => fail('analysis', error));
  return source.pipe(decoder);
}

/** Doctor's own decoders and analysis; the series are given as they were sampled. */
async function readDoctor(dataPath) {
  const { getLoggingPaths } = toolRequire('@clinic/clinic-common');
  const Analysis = toolRequire('@clinic/doctor/analysis/index.js');
  const SystemInfoDecoder = toolRequire('@clinic/doctor/format/system-info-decoder.js');
  const TraceEventDecoder = toolRequire('@clinic/doctor/format/trace-event-decoder.js');
  const ProcessStatDecoder = toolRequire('@clinic/doctor/format/process-stat-decoder.js');
  const paths = getLoggingPaths('doctor')({ path: dataPath });
  const systemInfo = readLines(paths['/systeminfo'], new SystemInfoDecoder());
  const traceEvents = readLines(paths['/traceevent'], new TraceEventDecoder(systemInfo));
  const stats = readLines(paths['/processstat'], new ProcessStatDecoder());
  const samples = [];
  stats.on('data', (sample) => samples.push(sample));
  const analysis = new Analysis(systemInfo, traceEvents, stats);
  const result = await new Promise((resolve, reject) => {
    analysis.on('data', resolve);
    analysis.on('error', reject);
    analysis.on('end', () => reject(new Error('doctor gave no result')));
  });
  const first = samples[0]?.timestamp ?? 0;
  const finite = (value) => (typeof value === 'number' && Number.isFinite(value) ? value : null);
  const column = (pick) => samples.map((sample) => finite(pick(sample)));
  return {
    issueCategory: result.issueCategory,
    issues: result.issues,
    timeMs: samples.map((sample) => sample.timestamp - first),
    cpu: column((sample) => sample.cpu),
    delayMs: column((sample) => sample.delay),
    handles: column((sample) => sample.handles),
    loopUtilization: column((sample) => sample.loopUtilization),
    rss: column((sample) => sample.memory?.rss),
    heapTotal: column((sample) => sample.memory?.heapTotal),
    heapUsed: column((sample) => sample.memory?.heapUsed),
  };
}

function fileOf(frame) {
  const file = frame.fullFileName ?? '';
  try {
    return file.startsWith('file://') ? fileURLToPath(file) : file;
  } catch {
    return file;
  }
}

/** Clinic takes ES modules, and files that do not end in .js or .mjs, for Node's or V8's own: their path tells better. */
function categoryOf(frame, file) {
  if (frame.fullFileName && path.isAbsolute(file)) return /[/\\]node_modules[/\\]/.test(file) ? 'deps' : 'app';
  return frame.category;
}

function tierOf(frame) {
  if (frame.isInlinable) return 'inlined';
  if (frame.isOptimized) return 'optimised';
  return frame.isUnoptimized ? 'interpreted' : 'unknown';
}

/**
 * The tree as columns in depth-first order. Clinic keeps the tiers of one function apart as siblings; here they are one node, with the tier that
 * was seen most.
 */
function flattenFlame(root) {
  const functions = [];
  const numbers = new Map();
  const nodes = { parent: [], func: [], self: [], tier: [] };
  const describe = (frame) => {
    const file = fileOf(frame);
    const name = frame.functionName || (file === '' ? frame.name : '(anonymous)');
    const line = file === '' ? 0 : (frame.lineNumber ?? 0) || 0;
    const category = categoryOf(frame, file);
    const key = JSON.stringify([name, file, line, category]);
    let func = numbers.get(key);
    if (func === undefined) {
      func = functions.length;
      numbers.set(key, func);
      functions.push({ name, file, line, category });
    }
    return func;
  };
  const waiting = [{ parent: -1, func: -1, frames: [root] }];
  for (let group = waiting.pop(); group !== undefined; group = waiting.pop()) {
    const weights = new Map();
    let self = 0;
    for (const frame of group.frames) {
      self += frame.onStackTop.base;
      const tier = tierOf(frame);
      weights.set(tier, (weights.get(tier) ?? 0) + frame.onStack);
    }
    const number = nodes.parent.length;
    nodes.parent.push(group.parent);
    nodes.func.push(group.func);
    nodes.self.push(self);
    nodes.tier.push([...weights].sort((a, b) => b[1] - a[1])[0][0]);
    const below = new Map();
    for (const frame of group.frames.flatMap(({ children }) => children)) {
      const func = describe(frame);
      const same = below.get(func);
      if (same === undefined) below.set(func, [frame]);
      else same.push(frame);
    }
    for (const [func, frames] of [...below].reverse()) waiting.push({ parent: number, func, frames });
  }
  return { format: 'benchside-clinic-flame', version: 1, functions, nodes };
}

async function readFlame(dataPath) {
  const analyse = toolRequire('@clinic/flame/analysis/index.js');
  const loggingPaths = toolRequire('@clinic/flame/collect/get-logging-paths.js');
  const { unmerged } = await analyse(loggingPaths({ path: dataPath }));
  return flattenFlame(unmerged);
}

/** Reads what the tool has left and writes it where the engine expects it. */
async function convert(dataPath) {
  const file = path.join(request.dataDir, 'result.json');
  if (request.tool === 'clinic-heap') fs.renameSync(dataPath, file);
  else fs.writeFileSync(file, JSON.stringify(request.tool === 'clinic-doctor' ? await readDoctor(dataPath) : await readFlame(dataPath)));
}

function collect() {
  const Tool = toolRequire(packages[request.tool]);
  const tool = new Tool({ detectPort: true, dest: request.dataDir, name: 'recording', sampleInterval: request.sampleIntervalMs });
  let endApp = null;
  let stopping = false;
  const stop = () => {
    stopping = true;
    if (endApp === null) process.exit(1);
    endApp();
    endApp = () => undefined;
  };
  process.on('SIGINT', stop);
  tool.on('port', (port, _process, done) => {
    // The tool would pass the signal on to the app, which it ends by `done` already.
    process.removeAllListeners('SIGINT');
    process.on('SIGINT', stop);
    endApp = done;
    tell({ type: 'listening', port });
  });
  tool.collect(request.argv, (error, dataPath) => {
    if (error) return fail('app', error);
    if (!stopping) return fail('app', 'the app ended by itself');
    tell({ type: 'collected' });
    convert(dataPath).then(
      () => {
        tell({ type: 'finished' });
        process.exit(0);
      },
      (problem) => fail('analysis', problem),
    );
  });
}

takeEnvironment();
collect();
