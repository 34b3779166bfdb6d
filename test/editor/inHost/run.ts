import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { type VsCodeOptions, startVsCode } from '../support/vscodeServer.ts';
import { WorkbenchPage } from '../support/workbenchPage.ts';
import type { InHostResult } from './result.ts';

export interface InHostOptions extends Omit<VsCodeOptions, 'extensionTestsPath' | 'extensionDevelopmentPath'> {
  /** The extension under test, from its source folder; build its bundle first. */
  extensionDevelopmentPath: string;
  /** Upper limit for all suites together; 120 s unless told. */
  timeoutMs?: number;
}

/**
 * Runs the suites of suites.ts inside the extension host of a real VS Code and gives what became of each test.
 * Rejects when the host could not run them at all, with what it had printed.
 */
export async function runInHost({ timeoutMs = 120_000, ...options }: InHostOptions): Promise<InHostResult[]> {
  const bundleFolder = await mkdtemp(join(tmpdir(), 'benchside-in-host-'));
  const cleanUp: (() => Promise<void>)[] = [() => rm(bundleFolder, { recursive: true, force: true })];
  try {
    const extensionTestsPath = join(bundleFolder, 'inHost.cjs');
    await bundleSuites(extensionTestsPath);
    const server = await startVsCode({ ...options, extensionTestsPath });
    cleanUp.unshift(() => server.stop());
    const window = await WorkbenchPage.launch(server);
    cleanUp.unshift(() => window.close());

    const log: string[] = [];
    const exited = new Promise<number>((resolveExit) => {
      void window.page.exposeFunction('codeAutomationLog', (type: string, values: readonly unknown[]) =>
        log.push(`${type}: ${values.map(String).join(' ')}`),
      );
      void window.page.exposeFunction('codeAutomationExit', (code: number) => resolveExit(code));
    });
    await window.open();
    const code = await withTimeout(exited, timeoutMs, log);
    const results = await readFile(join(bundleFolder, 'results.json'), 'utf8').catch(() => undefined);
    if (results === undefined) throw new Error(`The extension host ended with ${code} and no results.\n${log.join('\n')}`);
    return JSON.parse(results) as InHostResult[];
  } finally {
    for (const step of cleanUp) await step();
  }
}

async function bundleSuites(outfile: string): Promise<void> {
  await build({
    entryPoints: [resolve(import.meta.dirname, 'index.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['vscode'],
    logLevel: 'error',
  });
}

async function withTimeout<T>(promise: Promise<T>, timeoutMs: number, log: readonly string[]): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`The tests in the extension host did not end within ${timeoutMs} ms.\n${log.join('\n')}`)),
      timeoutMs,
    );
  });
  try {
    return await Promise.race([promise, expired]);
  } finally {
    clearTimeout(timer);
  }
}
