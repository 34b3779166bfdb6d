/** What became of one test inside the extension host. */
export interface InHostResult {
  /** Titles of the suites and of the test, with blanks between. */
  title: string;
  outcome: 'passed' | 'failed' | 'skipped';
  durationMs: number;
  /** Stack of the failure. */
  error?: string;
}
