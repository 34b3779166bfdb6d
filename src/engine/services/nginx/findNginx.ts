import type { Failure } from '../../../model/domain/failure.ts';
import { findSystemProgram, howToInstall } from '../systemPrograms.ts';

/** The nginx of this machine, on the PATH or where packages put it; null when there is none, or none that can be used here. */
export function findNginx(): string | null {
  // On Windows nginx takes no signals and shares no memory between its workers.
  return process.platform === 'win32' ? null : findSystemProgram('nginx');
}

export function nginxMissing(): Failure {
  return {
    code: 'nginx-missing',
    message: 'A reverse proxy needs nginx, and there is none on this machine.',
    cure: howToInstall('nginx', { debian: 'nginx', fedora: 'nginx', homebrew: 'nginx' }),
  };
}
