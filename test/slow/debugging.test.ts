import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../support/waitFor.ts';
import { type Editor, useEditor } from '../editor/support/editor.ts';
import type { WorkbenchPage } from '../editor/support/workbenchPage.ts';

/** Somebody's service: it computes a little for each answer, and writes down where it listens. */
const service = `import { createServer } from 'node:http';
import { writeFileSync } from 'node:fs';
function work() { let sum = 0; for (let at = 0; at < 2e5; at += 1) sum += Math.sqrt(at); return sum; }
const server = createServer((request, response) => response.end(String(work())));
server.listen(0, '127.0.0.1', () => writeFileSync('port.txt', process.pid + ' ' + server.address().port));
setInterval(work, 5);
`;
const launch = {
  version: '0.2.0',
  configurations: [{ name: 'shop', type: 'node', request: 'launch', program: '${workspaceFolder}/shop.mjs' }],
};

describe('what is being debugged in a real VS Code', () => {
  const start = useEditor({
    files: { 'shop.mjs': service, 'package.json': JSON.stringify({ name: 'shop', scripts: { start: 'node shop.mjs' } }) },
    prepare: (workspaceDir) => {
      mkdirSync(path.join(workspaceDir, '.vscode'));
      writeFileSync(path.join(workspaceDir, '.vscode/launch.json'), JSON.stringify(launch));
    },
  });
  let editor: Editor;
  let window: WorkbenchPage;
  let pid: number;
  let port: number;
  beforeAll(async () => {
    editor = start();
    window = editor.window;
    await window.runCommand('Debug: Start Debugging');
    const file = path.join(editor.workspaceDir, 'port.txt');
    const told = await waitFor(() => (existsSync(file) ? /^(\d+) (\d+)$/.exec(readFileSync(file, 'utf8')) : null), {
      timeoutMs: 90_000,
      what: 'the debugged service listens',
    });
    [pid, port] = [Number(told[1]), Number(told[2])];
  });

  const isDebugged = async (): Promise<boolean> =>
    (await window.page.locator('.debug-toolbar:visible').count()) > 0 && (await fetch(`http://127.0.0.1:${port}/`)).ok;

  it('is offered first to be recorded, shows its flame graph, and goes on being debugged', { timeout: 180_000 }, async () => {
    await window.runCommandFor('Benchside: Record Flame Graph', 'Record Flame Graph (1/3)');
    const [first] = await window.quickInput.rows();
    expect(first).toMatchObject({ label: expect.stringContaining('shop') as string, focused: true });
    expect(await window.quickInput.widget.innerText()).toContain('What you are debugging now');
    await window.picture('debugged-offered');
    await window.quickInput.accept();
    await window.quickInput.waitForOpen('Record Flame Graph (2/3)');
    await window.quickInput.acceptFirst();
    await window.quickInput.waitForOpen('Record Flame Graph (3/3)');
    await window.quickInput.fill('3');
    await window.quickInput.accept();
    const graph = await editor.panel();
    await graph.getByText('work', { exact: true }).first().waitFor({ timeout: 90_000 });
    await window.picture('debugged-flame');
    // Nothing of it reaches the debugger, which would keep a profile of its own in the workspace.
    expect(readdirSync(editor.workspaceDir).sort()).toEqual(['.benchside', '.vscode', 'package.json', 'port.txt', 'shop.mjs']);
    expect(await isDebugged()).toBe(true);
  });

  it('is offered first as a target, declared by its port, measured as it runs, and never stopped', { timeout: 180_000 }, async () => {
    await window.runCommandFor('Benchside: Add a Target', 'Add a Target');
    const [first] = await window.quickInput.rows();
    expect(first).toMatchObject({
      label: 'What I am debugging now',
      description: expect.stringContaining(`port ${port}`) as string,
      focused: true,
    });
    await window.quickInput.accept();
    await window.waitForNotification(/runs on port \d+\. It is measured as it runs/);
    const text = readFileSync(path.join(editor.workspaceDir, 'benchside.json'), 'utf8');
    expect(text).toContain(`"running": { "port": ${port} }`);
    expect(text).toMatch(/\/\/ what was debugged: .*shop\.mjs/);
    await window.pressNotificationButton(/runs on port/, 'Run Benchmark');
    await window.waitForQuickPick('Run Benchmark');
    await window.quickInput.cancel();
    expect(await isDebugged()).toBe(true);
    expect(process.kill(pid, 0)).toBe(true);
  });
});
