/** What of `vscode.window` shows no words of Benchside, or none that could be others'. */
const harmless =
  /^(on[A-Z]\w*|register\w+|activeTextEditor|visibleTextEditors|tabGroups|showTextDocument|showOpenDialog|showSaveDialog|createTextEditorDecorationType|createWebviewPanel)$/;

/**
 * Where a file of the extension speaks to the editor’s own surfaces itself, one text each. Only `src/extension/kit/safeUi` may: there texts lose what the editor
 * would make links, commands and pictures of.
 */
export function rawSurfaces(source: string): string[] {
  const members = [...source.matchAll(/\bvscode\s*\.\s*window\b(?:\s*\.\s*(\w+))?/g)]
    .filter(([, member]) => member === undefined || !harmless.test(member))
    .map(([text]) => text.replace(/\s+/g, ''));
  const made = [...source.matchAll(/\bnew\s+vscode\s*\.\s*(?:MarkdownString|TreeItem|CodeLens|Hover|InlayHint|Diagnostic)\b/g)].map(
    ([text]) => text,
  );
  const aliased = [
    ...source.matchAll(/import\s+(?:type\s+)?(?!(?:type\s+)?\* as vscode from)[^;]*? from 'vscode'|\bvscode\s*\[|=\s*vscode\s*;/g),
  ].map(([text]) => text);
  const titled = [...source.matchAll(/\.(?:badge|validationMessage|placeholder)\s*=[^=]/g)].map(([text]) => text);
  return [...members, ...made, ...aliased, ...titled];
}
