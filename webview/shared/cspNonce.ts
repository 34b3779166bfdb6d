/** The nonce that the page allows styles with, from `<meta property="csp-nonce">`; `null` on a page without one. */
export function cspNonce(): string | null {
  return document.querySelector('meta[property="csp-nonce"]')?.getAttribute('content') ?? null;
}

/** Gives the `<style>` elements inside a detached tree the page's nonce; without it a strict policy refuses them. */
export function allowStyles(root: Element): void {
  const nonce = cspNonce();
  if (nonce === null) return;
  for (const style of root.querySelectorAll('style')) style.setAttribute('nonce', nonce);
}
