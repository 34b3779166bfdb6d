import type { Catalog, TargetState } from '../../model/protocol/protocol.ts';
import { type Failure, failureSchema } from '../../model/domain/failure.ts';
import type { Engine } from './engine.ts';
import { told } from '../files/redactRecord.ts';
import { findPgBouncer, pgBouncerMissing } from '../services/bouncer/findPgBouncer.ts';
import { k6Missing } from '../k6/k6Generator.ts';
import { findNginx, nginxMissing } from '../services/nginx/findNginx.ts';
import { targetProblem, untrusted } from '../targets/catalog.ts';
import { variantsOf } from '../variants/varied.ts';

/**
 * Everything that is declared, each with how it is doing, and why Benchside may not start it. What is declared is reported as it is in the user's file; why something
 * failed may contain its output, and is reported without secrets.
 */
export async function catalogOf(engine: Engine): Promise<Catalog> {
  const declarations = await engine.readDeclared();
  const { targets, postgres, toolchain, params } = engine;
  const secrets = engine.secrets();
  const withoutSecrets = (problem: Failure | null): Failure | null => problem && told(failureSchema, problem, secrets);
  return {
    targets: declarations.targets.map((declared): TargetState => {
      const { target, origin } = declared;
      const live = targets.state(target.id);
      return {
        id: target.id,
        label: target.label ?? target.id,
        description: target.description ?? '',
        runtime: target.runtime,
        origin,
        ...live,
        settings: target.settings,
        variants: variantsOf(declared),
        routes: target.routes,
        command: target.command,
        problem: withoutSecrets(live.problem) ?? untrusted(declared, params) ?? targetProblem(declared, toolchain),
      };
    }),
    services: [{ ...postgres.state, problem: withoutSecrets(postgres.state.problem) }],
    loadProfiles: declarations.loadProfiles.map(({ profile, origin }) => ({ ...profile, origin })),
    problems: declarations.problems,
    bouncerProblem: findPgBouncer() === null ? pgBouncerMissing() : null,
    k6Problem: k6Missing(params.k6.path),
    proxyProblem: findNginx() === null ? nginxMissing() : null,
  };
}
