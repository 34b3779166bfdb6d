import { failure, failureSchema } from '../../model/domain/failure.ts';
import type { Engine } from './engine.ts';
import { told } from '../files/redactRecord.ts';
import { introspectService } from '../introspect/introspectService.ts';
import type { Handlers } from '../rpc/engineServer.ts';
import { type Repository, inRepository } from '../versions/git.ts';

/** What the open folder contains, what is seen of it when it runs, and the versions of its code that can be compared. */
export function workspaceHandlers(engine: Engine) {
  const { reading, server, params } = engine;
  const { workspaceDir } = params;
  const ofFolder = async <T>(signal: AbortSignal, work: (repository: Repository) => Promise<T>): Promise<T> => {
    const context = await engine.runContext([], signal);
    if (workspaceDir === null) throw failure('no-repository', 'No folder is open.', 'Open a folder of a Git repository.');
    return inRepository(context, workspaceDir, work);
  };
  return {
    'diff/names': (_, signal) => ofFolder(signal, (repository) => repository.names()),
    'diff/commits': ({ good, bad }, signal) => ofFolder(signal, (repository) => repository.commitsBetween(good, bad)),
    'workspace/discover': async ({ command = [] }, signal) =>
      workspaceDir === null
        ? { services: [], candidates: [], notes: [] }
        : reading.read('discover', { dir: workspaceDir, command }, signal),
    'workspace/look': async ({ service }, signal) => {
      if (workspaceDir === null) throw failure('look-not-possible', 'No folder is open.', 'Open the folder of the service first.');
      if (!engine.params.trusted)
        throw failure(
          'untrusted',
          `${service.label} stands in a workspace that is not trusted.`,
          'Trust the workspace (“Workspaces: Manage Workspace Trust”) to start it.',
        );
      const seen = await engine.exclusive(signal, async (own) =>
        introspectService(service, {
          ...engine,
          workspaceDir,
          probes: await engine.probeSources.forMeasuring(),
          database: (wants, within) => server.agreedAddress(wants, within),
          onProgress: (step) => engine.tell('look', step),
          signal: own,
        }),
      );
      return seen.problem === null ? seen : { ...seen, problem: told(failureSchema, seen.problem, engine.secrets()) };
    },
  } satisfies Partial<Handlers>;
}
