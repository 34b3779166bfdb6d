import * as vscode from 'vscode';
import type { FoundService } from '../../model/domain/detection.ts';
import type { Failure } from '../../model/domain/failure.ts';
import { listed, targetGroups } from '../../model/protocol/listed.ts';
import type { Catalog, ServiceState, TargetState } from '../../model/protocol/protocol.ts';
import type { SettingValues } from '../../model/domain/setting.ts';
import { isStartable } from '../../model/presentation/formChoice.ts';
import { commandId } from '../kit/commandId.ts';
import { viewIds } from '../kit/ids.ts';
import { Owner } from '../kit/owner.ts';
import { setContext } from '../kit/setContext.ts';
import { escapeMarkdown } from '../kit/row.ts';
import { undeclaredServices } from './declareServices.ts';
import { foundHeading, placeOf, setUpPhrase } from './foundChoices.ts';
import { processRow } from './processRow.ts';
import { messageOf } from '../kit/safeUi/log.ts';
import { groupItem, rowItem, rowsView } from '../kit/safeUi/rowItem.ts';
import type { Services } from '../services/services.ts';

/** A row of the Targets view. Commands on a target or service read its `id`. */
export type TargetNode =
  | { kind: 'group'; name: string; children: TargetNode[] }
  | { kind: 'item'; id: string; item: TargetState | ServiceState }
  | { kind: 'found'; id: string; service: FoundService }
  | { kind: 'problem'; problem: Failure };

/** Targets and PostgreSQL with their state: the workspace's own, also those that are not declared yet, the samples, the services. */
export class TargetsView extends Owner implements vscode.TreeDataProvider<TargetNode> {
  readonly #changed = this.emitter<void>();
  readonly #view: ReturnType<typeof rowsView<TargetNode>>;
  /** The folder is looked through once, and again after a refresh. */
  #found: Promise<FoundService[]> | null = null;
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(private readonly services: Services) {
    super();
    this.#view = rowsView(viewIds.targets, this);
    this.owns(
      this.#view,
      services.inventory.catalog.onChanged((catalog) => {
        if (catalog === undefined) this.#found = null;
        this.#changed.fire();
      }),
      services.applied.onChanged(() => this.#changed.fire()),
      services.runs.onLoadChanged(() => this.#changed.fire()),
    );
  }

  async getChildren(node?: TargetNode): Promise<TargetNode[]> {
    if (node !== undefined) return node.kind === 'group' ? node.children : [];
    if (this.services.inventory.isSuspended) return [];
    try {
      const catalog = await this.services.inventory.catalog.get();
      this.#view.say(vscode.workspace.isTrusted ? '' : 'Restricted Mode: the samples can be started, this workspace’s own targets cannot.');
      return groups(catalog, await this.#undeclared(catalog));
    } catch (error) {
      const message = messageOf(error);
      this.services.log.error(`Targets could not be listed: ${message}`);
      setContext({ engineFailed: true });
      this.#view.say(message);
      return [];
    }
  }

  getTreeItem(node: TargetNode): vscode.TreeItem {
    if (node.kind === 'group') return groupItem(node.name, { id: `group:${node.name}`, contextValue: 'group' });
    if (node.kind === 'problem') return problemItem(node.problem);
    if (node.kind === 'found') return foundItem(node.service);
    const { applied, runs } = this.services;
    return 'settings' in node.item ? processItem(node.item, applied.of(node.item), runs.loadOn(node.item.id)) : processItem(node.item, {});
  }

  async #undeclared(catalog: Catalog): Promise<FoundService[]> {
    // Once one is declared there is a file that says what is meant.
    if (catalog.targets.some(({ origin }) => origin === 'workspace')) this.#found = null;
    this.#found ??= undeclaredServices(this.services, catalog);
    const found = await this.#found;
    setContext({ hasUndeclared: found.length > 0 });
    return found;
  }
}

function groups(catalog: Catalog, found: readonly FoundService[]): TargetNode[] {
  const node = (item: TargetState | ServiceState): TargetNode => ({ kind: 'item', id: item.id, item });
  const own: TargetNode[] = [
    ...catalog.problems.map((problem): TargetNode => ({ kind: 'problem', problem })),
    ...catalog.targets.filter((target) => target.origin === 'workspace').map(node),
  ];
  const shown = listed(catalog.targets, () => false);
  const all: { name: string; children: TargetNode[] }[] = [
    { name: foundHeading, children: found.map((service): TargetNode => ({ kind: 'found', id: service.id, service })) },
    { name: 'This workspace', children: own },
    ...targetGroups.flatMap(({ origin, heading }) =>
      origin === 'workspace' ? [] : [{ name: heading, children: shown.filter((target) => target.origin === origin).map(node) }],
    ),
    { name: 'Services', children: catalog.services.map(node) },
  ];
  return all.filter(({ children }) => children.length > 0).map((group): TargetNode => ({ kind: 'group', ...group }));
}

function processItem(item: TargetState | ServiceState, applied: SettingValues, load?: string): vscode.TreeItem {
  const kind = 'external' in item ? 'service' : 'target';
  const isExternal = 'external' in item && item.external;
  const state = isExternal ? 'external' : item.state === 'stopped' && !isStartable(item) ? 'blocked' : item.state;
  return rowItem(processRow(item, applied, load), { id: `${kind}:${item.id}`, contextValue: `${kind}.${state}` });
}

/** A service that can be set up and measured by one click. */
function foundItem(service: FoundService): vscode.TreeItem {
  const known = placeOf(service);
  const row = {
    label: service.label,
    description: setUpPhrase(service),
    icon: 'play-circle',
    colour: 'charts.blue',
    spoken: `${service.label}, ${known}, ${setUpPhrase(service)}. Sets it up and measures it.`,
    tooltip: `${escapeMarkdown(`${service.label}: ${service.because}.`)}\n\nA click sets it up and measures it. You are asked before it is started.`,
  };
  const command = { command: commandId('runBenchmark'), title: 'Set Up and Run', arguments: [service.id] };
  return rowItem(row, { id: `found:${service.id}`, contextValue: 'found', command });
}

function problemItem(problem: Failure): vscode.TreeItem {
  const row = {
    label: problem.message,
    description: '',
    icon: 'warning',
    colour: 'list.warningForeground',
    spoken: `${problem.message} ${problem.cure}`,
    tooltip: [problem.message, problem.cure, problem.detail ?? '']
      .filter((line) => line !== '')
      .map(escapeMarkdown)
      .join('\n\n'),
  };
  return rowItem(row, { contextValue: 'problem', command: { command: commandId('createWorkspaceFile'), title: 'Open benchside.json' } });
}
