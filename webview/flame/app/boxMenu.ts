import { shortened } from '../../../src/model/domain/plainText.ts';
import type { FlameNames, Layout } from '../core/layout.ts';
import { isFolded } from '../graph/boxes.ts';
import type { FlameSession } from './flameSession.ts';
import { functionName, shownName } from './flameWords.ts';
import type { PageActions } from './pageActions.ts';
import type { MenuItem } from './popupMenu.ts';

/** What can be done with a box. Until the whole tree is there its nodes have other numbers, so that nothing can be left out yet. */
export function boxMenu(session: FlameSession, layout: Layout, names: FlameNames, box: number, actions: PageActions): MenuItem[] {
  const func = layout.func[box] ?? -1;
  if (func < 0) return [{ text: 'Show the whole width', run: actions.resetZoom }, ...foldItems(session)];
  const node = layout.node[box] ?? -1;
  const disabled = session.a.phase !== 'complete' || node < 0;
  const ofStack = (kind: 'focusNode' | 'dropNode'): void => {
    session.nameNode(node, shownName(names, func));
    session.transform({ kind, node });
  };
  return [
    ...sourceItems(session, func, layout.line[box] ?? 0),
    ...(isFolded(layout, box)
      ? [
          { text: 'Unfold these frames', hint: 'click', run: () => session.unfold(layout.node[box] ?? -1) },
          { text: 'Zoom', run: () => actions.zoomTo(box) },
        ]
      : [{ text: 'Zoom', hint: 'click', run: () => actions.zoomTo(box) }]),
    { text: 'Focus on this stack', apart: true, disabled, run: () => ofStack('focusNode') },
    ...functionItems(session, names, func).slice(0, 3),
    { text: 'Remove this stack only', disabled, run: () => ofStack('dropNode') },
    ...functionItems(session, names, func).slice(3),
    ...foldItems(session),
  ];
}

/** What can be done with a function, wherever it is shown. */
export function functionMenu(session: FlameSession, names: FlameNames, func: number): MenuItem[] {
  return [...sourceItems(session, func, 0), ...functionItems(session, names, func)];
}

function sourceItems(session: FlameSession, func: number, line: number): MenuItem[] {
  if (!session.channel.hosted) return [];
  return [
    { text: 'Open source', hint: 'double-click', run: () => session.openSource(func, line, false) },
    { text: 'Open source beside', run: () => session.openSource(func, line, true) },
  ];
}

function functionItems(session: FlameSession, names: FlameNames, func: number): MenuItem[] {
  const name = functionName(names, func);
  const disabled = session.a.phase !== 'complete';
  return [
    { text: 'Focus on this function', disabled, run: () => session.transform({ kind: 'focusFunction', func }) },
    {
      text: 'Hide this function',
      hint: 'callers call its callees',
      disabled,
      run: () => session.transform({ kind: 'hideFunction', func }),
    },
    { text: 'Remove all its stacks', disabled, run: () => session.transform({ kind: 'dropFunction', func }) },
    { text: 'Callers and callees', apart: true, disabled, run: () => session.visit({ view: 'callers', subject: func, zoom: null }) },
    { text: 'Search for it', run: () => session.search.set(name.slice(0, 1000), false) },
    { text: 'Copy name', run: () => session.channel.post({ type: 'copyText', text: shortened(name, 100_000) }) },
  ];
}

/** Libraries have their switch above the graph. */
function foldItems(session: FlameSession): MenuItem[] {
  const at = session.look?.transforms.findIndex(({ kind }) => kind === 'foldRecursion') ?? -1;
  const [text, run]: [string, () => void] =
    at >= 0
      ? ['Expand recursion', () => session.removeTransform(at)]
      : ['Collapse recursion', () => session.transform({ kind: 'foldRecursion' })];
  return [{ text, apart: true, disabled: session.a.phase !== 'complete', run }];
}
