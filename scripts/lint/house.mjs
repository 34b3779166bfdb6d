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

// The linter loads a plugin by its default export.
const plugin = {
  meta: { name: 'house' },
  rules: {
    'no-export-all': noExportAll,
    'no-markup-from-text': noMarkupFromText,
    'hashed-private': hashedPrivate,
    'no-spread-literal': noSpreadLiteral,
  },
};
export default plugin;
