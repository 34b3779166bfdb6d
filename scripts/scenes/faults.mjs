// What is wrong with a page that is shown, whatever it shows: found by the tree that a screen reader is given, and by measuring.
const controls = new Set([
  'button',
  'checkbox',
  'combobox',
  'link',
  'listbox',
  'menuitem',
  'radio',
  'searchbox',
  'slider',
  'spinbutton',
  'tab',
  'textbox',
]);

/** What is drawn, and says nothing alone. */
const drawn = new Set(['image', 'img', 'SvgRoot', 'Canvas', 'graphics-document', 'figure', 'meter', 'progressbar']);

/** The nodes that a screen reader comes by, in its order: what lies within a control or a picture with words is not read alone. */
function told(nodes) {
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const found = [];
  const walk = (node) => {
    if (!node.ignored) found.push(node);
    if (!node.ignored && (controls.has(node.role?.value) || (drawn.has(node.role?.value) && (node.name?.value ?? '') !== ''))) return;
    for (const id of node.childIds ?? []) if (byId.has(id)) walk(byId.get(id));
  };
  if (nodes[0] !== undefined) walk(nodes[0]);
  return found;
}

/** What a screen reader could not say: controls and pictures without a name, and headings that skip a level. */
function unsaid(nodes) {
  const shown = told(nodes);
  const named = ({ name }) => (name?.value ?? '').trim() !== '';
  const levelOf = ({ properties = [] }) => properties.find(({ name }) => name === 'level')?.value?.value ?? 0;
  const headings = shown.filter(({ role }) => role?.value === 'heading');
  const skipping = headings.filter((heading, at) => levelOf(heading) > (at === 0 ? 2 : levelOf(headings[at - 1]) + 1));
  return [
    ...shown
      .filter((node) => controls.has(node.role?.value) && !named(node))
      .map(({ role, description }) => `a ${role.value} has no name (${description?.value ?? ''})`),
    ...shown.filter((node) => drawn.has(node.role?.value) && !named(node)).map(({ role }) => `a picture (${role.value}) has no words`),
    ...headings.filter((heading) => !named(heading)).map(() => 'a heading is empty'),
    ...skipping.map((heading) => `the heading “${heading.name?.value}” (level ${levelOf(heading)}) skips a level`),
  ];
}

/** What of a page is not to be, all found without scrolling: the tree of a screen reader, its width, what moves although nothing shall, and messages of an earlier schema. */
export async function faultsOf(page, session) {
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  const measured = await page.evaluate(() => {
    const found = [];
    const over = document.documentElement.scrollWidth - window.innerWidth;
    if (over > 1) found.push(`the page is ${over} px wider than the window`);
    const roots = [document];
    for (const root of roots)
      for (const element of root.querySelectorAll('*')) {
        if (element.shadowRoot) roots.push(element.shadowRoot);
        if (element.matches('.pair')) {
          const charts = [...element.querySelectorAll('benchside-chart')];
          const [tops, drawings] = [charts, charts.map((chart) => chart.shadowRoot.querySelector('.figure'))].map((all) =>
            all.map((one) => Math.round(one.getBoundingClientRect().top)),
          );
          if (tops.some((top, at) => tops.indexOf(top) !== drawings.indexOf(drawings[at])))
            found.push('charts next to each other are not level');
        }
        for (const animation of element.getAnimations())
          if (animation.playState === 'running' && (animation.effect?.getComputedTiming().activeDuration ?? 0) > 10)
            found.push(`a ${element.localName} moves`);
      }
    return [...new Set(found)];
  });
  const misread = (await page.getByText('message that it does not understand').count()) > 0;
  return [...unsaid(nodes), ...measured, ...(misread ? ['a message of the scene was not understood'] : [])];
}
