import type { Finding, FoundService, Question } from '../../../model/domain/detection.ts';
import type { Runtime } from '../../../model/domain/runtimes.ts';
import { fileRoutes } from '../fileRoutes.ts';
import type { FolderFiles } from '../folderFiles.ts';
import { speaksPostgres } from '../jvmService.ts';
import { javaPackages, javaRoutes, javaSources } from '../javaRoutes.ts';
import { dataFiles, jsRoutes, jsSources, mentionedPaths } from '../jsRoutes.ts';
import { driverOf, isInstalled, readManifest } from '../nodeManifest.ts';
import { openApiRoutes } from '../openApi.ts';
import { areOfOne, howItLearnsItsPort, openQuestions, routeFindings } from '../parts.ts';
import { tableFindings } from '../migrations.ts';
import { type Variable, addressForm, variableFindings, variablesOf } from '../variables.ts';

/** What the files of a folder say of any program that is started in it, apart from how. */
interface Parts {
  findings: Finding[];
  driver: string | null;
  questions: Question[];
  mentions: string[];
  packages: string[];
}
/** With the additional facts of its environment; `place` is where that is written. */
export type FolderFacts = (env: Readonly<Record<string, string>>, place: string) => Parts;

/** For a folder in which a service was found (`base`): the facts of that service. */
export function folderFacts(files: FolderFiles, folder: string, runtime: Runtime, base: FoundService | undefined): FolderFacts {
  const sources = base !== undefined ? [] : runtime === 'jvm' ? javaSources(files, folder) : jsSources(files, folder);
  const variables = base !== undefined ? [] : variablesOf(files, folder, sources);
  const form = runtime === 'jvm' ? addressForm(files, sources) : 'url';
  const routes =
    base !== undefined
      ? []
      : routeFindings([
          ...(runtime === 'jvm' ? javaRoutes(files, folder, sources) : [...jsRoutes(files, sources), ...fileRoutes(files, folder)]),
          ...openApiRoutes(files, folder),
        ]);
  const mentions = base?.mentions ?? mentionedPaths(files, [...(runtime === 'jvm' ? [] : sources), ...dataFiles(files, folder)]);
  const packages = base?.packages ?? (runtime === 'jvm' ? javaPackages(files, sources) : []);
  const driver = base?.driver ?? driverIn(files, folder, runtime);
  const sql = base === undefined && driver !== null ? tableFindings(files, folder) : [];
  return (env, place) => {
    const set = Object.entries(env).map(([name, value]): Variable => ({ name, value, because: `${place} sets ${name}`, around: '' }));
    const known = variableFindings([...set, ...variables.filter(({ name }) => !Object.hasOwn(env, name))], form);
    const ofPostgres = driver !== null || Object.values(env).some((value) => /^(?:jdbc:)?postgres(?:ql)?:/.test(value));
    const own = known.filter(({ part }) => ofPostgres || part !== 'postgres');
    const before = (base?.findings ?? []).filter(({ part }) => part !== 'command');
    const more = own.filter((one) => !before.some((other) => areOfOne(one, other)));
    const findings = [...before, ...more, ...routes, ...sql];
    return { findings, driver, questions: questionsOf(findings, base), mentions, packages };
  };
}

/** What speaks to PostgreSQL: a dependency, or what is installed because of one. */
function driverIn(files: FolderFiles, folder: string, runtime: Runtime): string | null {
  if (runtime === 'jvm') {
    const builds = files.under(folder).filter((file) => /(?:^|\/)(?:pom\.xml|build\.gradle(?:\.kts)?)$/.test(file));
    const jar = files.under(folder).some((file) => /(?:^|[/.-])postgresql-[\w.-]+\.jar$/.test(file));
    return jar || builds.some((file) => speaksPostgres(files.text(file) ?? '')) ? 'postgresql' : null;
  }
  const manifest = readManifest(files, folder);
  return (
    (manifest === null ? null : driverOf(files, folder, manifest)) ??
    ['pg', 'postgres'].find((name) => isInstalled(files, folder, name)) ??
    null
  );
}

function questionsOf(findings: readonly Finding[], base: FoundService | undefined): Question[] {
  const before = (base?.questions ?? []).filter(({ part }) => part !== 'command');
  const asked = openQuestions(findings, { port: howItLearnsItsPort, route: 'What does it answer? No file here says it.' });
  return [...before, ...asked.filter(({ part }) => !before.some((one) => one.part === part))];
}
