import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunRecord } from '../../src/model/domain/run.ts';
import { useEditor } from '../editor/support/editor.ts';
import { repositoryDir } from '../support/engine.ts';
import { gitIn } from '../support/gitRepository.ts';
import { waitFor } from '../support/waitFor.ts';
import { resultOf } from '../support/resultOf.ts';

const jar = path.join(repositoryDir, 'samples', 'java', 'target', 'bulletin-board.jar');

/** Line 18 calls what the change makes slower; nothing of this file is changed. */
const shop = `package shop;

import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;

public class Shop extends Handler.Abstract {
  public static void main(String[] args) throws Exception {
    Server server = new Server(Integer.parseInt(System.getenv("PORT")));
    server.setHandler(new Shop());
    server.start();
  }

  static String answer() {
    return "sum " + Sums.sum();
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    Content.Sink.write(response, true, answer(), callback);
    return true;
  }
}
`;
const sums = (times: number): string => `package shop;

class Sums {
  static double sum() {
    double sum = 0;
    for (int n = 0; n < ${times}; n += 1) sum += Math.sqrt(n);
    return sum;
  }
}
`;
const [callee, caller] = ['src/shop/Sums.java', 'src/shop/Shop.java'];
const declaration = {
  targets: [
    {
      id: 'shop',
      runtime: 'jvm',
      command: ['java', '-cp', `classes${path.delimiter}${jar}`, 'shop.Shop'],
      routes: [{ path: '/' }],
      build: [['javac', '-g', '-cp', jar, '-d', 'classes', callee, caller]],
    },
  ],
  loadProfiles: [
    { name: 'steady', connections: 4, durationS: 1, settleS: 0.2, rounds: 3, warmUp: { minS: 2, maxS: 6, jvmMaxS: 6 }, timeoutMs: 5000 },
  ],
};

function prepare(workspaceDir: string): void {
  mkdirSync(path.join(workspaceDir, 'src', 'shop'), { recursive: true });
  writeFileSync(path.join(workspaceDir, caller), shop);
  writeFileSync(path.join(workspaceDir, callee), sums(30_000));
  gitIn(workspaceDir, 'init', '--quiet', '--initial-branch=main');
  gitIn(workspaceDir, 'add', '--all');
  gitIn(workspaceDir, 'commit', '--quiet', '--message=first');
}

describe('Two versions of a service on the JVM, compared in a real VS Code', () => {
  const start = useEditor({
    files: { 'benchside.json': JSON.stringify(declaration), '.gitignore': '.benchside\nclasses\n' },
    prepare,
    settings: { 'git.enabled': true, 'git.openRepositoryInParentFolders': 'never' },
  });

  it('mark the line that calls what became slower, in a file that the change did not touch', { timeout: 500_000 }, async () => {
    const editor = start();
    const { window } = editor;
    const { quickInput } = window;
    writeFileSync(path.join(editor.workspaceDir, callee), sums(300_000));
    await window.runCommandFor('Benchside: Compare Code…', 'Which versions');
    await quickInput.acceptFirst();
    await quickInput.waitForOpen('Enter compares');
    await quickInput.acceptFirst();
    const run = await waitFor(() => editor.runs<RunRecord>().at(-1), {
      timeoutMs: 420_000,
      everyMs: 500,
      what: 'the comparison is stored',
    });
    const lines = resultOf(run, 'diff').why?.lines ?? [];
    expect(resultOf(run, 'diff').files.map((file) => file.path)).toEqual([callee]);
    const line = shop.split('\n').findIndex((text) => text.includes('Sums.sum()')) + 1;
    const calling = lines.find((one) => one.file === caller && one.line === line);
    expect(calling, JSON.stringify(lines)).toBeDefined();
    expect(calling?.head).toBeGreaterThan(2 * (calling?.base ?? 0));
    // Go to File.
    await window.page.keyboard.press('Control+P');
    await quickInput.fill('Shop.java');
    await waitFor(async () => (await quickInput.rows()).some(({ label }) => label === 'Shop.java'), {
      timeoutMs: 30_000,
      what: 'the file is found',
    });
    await quickInput.acceptFirst();
    const marked = (): Promise<string[]> =>
      window.page.evaluate(() =>
        [...document.querySelectorAll('.view-line')].flatMap((row) => {
          const marks = [...row.querySelectorAll('span')].map((span) => getComputedStyle(span, '::before').content);
          return marks.some((content) => /[+−][\d.]+\s(ms|µs)/u.test(content)) ? [`${marks.join('')} ${row.textContent}`] : [];
        }),
      );
    const found = await waitFor(async () => (await marked()).find((text) => text.includes('Sums.sum()')), {
      timeoutMs: 60_000,
      what: 'the mark on the line that calls it',
    });
    expect(found).toMatch(/\+[\d.]+\s(ms|µs)/u);
    await window.pictures('versions-jvm-mark');
  });
});
