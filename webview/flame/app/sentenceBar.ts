import { type TemplateResult, css, html, nothing } from 'lit';
import { type FlameSentence, type SentencePart, sentenceText } from '../../../src/calltree/sentence/sentenceParts.ts';
import type { FlameSession } from './flameSession.ts';
import type { PageActions } from './pageActions.ts';

/** What the graph shows, in a sentence above everything; its place is kept until it is known. */
export function sentenceBar(session: FlameSession, actions: PageActions, explained: boolean): TemplateResult | typeof nothing {
  if (session.look === null) return nothing;
  const sentence = session.answers.sentences.value;
  if (sentence === null) return html`<section class="sentence" aria-label="What this shows"><p class="headline">&nbsp;</p></section>`;
  const { headline, more, counts } = sentence;
  return html`<section class="sentence" aria-label="What this shows">
    <h2 class="headline">${partsOf(headline, session, actions, explained)}</h2>
    ${more.length === 0 ? nothing : html`<p class="note">${partsOf(more, session, actions, explained)}</p>`}
    ${explained && counts !== '' ? html`<p class="note" id="counts">${counts}</p>` : nothing}
  </section>`;
}

/** The parts, with a place kept together with the brackets around it: a line may end in it, not between them. */
function partsOf(parts: readonly SentencePart[], session: FlameSession, actions: PageActions, explained: boolean): unknown[] {
  return parts.map((part, index) => {
    const before = parts[index - 1];
    const after = parts[index + 1];
    const opens = after?.link?.kind === 'place' && part.link === null && part.text.endsWith('(');
    const closes = before?.link?.kind === 'place' && part.link === null && part.text.startsWith(')');
    if (opens || closes) return part.text.slice(closes ? 1 : 0, opens ? -1 : undefined);
    const shown = partOf(part, session, actions, explained);
    if (part.link?.kind !== 'place' || !(before?.text.endsWith('(') ?? false) || !(after?.text.startsWith(')') ?? false)) return shown;
    return html`<span class="place">(${shown})</span>`;
  });
}

function partOf({ text, link }: SentencePart, session: FlameSession, actions: PageActions, explained: boolean): unknown {
  switch (link?.kind) {
    case 'share':
      return html`<button type="button" class="count" title="What this counts" aria-expanded=${explained} @click=${actions.explain}>
        ${text}
      </button>`;
    case 'function':
      return html`<button type="button" class="to" title="Show it in the graph" @click=${() => actions.focus(link.func)}>${text}</button>`;
    case 'place':
      if (!session.channel.hosted) return html`<bdi>${text}</bdi>`;
      return html`<button type="button" class="to" title="Open beside" @click=${() => session.openSource(link.func, link.line, true)}>
        ${text}
      </button>`;
    case undefined:
      return text;
  }
}

/** For screen readers: the sentence as plain text. */
export function spokenSentence(sentence: FlameSentence | null): string {
  return sentence === null ? '' : `${sentenceText(sentence.headline)}.`;
}

export const sentenceStyles = css`
  .sentence {
    flex: none;
    margin: 2px 0 8px;
  }
  .headline {
    max-width: 92ch;
    min-height: 26px;
    font-size: 18px;
    line-height: 26px;
    overflow-wrap: anywhere;
    text-wrap: pretty;
  }
  .sentence .note {
    max-width: 150ch;
    margin-top: 2px;
    overflow-wrap: anywhere;
  }
  .sentence button {
    display: inline;
    text-align: start;
  }
  .sentence .place {
    white-space: nowrap;
  }
  .sentence .place > * {
    white-space: normal;
  }
  .sentence .to {
    color: var(--vscode-textLink-foreground);
  }
  .sentence .to:hover {
    color: var(--vscode-textLink-activeForeground);
    text-decoration: underline;
  }
  .sentence .count {
    text-decoration: underline dotted;
    text-decoration-thickness: 1px;
    text-underline-offset: 3px;
  }
  @media (max-width: 560px), (max-height: 520px) {
    .headline {
      min-height: 20px;
      font-size: 15px;
      line-height: 20px;
    }
  }
`;
