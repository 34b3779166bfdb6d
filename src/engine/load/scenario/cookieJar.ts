import { getSetCookies, Headers } from 'undici';

interface StoredCookie {
  name: string;
  value: string;
  path: string;
  /** ms since 1970; Infinity for a session's cookie. */
  expiresAt: number;
}

/** The limit of browsers for one site; the oldest goes first. */
const mostCookies = 50;

/**
 * One user's cookies for one target, after RFC 6265: by name and path, with expiry. All requests go to one loopback address, so that a cookie for
 * any other domain is refused, and `Secure` is no obstacle, as it is none in a browser on loopback.
 */
export class CookieJar {
  readonly #cookies = new Map<string, StoredCookie>();

  /** @param host the address that requests go to, without port */
  constructor(private readonly host: string) {}

  /** Takes in what an answer to a request for `path` set. `now` in ms since 1970. */
  store(setCookies: readonly string[], path: string, now: number): void {
    if (setCookies.length === 0) return;
    const headers = new Headers();
    for (const line of setCookies) headers.append('set-cookie', line);
    for (const cookie of getSetCookies(headers)) {
      if (cookie.domain !== undefined && cookie.domain !== '' && !this.#isOwnDomain(cookie.domain)) continue;
      const cookiePath = cookie.path?.startsWith('/') === true ? cookie.path : defaultPath(path);
      const key = `${cookie.name}\n${cookiePath}`;
      const expiresAt = expiry(cookie.maxAge, cookie.expires, now);
      // Setting one again keeps its place: the age of a cookie is that of its first setting.
      if (expiresAt <= now) this.#cookies.delete(key);
      else this.#cookies.set(key, { name: cookie.name, value: cookie.value, path: cookiePath, expiresAt });
    }
    for (const key of this.#cookies.keys()) {
      if (this.#cookies.size <= mostCookies) break;
      this.#cookies.delete(key);
    }
  }

  /** The Cookie header of a request for `path` (with or without its query); null when there is nothing to send. Longer paths come first. */
  header(path: string, now: number): string | null {
    if (this.#cookies.size === 0) return null;
    const plainPath = withoutQuery(path);
    const fitting: StoredCookie[] = [];
    for (const [key, cookie] of this.#cookies) {
      if (cookie.expiresAt <= now) this.#cookies.delete(key);
      else if (pathMatches(plainPath, cookie.path)) fitting.push(cookie);
    }
    if (fitting.length === 0) return null;
    fitting.sort((a, b) => b.path.length - a.path.length);
    return fitting.map(({ name, value }) => `${name}=${value}`).join('; ');
  }

  #isOwnDomain(domain: string): boolean {
    return domain.replace(/^\./, '').toLowerCase() === this.host;
  }
}

/** Max-Age goes before Expires; without either a cookie lasts as long as its user. */
function expiry(maxAgeS: number | undefined, expires: Date | number | undefined, now: number): number {
  if (maxAgeS !== undefined) return now + maxAgeS * 1000;
  if (expires === undefined) return Infinity;
  const at = Number(expires);
  return Number.isNaN(at) ? Infinity : at;
}

/** RFC 6265, 5.1.4: the request's path up to its last slash. */
function defaultPath(path: string): string {
  const plainPath = withoutQuery(path);
  const lastSlash = plainPath.lastIndexOf('/');
  return lastSlash <= 0 ? '/' : plainPath.slice(0, lastSlash);
}

function pathMatches(path: string, cookiePath: string): boolean {
  return path === cookiePath || (path.startsWith(cookiePath) && (cookiePath.endsWith('/') || path[cookiePath.length] === '/'));
}

function withoutQuery(path: string): string {
  const query = path.indexOf('?');
  return query === -1 ? path : path.slice(0, query);
}
