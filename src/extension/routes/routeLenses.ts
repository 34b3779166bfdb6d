import * as vscode from 'vscode';
import { workspaceFileName } from '../kit/ids.ts';
import { lens } from '../kit/safeUi/inSource.ts';
import { fileInWorkspace, type FollowedRoutes } from './followedRoutes.ts';
import type { RouteBook } from './routeBook.ts';
import { metricsOrigin, metricsPhrase, missedBy, type RouteMetrics } from './routeMetrics.ts';
import type { RoutePlace } from '../../model/protocol/routePlaces.ts';

/**
 * Lenses above the handler of each route of the workspace's own targets, with what the newest run says of it, and above each target of benchside.json. One
 * setting turns all of them off.
 */
export function registerRouteLenses(book: RouteBook, routes: FollowedRoutes): vscode.Disposable {
  return vscode.languages.registerCodeLensProvider(
    { scheme: 'file' },
    {
      onDidChangeCodeLenses: routes.onChanged,
      provideCodeLenses: async (document) => {
        if (!book.isOn) return [];
        if ((await fileInWorkspace(document.uri)) === workspaceFileName) return await targetLenses(document);
        return (await routes.of(document)).flatMap(({ line, place }) =>
          line === null ? [] : routeLenses(line, place, book.figuresOf(place)),
        );
      },
    },
  );
}

function routeLenses(line: number, place: RoutePlace, figures: RouteMetrics | undefined): vscode.CodeLens[] {
  const { targetId, targetLabel, route } = place;
  const of = `${route} of ${targetLabel}`;
  return [
    lens(line, 'Measure', `Measure ${of} for some seconds`, 'measureRoute', [targetId, route]),
    lens(line, 'Flame graph', `Record ${of} under load and show its flame graph`, 'flameRoute', [targetId, route]),
    lens(line, 'Against HEAD', `Compare ${of} as it is in the working tree with HEAD`, 'compareRoute', [targetId, route]),
    ...(figures === undefined ? [] : [metricsLens(line, place, figures)]),
  ];
}

function metricsLens(line: number, { budget }: RoutePlace, figures: RouteMetrics): vscode.CodeLens {
  const missed = missedBy(figures, budget);
  const title = missed.length === 0 ? metricsPhrase(figures) : `⚠ ${missed.join(' · ')}`;
  return lens(line, title, metricsOrigin(figures, missed, new Date()), 'openRun', [figures.runId]);
}

async function targetLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
  const { targetPlaces } = await import('../kit/placesInFile.ts');
  return targetPlaces(document.getText()).flatMap(({ id, at }) => {
    const { line } = document.positionAt(at);
    return [
      lens(line, 'Run', `Run a benchmark of ${id}`, 'runBenchmark', [id]),
      lens(line, 'Tune', `Find out which value of a setting of ${id} to use`, 'tune', [id]),
      lens(line, 'Record', `Record a flame graph of ${id}`, 'recordFlameGraph', [id]),
    ];
  });
}
