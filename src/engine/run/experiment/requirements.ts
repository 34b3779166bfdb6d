import type { ListedExperiment, Requirement } from '../../../model/domain/experiment.ts';
import { apacheMissing, findApache } from '../../services/apache/findApache.ts';
import { findPgBouncer, pgBouncerMissing } from '../../services/bouncer/findPgBouncer.ts';
import { findNginx, nginxMissing } from '../../services/nginx/findNginx.ts';
import { findSystemProgram } from '../../services/systemPrograms.ts';
import { type Toolchain, javaFeature } from '../../targets/toolchain.ts';

type MissingRequirement = ListedExperiment['missing'][number];

/** The requirements that this machine lacks, each with how to get it. PostgreSQL and the document store come with Benchside. */
export function missingRequirements(needs: readonly Requirement[], toolchain: Pick<Toolchain, 'java'>): MissingRequirement[] {
  return needs.flatMap((need) => missingRequirement(need, toolchain) ?? []);
}

function missingRequirement(need: Requirement, toolchain: Pick<Toolchain, 'java'>): MissingRequirement | null {
  switch (need) {
    case 'postgres':
    case 'documents':
      return null;
    case 'java':
      return toolchain.java === null
        ? { need, message: 'There is no Java on this machine.', cure: 'Install a JDK 17 or later, or name one in “benchside.javaPath”.' }
        : null;
    case 'virtual-threads':
      return missingJava(need, toolchain, 21, 'Virtual threads came with JDK 21');
    case 'unpinned-monitors':
      return missingJava(need, toolchain, 24, 'Before JDK 24 a virtual thread that waits within “synchronized” keeps its carrier');
    case 'nginx':
      return findNginx() === null ? { need, message: nginxMissing().message, cure: nginxMissing().cure } : null;
    case 'pgbouncer':
      return findPgBouncer() === null ? { need, message: pgBouncerMissing().message, cure: pgBouncerMissing().cure } : null;
    case 'php':
      return findApache() === null ? { need, message: apacheMissing().message, cure: apacheMissing().cure } : null;
    case 'openssl':
      return findSystemProgram('openssl') === null
        ? {
            need,
            message: 'There is no openssl on this machine.',
            cure: 'Install openssl (Debian and Ubuntu: “apt install openssl”; macOS: “brew install openssl”).',
          }
        : null;
  }
}

/** Null where the Java here is new enough. */
function missingJava(need: Requirement, { java }: Pick<Toolchain, 'java'>, least: number, why: string): MissingRequirement | null {
  if (java === null) return missingRequirement('java', { java });
  const feature = javaFeature(java);
  if (feature !== null && feature >= least) return null;
  const here = feature === null ? 'does not say which version it is' : `is ${feature}`;
  return {
    need,
    message: `${why}; the Java here ${here}.`,
    cure: `Install a JDK ${least} or later and name it in “benchside.javaPath”, or by --java.`,
  };
}
