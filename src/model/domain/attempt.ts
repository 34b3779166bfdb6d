/** What `work` returns, or `otherwise` where it throws: for what may be missing or unreadable without that being a failure. */
export function attempt<Value, Other>(work: () => Value, otherwise: Other): Value | Other {
  try {
    return work();
  } catch {
    return otherwise;
  }
}
