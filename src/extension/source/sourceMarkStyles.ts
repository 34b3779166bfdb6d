import * as vscode from 'vscode';
import { colourIds } from '../kit/ids.ts';
import { heatSteps } from './sourceMarkLines.ts';

/** Steps from which the text of a mark is no longer muted: 5 % and more. */
const loudStep = 3;
const heat = { dark: '232, 150, 70', light: '201, 96, 0' };

/**
 * The decoration types of the marks, made once and used by every editor: one for each step of heat, one for marks that may be wrong by now.
 * A tint as faint as that keeps the text above it readable in every theme; the share stands beside it in words.
 */
export class SourceMarkStyles implements vscode.Disposable {
  readonly #steps: readonly vscode.TextEditorDecorationType[];
  readonly #stale: vscode.TextEditorDecorationType;

  constructor() {
    this.#steps = heatSteps.map((_, step) => {
      const strength = (step + 1) / heatSteps.length;
      return vscode.window.createTextEditorDecorationType({
        ...base,
        dark: tint(heat.dark, strength),
        light: tint(heat.light, strength),
        after: { color: new vscode.ThemeColor(step >= loudStep ? colourIds.sourceMark : colourIds.quietSourceMark), margin: '0 0 0 2em' },
      });
    });
    this.#stale = vscode.window.createTextEditorDecorationType({
      ...base,
      after: { color: new vscode.ThemeColor(colourIds.quietSourceMark), margin: '0 0 0 2em', fontStyle: 'italic' },
    });
  }

  /** Puts these marks, and no others, into an editor. */
  apply(editor: vscode.TextEditor, marks: readonly { step: number; stale: boolean; options: vscode.DecorationOptions }[]): void {
    for (const [step, type] of this.#steps.entries()) {
      editor.setDecorations(
        type,
        marks.filter((mark) => !mark.stale && mark.step === step).map(({ options }) => options),
      );
    }
    editor.setDecorations(
      this.#stale,
      marks.filter((mark) => mark.stale).map(({ options }) => options),
    );
  }

  dispose(): void {
    for (const type of [...this.#steps, this.#stale]) type.dispose();
  }
}

const base: vscode.DecorationRenderOptions = {
  isWholeLine: true,
  rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  overviewRulerLane: vscode.OverviewRulerLane.Right,
};

function tint(rgb: string, strength: number): vscode.ThemableDecorationRenderOptions {
  return {
    backgroundColor: `rgba(${rgb}, ${(0.02 + 0.12 * strength).toFixed(3)})`,
    overviewRulerColor: `rgba(${rgb}, ${(0.25 + 0.75 * strength).toFixed(3)})`,
  };
}
