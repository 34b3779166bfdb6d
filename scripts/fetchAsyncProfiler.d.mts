/** Platforms are named as in `process.platform` and `process.arch`: linux-x64, darwin-arm64 … */
export const asyncProfilerVersion: string;
export function asyncProfilerProblem(platform: string): string | null;
export function fetchAsyncProfiler(options: { root: string; platforms: readonly string[] }): string[];
