export function coverageSection(): string[] {
  return [];
}
