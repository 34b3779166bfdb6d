import { viewIds, type ContextName } from '../ids.ts';

declare const made: unique symbol;
/** A condition of the manifest (a “when clause”). Only the functions of this file make one, so that none names a key or a view that does not exist. */
export type Condition = string & { readonly [made]: true };

/** Keys that the editor sets. */
type EditorKey =
  | 'activeCustomEditorId'
  | 'editorTextFocus'
  | 'explorerResourceIsFolder'
  | 'listMultiSelection'
  | 'resourceFilename'
  | 'resourceScheme'
  | 'scmProvider'
  | 'timelineItem'
  | 'viewItem';
export type ViewName = keyof typeof viewIds;

const condition = (text: string): Condition => text as Condition;

/** A key that this extension sets. */
export const ours = (name: ContextName): Condition => condition(`benchside.${name}`);
export const editorKey = (key: EditorKey): Condition => condition(key);
export const equals = (key: EditorKey, value: string): Condition => condition(`${key} == ${value}`);
export const differs = (key: EditorKey, value: string): Condition => condition(`${key} != ${value}`);
export const matches = (key: EditorKey, pattern: RegExp): Condition => condition(`${key} =~ ${String(pattern)}`);
export const inView = (view: ViewName): Condition => condition(`view == ${viewIds[view]}`);
export const not = (one: Condition): Condition => condition(one.includes(' ') ? `!(${one})` : `!${one}`);
export const any = (...ones: readonly Condition[]): Condition => condition(ones.join(' || '));
export const all = (...ones: readonly Condition[]): Condition =>
  condition(ones.map((one) => (one.includes(' || ') ? `(${one})` : one)).join(' && '));
export const never = condition('false');

/** The value of the key once the engine has sent the inventory. Nothing is disabled before that. */
export const untilKnown = (name: ContextName): Condition => any(not(ours('loaded')), ours(name));
/** For the palette, which has nothing of a run before there is one. */
export const withRuns = ours('hasRuns');
export const withRecordings = any(ours('hasRuns'), ours('hasRecordings'));
export const idle = not(ours('running'));
export const notRecording = not(ours('recording'));
export const oneRow = not(editorKey('listMultiSelection'));
export const inFlameGraph = matches('activeCustomEditorId', /^benchside\.flame/);
