import path from 'node:path';
import type { Finding, FindingOf, FoundService } from '../../model/domain/detection.ts';
import { startableJars } from './candidates/builtJars.ts';
import { type FolderFiles, within } from './folderFiles.ts';
import { frameworkFindings, isBoot } from './frameworkVariables.ts';
import { withCatalog } from './gradleCatalog.ts';
import { javaPackages, javaRoutes, javaSources } from './javaRoutes.ts';
import type { SeenRoute } from './jsRoutes.ts';
import { openApiRoutes } from './openApi.ts';
import { areOfOne, howItLearnsItsPort, noRouteFound, openQuestions, routeFindings, serviceName, startOrder } from './parts.ts';
import { plainRoute } from './pathRoute.ts';
import { Pom } from './pom.ts';
import { sqlFinding } from './sqlFiles.ts';
import { addressForm, variableFindings, variablesOf } from './variables.ts';

interface Build {
  file: string;
  name: string | undefined;
  /** The jar that it makes, as far as the build says, relative to the service’s folder. */
  jar: string | null;
  /** What builds the jar. */
  how: string;
  text: string;
  /** What it depends on: artifacts by their names, projects of the same build by their folders. */
  artifacts: readonly string[];
  projects: readonly string[];
  /** The artifact whose dependencies it has as well. */
  parent?: string | undefined;
  /** It only holds other builds together. */
  isAggregate?: boolean;
}

const servers =
  /spring-boot-starter-web(?:mvc|flux)?\b|jetty-server|jetty-servlet|jetty-ee\d+|tomcat-embed|undertow|quarkus-(?:rest|resteasy)|micronaut-http-server|javalin|jersey-container|helidon-webserver|dropwizard-core|netty-all|vertx-web|spark-core|ktor-server/;

