import type { CallTree } from '../../model/domain/callTree.ts';
import { type JsonObject, listIn, numberOf, numberOr } from './jsonDocument.ts';
import { treeOf } from './readCpuProfile.ts';
import { ScannedProfile } from './scanCpuProfile.ts';
import type { ScriptPlaces } from './scriptPlaces.ts';
import { eachTreeNode, scriptPlace } from './v8Frame.ts';

const format = '.cpuprofile';

/**
 * Reads a CPU profile as V8 wrote it before it had `nodes`: a tree (`head`), lines from 1. Event `cpu` (ns) where samples have `timestamps` (µs) or the time
 * from start to end (s) can be shared out among them; else `samples`, by `hitCount`.
 */
export function readOldCpuProfile(document: JsonObject, scripts: ScriptPlaces | null = null): CallTree {
  const profile = new ScannedProfile();
  eachTreeNode(document, format, -1, (node, parentId) => {
    const id = numberOf(node['id'], format, 'an id');
    const frame = { ...scriptPlace(node), line: numberOr(node['lineNumber'], 0) - 1, column: -1 };
    profile.addNode(id, profile.frames.push(frame) - 1, numberOr(node['hitCount'], 0), parentId);
    return id;
  });
  const samples = listIn(document, 'samples', format);
  const stamps = listIn(document, 'timestamps', format);
  const seconds = numberOr(document['endTime'], 0) - numberOr(document['startTime'], 0);
  // Each stamp is the time of its sample; the last, where there is one more, is the end.
  const timeOf = (row: number): number => numberOf(stamps[row], format, 'a timestamp');
  if (stamps.length >= samples.length || seconds > 0) {
    for (const [row, id] of samples.entries()) {
      profile.samples.push(numberOf(id, format, 'a sample'));
      const even = (seconds * 1e6) / samples.length;
      profile.timeDeltas.push(stamps.length < samples.length ? even : row === 0 ? 0 : timeOf(row) - timeOf(row - 1));
    }
  }
  return treeOf(profile, scripts, stamps.length > samples.length ? timeOf(samples.length) - timeOf(samples.length - 1) : null);
}
