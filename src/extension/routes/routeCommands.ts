import type { TargetState } from '../../model/protocol/protocol.ts';
import { isBusy, measure } from '../measuring/measure.ts';
import { recordAndShow } from '../recordings/recordFlameGraph.ts';
import type { Services } from '../services/services.ts';
import { fittingOptions } from '../versions/compareOptions.ts';
import { routeLoad, routeRequest } from './routeRequest.ts';
import { say } from '../kit/safeUi/dialogs.ts';

/** At the most, against HEAD, where no other budget was chosen for comparisons of this target. */
const compareBudgetS = 60;
const recordS = 5;

/** Measures one route with the settings that are applied to its target. */
export async function measureRoute(services: Services, targetId: unknown, route: unknown): Promise<void> {
  const asked = await targetOf(services, targetId, route);
  if (asked === null) return;
  await measure(services, { kind: 'run', ...routeRequest(asked.target, asked.route, services.applied) });
}

/** Records one route under load, and shows the flame graph next to the source. */
export async function flameRoute(services: Services, targetId: unknown, route: unknown): Promise<void> {
  const asked = await targetOf(services, targetId, route);
  if (asked === null || (await isBusy(services))) return;
  const { target } = asked;
  await recordAndShow(
    services,
    {
      subject: { kind: 'target', id: target.id, settings: services.applied.of(target), load: routeLoad, route: asked.route },
      events: [],
      seconds: recordS,
    },
    `${target.label}, ${asked.route}`,
  );
}

/** Compares one route of the working tree with that of HEAD, as comparisons of its target were asked for last. */
export async function compareRoute(services: Services, targetId: unknown, route: unknown): Promise<void> {
  const asked = await targetOf(services, targetId, route);
  if (asked === null) return;
  const { target } = asked;
  const memory = await services.memory.comparison();
  const options = fittingOptions(memory.options[target.id], target);
  await measure(services, {
    kind: 'diff',
    load: routeLoad,
    budgetS: compareBudgetS,
    ...options,
    target: target.id,
    route: asked.route,
  });
}

async function targetOf(
  { inventory }: Services,
  targetId: unknown,
  route: unknown,
): Promise<{ target: TargetState; route: string } | null> {
  if (typeof targetId !== 'string' || typeof route !== 'string') return null;
  const { targets } = await inventory.catalog.get();
  const target = targets.find(({ id }) => id === targetId);
  if (target === undefined) say(`${targetId} is not declared in benchside.json any more.`);
  return target === undefined ? null : { target, route };
}
