import assert from 'node:assert/strict';
import * as vscode from 'vscode';

export function registerHostSuite(): void {
  describe('the extension host', () => {
    it('is the VS Code that the manifest asks for', () => {
      assert.equal(vscode.version, '1.100.3');
    });

    it('has the workspace folder open', () => {
      assert.equal(vscode.workspace.workspaceFolders?.length, 1);
    });
  });
}
