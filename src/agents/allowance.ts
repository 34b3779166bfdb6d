import { createHash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'jsonc-parser';
import type { ParseError } from 'jsonc-parser';
import * as z from 'zod';
import { failure } from '../model/failure.ts';
import type { Failure } from '../model/failure.ts';
import { largestTextBytes, readBoundedText } from '../engine/files/boundedFile.ts';
import { replaceFile } from '../engine/files/safeFiles.ts';

const storedSchema = z.object({
  workspaces: z.array(z.object({ folder: z.string(), starts: z.string().describe('SHA-256 of what it starts') })),
});
type Stored = z.infer<typeof storedSchema>;

/** What `benchside.json` would start, for a person to look through: the commands of each target. */
export interface Declared {
  commands: { target: string; argv: string }[];
  /** Changes with whatever reaches a process: commands, folders, environment, arguments, SQL files; not with routes, load profiles or words. */
  sha256: string;
}

/** The user’s permission for agents to measure in a workspace, kept in the user’s storage, outside of the workspace and of what any tool reaches. */
export class Allowance {
  readonly #file: string;
  readonly #folder: string;

  constructor(
    storageDir: string,
    private readonly workspaceDir: string,
  ) {
    this.#file = path.join(storageDir, 'agent-workspaces.json');
    this.#folder = realpathSync(workspaceDir);
  }

  /** Why agents may not measure here now; null where the user has allowed what `benchside.json` starts as it stands. */
  refusal(): Failure | null {
    const allowed = readStored(this.#file).workspaces.find(({ folder }) => folder === this.#folder);
    const cure = 'The user can allow it, in a terminal in this folder: benchside mcp --allow';
    if (allowed === undefined) return failure('not-allowed', 'The user has not allowed agents to measure in this folder.', cure).failure;
    if (allowed.starts === declaredIn(this.workspaceDir).sha256) return null;
    return failure('not-allowed', 'What benchside.json starts has changed since the user allowed agents to measure here.', cure).failure;
  }

  async allow(): Promise<void> {
    const others = this.#others();
    await this.#write({ workspaces: [...others, { folder: this.#folder, starts: declaredIn(this.workspaceDir).sha256 }] });
  }

  async forbid(): Promise<void> {
    await this.#write({ workspaces: this.#others() });
  }

  #others(): Stored['workspaces'] {
    return readStored(this.#file).workspaces.filter(({ folder }) => folder !== this.#folder);
  }

  async #write(stored: Stored): Promise<void> {
    await mkdir(path.dirname(this.#file), { recursive: true, mode: 0o700 });
    await replaceFile(this.#file, Buffer.from(`${JSON.stringify(stored, null, 2)}\n`));
  }
}

/** What cannot be read was not allowed. */
function readStored(file: string): Stored {
  try {
    return storedSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return { workspaces: [] };
  }
}

/** Words about a target and what it is asked: they reach no process as a command. */
const harmless = ['label', 'description', 'routes', 'ready', 'requiresCure'];

/** What the workspace’s `benchside.json` starts; of a folder without one, or with one that is no JSON, nothing. */
export function declaredIn(workspaceDir: string): Declared {
  let text = '';
  try {
    text = readBoundedText(path.join(workspaceDir, 'benchside.json'), { largestBytes: largestTextBytes });
  } catch {
    // Bundled samples can be measured without; an engine does not read what is no file either.
  }
  const errors: ParseError[] = [];
  const content: unknown = parse(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const file = isRecord(content) ? content : {};
  const targets = Array.isArray(file['targets']) ? (file['targets'] as unknown[]).filter(isRecord) : [];
  const starting = targets.map((target) => Object.fromEntries(Object.entries(target).filter(([name]) => !harmless.includes(name))));
  const told = errors.length > 0 ? text : JSON.stringify([starting, file['postgres'] ?? null]);
  return {
    commands: targets.flatMap(({ id, command, build, java }) => [
      { target: String(id), argv: words(command) },
      // What it means by “java”, and what comparing versions of its code starts.
      ...(java === undefined ? [] : [{ target: `${String(id)}, its Java`, argv: String(java) }]),
      ...(Array.isArray(build) ? build : []).map((step: unknown) => ({ target: `${String(id)}, built by`, argv: words(step) })),
    ]),
    sha256: createHash('sha256').update(told).digest('hex'),
  };
}

function words(command: unknown): string {
  return Array.isArray(command) ? command.join(' ') : '';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
