import type { ProfileParts } from '../../src/engine/profiles/profileParts.ts';
import type { CallTree } from '../../src/model/domain/callTree.ts';
import type { ProfileHead } from '../../src/model/domain/flame.ts';

/** The head of a recording as the engine gives it, with what is not in its tree. */
export function headOf(profileId: string, tree: CallTree, parts: ProfileParts, more: Partial<ProfileHead> = {}): ProfileHead {
  return {
    profileId,
    title: profileId,
    format: 'test recording',
    recording: null,
    events: parts.events,
    defaultEvent: parts.defaultEvent,
    nodeCount: tree.nodeCount,
    functionCount: tree.functions.name.length,
    sampleCount: tree.samples?.timeUs.length ?? 0,
    threads: tree.threads,
    states: tree.states ?? [],
    requests: null,
    durationMs: null,
    notes: [],
    hint: null,
    exports: [],
    treeBytes: parts.packedTree().length,
    sampleBytes: parts.packedSamples()?.length ?? 0,
    ...more,
  };
}
