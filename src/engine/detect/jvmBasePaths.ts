import { type FolderFiles, within } from './folderFiles.ts';
import { configuredIn } from './frameworkVariables.ts';
import { joinPaths } from './pathRoute.ts';

/** What the routes of a service lie below: its controllers (Spring, Micronaut), and its resources of JAX-RS. */
export interface BasePaths {
  controllers: string;
  resources: string;
}

const application = /@ApplicationPath\s*\(\s*(?:value\s*=\s*)?"([^"\n]*)"/;
/** What serves resources of JAX-RS: a servlet, or an HTTP server that is given their address. */
const resourceServlet =
  /\b(?:ServletContainer|HttpServletDispatcher|HttpServlet30Dispatcher|CXFNonSpringJaxrsServlet|(?:javax|jakarta)\.ws\.rs\.core\.Application)\b/;
const addedServlet = /\.(?:addServlet|addServletWithMapping)\s*\([^;]{0,400}?"(\/[^"\n]{0,200})\*"\s*\)/;
const mappedServlet =
  /<servlet-mapping>\s*<servlet-name>\s*([^<]{1,200}?)\s*<\/servlet-name>\s*<url-pattern>\s*([^<\s]{1,200})\s*<\/url-pattern>/g;
const server =
  /\b(?:GrizzlyHttpServerFactory|JdkHttpServerFactory|NettyHttpContainerProvider|SimpleContainerFactory|JettyHttpContainerFactory)\b/;
const address = /"https?:\/\/[^/"\n]{1,200}(\/[^"\n?#]{0,200})?"/;
const addressPath = /\bUriBuilder\b[^;]{0,300}?\.path\(\s*"([^"\n]{1,200})"\s*\)/;
/** Dropwizard’s, in a file of any name. */
const rootPath = /^[ \t]{0,20}rootPath:[ \t]*['"]?(\/[^'"\s]*)/m;

/** The paths above the routes of a service, as its code, its web.xml and its configuration have them. */
export function basePaths(files: FolderFiles, folder: string, sources: readonly string[]): BasePaths {
  const { get } = configuredIn(files, folder);
  const first = (...properties: string[]): string => properties.map(get).find((value) => value?.startsWith('/')) ?? '';
  const context = first(
    'server.servlet.context-path',
    'server.servlet.contextPath',
    'spring.webflux.base-path',
    'micronaut.server.context-path',
    'quarkus.http.root-path',
  );
  const dispatcher = first('spring.mvc.servlet.path');
  const configured = first(
    'quarkus.rest.path',
    'quarkus.resteasy.path',
    'quarkus.resteasy-reactive.path',
    'spring.jersey.application-path',
  );
  return {
    controllers: joinPaths(context, dispatcher),
    resources: joinPaths(context, plain(resourcesPath(files, folder, sources) ?? configured)),
  };
}

function resourcesPath(files: FolderFiles, folder: string, sources: readonly string[]): string | null {
  const texts = sources.map((file) => files.source(file));
  // The servlet’s mapping holds, whatever the annotation says.
  return (
    inWebXml(files, folder) ??
    inCode(texts) ??
    only(texts.flatMap((text) => application.exec(text)?.[1] ?? [])) ??
    inDropwizard(files, folder, texts)
  );
}

function inWebXml(files: FolderFiles, folder: string): string | null {
  const text = files.text(within(folder, 'src/main/webapp/WEB-INF/web.xml'));
  if (text === null) return null;
  for (const { 1: name = '', 2: pattern = '' } of text.matchAll(mappedServlet)) {
    const at = text.indexOf(`<servlet-name>${name}</servlet-name>`);
    const declared = at === -1 ? '' : text.slice(at, text.indexOf('</servlet>', at));
    if (resourceServlet.test(name) || resourceServlet.test(declared)) return pattern;
  }
  return null;
}

function inCode(texts: readonly string[]): string | null {
  for (const text of texts) {
    if (resourceServlet.test(text)) {
      const added = addedServlet.exec(text)?.[1];
      if (added !== undefined) return added;
    }
    if (!server.test(text)) continue;
    const path = addressPath.exec(text)?.[1] ?? address.exec(text)?.[1];
    if (path !== undefined) return path;
  }
  return null;
}

function inDropwizard(files: FolderFiles, folder: string, texts: readonly string[]): string | null {
  if (!texts.some((text) => /\bio\.dropwizard\b/.test(text))) return null;
  const configurations = [
    ...files.filesIn(folder),
    ...files.filesIn(within(folder, 'config')),
    ...files.filesIn(within(folder, 'src/main/resources')),
  ];
  return only(configurations.filter((file) => /\.ya?ml$/.test(file)).flatMap((file) => rootPath.exec(files.text(file) ?? '')?.[1] ?? []));
}

/** What all of these are; null where they differ, or there is none. */
function only(values: readonly string[]): string | null {
  return new Set(values).size === 1 ? (values[0] ?? null) : null;
}

/** A mapping without its star. */
function plain(path: string): string {
  return path.replace(/\/?\*$/, '');
}
