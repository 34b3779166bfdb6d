import * as vscode from 'vscode';
import {
  isPlatformPackage,
  declaresPackage,
  jvmFileNames,
  pathCandidates,
  sourceTarget,
  type FrameRef,
  type SourceTarget,
} from '../../calltree/sourceLocation.ts';
import { shortened } from '../../model/domain/plainText.ts';
import { choose, say } from '../kit/safeUi/dialogs.ts';
import { statOf } from '../kit/workspaceFiles.ts';
import { inTime } from '../../model/domain/inTime.ts';

/** A place in a source; `line` counts from 1, 0 when it is not known. */
export interface SourcePlace {
  frame: FrameRef;
  line: number;
  /** Folders in which the recording's sources are, absolute; those of the workspace are added. */
  roots: readonly string[];
}

const highlightMs = 1_500;
const symbolsMs = 5_000;
const mostFiles = 20;
const headBytes = 64 * 1024;
/** What is larger is no source, and would be read whole. */
const largestSource = 50 * 1024 * 1024;
const ignored = '**/{node_modules,target,build,out,dist,.git}/**';

/** Opens the source of a function in `column`, its line shown and marked for a moment. Says why when there is none. */
export async function openSource(place: SourcePlace, column: vscode.ViewColumn): Promise<void> {
  const target = sourceTarget(place.frame);
  const found = await locate(target, place.roots);
  if (found === 'left') return;
  if (found === undefined) return say(`${shortened(place.frame.name, 100)} has no source in this workspace. ${reasonOf(target)}`);
  const document = await vscode.workspace.openTextDocument(found);
  const editor = await vscode.window.showTextDocument(document, { viewColumn: column, preview: true });
  const line = Math.min(Math.max(place.line - 1, 0), document.lineCount - 1);
  const range = document.lineAt(line).range;
  const start = range.start.with({ character: document.lineAt(line).firstNonWhitespaceCharacterIndex });
  editor.selection = new vscode.Selection(start, start);
  // Of a line that is longer than the editor is wide, revealing all would scroll what is before its code out of sight: the mark of its share.
  editor.revealRange(new vscode.Range(start, start), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  if (place.line > 0) highlight(editor, range);
}

/** The folders of this window in which sources may be. */
export function sourceRoots(recorded: readonly string[]): string[] {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter((folder) => folder.uri.scheme === 'file');
  return [...new Set([...recorded, ...folders.map((folder) => folder.uri.fsPath)])];
}

async function locate(target: SourceTarget, recorded: readonly string[]): Promise<vscode.Uri | 'left' | undefined> {
  const roots = sourceRoots(recorded);
  if (target.kind === 'none') return undefined;
  if (target.kind === 'path') return firstFile(pathCandidates(target.path, roots));
  if (!isPlatformPackage(target.packagePath)) {
    const chosen = await chooseClassFile(await classFiles(target, roots), target);
    if (chosen !== undefined) return chosen;
  }
  return languageServerClass(target);
}

async function firstFile(paths: readonly string[]): Promise<vscode.Uri | undefined> {
  for (const path of paths) {
    const uri = vscode.Uri.file(path);
    if (await isRegularFile(uri)) return uri;
  }
  return undefined;
}

// A recording is untrusted: only a file of reasonable size is opened.
async function isRegularFile(uri: vscode.Uri): Promise<boolean> {
  const stat = await statOf(uri);
  return stat !== undefined && (stat.type & vscode.FileType.File) !== 0 && stat.size <= largestSource;
}

type ClassTarget = Extract<SourceTarget, { kind: 'java' }>;

async function classFiles({ packagePath, className }: ClassTarget, roots: readonly string[]): Promise<vscode.Uri[]> {
  const names = jvmFileNames(className);
  const prefix = packagePath === '' ? '' : `${packagePath}/`;
  const direct = await firstFile(roots.flatMap((root) => names.map((name) => `${root}/${prefix}${name}`)));
  if (direct !== undefined) return [direct];
  const found: vscode.Uri[] = [];
  // Kotlin may leave out folders of the package: without a hit by the whole path the name alone is tried, and the package then decides.
  for (const folder of [prefix, '']) {
    const pattern = `**/${folder}{${names.join(',')}}`;
    for (const root of roots)
      found.push(...(await vscode.workspace.findFiles(new vscode.RelativePattern(vscode.Uri.file(root), pattern), ignored, mostFiles)));
    if (found.length > 0) break;
  }
  return [...new Map(found.map((uri) => [uri.toString(), uri])).values()];
}

async function chooseClassFile(
  files: readonly vscode.Uri[],
  { packagePath, className }: ClassTarget,
): Promise<vscode.Uri | 'left' | undefined> {
  const fitting: vscode.Uri[] = [];
  for (const uri of files) {
    if (!(await isRegularFile(uri))) continue;
    const head = new TextDecoder().decode((await vscode.workspace.fs.readFile(uri)).subarray(0, headBytes));
    if (declaresPackage(head, packagePath)) fitting.push(uri);
  }
  if (fitting.length <= 1) return fitting[0];
  const items = fitting.map((uri) => ({ label: vscode.workspace.asRelativePath(uri), uri }));
  const chosen = await choose(items, `Which file holds ${className}?`);
  return chosen?.uri ?? 'left';
}

/** Asks the Java language server, if there is one; it also has sources of the JDK and of libraries. */
async function languageServerClass({ packagePath, className }: ClassTarget): Promise<vscode.Uri | undefined> {
  if (vscode.extensions.getExtension('redhat.java')?.isActive !== true) return undefined;
  const asked = vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>('vscode.executeWorkspaceSymbolProvider', className);
  const symbols = await inTime(
    symbolsMs,
    Promise.resolve(asked).catch(() => undefined),
    () => undefined,
  );
  const container = packagePath.replaceAll('/', '.');
  return symbols?.find(({ name, containerName }) => name === className && containerName === container)?.location.uri;
}

function reasonOf(target: SourceTarget): string {
  if (target.kind === 'none') return target.reason;
  if (target.kind === 'path') return `It was recorded from ${target.path.slice(0, 200)}.`;
  if (isPlatformPackage(target.packagePath)) return 'It is a class of the JDK.';
  return `No file of the class ${target.className.slice(0, 100)} was found; it may be part of a library.`;
}

function highlight(editor: vscode.TextEditor, range: vscode.Range): void {
  const type = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('editor.rangeHighlightBackground'),
  });
  editor.setDecorations(type, [range]);
  setTimeout(() => type.dispose(), highlightMs);
}