const bootBuild = /<artifactId>\s*spring-boot-(?:maven-plugin|starter-parent)\s*<|\bid[\s(]{0,8}['"]org\.springframework\.boot['"]/;
const starter = /\bspring-boot-starter-(?!parent\b|test\b)[a-z][a-z\d-]{1,60}/;
const bootMain = /@SpringBootApplication\b|\bSpringApplication\b|\brunApplication\s*</;

const anyMain = /\bstatic\s+void\s+main\s*\(|^fun\s+main\s*\(/m;

/**
 * What makes a build that of a service, and the file that says so: a server that it depends on; the starter of an application of Spring Boot, whatever that is
 * called, where a class starts it; and where one does, a server that it has from its parent or from the modules that it depends on.
 */
function servedBy(build: Build, modules: readonly Build[], has: (pattern: RegExp) => boolean): { server: string; file: string } | null {
  const own = servers.exec(build.text)?.[0] ?? (bootBuild.test(build.text) && has(bootMain) ? starter.exec(build.text)?.[0] : undefined);
  if (own !== undefined) return { server: own, file: build.file };
  if (!has(bootMain) && !has(anyMain)) return null;
  for (const { text, file } of modules) {
    const server = servers.exec(text)?.[0];
    if (server !== undefined) return { server, file };
  }
  return null;
}

/** The JVM service of a folder with a Maven or Gradle build that depends on a server, or is an application of Spring Boot. */
export function jvmService(files: FolderFiles, folder: string): FoundService | null {
  const build = maven(files, folder) ?? gradle(files, folder);
  if (build === null || build.isAggregate === true) return null;
  const sources = javaSources(files, folder);
  const depended = modulesOf(files, folder, build);
  const served = servedBy(build, depended, (pattern) => sources.some((file) => pattern.test(files.source(file))));
  if (served === null || sources.length === 0) return null;
  const modules = [build, ...depended].map(({ text }) => text).join('\n');
  const variables = variablesOf(files, folder, sources);
  const read = variableFindings(variables, addressForm(files, sources));
  // What the code reads directly comes before what a framework would read.
  const configured = frameworkFindings(files, folder, modules).filter((one) => !read.some((other) => areOfOne(one, other)));
  const usesPostgres = speaksPostgres(modules);
  const jar = startedJar(files, folder, build);
  const findings: Finding[] = [
    ...(jar === null ? [] : [command(build, jar, folder)]),
    ...[...read, ...configured].filter(({ part }) => usesPostgres || part !== 'postgres'),
    ...routeFindings([...javaRoutes(files, folder, sources), ...openApiRoutes(files, folder), ...(isBoot(modules) ? actuator(build) : [])]),
    ...(usesPostgres ? sqlFinding(files, folder) : []),
  ];
  return {
    ...serviceName(build.name, folder, files.dir),
    folder,
    because: `${served.file} depends on ${served.server}`,
    findings: startOrder(findings),
    driver: usesPostgres ? 'postgresql' : null,
    packages: javaPackages(files, sources),
    questions: openQuestions(findings, {
      command: `What starts it? ${build.file} does not say which jar does.`,
      port: howItLearnsItsPort,
      route: noRouteFound,
      ...(usesPostgres
        ? { postgres: 'Which variable holds the address of its database?', setting: 'Which variable sets the size of its pool?' }
        : {}),
    }),
  };
}

/**
 * The jar that starts a service. What was built from the build as it is says more than the build itself, whose plugins may give the jar that can be started a
 * name of its own, or make none: a jar without a class to start is a library.
 */
function startedJar(files: FolderFiles, folder: string, { file, jar }: Build): string | null {
  const built = startableJars(files, folder);
  if (jar !== null && built.includes(jar)) return jar;
  const [only, ...others] = built.filter((one) => !files.isOlder(within(folder, one), file));
  if (only !== undefined && others.length === 0) return only;
  return jar === null || files.isFile(within(folder, jar)) ? null : jar;
}

function command({ file, how }: Build, jar: string, folder: string): FindingOf<'command'> {
  return {
    part: 'command',
    title: `java -jar ${jar}`,
    because: file,
    sure: true,
    runtime: 'jvm',
    command: ['java', '{arguments}', '-jar', jar],
    requires: [jar],
    requiresCure: `Run “${how}” in ${folder === '.' ? 'this folder' : folder}.`,
  };
}

function maven(files: FolderFiles, folder: string): Build | null {
  const file = within(folder, 'pom.xml');
  const written = files.text(file);
  if (written === null) return null;
  const pom = new Pom(written);
  const artifact = pom.own('/artifactId');
  const ofProject = (name: string): string | undefined =>
    pom.own(`/${name.replaceAll('.', '/')}`) ?? (name === 'name' ? artifact : undefined);
  const property = (value: string | undefined): string | undefined =>
    value?.replace(
      /\$\{(project\.)?([\w.-]+)\}/g,
      (whole, project: string | undefined, name: string) => (project === undefined ? pom.named(name) : ofProject(name)) ?? whole,
    );
  const version = property(pom.own('/version') ?? pom.own('/parent/version'));
  const final =
    property(pom.named('finalName')) ?? (artifact === undefined || version === undefined ? undefined : `${artifact}-${version}`);
  const artifacts = pom.elements.filter((one) => one.path.endsWith('/artifactId'));
  const quarkus = artifacts.some(({ text }) => text === 'quarkus-maven-plugin');
  // Its name before Quarkus 3.9 was `quarkus.package.type`.
  const single = quarkus && /^uber-jar$/.test(pom.named('quarkus.package.jar.type') ?? pom.named('quarkus.package.type') ?? '');
  const wrapper = files.has(within(folder, 'mvnw'));
  return {
    file,
    text: written.replace(/<!--[^]*?(?:-->|$)/g, ''),
    name: artifact,
    jar:
      quarkus && !single
        ? quarkusJar('target')
        : final === undefined || final.includes('$') || /^(?:pom|war)/.test(pom.own('/packaging') ?? '')
          ? null
          : `target/${final}${single ? '-runner' : ''}.jar`,
    how: `${wrapper ? './mvnw' : 'mvn'} -DskipTests package`,
    // Without those that are only managed, or belong to a plugin.
    artifacts: artifacts.filter((one) => one.path.startsWith('/project/dependencies/')).map(({ text }) => text),
    projects: [],
    parent: pom.own('/parent/artifactId'),
    isAggregate: pom.own('/packaging') === 'pom',
  };
}

/** Whether a build names a driver of PostgreSQL. */
export function speaksPostgres(build: string): boolean {
  return /postgresql|\b(?:vertx|reactive)-pg-client\b/.test(build);
}

/** A project of more modules is searched only so far. */
const mostModules = 30;
const projectPath = /\bproject\(\s{0,20}(?:path\s{0,5}[:=]\s{0,5})?['"]:([\w:.-]{1,200})['"]/g;

/** The modules of the same project that a build depends on and those on which these depend, and what they have from their parents. */
function modulesOf(files: FolderFiles, folder: string, build: Build): Build[] {
  const builds = files.paths.filter((file) => /(?:^|\/)pom\.xml$/.test(file)).slice(0, mostModules);
  const byArtifact = new Map(builds.map((file) => [new Pom(files.text(file) ?? '').own('/artifactId'), path.posix.dirname(file)]));
  const seen = new Set([folder]);
  const found: Build[] = [];
  const unseen = (folders: readonly (string | undefined)[]): string[] => {
    const fresh = [...new Set(folders)]
      .flatMap((one) => (one === undefined || seen.has(one) ? [] : [one]))
      .slice(0, mostModules - seen.size);
    for (const one of fresh) seen.add(one);
    return fresh;
  };
  for (let open = [build]; open.length > 0;) {
    const parents = unseen(open.map(({ parent }) => (parent === undefined ? undefined : byArtifact.get(parent))));
    const named = unseen(open.flatMap(({ artifacts, projects }) => [...artifacts.map((name) => byArtifact.get(name)), ...projects]));
    open = [
      ...named.flatMap((one) => maven(files, one) ?? gradle(files, one) ?? []),
      // Of a parent, what it only manages is not inherited.
      ...parents.flatMap((one) => maven(files, one) ?? []).map((one) => ({ ...one, text: one.artifacts.join('\n') })),
    ];
    found.push(...open);
  }
  return found;
}

/** Quarkus starts by a jar that names the jars next to it; the one with the version in its name cannot be started. */
function quarkusJar(output: string): string {
  return `${output}/quarkus-app/quarkus-run.jar`;
}

function gradle(files: FolderFiles, folder: string): Build | null {
  const file = ['build.gradle', 'build.gradle.kts'].map((name) => within(folder, name)).find((name) => files.has(name));
  const written = file === undefined ? null : files.text(file);
  if (file === undefined || written === null) return null;
  const text = withCatalog(files, folder, written);
  const settings = ['settings.gradle', 'settings.gradle.kts'].map((name) => files.text(within(folder, name)) ?? '').join('\n');
  const name = /rootProject\.name\s*=\s*['"]([^'"]{1,200})['"]/.exec(settings)?.[1] ?? folder.split('/').at(-1);
  const version = /^ ?version ?=? ?['"]([^'"]{1,200})['"]/m.exec(text.replace(/[^\S\n]+/g, ' '))?.[1];
  const quarkus = /\bid[\s(]{0,8}['"]io\.quarkus['"]/.test(text);
  const plain = name === undefined || name === '.' ? null : name;
  return {
    file,
    text,
    name: plain ?? undefined,
    jar: quarkus ? quarkusJar('build') : plain === null ? null : `build/libs/${plain}${version === undefined ? '' : `-${version}`}.jar`,
    how: `${files.has(within(folder, 'gradlew')) ? './gradlew' : 'gradle'} ${quarkus ? 'quarkusBuild' : /spring-boot|org\.springframework\.boot/.test(text) ? 'bootJar' : 'jar'}`,
    artifacts: [],
    projects: [...text.matchAll(projectPath)].map(([, one = '']) => one.replaceAll(':', '/')),
  };
}

function actuator({ file, text }: Build): SeenRoute[] {
  const at = text.indexOf('spring-boot-starter-actuator');
  return at === -1 ? [] : [{ route: plainRoute('/actuator/health'), file, line: text.slice(0, at).split('\n').length }];
}
