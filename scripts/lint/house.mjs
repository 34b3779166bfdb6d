// Rules of this house that the linter has not: read by .oxlintrc.json.
const noExportAll = {
  create: (context) => ({
    ExportAllDeclaration: (node) => context.report({ node, message: 'No barrel files: import from where it is defined.' }),
  }),
};

const noMarkupFromText = {
  create: (context) => ({
    AssignmentExpression({ left }) {
      if (left.type === 'MemberExpression' && /^(inner|outer)HTML$/.test(left.property.name ?? left.property.value ?? ''))
        context.report({ node: left, message: 'Text goes in by textContent.' });
    },
    CallExpression({ callee }) {
      if (callee.type === 'MemberExpression' && callee.property.name === 'insertAdjacentHTML')
        context.report({ node: callee, message: 'Text goes in by textContent.' });
    },
  }),
};

const hashedPrivate = {
  create: (context) => {
    const look = (node) => {
      if (node.accessibility === 'private' && node.key.type !== 'PrivateIdentifier' && node.key.name !== 'constructor')
        context.report({ node: node.key, message: 'What is private begins with #; only a parameter of a constructor cannot.' });
    };
    return { PropertyDefinition: look, MethodDefinition: look };
  },
};

const noSpreadLiteral = {
  create: (context) => ({
    SpreadElement(node) {
      if (node.parent?.type === 'ObjectExpression' && node.argument.type === 'ObjectExpression')
        context.report({ node, message: 'Write the properties themselves, and let them take the lines that they take.' });
    },
  }),
};

/**
 * Names of what is a sentence, or a list of them: `reason`, `discardReasons`, `headline`, `limitSentence`, `failure.message`. What another program has said is called
 * otherwise (`said`, `output`, `text`), since it has to be read.
 */
