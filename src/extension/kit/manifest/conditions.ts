import type { ContextName, ViewName } from '../ids.ts';

/** Keys that are there or not, and keys that have a value; but for ours, the editor sets them. */
type Flag = 'activeCustomEditorId' | 'editorTextFocus' | 'explorerResourceIsFolder' | 'listMultiSelection' | `benchside.${ContextName}`;
type Valued = 'activeCustomEditorId' | 'resourceFilename' | 'resourceScheme' | 'scmProvider' | 'timelineItem' | 'viewItem';
type Comparison = `${Valued} ${'==' | '!='} ${string}` | `${Valued} =~ /${string}/${'' | 'i'}` | `view == benchside.${ViewName}`;
type Term = Flag | `!${Flag}` | Comparison | 'false';
declare const joined: unique symbol;
/** A condition of the manifest (a “when clause”) in the editor’s language. No term of it can name a key or a view that does not exist. */
export type Condition = Term | (string & { readonly [joined]: true });

export const any = (...ones: readonly Condition[]): Condition => ones.join(' || ') as Condition;
/** What is undefined is no condition. */
export const all = (...ones: readonly (Condition | undefined)[]): Condition =>
  ones.flatMap((one) => (one?.includes(' || ') === true ? `(${one})` : (one ?? []))).join(' && ') as Condition;

export const idle = '!benchside.running';
export const oneRow = '!listMultiSelection';
