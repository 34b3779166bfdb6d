import type { Need } from '../../../model/study.ts';
import { apacheMissing, findApache } from '../../services/apache/findApache.ts';
import { findNginx, nginxMissing } from '../../services/nginx/findNginx.ts';
import { findSystemProgram } from '../../services/systemPrograms.ts';
import type { Toolchain } from '../../targets/toolchain.ts';

export interface MissingNeed {
  need: Need;
  message: string;
  cure: string;
}

/** What of these is not on this machine, each with how to get it. PostgreSQL and the document store come with Benchside. */
export function missingNeeds(needs: readonly Need[], toolchain: Pick<Toolchain, 'java'>): MissingNeed[] {
  return needs.flatMap((need) => missingNeed(need, toolchain) ?? []);
}

function missingNeed(need: Need, toolchain: Pick<Toolchain, 'java'>): MissingNeed | null {
  switch (need) {
    case 'postgres':
    case 'documents':
      return null;
    case 'java':
      return toolchain.java === null
        ? { need, message: 'There is no Java on this machine.', cure: 'Install a JDK 17 or later, or name one in “benchside.javaPath”.' }
        : null;
    case 'nginx':
      return findNginx() === null ? { need, message: nginxMissing().message, cure: nginxMissing().cure } : null;
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
