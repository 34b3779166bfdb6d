import * as vscode from 'vscode';
import { type Choice, plainFault, type PlainItem, plainItem } from './dialogs.ts';
import { plainLine } from './plainLine.ts';

/** How a step ended: with a value, one step back, or left altogether. */
export type StepResult<T> = { kind: 'next'; value: T } | { kind: 'back' } | { kind: 'leave' };

/** The place of a step among the others; `back` is offered from the second step on. */
export interface StepFrame {
  title: string;
  step: number;
  steps: number;
}

/** Chooses one item; `active` is chosen by Enter alone. An item for which `refusal` gives a sentence cannot be chosen; the sentence is shown. */
export async function pickOne<T extends Choice>(
  frame: StepFrame,
  placeholder: string,
  items: readonly T[],
  active?: T,
  refusal: (item: T) => string | undefined = () => undefined,
): Promise<StepResult<T>> {
  return pick(frame, placeholder, items, false, active === undefined ? [] : [active], ([item]) => {
    const problem = item === undefined ? 'choose one' : refusal(item);
    return item === undefined || problem !== undefined ? { problem: problem ?? '' } : { value: item };
  });
}

/** Chooses at least one item; those `picked` are chosen by Enter alone. */
export async function pickSome<T extends Choice>(
  frame: StepFrame,
  placeholder: string,
  items: readonly T[],
): Promise<StepResult<readonly T[]>> {
  const picked = items.filter((item) => item.picked === true);
  return pick(frame, placeholder, items, true, picked, (chosen) =>
    chosen.length === 0 ? { problem: 'choose at least one' } : { value: chosen },
  );
}

async function pick<T extends Choice, R>(
  frame: StepFrame,
  placeholder: string,
  items: readonly T[],
  many: boolean,
  chosen: readonly T[],
  result: (chosen: readonly T[]) => { value: R } | { problem: string },
): Promise<StepResult<R>> {
  const input = vscode.window.createQuickPick<PlainItem<T>>();
  const shown = items.map(plainItem);
  const those = shown.filter(({ of }) => chosen.includes(of));
  input.placeholder = plainLine(placeholder);
  input.canSelectMany = many;
  input.matchOnDescription = true;
  input.items = shown;
  if (many) input.selectedItems = those;
  else input.activeItems = those;
  return show(input, frame, (accept) =>
    input.onDidAccept(() => {
      const judged = result(input.selectedItems.map(({ of }) => of));
      if ('problem' in judged) input.title = plainLine(`${frame.title}: ${judged.problem}`);
      else accept(judged.value);
    }),
  );
}

/** Asks for a text that `check` finds no fault with. */
export async function askText(
  frame: StepFrame,
  prompt: string,
  value: string,
  check: (text: string) => string | undefined,
): Promise<StepResult<string>> {
  const input = vscode.window.createInputBox();
  input.prompt = plainLine(prompt);
  input.value = value;
  input.validationMessage = plainFault(check(value));
  const typing = input.onDidChangeValue((text) => {
    input.validationMessage = plainFault(check(text));
  });
  const answer = await show<string>(input, frame, (accept) =>
    input.onDidAccept(() => {
      input.validationMessage = plainFault(check(input.value));
      if (input.validationMessage === undefined) accept(input.value);
    }),
  );
  typing.dispose();
  return answer;
}

function show<R>(
  input: vscode.QuickInput & Pick<vscode.InputBox, 'buttons' | 'onDidTriggerButton'>,
  frame: StepFrame,
  onAccept: (accept: (value: R) => void) => vscode.Disposable,
): Promise<StepResult<R>> {
  input.title = plainLine(frame.title);
  input.step = frame.step;
  input.totalSteps = frame.steps;
  input.ignoreFocusOut = true;
  input.buttons = frame.step > 1 ? [vscode.QuickInputButtons.Back] : [];
  return new Promise((resolve) => {
    const subscriptions: vscode.Disposable[] = [];
    const end = (result: StepResult<R>): void => {
      resolve(result);
      for (const subscription of subscriptions) subscription.dispose();
      input.dispose();
    };
    subscriptions.push(
      onAccept((value) => end({ kind: 'next', value })),
      input.onDidTriggerButton(() => end({ kind: 'back' })),
      input.onDidHide(() => end({ kind: 'leave' })),
    );
    input.show();
  });
}
