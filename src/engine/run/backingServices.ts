import { resolveRequestMix } from '../load/requestMix.ts';
import { DocumentStore } from '../services/documents/documentStore.ts';
import { type DeclaredTarget, findTarget } from '../targets/catalog.ts';
import { loadProfileNamed } from './loadProfileNamed.ts';
import type { RunContext } from './runContext.ts';

export interface Asked {
  targets: readonly string[];
  /** Null where no load is put on them: nobody knows what will be asked. */
  load: string | null;
  route?: string | undefined;
}

/** The part of a context that services are started with. */
type BackedContext = Pick<RunContext, 'supervisor' | 'assetsDir' | 'toolchain' | 'cookieEnvironment' | 'signal' | 'declarations'>;

/** Runs `work` while the services run that one of the targets needs for a requested route. */
export function withBackingServices<T, C extends BackedContext>(asked: Asked, context: C, work: (context: C) => Promise<T>): Promise<T> {
  const wanting = asked.targets
    .map((id) => findTarget(context.declarations, id))
    .filter((declared) => wantsDocuments(declared, asked, context));
  return wanting.length === 0 ? work(context) : withDocuments(wanting, context, work);
}

/**
 * Runs `work` with a document store: the processes of these targets learn its address by the variable that each of them names. It is removed when the work has
 * ended, in every case.
 */
export async function withDocuments<T, C extends BackedContext>(
  targets: readonly DeclaredTarget[],
  context: C,
  work: (context: C) => Promise<T>,
): Promise<T> {
  const { supervisor, assetsDir, toolchain, cookieEnvironment, signal } = context;
  const env = { ...toolchain.programEnvironment('node'), ...cookieEnvironment };
  const store = await DocumentStore.start(supervisor, { nodePath: toolchain.node, assetsDir, env, signal });
  const addresses = targets.flatMap(({ target }) => (target.documents === undefined ? [] : [[target.documents.env, store.url] as const]));
  try {
    return await work({ ...context, cookieEnvironment: { ...cookieEnvironment, ...Object.fromEntries(addresses) } });
  } finally {
    await store.stop();
  }
}

function wantsDocuments({ target }: DeclaredTarget, asked: Asked, { declarations }: BackedContext): boolean {
  const { documents } = target;
  if (documents === undefined) return false;
  if (asked.load === null) return true;
  const profile = loadProfileNamed(declarations, asked.load);
  const { mix } = resolveRequestMix({ targetId: target.id, routes: target.routes, profileMix: profile.mix, route: asked.route });
  return mix.some(({ path }) => path.startsWith(documents.path));
}
