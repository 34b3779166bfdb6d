export const mavenListFile: string;
/** An artefact: its SHA-256, and its path in a repository of Maven's. */
export interface MavenArtefact {
  sha256: string;
  file: string;
}
/** Reads the committed list; fails on a line that is none, and on a path that leads elsewhere. */
export function readMavenList(text: string): MavenArtefact[];
/** Makes `repository` hold these artefacts and nothing else; fails where no source has the file that was checked. */
export function fillRepository(options: {
  list: readonly MavenArtefact[];
  repository: string;
  known: string;
  remote: string;
}): Promise<void>;
