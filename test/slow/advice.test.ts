import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Tried } from '../../src/model/domain/advice.ts';
import { advice, exampleAdvice, pool } from '../support/adviceRecords.ts';
import { appTarget } from '../support/engine.ts';
import { waitFor } from '../support/waitFor.ts';
import { useEditor } from '../editor/support/editor.ts';

const variable = { name: 'NODE_OPTIONS', value: '--max-semi-space-size=64', appends: true };
const space: Tried = {
  ...pool,
  id: 'node.semi-space=64m',
  settings: { 'node.semi-space': '64m' },
  apply: [
    { where: 'environment', text: 'NODE_OPTIONS="--max-semi-space-size=64"' },
    { where: 'benchside.json', text: '"env": { "NODE_OPTIONS": "--max-semi-space-size=64" }', variable },
  ],
};
const file = `{
  "targets": [
    ${JSON.stringify(appTarget('shop', 'steadyService.mjs', { env: { MODE: 'ours' } }))}
  ]
}
`;

describe('what would help, in a real VS Code', () => {
  const start = useEditor({
    files: { 'benchside.json': file },
    prepare: (workspaceDir) => {
      const record = exampleAdvice({ advice: { ...advice, tried: [pool, space], together: null } });
      const folder = path.join(workspaceDir, '.benchside', 'advice', record.id);
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, 'advice.json'), JSON.stringify(record));
    },
  });

  it('writes a variable into benchside.json after a question that shows it, and leaves the rest as it is', async () => {
    const { window, workspaceDir } = start();
    await window.runCommand('Benchside: Open Workbench');
    const frame = await window.panelFrame('benchside.benchside');
    await frame.getByRole('tab', { name: 'What would help' }).click();
    const apply = frame.getByRole('button', { name: 'Apply: node.semi-space=64m' });
    await apply.waitFor();
    await window.pictures('advice-apply');
    await apply.click();
    const asked = await waitFor(() => window.dialogText(), { what: 'the question' });
    expect(asked).toContain('NODE_OPTIONS=--max-semi-space-size=64');
    await window.picture('advice-apply-question');
    await window.pressDialogButton('Write');
    const after = file.replace('"env":{"MODE":"ours"', '"env":{"MODE":"ours", "NODE_OPTIONS": "--max-semi-space-size=64"');
    await waitFor(() => readFileSync(path.join(workspaceDir, 'benchside.json'), 'utf8') === after, { what: 'the variable in the file' });
    await window.picture('advice-applied');
  });
});
