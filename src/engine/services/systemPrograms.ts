import { findProgram } from '../supervise/program.ts';

/** Where servers are installed although an ordinary user's PATH does not say so: Debian's sbin folders, Homebrew, MacPorts, an Apache of one's own. */
const furtherFolders = '/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/opt/homebrew/bin:/opt/local/sbin:/usr/local/apache2/bin';

/** This program, from the PATH or from one of the folders in which system packages put servers; null when there is none. */
export function findSystemProgram(name: string): string | null {
  return findProgram(name, '/', `${process.env['PATH'] ?? ''}:${furtherFolders}`);
}

/** One sentence that says how a package is had on this platform. */
export function howToInstall(what: string, packages: { debian: string; fedora: string; homebrew: string }): string {
  if (process.platform === 'darwin') return `Install ${what}: brew install ${packages.homebrew}.`;
  if (process.platform === 'win32')
    return `${what} is used on Linux and macOS only: run Benchside in WSL, where it is installed with apt-get install ${packages.debian}.`;
  return `Install ${what}: apt-get install ${packages.debian} (Debian, Ubuntu), dnf install ${packages.fedora} (Fedora); it need not run as a service.`;
}
