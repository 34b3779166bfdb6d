/** Version and checksum (`sha512-…`) of a package by package-lock.json; fails where the lock file does not pin it by such a one. */
export function lockedPackage(root: string, name: string): { version: string; integrity: string };
/** Fails unless the file is the one of that checksum; to be asked before anything of it is unpacked. */
export function assertIntegrity(file: string, integrity: string): void;
