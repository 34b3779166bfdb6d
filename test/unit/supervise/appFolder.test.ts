import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { inOwnFolder } from '../../../src/engine/supervise/appFolder.ts';
import { childEnvironment } from '../../../src/engine/supervise/environment.ts';
import { Supervisor } from '../../../src/engine/supervise/supervisor.ts';
import { removeTemporaryFolders, temporaryFolder } from '../../support/engine.ts';
import { waitFor } from '../../support/waitFor.ts';

const leavesAFolder = `
  const { mkdtempSync, writeFileSync } = require('node:fs');
  writeFileSync(process.env.TOLD, mkdtempSync(require('node:os').tmpdir() + '/tomcat.0.'));
  setInterval(() => {}, 1000);
`;

afterAll(removeTemporaryFolders);

async function killedApp(env: Record<string, string>): Promise<string> {
  const folder = temporaryFolder('app');
  const told = path.join(folder, 'told');
  const supervisor = new Supervisor();
  const child = await supervisor.start({
    name: 'app',
    kind: 'app',
    argv: [process.execPath, '-e', leavesAFolder],
    cwd: folder,
    env: childEnvironment({ TOLD: told, ...env }),
  });
  await waitFor(() => existsSync(told) && readFileSync(told, 'utf8') !== '');
  await child.kill();
  return readFileSync(told, 'utf8');
}

it('what an app that is killed has left in its temporary folder goes with it; an app with a folder of its own keeps that', async () => {
  const left = await killedApp({});
  expect(path.basename(left)).toMatch(/^tomcat/);
  expect(existsSync(left)).toBe(false);
  expect(existsSync(path.dirname(left))).toBe(false);
  const own = temporaryFolder('own');
  const kept = await killedApp({ TMPDIR: own });
  expect(path.dirname(kept)).toBe(own);
  expect(existsSync(kept)).toBe(true);
});

it('a JVM is told of the folder before what it is told itself', async () => {
  const env = childEnvironment({ JAVA_TOOL_OPTIONS: '-Dapp=1' });
  const java = inOwnFolder(['/opt/jdk/bin/java', '-Djava.io.tmpdir=/mine', '-jar', 'app.jar'], env, true);
  const folder = java.env['TMPDIR'] ?? '';
  expect(java.argv).toEqual(['/opt/jdk/bin/java', `-Djava.io.tmpdir=${folder}`, '-Djava.io.tmpdir=/mine', '-jar', 'app.jar']);
  const maven = inOwnFolder(['mvn', 'exec:java'], env, true);
  expect(maven.argv).toEqual(['mvn', 'exec:java']);
  expect(maven.env['JAVA_TOOL_OPTIONS']).toBe(`-Djava.io.tmpdir=${maven.env['TMPDIR'] ?? ''} -Dapp=1`);
  await Promise.all([java.clear([]), maven.clear([])]);
  expect(existsSync(folder)).toBe(false);
});