const sentenceName = /(?:^|[a-z_#])(?:reason|note|headline|sentence|message|cure|remedy|explanation)s?$/i;
const sentenceMakers =
  /^(?:(?:finding|note)Texts?|findingSeen|warmUpWords|(?:mode|refusal|fresh|probeCost|gate|evidence|why|verdict|action|planChange)Text|(?:headline|explanation)Of)$/;
/** What gives the same sentence, or a part of it. */
const keepsWords = new Set([
  'toLowerCase',
  'toUpperCase',
  'toLocaleLowerCase',
  'trim',
  'trimStart',
  'trimEnd',
  'slice',
  'at',
  'join',
  'filter',
  'concat',
  'toString',
]);
const readsItself = new Set([
  'includes',
  'startsWith',
  'endsWith',
  'split',
  'match',
  'matchAll',
  'replace',
  'replaceAll',
  'search',
  'indexOf',
  'lastIndexOf',
]);
const readsArgument = new Set(['includes', 'startsWith', 'endsWith', 'indexOf', 'test', 'exec']);

/** Whether an expression is a sentence or a list of them, by its name or by whose element it is. */
function isSentence(node) {
  switch (node?.type) {
    case 'Identifier':
      return sentenceName.test(node.name) || isElementOfSentences(node);
    case 'MemberExpression':
      return node.computed ? isSentence(node.object) : sentenceName.test(node.property.name ?? '');
    case 'CallExpression': {
      const { callee } = node;
      if (callee.type === 'Identifier') return sentenceMakers.test(callee.name);
      return callee.type === 'MemberExpression' && keepsWords.has(callee.property.name) && isSentence(callee.object);
    }
    case 'LogicalExpression':
      return isSentence(node.left);
    case 'ChainExpression':
    case 'TSNonNullExpression':
    case 'TSAsExpression':
      return isSentence(node.expression);
    default:
      return false;
  }
}

/** Whether a name is what a callback is given for each of a list of sentences: `reasons.some((one) => …)`. */
function isElementOfSentences({ name, parent }) {
  for (let inner = parent; inner; inner = inner.parent) {
    if (!/Function/.test(inner.type) || !inner.params.some((param) => param.type === 'Identifier' && param.name === name)) continue;
    const call = inner.parent;
    const list =
      call?.type === 'CallExpression' && call.arguments[0] === inner && call.callee.type === 'MemberExpression' ? call.callee.object : null;
    return list !== null && isSentence(list);
  }
  return false;
}

const noReadSentence = {
  create: (context) => ({
    CallExpression(node) {
      const { callee } = node;
      if (callee.type !== 'MemberExpression' || callee.computed) return;
      const { name } = callee.property;
      if ((readsItself.has(name) && isSentence(callee.object)) || (readsArgument.has(name) && isSentence(node.arguments[0])))
        context.report({ node, message: 'A sentence is for people: what follows from a fact follows from its code, or from its figures.' });
    },
  }),
};

/**
 * Phrases of comments that a reader has to read twice, and what to write instead. Ordinary English passes: “time taken”, “stands for”, “to tell a person”.
 * A space matches the end of a line, too.
 */
const plainWords = [
  ['anew', 'again'],
  ['(?:bring(?:s|ing)?|brought) about', 'causes, activates'],
  ['(?:is|are|was|were|be|been) (?:only |never |not |then )?told', 'is reported, is given, knows'],
  ['(?:tell|tells|told|telling)(?: \\w+){0,2} apart', 'distinguishes'],
  ['(?:tells?|telling|told) of', 'reports, describes, shows'],
  ['(?:not|nothing|nobody) tells?', 'does not report, is unknown'],
  ['tells (?:whether|what|which|how|where|when|who|nothing|more|enough)', 'shows, says'],
  ['by (?:itself|themselves)', 'alone, automatically, on its own'],
  ['(?:stands?|stood)(?!-| for\\b| in (?:the|its|their) way\\b| out\\b| up\\b)', 'is (in, before, between), is paused'],
  ['(?:is|are|was|were|be|been) taken (?:for|away)', 'is treated as, is used by others, is removed'],
  ['(?:a|one|some|many|of|all|each) further', 'another, additional'],
  ['further (?:ones?|rounds?|blocks?|processes|trials?|fields?|ports?)', 'additional, more'],
  ['of (?:ours|theirs)', 'of Benchside, its'],
  ['beside(?! the point)', 'next to, in addition to, apart from'],
  ['whom (?:it|they|nobody)|(?:as|about|before) whom', 'the host, the user that'],
  ['so that (?:it|they|he|one) be', 'so that it is'],
  ['thereby', 'so'],
].map(([phrase, instead]) => ({ pattern: new RegExp(`\\b(?:${phrase.replaceAll(' ', String.raw`[\s*]+`)})\\b`, 'gi'), instead }));

const plainComments = {
  create: (context) => ({
    Program() {
      const { sourceCode } = context;
      for (const { range, value } of sourceCode.getAllComments()) {
        // Names of the code are in backticks and links, and keep their words.
        const prose = value.replace(/`[^`]*`|\{@[^}]*\}/g, (name) => name.replace(/\S/g, '_'));
        for (const { pattern, instead } of plainWords)
          for (const { 0: phrase, index } of prose.matchAll(pattern)) {
            const start = range[0] + 2 + index;
            const loc = { start: sourceCode.getLocFromIndex(start), end: sourceCode.getLocFromIndex(start + phrase.length) };
            context.report({ loc, message: `“${phrase.replace(/[\s*]+/g, ' ')}” is read twice: write “${instead}”, or name the subject.` });
          }
      }
    },
  }),
};

// The linter loads a plugin by its default export.
const plugin = {
  meta: { name: 'house' },
  rules: {
    'no-export-all': noExportAll,
    'no-markup-from-text': noMarkupFromText,
    'hashed-private': hashedPrivate,
    'no-read-sentence': noReadSentence,
    'no-spread-literal': noSpreadLiteral,
    'plain-comments': plainComments,
  },
};
export default plugin;
