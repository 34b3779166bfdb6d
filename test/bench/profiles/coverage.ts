export function measureCoverage(): Promise<void> {
  return Promise.reject(new Error("not yet"));
}
