import { homedir } from 'node:os';
import path from 'node:path';

/** The user’s own folder for what Benchside keeps beside workspaces: what the terminal works with, and where all agents take turns. */
export function userStorageDir(): string {
  return process.env['BENCHSIDE_STORAGE'] ?? path.join(process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'), 'benchside');
}
