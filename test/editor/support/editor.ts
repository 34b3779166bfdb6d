import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { processesMarked } from '../../../src/engine/supervise/marked.ts';
import { commandLine } from '../../support/engine.ts';
import { waitFor } from '../../support/waitFor.ts';
import { type VsCodeOptions, type VsCodeServer, startVsCode, vsix } from './vscodeServer.ts';
import { WorkbenchPage } from './workbenchPage.ts';

export const extensionId = 'benchside.benchside';
/** What Benchside starts; the editor's own processes have the same environment. */
const started = /postgres|loadWorker|server\.mjs|bulletin-board\.jar|engine\.cjs/;

/** A window of a real VS Code with the extension, in a workspace folder of its own. */
export class Editor {
  constructor(
    readonly workspaceDir: string,
    readonly server: VsCodeServer,
    readonly window: WorkbenchPage,
  ) {}

  /** The page of the extension that is shown. */
  panel(): Promise<FrameLocator> {
    return this.window.panelFrame(extensionId);
  }

  /** The stored runs, oldest first. */
  runs<Run>(): Run[] {
    const folder = path.join(this.workspaceDir, '.benchside', 'runs');
    if (!existsSync(folder)) return [];
    return readdirSync(folder)
      .filter((name) => !name.startsWith('.'))
      .sort()
      .map((name) => JSON.parse(readFileSync(path.join(folder, name, 'run.json'), 'utf8')) as Run);
  }

  /** Command lines of the engine of this window and of what it has started, found from the outside by the home folder that only they have. */
  processes(): string[] {
    return processesMarked('HOME', this.server.homeDir)
      .map(({ pid }) => commandLine(pid))
      .filter((command) => started.test(command));
  }

  /** Waits until a run, a tuning, an experiment, a live session or a recording goes on. */
  async untilBusy(timeoutMs = 60_000): Promise<void> {
    await waitFor(() => this.#isBusy(), { timeoutMs, everyMs: 50, what: 'a measurement begins' });
  }

  /** Waits until none goes on. */
  async untilIdle(timeoutMs = 150_000): Promise<void> {
    await waitFor(async () => !(await this.#isBusy()), { timeoutMs, everyMs: 100, what: 'the measurement ends' });
  }

  /** Takes away what a step that failed has left open or running, so that the next one finds an idle window. */
  async recover(): Promise<void> {
    await this.window.dismiss();
    if (!(await this.#isBusy())) return;
    await this.window.runCommand('Benchside: Stop Everything');
    await this.untilIdle(30_000);
  }

  async #isBusy(): Promise<boolean> {
    return /Benchside:|Recording/.test(await this.window.statusBarText());
  }
}

export interface EditorOptions extends Omit<VsCodeOptions, 'workspaceDir' | 'vsix'> {
  /** Files of the workspace by their names; a function is given the workspace's folder. */
  files: Readonly<Record<string, string | ((workspaceDir: string) => string)>>;
  /** What else has to be in the workspace before the window opens. */
  prepare?: (workspaceDir: string) => void;
}

/**
 * One window for all tests of a describe, by hooks: with the packed extension, or the one under development if that is given. A test that fails
 * leaves a picture, and what it left running is stopped; after each one no content policy may have been broken.
 * @returns gives the editor, once the hooks have started it
 */
export function useEditor({ files, prepare, ...options }: EditorOptions): () => Editor {
  let workspaceDir: string | undefined;
  let server: VsCodeServer | undefined;
  let window: WorkbenchPage | undefined;
  let editor: Editor | undefined;
  const get = (): Editor => {
    if (editor === undefined) throw new Error('The editor was not started.');
    return editor;
  };

  beforeAll(async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'benchside-editor-'));
    workspaceDir = folder;
    for (const [name, text] of Object.entries(files))
      await writeFile(path.join(folder, name), typeof text === 'string' ? text : text(folder));
    prepare?.(folder);
    server = await startVsCode({ ...options, workspaceDir: folder, vsix: options.extensionDevelopmentPath === undefined ? [vsix] : [] });
    window = await WorkbenchPage.launch(server);
    await window.open();
    editor = new Editor(folder, server, window);
  }, 600_000);

  afterEach(async ({ task }) => {
    if (editor === undefined) return;
    if (task.result?.state === 'fail') {
      await editor.window.screenshot(`failed-${task.name.replace(/\W+/g, '-').slice(0, 60)}`);
      await editor.recover();
    }
    expect(editor.window.cspViolations()).toEqual([]);
  });

  afterAll(async () => {
    await window?.close();
    await server?.stop();
    if (workspaceDir !== undefined) await rm(workspaceDir, { recursive: true, force: true });
  });

  return get;
}
