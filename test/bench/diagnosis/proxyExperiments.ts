import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { publishedFolder } from '../../../src/engine/run/experiment/experimentFiles.ts';
import { repositoryDir } from '../../support/engine.ts';
import type { Planting } from './plantings.ts';
import { targetId } from './targets.ts';

export interface BlockLength {
  durationS: number;
  settleS: number;
  rounds: number;
}

/** Only experiments put a proxy before an app: each planting that wants one is written as an experiment of the workspace. Gives their ids. */
export function writeProxyExperiments(
  workspaceDir: string,
  plantings: readonly Planting[],
  { durationS, settleS, rounds }: BlockLength,
): Map<Planting, string> {
  const folder = path.join(workspaceDir, publishedFolder);
  mkdirSync(folder, { recursive: true });
  // What a proxy answers itself lies next to the file in which the targets are declared.
  cpSync(path.join(repositoryDir, 'samples', 'lab', 'static'), path.join(workspaceDir, 'static'), { recursive: true });
  const behind = plantings.filter(({ proxy }) => proxy !== undefined);
  return new Map(
    behind.map((planting, index) => {
      const id = `P${index}`;
      const plan = { kind: 'ladder', levels: [planting.connections], rounds, blockS: durationS, settleS };
      const experiment = {
        id,
        title: planting.name,
        asks: 'What limits it?',
        source: 'planted',
        needs: ['nginx', 'openssl', 'postgres'],
        variants: [
          {
            name: 'planted',
            label: planting.name,
            target: targetId(planting),
            settings: planting.settings ?? {},
            route: planting.route,
            topology: { proxy: planting.proxy },
          },
        ],
        short: plan,
        full: plan,
        notToday: 'It is planted.',
        published: [{ caption: 'planted', columns: ['limit'], rows: [[planting.kind]] }],
        shape: [{ rule: 'limit', variant: 'planted', kinds: [planting.kind], because: 'It is planted.' }],
      };
      writeFileSync(path.join(folder, `${id.toLowerCase()}.json`), JSON.stringify(experiment));
      return [planting, id];
    }),
  );
}
