import { grouped } from '../../model/domain/grouped.ts';

/** What every shell has, and what belongs to tools rather than to a service: names that are no service’s own. */
const common =
  /^(?:_|PATH|HOME|USER|LOGNAME|SHELL|PWD|OLDPWD|SHLVL|TERM\w*|COLORTERM|LANG|LANGUAGE|LC_\w+|LS_COLORS|TZ|TMPDIR|TEMP|TMP|EDITOR|VISUAL|PAGER|LESS\w*|DISPLAY|WAYLAND_DISPLAY|HOSTNAME|HOSTTYPE|OSTYPE|MACHTYPE|MAIL|CI|DEBIAN_FRONTEND|JAVA_HOME|JDK_\w+|JAVA_TOOL_OPTIONS|MAVEN_\w+|M2_HOME|GRADLE_\w+|NODE_(?:OPTIONS|PATH|VERSION|EXTRA_CA_CERTS)|NVM_\w+|VOLTA_\w+|FNM_\w+|INIT_CWD|FORCE_COLOR|NO_COLOR|(?:npm|SSH|XDG|DBUS|VSCODE|ELECTRON|GIT|GPG|SUDO|KUBERNETES|BENCHSIDE|http|https|no|HTTP|HTTPS|NO)_\w+)$/;
const longestValue = 1_000;

/** The variables of the shell that can be a service’s own, with their values, which may be secret. */
export function shellVariables(env: Readonly<NodeJS.ProcessEnv> = process.env): Map<string, string> {
  return new Map(
    Object.entries(env).flatMap(([name, value]) =>
      value === undefined || value === '' || value.length > longestValue || common.test(name) ? [] : [[name, value] as const],
    ),
  );
}

const urlForm = /^postgres(?:ql)?:\/\//;
const jdbcForm = /^jdbc:postgresql:/;
const r2dbcForm = /^r2dbc:(?:pool:)?postgres(?:ql)?:/;
const saysWho = /:\/\/[^/]*@|^jdbc:.*[?&]user=/;
const hostForm = /^(?:localhost|[a-z0-9-]+(?:\.[a-z0-9-]+)+|\d{1,3}(?:\.\d{1,3}){3}|::1)$/i;
const portForm = /^\d{4,5}$/;

/** Whether a value is the whole address of a PostgreSQL. */
export function isAddress(value: string): boolean {
  return [urlForm, jdbcForm, r2dbcForm].some((form) => form.test(value));
}

export interface AddressCandidates {
  urls: string[];
  jdbcUrls: string[];
  r2dbcUrls: string[];
  /** Variables that can be parts of one address: those of a family of names, `SHOP_PG_…`, in which one is a host or a port by its value. */
  parts: { hosts: string[]; ports: string[] }[];
}

/** The variables that can hold the address of a database, by their values and whatever they are called. */
export function addressCandidates(variables: ReadonlyMap<string, string>): AddressCandidates {
  const named = (form: RegExp): string[] => [...variables].flatMap(([name, value]) => (form.test(value) ? [name] : []));
  const [urls, jdbcUrls, r2dbcUrls] = [named(urlForm), named(jdbcForm), named(r2dbcForm)];
  const rest = [...variables].filter(([, value]) => !isAddress(value));
  const parts = [...grouped(rest, familyOf).values()].flatMap((family) => {
    const hosts = family.flatMap(([name, value]) => (hostForm.test(value) ? [name] : []));
    const ports = family.flatMap(([name, value]) => (portForm.test(value) ? [name] : []));
    // A host alone, or a port, is more likely where the service itself listens.
    return family.length >= 3 && (hosts.length > 0 || ports.length > 0) ? [{ hosts, ports }] : [];
  });
  return { urls, jdbcUrls, r2dbcUrls, parts };
}

/** The variable that holds the one whole address that there is, by its form; null where there is another one, or where other variables say who connects. */
export function onlyAddress(variables: ReadonlyMap<string, string>): { url: string } | { jdbcUrl: string } | { r2dbcUrl: string } | null {
  const { urls, jdbcUrls, r2dbcUrls } = addressCandidates(variables);
  const [url, jdbcUrl, r2dbcUrl] = [urls[0], jdbcUrls[0], r2dbcUrls[0]];
  const value = variables.get(url ?? jdbcUrl ?? r2dbcUrl ?? '') ?? '';
  if (urls.length + jdbcUrls.length + r2dbcUrls.length !== 1 || !saysWho.test(value)) return null;
  if (url !== undefined) return { url };
  return jdbcUrl !== undefined ? { jdbcUrl } : r2dbcUrl !== undefined ? { r2dbcUrl } : null;
}

/** The first word of a name, since the variables of one address begin alike. */
function familyOf([name]: readonly [string, string]): string {
  return /^(?:[A-Z]{2,}?(?=HOST|PORT|USER|PASS|DATABASE)|[A-Za-z]+)/.exec(name)?.[0] ?? name;
}
