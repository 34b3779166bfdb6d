import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Memento } from 'vscode';
import { ChosenForm } from '../../../../src/extension/form/chosenForm.ts';
import { emptyForm } from '../../../../src/model/presentation/emptyForm.ts';
import type { Form, FromPanel, ToPanel } from '../../../../src/model/protocol/panel.ts';
import { type PanelState, initialState, reduceMessage, firstState } from '../../../../webview/workbench/panelState.ts';
import { catalog, target } from '../catalogs.ts';

/** As the editor's: what was written is read at once, and is on disk a little later. */
function memento(stored: Record<string, unknown> = {}): Memento {
  return {
    keys: () => Object.keys(stored),
    get: (key: string) => stored[key],
    update: async (key: string, value: unknown) => {
      stored[key] = value;
      await new Promise(setImmediate);
    },
  } as Memento;
}

const typed = (rounds: string): Form => ({ ...emptyForm, targets: ['node'], rounds });

describe('the form of a workspace', () => {
  it('is none until something was chosen, and then what was chosen', async () => {
    const form = new ChosenForm(memento());
    expect(await form.choice()).toEqual({ form: null, revision: 1 });
    expect((await form.shown(catalog([target()]))).values).toEqual({ pool: '2, 4, 8' });
    await form.edit(typed('5'), 1);
    expect(await form.choice()).toEqual({ form: typed('5'), revision: 1 });
  });

  it('counts as none where it cannot be read', async () => {
    expect((await new ChosenForm(memento({ 'benchside.form': { targets: 'node' } })).choice()).form).toBeNull();
  });

  it('is kept whole while the catalog lacks a target', async () => {
    const form = new ChosenForm(memento());
    await form.replace({ ...emptyForm, targets: ['node', 'gone'] });
    expect((await form.shown(catalog([target()]))).targets).toEqual(['node']);
    expect((await form.choice()).form?.targets).toEqual(['node', 'gone']);
  });

  it('drops what was typed into a form that has been replaced meanwhile', async () => {
    const form = new ChosenForm(memento());
    await form.replace(typed('7'));
    await form.edit(typed('5'), 1);
    expect(await form.choice()).toEqual({ form: typed('7'), revision: 2 });
    await form.edit(typed('8'), 2);
    expect((await form.choice()).form).toEqual(typed('8'));
  });
});

/** The panel and the extension with their messages on the way, which arrive in the order in which they were sent and at any time. */
class Both {
  readonly owner = new ChosenForm(memento());
  panel: PanelState = initialState(firstState);
  #toPanel: ToPanel[] = [];
  #fromPanel: Extract<FromPanel, { type: 'formChanged' }>[] = [];

  type(rounds: string): void {
    // Without a first form there is nothing to type into.
    if (this.panel.formRevision === 0) return;
    const form = typed(rounds);
    this.panel = { ...this.panel, form };
    this.#fromPanel.push({ type: 'formChanged', form, revision: this.panel.formRevision });
  }
  async command(rounds: string): Promise<void> {
    await this.owner.replace(typed(rounds));
    await this.tell();
  }
  /** For whatever reason: the panel may receive a form that it has already. */
  async tell(): Promise<void> {
    this.#toPanel.push({ type: 'form', ...(await this.owner.choice()) });
  }
  async reload(): Promise<void> {
    this.#toPanel = [];
    this.panel = initialState(firstState);
    // `ready` comes after what the page before it sent.
    while (this.#fromPanel.length > 0) await this.arriveAtOwner();
    await this.tell();
  }
  arriveAtPanel(): void {
    const message = this.#toPanel.shift();
    if (message !== undefined) this.panel = reduceMessage(this.panel, message);
  }
  async arriveAtOwner(): Promise<void> {
    const message = this.#fromPanel.shift();
    if (message !== undefined) await this.owner.edit(message.form, message.revision);
  }
  async settle(): Promise<void> {
    while (this.#toPanel.length + this.#fromPanel.length > 0) {
      this.arriveAtPanel();
      await this.arriveAtOwner();
    }
  }
}

const step = fc.oneof(
  fc.record({ kind: fc.constantFrom('type' as const, 'command' as const), rounds: fc.integer({ min: 1, max: 99 }).map(String) }),
  fc.record({ kind: fc.constantFrom('tell' as const, 'reload' as const, 'toPanel' as const, 'toOwner' as const), rounds: fc.constant('') }),
);

describe('the form in the panel and in the extension', () => {
  it('is the same once all messages have arrived, whoever changed it and however late they came', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const both = new Both();
        await both.tell();
        for (const { kind, rounds } of steps) {
          if (kind === 'type') both.type(rounds);
          else if (kind === 'command') await both.command(rounds);
          else if (kind === 'tell') await both.tell();
          else if (kind === 'reload') await both.reload();
          else if (kind === 'toPanel') both.arriveAtPanel();
          else await both.arriveAtOwner();
        }
        await both.settle();
        const { form, revision } = await both.owner.choice();
        expect(both.panel).toMatchObject({ form, formRevision: revision });
      }),
      { numRuns: 200 },
    );
  });

  it('never loses what is typed to an older form that comes back', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('type', 'tell', 'toPanel', 'toOwner'), { maxLength: 40 }), async (steps) => {
        const both = new Both();
        await both.tell();
        both.arriveAtPanel();
        let count = 0;
        for (const kind of steps) {
          if (kind === 'type') both.type(String((count += 1)));
          else if (kind === 'tell') await both.tell();
          else if (kind === 'toPanel') both.arriveAtPanel();
          else await both.arriveAtOwner();
          expect(both.panel.form?.rounds ?? '0').toBe(String(count));
        }
      }),
      { numRuns: 200 },
    );
  });
});
