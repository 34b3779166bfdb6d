export const chromiumFlags: readonly string[];
