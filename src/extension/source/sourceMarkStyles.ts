import * as vscode from 'vscode';
import { colourIds } from '../kit/ids.ts';
import { heatSteps } from './sourceMarkLines.ts';
import { markWidth } from './sourceMarkTexts.ts';
import { markColumn } from '../kit/safeUi/inSource.ts';

/** Steps from which the text of a mark is no longer muted: 5 % and more. */
const loudStep = 3;
/** The widest bar, in pixels. */
export const widestBarPx = 12;
const heat = { dark: '232, 150, 70', light: '201, 96, 0' };

/**
 * The decoration types of the marks, made once and used by every editor: one for each step of heat, one for marks that may be wrong by now, and
 * one for the lines between them, so that the column is as wide there and the code of a file stays in line. A tint as faint as that keeps the text
 * above it readable in every theme; next to it, the share is written in words.
 */
export class SourceMarkStyles implements vscode.Disposable {
  readonly #steps: readonly vscode.TextEditorDecorationType[];
  readonly #stale: vscode.TextEditorDecorationType;
  readonly #unmarked: vscode.TextEditorDecorationType;

  constructor() {
    this.#steps = heatSteps.map((_, step) => {
      const strength = (step + 1) / heatSteps.length;
      return vscode.window.createTextEditorDecorationType({
        ...base,
        dark: tint(heat.dark, strength),
        light: tint(heat.light, strength),
        before: { ...column, color: new vscode.ThemeColor(step >= loudStep ? colourIds.sourceMark : colourIds.quietSourceMark) },
      });
    });
    this.#stale = vscode.window.createTextEditorDecorationType({
      ...base,
      before: { ...column, color: new vscode.ThemeColor(colourIds.quietSourceMark), fontStyle: 'italic' },
    });
    this.#unmarked = vscode.window.createTextEditorDecorationType({
      rangeBehavior: vscode.DecorationRangeBehavior.OpenClosed,
      before: { ...column, contentText: '\u00a0' },
    });
  }

  /** Puts these marks, and no others, into an editor. */
  apply(
    editor: vscode.TextEditor,
    marks: readonly { step: number; stale: boolean; options: vscode.DecorationOptions }[],
    widthCh: number,
  ): void {
    const optionsOf = (some: typeof marks): vscode.DecorationOptions[] => some.map(({ options }) => options);
    for (const [step, type] of this.#steps.entries())
      editor.setDecorations(type, optionsOf(marks.filter((mark) => !mark.stale && mark.step === step)));
    editor.setDecorations(this.#stale, optionsOf(marks.filter(({ stale }) => stale)));
    editor.setDecorations(this.#unmarked, marks.length === 0 ? [] : linesWithout(marks, editor.document.lineCount, widthCh));
  }

  dispose(): void {
    for (const type of [...this.#steps, this.#stale, this.#unmarked]) type.dispose();
  }
}

/** Where every line of a marked file begins, whether it has a mark or not. */
const column: vscode.ThemableDecorationAttachmentRenderOptions = {
  width: markColumn(markWidth),
  margin: '0 1.5ch 0 0',
};

function linesWithout(
  marks: readonly { options: vscode.DecorationOptions }[],
  lineCount: number,
  widthCh: number,
): vscode.DecorationOptions[] {
  const marked = new Set(marks.map(({ options }) => options.range.start.line));
  return Array.from({ length: lineCount }, (_, line) => line)
    .filter((line) => !marked.has(line))
    .map((line) => ({ range: new vscode.Range(line, 0, line, 0), renderOptions: { before: { width: markColumn(widthCh) } } }));
}

const base: vscode.DecorationRenderOptions = {
  isWholeLine: true,
  // Text typed at the beginning of a line goes behind its mark.
  rangeBehavior: vscode.DecorationRangeBehavior.OpenClosed,
  overviewRulerLane: vscode.OverviewRulerLane.Right,
};

function tint(rgb: string, strength: number): vscode.ThemableDecorationRenderOptions {
  return {
    backgroundColor: `rgba(${rgb}, ${(0.02 + 0.12 * strength).toFixed(3)})`,
    overviewRulerColor: `rgba(${rgb}, ${(0.25 + 0.75 * strength).toFixed(3)})`,
  };
}
