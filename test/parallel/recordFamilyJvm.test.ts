import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cpuCoverage } from '../../src/calltree/cpuCoverage.ts';
import { chooseEvent, eventTotal, functionTable } from '../../src/calltree/totals.ts';
import { openRecording } from '../../src/engine/profiles/recordingFiles.ts';
import { asyncProfilerRecorder } from '../../src/engine/record/jvm/asyncProfilerRecorder.ts';
import { ofFamily } from '../../src/engine/record/recordFamily.ts';
import { recordingRecord } from '../../src/engine/record/recordingRecord.ts';
import { childEnvironment } from '../../src/engine/supervise/environment.ts';
import { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import { frameKinds } from '../../src/model/domain/callTree.ts';
import { repositoryDir } from '../support/samples.ts';
import { cpuUsed } from '../support/cpuUsed.ts';
import { waitFor } from '../support/waitFor.ts';
import { longTest } from '../support/testTags.ts';

const supervisor = new Supervisor();
let folder: string;

/** In a package of Spring's: starts a JVM of the same class, which computes in itself and in a class of a library, and waits for it. */
const service = `package org.springframework.shop;
public class Service {
  public static void main(String[] arguments) throws Exception {
    if (arguments.length == 0) {
      String java = ProcessHandle.current().info().command().orElseThrow();
      Process child = new ProcessBuilder(java, "-cp", System.getProperty("java.class.path"), Service.class.getName(), "child").inheritIO().start();
      System.exit(child.waitFor());
    }
    System.out.println("computing");
    double sum = 0;
    while (sum >= 0) sum += own(200_000) + shop.util.Library.compute(100_000);
  }
  static double own(int rounds) {
    double sum = 0;
    for (int i = 0; i < rounds; i++) sum += Math.abs(Math.sin(i) * Math.cos(sum));
    return sum;
  }
}
`;
const library = `package shop.util;
public class Library {
  public static double compute(int rounds) {
    double sum = 0;
    for (int i = 0; i < rounds; i++) sum += Math.abs(Math.sin(i) * Math.cos(sum));
    return sum;
  }
}
`;

beforeAll(() => {
  execFileSync(process.execPath, [path.join(repositoryDir, 'scripts/fetchAsyncProfiler.mjs')]);
  folder = mkdtempSync(path.join(tmpdir(), 'benchside-jvm-family-'));
  for (const name of ['classes', 'library', 'out']) mkdirSync(path.join(folder, name));
  writeFileSync(path.join(folder, 'Library.java'), library);
  writeFileSync(path.join(folder, 'Service.java'), service);
  execFileSync('javac', ['-d', 'library', 'Library.java'], { cwd: folder });
  execFileSync('jar', ['cf', 'shop-util-1.4.2.jar', '-C', 'library', '.'], { cwd: folder });
  execFileSync('javac', ['-cp', 'library', '-d', 'classes', 'Service.java'], { cwd: folder });
}, 60_000);
afterAll(async () => {
  await supervisor.stopAll();
  rmSync(folder, { recursive: true, force: true });
}, 30_000);

it(
  'the JVM that a JVM has started is what is recorded, with all of its CPU time, and whose code is whose follows from where it was loaded',
  { timeout: 90_000, ...longTest },
  async () => {
    const child = await supervisor.start({
      name: 'service',
      kind: 'app',
      argv: ['java', '-cp', 'classes:shop-util-1.4.2.jar', 'org.springframework.shop.Service'],
      cwd: folder,
      env: childEnvironment({}),
    });
    await waitFor(() => child.log.text().includes('computing'), { timeoutMs: 30_000, what: 'the child computes' });
    const outputDir = path.join(folder, 'out');
    const options = { events: ['cpu' as const], maxMs: 60_000, outputDir, signal: new AbortController().signal };
    const active = await ofFamily(asyncProfilerRecorder(repositoryDir)).start({ pid: child.pid, runtime: 'jvm' }, options);
    await cpuUsed(child.pid, 2.5);
    const finished = await active.stop();
    const files = finished.files.map((file) => ({ ...file, bytes: new Uint8Array() }));
    const { record } = recordingRecord(
      { ...finished, files, startedAt: new Date(), durationMs: 3_000, load: null },
      { title: '', runtime: 'jvm', pid: child.pid, command: '', target: null, trialKey: null, settings: {}, sourceRoots: [folder] },
      { id: 'async-profiler' },
      { prefix: '', cost: null, notes: [] },
    );
    const tree = await openRecording(outputDir, record);
    const { functions } = tree;
    const kindAndLibrary = (name: string) => {
      const func = functions.name.findIndex((one) => one.replaceAll('/', '.').startsWith(name));
      return [frameKinds[functions.kind[func] ?? 0], functions.library?.[func]];
    };
    expect(kindAndLibrary('org.springframework.shop.Service.own')).toEqual(['app', '']);
    expect(kindAndLibrary('shop.util.Library.compute')).toEqual(['dependency', 'shop-util 1.4']);
    const cpu = chooseEvent(tree, 'cpu');
    const below = functionTable(tree, cpu).find(({ name }) => name.replaceAll('/', '.') === 'org.springframework.shop.Service.main');
    expect((below?.total ?? 0) / eventTotal(cpu)).toBeGreaterThan(0.8);
    const coverage = cpuCoverage(record.cpu, tree);
    const { kernelNs = 1, recordedNs = 0, recorderNs = 0 } = coverage ?? {};
    expect((recordedNs + recorderNs) / kernelNs).toBeGreaterThan(0.9);
    await child.stop();
  },
);
