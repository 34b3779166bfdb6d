export function thinMachO(bytes: Buffer, arch: string): Buffer | null;
