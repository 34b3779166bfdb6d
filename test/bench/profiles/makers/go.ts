import path from 'node:path';
import type { CorpusFile } from '../corpus.ts';
import { goPprof } from '../references/goPprof.ts';
import { goProgram, madeFolder, run } from '../tools.ts';

/** Everything that one run of the program writes. */
function written(name: string): Promise<string> {
  return madeFolder('go-profiles', async (folder) => {
    await run(await goProgram('go'), [folder]);
  }).then((folder) => path.join(folder, `${name}.pb.gz`));
}

const kinds = [
  { name: 'cpu', event: 'cpu', unit: 'ns' },
  { name: 'heap', event: 'inuse_space', unit: 'bytes' },
  { name: 'allocs', event: 'alloc_space', unit: 'bytes' },
  { name: 'mutex', event: 'delay', unit: 'ns' },
  { name: 'block', event: 'contentions', unit: 'count' },
  { name: 'goroutine', event: 'goroutine', unit: 'count' },
] as const;

export const goFiles: readonly CorpusFile[] = kinds.map(({ name, event, unit }) => ({
  id: `go-${name}`,
  format: 'pprof',
  program: `Go 1.26, runtime/pprof, ${name}`,
  event,
  make: () => written(name),
  reference: goPprof(event, unit),
}));
