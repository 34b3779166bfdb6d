import type { AgentToolName } from '../../model/agents/agentTools.ts';

/* Names that the manifest and the code share. The tables of `manifest` define what they mean; they also have the names of commands and settings. */

export const viewIds = { targets: 'benchside.targets', runs: 'benchside.runs' } as const;
export type ViewName = keyof typeof viewIds;
export const panelViewType = 'benchside.workbench';
/** The editors for flame graphs: files that the editor has a viewer of its own for, all other files, and recordings of Benchside. */
export const flameViewTypes = {
  v8Profile: 'benchside.flame.v8',
  profile: 'benchside.flame',
  recording: 'benchside.flame.recording',
} as const;
/** Scheme of the addresses of recordings; they refer to no file. */
export const recordingScheme = 'benchside-recording';

/** Context keys of `when` clauses, after `benchside.`. `loaded` is false until the engine has sent the inventory; nothing is hidden before that. */
export type ContextName =
  | 'loaded'
  | 'engineFailed'
  | 'running'
  | 'liveRunning'
  | 'hasApplied'
  | 'hasBaseline'
  | 'hasTunedRuns'
  | 'hasRuns'
  | 'hasTwoRuns'
  | 'anyTargetRunning'
  | 'anyTargetStopped'
  | 'recording'
  | 'hasRecordings'
  | 'hasTwoRecordings'
  | 'hasSourceMarks'
  | 'hasNextStep'
  | 'hasUndeclared';

/** Colours that themes and users can change. */
export const colourIds = { sourceMark: 'benchside.sourceMarkForeground', quietSourceMark: 'benchside.quietSourceMarkForeground' } as const;
export const configurationSection = 'benchside';
export const workspaceFileName = 'benchside.json';
/** In place of a target’s id: the service of the folder that is not declared yet. No id is like it. */
export const thisFolder = '.';
/** Tasks of the editor, and the matcher that makes problems of what they say. */
export const taskType = 'benchside';
export const problemMatcher = 'benchside';
/** Where the engine keeps what was measured, in the workspace. */
export const storeFolders = { runs: '.benchside/runs', recordings: '.benchside/recordings' } as const;

/** Language model tools: those of `model/agent`, each with its picture. */
export const toolIcons = {
  list_targets: '$(list-unordered)',
  check_machine: '$(checklist)',
  start_run: '$(play)',
  start_tuning: '$(settings)',
  compare_code: '$(git-compare)',
  what_would_help: '$(beaker)',
  check_leak: '$(pulse)',
  measure_startup: '$(rocket)',
  get_run: '$(graph)',
  cancel_run: '$(debug-stop)',
  compare_runs: '$(split-horizontal)',
  explain_run: '$(lightbulb)',
  get_hot_frames: '$(flame)',
  get_slow_sql: '$(database)',
} as const satisfies Record<AgentToolName, `$(${string})`>;
export const toolNames = Object.keys(toolIcons) as AgentToolName[];
export const toolPrefix = 'benchside_';
/** What offers the server of the Model Context Protocol where the editor has no tools of its own. */
export const serverProviderId = 'benchside.mcp';
