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
interface TargetNode {
  id?: string;
  row: vscode.TreeItem;
  children?: TargetNode[];
}

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
    if (node !== undefined) return node.children ?? [];
    if (this.services.inventory.isSuspended) return [];
    try {
      const catalog = await this.services.inventory.catalog.get();
      this.#view.say(vscode.workspace.isTrusted ? '' : 'Restricted Mode: the samples can be started, this workspace’s own targets cannot.');
      return this.#groups(catalog, await this.#undeclared(catalog));
    } catch (error) {
      const message = messageOf(error);
      this.services.log.error(`Targets could not be listed: ${message}`);
      setContext({ engineFailed: true });
      this.#view.say(message);
      return [];
    }
  }

  getTreeItem({ row }: TargetNode): vscode.TreeItem {
    return row;
  }

  #groups({ targets, services, problems }: Catalog, found: readonly FoundService[]): TargetNode[] {
    const { applied, runs } = this.services;
    const shown = listed(targets, () => false);
    const servers = services.map((one) => processNode(one, {}));
    const ofOrigin = (origin: TargetState['origin']): TargetNode[] =>
      shown.filter((one) => one.origin === origin).map((one) => processNode(one, applied.of(one), runs.loadOn(one.id)));
    return [
      ...group(foundHeading, found.map(foundNode)),
      ...targetGroups.flatMap(({ origin, heading }) =>
        group(heading, [...(origin === 'workspace' ? problems.map(problemNode) : []), ...ofOrigin(origin)]),
      ),
      ...group('Services', servers),
    ];
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

/** A group with these rows; none where there are none. */
function group(name: string, children: TargetNode[]): TargetNode[] {
  return children.length === 0 ? [] : [{ row: groupItem(name, { id: `group:${name}`, contextValue: 'group' }), children }];
}

function processNode(item: TargetState | ServiceState, applied: SettingValues, load?: string): TargetNode {
  const kind = 'external' in item ? 'service' : 'target';
  const isExternal = 'external' in item && item.external;
  const state = isExternal ? 'external' : item.state === 'stopped' && !isStartable(item) ? 'blocked' : item.state;
  const row = rowItem(processRow(item, applied, load), { id: `${kind}:${item.id}`, contextValue: `${kind}.${state}` });
  return { id: item.id, row };
}

/** A service that can be set up and measured by one click. */
function foundNode(service: FoundService): TargetNode {
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
  return { id: service.id, row: rowItem(row, { id: `found:${service.id}`, contextValue: 'found', command }) };
}

function problemNode(problem: Failure): TargetNode {
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
  const command = { command: commandId('createWorkspaceFile'), title: 'Open benchside.json' };
  return { row: rowItem(row, { contextValue: 'problem', command }) };
}
