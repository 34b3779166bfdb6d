import type { Catalog, TargetState } from '../../model/protocol/protocol.ts';
import { failureSchema } from '../../model/domain/failure.ts';
import type { Failure } from '../../model/domain/failure.ts';
import { told } from '../files/redactRecord.ts';
import { findPgBouncer, pgBouncerMissing } from '../services/bouncer/findPgBouncer.ts';
import type { K6Params } from '../../model/domain/generator.ts';
import { k6Missing } from '../k6/k6Generator.ts';
import { findNginx, nginxMissing } from '../services/nginx/findNginx.ts';
import type { PostgresService } from '../services/postgresService.ts';
import { targetProblem } from '../targets/catalog.ts';
import type { DeclaredTarget, Declarations } from '../targets/catalog.ts';
import type { TargetManager } from '../targets/targetManager.ts';
import type { Toolchain } from '../targets/toolchain.ts';
import { variantsOf } from '../variants/varied.ts';

/**
 * Everything that is declared, each with how it is doing. `refusal` says why Benchside may not start a target. What is declared is reported as it is in the
 * user's file; why something failed may contain its output, and is reported without secrets.
 */
export function catalogOf(
  declarations: Declarations,
  {
    targets,
    postgres,
    toolchain,
    params,
    secrets,
  }: {
    targets: Pick<TargetManager, 'state'>;
    postgres: Pick<PostgresService, 'state'>;
    toolchain: Pick<Toolchain, 'java'>;
    params: { k6: Pick<K6Params, 'path'> };
    secrets: readonly string[];
  },
  refusal: (declared: DeclaredTarget) => Failure | null,
): Catalog {
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
        problem: withoutSecrets(live.problem) ?? refusal(declared) ?? targetProblem(declared, toolchain),
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
