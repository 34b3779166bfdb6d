/** Names one setting of one target, for use in sets and maps. */
export function settingKey(target: string, name: string): string {
  return JSON.stringify([target, name]);
}
