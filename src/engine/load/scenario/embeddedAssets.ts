import { Parser } from 'htmlparser2';

/** A page of more than this is not a page of one site's assets; what is beyond is left out. */
const mostAssets = 500;

/**
 * The paths of what a page embeds and a browser fetches with it: scripts, style sheets and images, in the order of the page, each once.
 * `pagePath` is the page's own, `authority` the target's `host:port`. What lies elsewhere is left out, since load goes to nobody else.
 */
export function embeddedAssets(html: string, pagePath: string, authority: string): string[] {
  const found = new Set<string>();
  const page = `http://${authority}${pagePath}`;
  let base = page;
  const parser = new Parser({
    onopentag: (name, attributes) => {
      if (name === 'base' && attributes.href !== undefined) base = resolve(attributes.href, page)?.href ?? base;
      const address = embedded(name, attributes);
      const url = address === undefined || address.trim() === '' ? null : resolve(address, base);
      if (url === null || url.host !== authority || !/^https?:$/.test(url.protocol) || found.size >= mostAssets) return;
      found.add(url.pathname + url.search);
    },
  });
  parser.end(html);
  return [...found];
}

function embedded(name: string, attributes: Readonly<Record<string, string>>): string | undefined {
  if (name === 'script' || name === 'img') return attributes.src;
  if (name === 'link' && /(^|\s)stylesheet(\s|$)/i.test(attributes.rel ?? '')) return attributes.href;
  return undefined;
}

function resolve(address: string, base: string): URL | null {
  return URL.canParse(address, base) ? new URL(address, base) : null;
}

/** Whether a browser would answer the next request for it from its cache: unless the answer forbids to keep it, or lets it expire at once. */
export function isCacheable(cacheControl: string | undefined): boolean {
  return cacheControl === undefined || !/(^|[\s,])(no-store|no-cache|max-age\s*=\s*"?0+"?)(?=[\s,]|$)/i.test(cacheControl);
}
