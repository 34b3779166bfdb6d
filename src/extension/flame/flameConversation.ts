import * as vscode from 'vscode';
import type { FlameSide, FromFlame, ProfileHead, ProfileSource, ToFlame } from '../../model/domain/flame.ts';
import type { Failure } from '../../model/domain/failure.ts';
import { Owner } from '../kit/owner.ts';
import { messageOf } from '../kit/safeUi/log.ts';
import { say, underWay } from '../kit/safeUi/dialogs.ts';
import { askWhereToSave, statOf } from '../kit/workspaceFiles.ts';
import type { Services } from '../services/services.ts';
import { showFailure } from '../kit/showFailure.ts';
import { chooseOther } from '../recordings/chooseRecording.ts';
import { hotLine } from '../source/sourceMarkLines.ts';
import { sourceOf, titleOf } from './flameUris.ts';
import { OpenProfile } from './openProfile.ts';
import { openSource } from '../source/openSource.ts';
import { recordingTitle } from '../recordings/recordingRows.ts';

/** A page that says nothing about its drawing does not keep the marks in the source waiting for longer. */
const marksAfterMs = 2_000;

type Message<T extends FromFlame['type']> = Extract<FromFlame, { type: T }>;

/** Where a flame graph is shown: an editor of its own, or the Workbench panel. */
export interface FlamePlace {
  send(message: ToFlame): Thenable<unknown> | Promise<unknown>;
  /** The group it is in. */
  viewColumn(): vscode.ViewColumn | undefined;
}

/**
 * The conversation with a flame graph: receives its messages, and passes on what the engine has read, piece by piece. The editor throws a hidden page
 * away and loads it again when it is shown; the engine keeps the recording open for as long as the conversation lasts. Messages that do
 * not fit the schema are dropped, with a line in the log, in both directions.
 */
export class FlameConversation extends Owner {
  /** What is shown, and what it is compared with. */
  readonly #profiles: Partial<Record<FlameSide, OpenProfile>> = {};
  /** Null where it cannot be opened at all. */
  readonly source: ProfileSource | null;
  readonly #title: string;
  #ready = false;
  #waiting: ToFlame | undefined;
  #event: string | undefined;
  #marksTimer: ReturnType<typeof setTimeout> | undefined;
  #hasMarks = false;

