import { readFileSync } from 'node:fs';
import path from 'node:path';
import { doctorHintSchema } from '../../../src/model/domain/recording.ts';
import { clinicHintFile } from '../../../src/engine/record/clinic/doctorHint.ts';
import { type TestEngine, repositoryDir } from '../../support/engine.ts';
import type { Planting } from './plantings.ts';
import { targetId } from './targets.ts';

/** Where Clinic is installed for the tests too. */
export const doctorStorage = path.join(repositoryDir, '.cache', 'clinic');

/** At its finest interval doctor takes 100 samples a second, and says little of fewer than 200. */
const seconds = 6;

/**
 * The category that clinic doctor gives the same target under the same settings, route and load; null where it cannot be asked: it knows Node only,
 * starts the app itself (so that no shell can be before it), and sees nothing of a proxy.
 */
export async function askDoctor(engine: TestEngine, planting: Planting, load: string): Promise<string | null> {
  if (planting.target !== 'node' || planting.proxy !== undefined || planting.descriptors !== undefined) return null;
  await engine.request('recorders/install', { id: 'clinic-doctor' });
  const { recording } = await engine.request('recording/start', {
    subject: {
      kind: 'target',
      id: targetId(planting),
      settings: planting.settings ?? {},
      load,
      connections: planting.connections,
      route: planting.route,
    },
    recorder: 'clinic-doctor',
    seconds,
  });
  const file = path.join(engine.workspaceDir, '.benchside', 'recordings', recording.id, clinicHintFile);
  const { category, enough } = doctorHintSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  return enough ? category : `${category}, of too few samples`;
}
