import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { withProbe } from '../../src/engine/probe/probeLaunch.ts';
import { type ProbeGroup, ProbeServer } from '../../src/engine/probe/probeServer.ts';
import { childEnvironment } from '../../src/engine/supervise/environment.ts';
import { type Child, Supervisor } from '../../src/engine/supervise/supervisor.ts';
import { copyProbeApps, nodeProbeFile, startProbedApp } from '../support/probeApps.ts';
import { repositoryDir } from '../support/samples.ts';
import { waitFor } from '../support/waitFor.ts';

const supervisor = new Supervisor();
let server: ProbeServer;
let apps: Awaited<ReturnType<typeof copyProbeApps>>;

beforeAll(async () => {
  apps = await copyProbeApps();
}, 120_000);
beforeEach(async () => {
  server = await ProbeServer.start();
});
afterEach(async () => {
  await supervisor.stopAll();
  await server.close();
});
afterAll(() => apps.remove());

/** Starts a command with the probe in its environment. */
async function launch(argv: string[], more: Record<string, string> = {}): Promise<{ child: Child; group: ProbeGroup }> {
  const { env, group } = withProbe({ argv, env: {} }, 'node', { server, assetsDir: repositoryDir });
  if (group === null) throw new Error('The Node probe was not built.');
  const child = await supervisor.start({ name: 'app', kind: 'app', argv, cwd: apps.folder, env: childEnvironment({ ...env, ...more }) });
  return { child, group };
}

it('an app that npm started has one probe, and npm has none', async () => {
  const { child, group } = await launch(['npm', 'start'], { PORT: '0', npm_config_update_notifier: 'false' });
  await waitFor(() => child.log.text().includes('listening on'), { timeoutMs: 20_000 });
  await waitFor(() => group.sessions.length > 0);
  expect(group.sessions.map(({ hello }) => path.basename(hello.main))).toEqual(['expressApp.cjs']);
});

it('an app whose engine goes away serves on, says nothing about it, and its probe stops working', async () => {
  const app = await startProbedApp(supervisor, server, path.join(apps.folder, 'expressApp.cjs'));
  const session = await app.group.attached(5_000);
  await session?.get();
  const said = app.child.log.text();
  await server.close();
  await session?.closed;
  for (let turn = 0; turn < 50; turn += 1) expect(await app.ask()).toBe('ok');
  expect(app.child.log.text()).toBe(said);
  expect(app.child.running).toBe(true);
});

it.each([
  ['is not there', 'unix:/nowhere/benchside.sock'],
  ['is at a port of nobody', 'tcp:127.0.0.1:1'],
  ['has an address that makes no sense', 'pipe:somewhere'],
])('an app whose engine %s runs as without a probe, and is not kept alive', async (_, address) => {
  const argv = [process.execPath, '-e', 'setTimeout(() => console.log("done"), 100)'];
  const { child } = await launch(argv, { BENCHSIDE_PROBE_ADDRESS: address });
  expect(await child.exited).toMatchObject({ code: 0 });
  expect(child.log.text()).toBe('done\n');
});

it('an app that crashes does so with its own error, trace and exit code', async () => {
  const script = path.join(apps.folder, 'crash.cjs');
  writeFileSync(
    script,
    'const { EventEmitter } = require("node:events");\nsetTimeout(() => new EventEmitter().emit("error", new Error("broken")), 50);\n',
  );
  const traces = [];
  for (const env of [{}, { NODE_OPTIONS: '', BENCHSIDE_PROBE_TOKEN: '' }]) {
    const { child } = await launch([process.execPath, script], env);
    expect(await child.exited).toMatchObject({ code: 1 });
    traces.push(child.log.text());
  }
  expect(traces[0]).toContain('Error: broken');
  expect(traces[0]).toBe(traces[1]);
});

it('an app of which nobody wants to know is left as it is', async () => {
  const check =
    'console.log(require("node:events").init === require("node:events").EventEmitter.init, require("node:events").init.toString().length)';
  const plain = await launch([process.execPath, '-e', check], { NODE_OPTIONS: '' });
  const without = await launch([process.execPath, '-e', check], { BENCHSIDE_PROBE_TOKEN: '' });
  const probed = await launch([process.execPath, '-e', check]);
  for (const { child } of [plain, without, probed]) expect(await child.exited).toMatchObject({ code: 0 });
  expect(without.child.log.text()).toBe(plain.child.log.text());
  expect(probed.child.log.text()).not.toBe(plain.child.log.text());
});

it('a worker thread has no probe of its own, and the report says what is not seen', async () => {
  const script = path.join(apps.folder, 'threads.cjs');
  writeFileSync(
    script,
    `const { Worker, isMainThread } = require('node:worker_threads');
     if (isMainThread) { new Worker(__filename); } setInterval(() => undefined, 1000);`,
  );
  const { group } = await launch([process.execPath, script]);
  const probe = await group.attached(5_000);
  const report = await waitFor(async () => {
    const now = await probe?.get();
    return now?.notes.some((note) => note.includes('worker threads')) ? now : null;
  });
  expect(report.pools).toEqual([]);
  expect(group.sessions).toHaveLength(1);
});

it('the probe loads nothing but what Node brings along', async () => {
  const list = `require(${JSON.stringify(nodeProbeFile)}); console.log(Object.keys(require.cache).length)`;
  const { child } = await launch([process.execPath, '-e', list]);
  expect(await child.exited).toMatchObject({ code: 0 });
  expect(child.log.text()).toBe('1\n');
});
