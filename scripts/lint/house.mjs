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

// The linter loads a plugin by its default export.
const plugin = { meta: { name: 'house' }, rules: { 'no-export-all': noExportAll, 'no-markup-from-text': noMarkupFromText } };
export default plugin;
