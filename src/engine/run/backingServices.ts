import { resolveRequestMix } from '../load/requestMix.ts';
import { DocumentStore } from '../services/documents/documentStore.ts';
import { findTarget } from '../targets/catalog.ts';
import type { DeclaredTarget } from '../targets/catalog.ts';
import { loadProfileNamed } from './loadProfileNamed.ts';
import type { RunContext } from './runContext.ts';

/** What a request asks of which targets. */
export interface Asked {
  targets: readonly string[];
  load: string;
  route?: string | undefined;
}

/**
 * Does `work` with a document store running beside it, where one of the targets wants one for a route that is asked for. Their processes learn its
 * address by the variable that they name. It is gone when the work has ended, however.
 */
export async function withBackingServices<T>(asked: Asked, context: RunContext, work: (context: RunContext) => Promise<T>): Promise<T> {
  const wanting = asked.targets
    .map((id) => findTarget(context.declarations, id))
    .filter((declared) => wantsDocuments(declared, asked, context));
  if (wanting.length === 0) return work(context);
  const { supervisor, assetsDir, toolchain, cookieEnvironment, signal } = context;
  const env = { ...toolchain.programEnvironment('node'), ...cookieEnvironment };
  const store = await DocumentStore.start(supervisor, { nodePath: toolchain.node, assetsDir, env, signal });
  try {
    return await work({ ...context, cookieEnvironment: { ...cookieEnvironment, ...documentEnvironment(wanting, store.url) } });
  } finally {
    await store.stop();
  }
}

/** By the variable that each target names. */
export function documentEnvironment(targets: readonly DeclaredTarget[], url: string): Record<string, string> {
  return Object.fromEntries(targets.flatMap(({ target }) => (target.documents === undefined ? [] : [[target.documents.env, url]])));
}

function wantsDocuments({ target }: DeclaredTarget, asked: Asked, { declarations }: RunContext): boolean {
  const { documents } = target;
  if (documents === undefined) return false;
  const profile = loadProfileNamed(declarations, asked.load);
  const { mix } = resolveRequestMix({ targetId: target.id, routes: target.routes, profileMix: profile.mix, route: asked.route });
  return mix.some(({ path }) => path.startsWith(documents.path));
}
