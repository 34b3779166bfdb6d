/** Entry that VS Code calls inside the extension host (`extensionTestsPath`), bundled by run.ts. */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Mocha from 'mocha';
import type { InHostResult } from './result.ts';
import { suites } from './suites.ts';

/** Prints nothing: the results are judged outside. */
class Silent extends Mocha.reporters.Base {}

/** Runs all suites and leaves one result for each test in `results.json` next to the bundle. Never rejects: run.ts judges the results. */
export async function run(): Promise<void> {
  const results: InHostResult[] = [];
  const mocha = new Mocha({ ui: 'bdd', reporter: Silent, timeout: 30_000 });
  mocha.suite.emit('pre-require', globalThis as unknown as Mocha.MochaGlobals, '', mocha);
  for (const register of suites) register();
  await new Promise<void>((resolve) => {
    const runner = mocha.run(() => resolve());
    runner.on('pass', (test) => results.push({ title: test.fullTitle(), outcome: 'passed', durationMs: test.duration ?? 0 }));
    runner.on('pending', (test) => results.push({ title: test.fullTitle(), outcome: 'skipped', durationMs: 0 }));
    // A failing hook is reported here too, under its own title.
    runner.on('fail', (test, error: Error) => {
      results.push({ title: test.fullTitle(), outcome: 'failed', durationMs: test.duration ?? 0, error: error.stack ?? error.message });
    });
  });
  const file = join(__dirname, 'results.json');
  writeFileSync(`${file}.new`, JSON.stringify(results));
  renameSync(`${file}.new`, file);
}
