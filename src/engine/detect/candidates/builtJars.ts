import path from 'node:path';
import { readZipEntry } from '../../files/zipArchive.ts';
import { type FolderFiles, seenFrom, within } from '../folderFiles.ts';
import { type CandidateSource, type WayToStart, rank } from './candidateSource.ts';

/** Where builds put their output, and which part of it names the jars next to it. */
const outputs = ['.', 'target', 'build/libs', 'target/quarkus-app', 'build/quarkus-app'] as const;
/** What a build leaves next to the jar that is meant. */
const beside = /^original-|-(?:sources|javadoc|tests|test-fixtures|plain)\.jar$/;
const mostJars = 60;
const largestManifestBytes = 64 * 1024;

/** The jars of builds whose manifest names a class to start. */
export const builtJars: CandidateSource = (files) => {
  const folders = new Set([
    '.',
    ...files.paths.filter((file) => /(?:^|\/)(?:pom\.xml|build\.gradle(?:\.kts)?)$/.test(file)).map((file) => path.posix.dirname(file)),
  ]);
  return [...folders]
    .flatMap((folder) => builtIn(files, folder).map((jar) => ({ folder, jar })))
    .slice(0, mostJars)
    .flatMap(({ folder, jar }): WayToStart[] => {
      const main = mainClassOf(files, jar);
      if (main === null) return [];
      const relative = seenFrom(folder, jar);
      return [
        {
          file: jar,
          line: 1,
          what: `Main-Class: ${main}`,
          folder,
          command: ['java', '{arguments}', '-jar', relative],
          rank: rank.usual,
          requires: [relative],
          requiresCure: 'Build it once more.',
        },
      ];
    });
};

/** The classes that jars which the build of a folder has made start. */
export function builtMains(files: FolderFiles, folder: string): string[] {
  return builtIn(files, folder)
    .slice(0, mostJars)
    .flatMap((jar) => mainClassOf(files, jar) ?? []);
}

/** The jars that the build of a folder has made and that can be started, relative to that folder. */
export function startableJars(files: FolderFiles, folder: string): string[] {
  return builtIn(files, folder)
    .slice(0, mostJars)
    .filter((jar) => mainClassOf(files, jar) !== null)
    .map((jar) => seenFrom(folder, jar));
}

function builtIn(files: FolderFiles, folder: string): string[] {
  return outputs.flatMap((output) => jarsIn(files, within(folder, output)));
}

function jarsIn(files: FolderFiles, folder: string): string[] {
  return files.filesIn(path.posix.normalize(folder)).filter((file) => file.endsWith('.jar') && !beside.test(path.posix.basename(file)));
}

/** The class that a jar starts; null where it names none, or is none. */
function mainClassOf(files: FolderFiles, jar: string): string | null {
  try {
    const manifest = readZipEntry(path.join(files.dir, jar), 'META-INF/MANIFEST.MF', {
      largestBytes: largestManifestBytes,
      within: files.dir,
    });
    const lines = (manifest?.toString('utf8') ?? '').replace(/\r\n?/g, '\n').replace(/\n /g, '');
    return /^Main-Class:[ \t]*([\w.$]{1,300})[ \t]*$/im.exec(lines)?.[1] ?? null;
  } catch {
    return null;
  }
}
