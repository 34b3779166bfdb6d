import { readFileSync, realpathSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { attempt } from '../model/domain/attempt.ts';
import { type Failure, failure } from '../model/domain/failure.ts';
import { largestTextBytes, readBoundedText } from '../engine/files/boundedFile.ts';
import { type StartedBy, startedBy } from '../engine/files/startedBy.ts';
import { replaceFile } from '../engine/files/safeFiles.ts';

const storedSchema = z.object({
  workspaces: z.array(z.object({ folder: z.string(), starts: z.string().describe('SHA-256 of what it starts') })),
});
type Stored = z.infer<typeof storedSchema>;

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

  /** Why agents may not measure here now; null where the user has allowed what the present `benchside.json` starts. */
  refusal(): Failure | null {
    const allowed = this.starts();
    const cure = 'The user can allow it, in a terminal in this folder: benchside mcp --allow';
    if (allowed === null) return failure('not-allowed', 'The user has not allowed agents to measure in this folder.', cure).failure;
    if (allowed === declaredIn(this.workspaceDir).sha256) return null;
    return failure('not-allowed', 'What benchside.json starts has changed since the user allowed agents to measure here.', cure).failure;
  }

  /** The digest of what the user has allowed to be started here; null: nothing. The engine compares it with what it reads itself. */
  starts(): string | null {
    return readStored(this.#file).workspaces.find(({ folder }) => folder === this.#folder)?.starts ?? null;
  }

  /** `shown` is what the user was shown: the file may be another one by now. */
  async allow(shown: StartedBy = declaredIn(this.workspaceDir)): Promise<void> {
    const others = this.#others();
    await this.#write({ workspaces: [...others, { folder: this.#folder, starts: shown.sha256 }] });
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
  return attempt(() => storedSchema.parse(JSON.parse(readFileSync(file, 'utf8'))), { workspaces: [] });
}

/** What the workspace’s `benchside.json` starts; of a folder without one nothing. */
export function declaredIn(workspaceDir: string): StartedBy {
  // Bundled samples can be measured without; an engine does not read what is no file either.
  return attempt(
    () => startedBy(readBoundedText(path.join(workspaceDir, 'benchside.json'), { largestBytes: largestTextBytes, within: workspaceDir })),
    startedBy(''),
  );
}