  constructor(
    private readonly services: Services,
    private readonly place: FlamePlace,
    readonly uri: vscode.Uri,
  ) {
    super();
    const { engine, inventory } = services;
    this.source = sourceOf(uri);
    this.#title = titleOf(uri);
    if (this.source !== null) this.#profiles.a = new OpenProfile(engine, this.source, this.#title);
    this.owns(
      engine.onCrashed(() => this.#crashed()),
      inventory.recordings.onChanged(() => void this.#sendOthers()),
    );
    if (this.source?.kind === 'file') this.#watch(uri);
    // Read while the page loads: a failure is reported when the page is there.
    this.#profiles.a?.open().catch(() => undefined);
  }

  /** Reads the recording again, for instance because its file has changed. */
  reload(): void {
    this.#closeProfiles();
    this.#clearMarksTimer();
    this.#hasMarks = false;
    void this.#show('a').then(() => this.#show('b'));
  }

  /** Compares with another recording. */
  async compareWith(source: ProfileSource, title: string): Promise<void> {
    this.#profiles.b?.close();
    this.#profiles.b = new OpenProfile(this.services.engine, source, title);
    await this.#show('b');
    if (this.#hasMarks) await this.#updateMarks();
  }

  /** Shows one function, once the page is there. */
  focusFunction(name: string, file: string): void {
    const message: ToFlame = { type: 'focusFunction', name, file };
    if (this.#ready) void this.#post(message);
    else this.#waiting = message;
  }

  override dispose(): void {
    this.#clearMarksTimer();
    super.dispose();
    this.#closeProfiles();
    this.#ready = false;
  }

  #closeProfiles(): void {
    for (const profile of Object.values(this.#profiles)) profile.close();
  }

  /** A message of the page, unchecked. */
  async receive(raw: unknown): Promise<void> {
    const { fromFlameSchema } = await import('../../model/domain/flame.ts');
    const parsed = fromFlameSchema.safeParse(raw);
    if (!parsed.success)
      return this.services.log.warn(`A message from a flame graph was dropped: ${parsed.error.issues[0]?.message ?? ''}`);
    try {
      await (this.#answers[parsed.data.type] as (message: FromFlame) => unknown)(parsed.data);
    } catch (error) {
      await showFailure(error, this.services.log);
    }
  }

  /** What a message of each type asks for. */
  readonly #answers: { readonly [Type in FromFlame['type']]: (message: Message<Type>) => unknown } = {
    ready: ({ comparedWith }) => this.#pageReady(comparedWith),
    readPiece: (message) => this.#sendPiece(message),
    openSource: (message) => this.#openSource(message),
    compare: ({ recordingId }) => this.#chooseAndCompare(recordingId),
    stopComparing: async () => {
      this.#profiles.b?.close();
      delete this.#profiles.b;
      await this.#post({ type: 'close', side: 'b' });
      if (this.#hasMarks) await this.#updateMarks();
    },
    eventShown: ({ event }) => {
      this.#event = event;
      return this.#updateMarks();
    },
    export: (message) => this.#export(message),
    savePicture,
    copyText: ({ text }) => vscode.env.clipboard.writeText(text),
    retry: () => this.reload(),
    drawn: ({ firstPictureMs, completeMs, side }) => {
      const times = `first picture after ${firstPictureMs ?? '?'} ms, complete after ${completeMs ?? '?'} ms`;
      this.services.log.info(`Flame graph ${this.#title}: ${times}.`);
      return this.#hasMarks || side === 'b' ? undefined : this.#updateMarks();
    },
    policyViolation: ({ directive, blocked }) =>
      this.services.log.error(`Content security policy violation in a flame graph: ${directive} blocked ${blocked}`),
  };

  async #pageReady(comparedWith: ProfileSource | null): Promise<void> {
    this.#ready = true;
    // After a reload of the window only the page remembers; a path it names is not trusted, an id is looked up by the engine.
    if (this.#profiles.b === undefined && comparedWith?.kind === 'recording') {
      const { id } = comparedWith;
      const other = (await this.services.inventory.recordings.get()).find((recording) => recording.id === id);
      if (other !== undefined) this.#profiles.b = new OpenProfile(this.services.engine, comparedWith, recordingTitle(other));
    }
    await this.#show('a');
    await this.#sendOthers();
    await this.#show('b');
    if (this.#waiting !== undefined) await this.#post(this.#waiting);
    this.#waiting = undefined;
  }

  async #show(side: FlameSide): Promise<void> {
    if (side === 'a' && this.source === null) return this.#post({ type: 'failure', side, failure: unreachable(this.uri) });
    const profile = this.#profiles[side];
    if (profile === undefined) return;
    await this.#post({ type: 'loading', side, title: profile.title });
    try {
      const head = await profile.open();
      if (this.#profiles[side] !== profile) return;
      await this.#post({ type: 'open', side, head });
      if (side === 'a') this.#marksSoon();
    } catch (error) {
      if (this.#profiles[side] === profile) await this.#fail(side, error);
    }
  }

  async #sendPiece({ side, profileId, part, event, index }: Message<'readPiece'>): Promise<void> {
    const profile = this.#profiles[side];
    if (profile === undefined) return;
    try {
      const { data, last } = await profile.piece(profileId, part, event, index);
      // A view of its own: of a Buffer the editor would copy the whole pool that contains it.
      const bytes = new Uint8Array(Buffer.from(data, 'base64'));
      if (this.#profiles[side] === profile) await this.#post({ type: 'piece', side, profileId, part, event, index, last, data: bytes });
    } catch (error) {
      if (this.#profiles[side] === profile) await this.#fail(side, error);
    }
  }

  async #openSource({ side, func, line, beside }: Message<'openSource'>): Promise<void> {
    const profile = this.#profiles[side];
    if (profile === undefined) return;
    const [head, frame] = await Promise.all([profile.open(), profile.frame(func)]);
    const hottest = line > 0 ? line : hotLine(await profile.lines(), frame, this.#event ?? head.defaultEvent);
    await openSource({ frame, line: hottest ?? frame.line, roots: head.recording?.sourceRoots ?? [] }, this.#sourceColumn(beside));
  }

  /** The group in which code is shown already, rather than the flame graph's own or a third one. */
  #sourceColumn(beside: boolean): vscode.ViewColumn {
    const own = this.place.viewColumn();
    const withCode = vscode.window.visibleTextEditors.find((editor) => editor.viewColumn !== undefined && editor.viewColumn !== own);
    if (withCode?.viewColumn !== undefined) return withCode.viewColumn;
    if (!beside) return own ?? vscode.ViewColumn.Active;
    return vscode.window.tabGroups.all.find((group) => group.viewColumn !== own)?.viewColumn ?? vscode.ViewColumn.Beside;
  }

  async #chooseAndCompare(recordingId: string | null): Promise<void> {
    const other = await chooseOther(this.services, this.source, recordingId);
    if (other !== undefined) await this.compareWith(other.source, other.title);
  }

  async #sendOthers(): Promise<void> {
    if (!this.#ready) return;
    const own = this.source?.kind === 'recording' ? this.source.id : undefined;
    const recordings = await this.services.inventory.recordings.get().catch(() => []);
    await this.#post({ type: 'others', recordings: recordings.filter(({ id }) => id !== own) });
  }

  /** The page is gone until it says `ready` again. */
  hidden(): void {
    this.#ready = false;
  }

  /** The source shows the marks of this flame graph, since it is the visible one. */
  activated(): void {
    if (this.#hasMarks) void this.#updateMarks();
  }

  #crashed(): void {
    for (const profile of Object.values(this.#profiles)) profile.forget();
    void this.#post({
      type: 'failure',
      side: 'a',
      failure: {
        code: 'engine-ended',
        message: 'The Benchside engine ended, and with it what it had read of this recording.',
        cure: 'Choose Retry: it is started again and reads the recording again.',
      },
    });
  }

  #watch(uri: vscode.Uri): void {
    const folder = vscode.Uri.joinPath(uri, '..');
    const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, name.replace(/[[\]{}*?]/g, '?')));
    const tell = (message: string): void => void this.#post({ type: 'notice', message, severity: 'warning' });
    const changed = (): void =>
      tell('The file has changed since it was read. Choose “Reload Flame Graph” in the editor’s title to read it again.');
    this.owns(
      watcher,
      watcher.onDidChange(changed),
      watcher.onDidCreate(changed),
      watcher.onDidDelete(() => tell('The file was deleted. What was read of it is still shown.')),
    );
  }

  #marksSoon(): void {
    if (this.#hasMarks || this.#marksTimer !== undefined) return;
    this.#marksTimer = setTimeout(() => void this.#updateMarks(), marksAfterMs);
  }

  #clearMarksTimer(): void {
    clearTimeout(this.#marksTimer);
    this.#marksTimer = undefined;
  }

  async #updateMarks(): Promise<void> {
    this.#clearMarksTimer();
    const { a, b } = this.#profiles;
    if (a === undefined) return;
    try {
      const [head, table] = await Promise.all([a.open(), a.lines()]);
      const compared = b === undefined ? null : { label: b.title, table: await b.lines() };
      this.#hasMarks = true;
      this.services.marks.show({
        table,
        label: head.recording === null ? this.#title : recordingTitle(head.recording),
        event: this.#event ?? head.defaultEvent,
        roots: head.recording?.sourceRoots ?? [],
        recordedAtMs: await this.#recordedAtMs(head),
        compared,
        focus: (name, file) => this.services.flames.focusFunction(this.uri, name, file),
      });
    } catch (error) {
      // The picture is there; unreadable lines are no reason to interrupt the user.
      this.services.log.warn(`The lines of ${this.#title} could not be read: ${messageOf(error)}`);
    }
  }

  async #recordedAtMs({ recording }: ProfileHead): Promise<number | null> {
    if (recording !== null) return Date.parse(recording.startedAt) + recording.durationMs;
    return (await statOf(this.uri))?.mtime ?? null;
  }

  async #fail(side: FlameSide, error: unknown): Promise<void> {
    const { toFailure, isCancellation } = await import('../../model/domain/failure.ts');
    if (isCancellation(error)) return;
    const failure = toFailure(error);
    this.services.log.error(`Flame graph ${this.#title}: ${failure.message} ${failure.detail ?? ''}`);
    await this.#post({ type: 'failure', side, failure });
  }

  /** Writes the recording in another format to a file that the person names. */
  async #export({ format, event }: Message<'export'>): Promise<void> {
    const head = await this.#profiles.a?.open();
    if (head === undefined) return;
    const { data, suggestedName } = await underWay('Exporting the flame graph', 'status bar', () =>
      this.services.engine.request('profile/export', { profileId: head.profileId, format, event }),
    );
    await saveAs(suggestedName, Buffer.from(data, 'base64'), 'Export Flame Graph');
  }

