import path from 'node:path';
import { failure } from '../model/domain/failure.ts';
import { type HotFunction, type HotFunctions, exportedFunctionsSchema } from '../model/agents/workAnswers.ts';
import type { RunRecord, Trial } from '../model/domain/run.ts';
import type { AgentHost } from './agentHost.ts';

/** The functions of a trial’s recording, by what the engine writes of it. Fails with `no-recording` for a trial that was not recorded. */
export async function hotFunctions(
  host: AgentHost,
  run: RunRecord,
  trial: Trial,
  event: string | undefined,
  signal: AbortSignal,
): Promise<HotFunctions> {
  const recording = run.recordings.find(({ trialKey }) => trialKey === trial.key) ?? null;
  if (recording === null)
    throw failure('no-recording', 'That trial was not recorded.', 'Start a run with "record": true, and look at that one.');
  const head = await host.request('profile/open', { source: { kind: 'recording', id: recording.id } }, signal);
  try {
    const { data } = await host.request(
      'profile/export',
      { profileId: head.profileId, format: 'json', event: event ?? head.defaultEvent },
      signal,
    );
    const exported = exportedFunctionsSchema.parse(JSON.parse(Buffer.from(data, 'base64').toString('utf8')));
    const roots = [...(host.workspaceDir === null ? [] : [host.workspaceDir]), ...recording.sourceRoots];
    // The user cannot change what our recorder does in the app.
    return {
      ...exported,
      requests: head.requests,
      functions: exported.functions.filter(({ file }) => !file.startsWith('benchside-')).map((one) => placed(one, roots)),
    };
  } finally {
    await host.request('profile/close', { profileId: head.profileId }).catch(() => undefined);
  }
}

/** The path of a file in the workspace. For other files, only name and folder, which are enough to recognise them. */
function placed(one: HotFunction, roots: readonly string[]): HotFunction {
  const { file } = one;
  const root = roots.find((folder) => file.startsWith(`${folder}${path.sep}`));
  if (root !== undefined) return { ...one, file: path.relative(root, file) };
  return { ...one, file: path.isAbsolute(file) ? file.split(path.sep).slice(-2).join('/') : file };
}
