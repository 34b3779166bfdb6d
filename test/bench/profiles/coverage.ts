export async function measureCoverage(): Promise<void> {
  throw new Error('not yet');
}