  async #post(message: ToFlame): Promise<void> {
    if (!this.#ready) return;
    const { toFlameSchema } = await import('../../model/domain/flame.ts');
    const parsed = toFlameSchema.safeParse(message);
    if (parsed.success) await this.place.send(parsed.data);
    else this.services.log.error(`A message to a flame graph was dropped (${message.type}): ${parsed.error.issues[0]?.message ?? ''}`);
  }
}

function unreachable(uri: vscode.Uri): Failure {
  const where = uri.scheme === 'untitled' ? 'has not been saved yet' : `is not a file on this machine’s disk (${uri.scheme.slice(0, 40)})`;
  return { code: 'profile-not-a-file', message: `This profile ${where}.`, cure: 'Save it as a file and open that.' };
}

/** Writes the picture that the page has drawn. */
async function savePicture({ name, png }: Message<'savePicture'>): Promise<void> {
  await saveAs(`${name.replace(/[^\p{L}\p{N}._ -]+/gu, '-').slice(0, 100)}.png`.replace(/\.png\.png$/, '.png'), png, 'Save Picture');
}

async function saveAs(suggestedName: string, bytes: Uint8Array, title: string): Promise<void> {
  const target = await askWhereToSave(title, suggestedName);
  if (target === undefined) return;
  await vscode.workspace.fs.writeFile(target, bytes);
  say(`Saved as ${vscode.workspace.asRelativePath(target)}.`);
}
