import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { toolNames, toolPrefix } from '../../../src/extension/kit/ids.ts';

async function said(name: (typeof toolNames)[number], input: object): Promise<string> {
  const result = await vscode.lm.invokeTool(`${toolPrefix}${name}`, { input, toolInvocationToken: undefined });
  return result.content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
}

/** The tools for language models, as the editor has them. Nothing here starts a benchmark. */
export function registerToolsSuite(): void {
  describe('the tools for language models', () => {
    it('are in the editor’s list, each with a description and a schema of its input', () => {
      const ours = vscode.lm.tools.filter(({ name }) => name.startsWith(toolPrefix));
      assert.deepEqual(ours.map(({ name }) => name).sort(), toolNames.map((name) => `${toolPrefix}${name}`).sort());
      for (const { description, inputSchema } of ours) {
        assert.ok(description.length > 40);
        assert.equal((inputSchema as { type: string }).type, 'object');
      }
    });

    it('answer from this window’s engine, and name their next calls as the editor does', async () => {
      const text = await said('list_targets', {});
      assert.match(text, /^target node \(node, sample\): settings pool 1\.\.256/m);
      assert.match(text, /^next: benchside_start_run \{"target":"node"\}/m);
    });

    it('answer a call that cannot be understood, and one about nothing, with what is wrong', async () => {
      assert.match(await said('get_run', { run: 'nothing-there' }), /^failure: run-not-found$/m);
      assert.match(await said('explain_run', { run: 'last' }), /^failure: run-not-found$/m);
    });
  });
}
