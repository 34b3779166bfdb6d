const mostKinds = 50;

/**
 * What this process has under way, by kind: sockets, timers, calls of the file system. Node lists each by its name, which takes a list as long as
 * there are sockets: so only when somebody asks. Null before Node 17.3.
 */
export function activeResources(): Record<string, number> | null {
  try {
    if (typeof process.getActiveResourcesInfo !== 'function') return null;
    const counts = new Map<string, number>();
    for (const name of process.getActiveResourcesInfo()) counts.set(name, (counts.get(name) ?? 0) + 1);
    return Object.fromEntries([...counts].slice(0, mostKinds));
  } catch {
    return null;
  }
}
