#!/usr/bin/env node
'use strict';
// What `npx benchside` starts. It is committed because npm remembers a package whose command was not there when it first looked, and never looks
// again; and it is written for any Node, so that one that is too old gets a message instead of failing on what it cannot read.
const fs = require('fs');
const path = require('path');
const manifest = require('../package.json');

const root = path.resolve(__dirname, '..');
const commandLine = path.join(root, 'dist', 'cli.cjs');
const oldest = manifest.engines.node.replace('>=', '');

/** Whether version `a` comes before `b`, both like "20.19.0". */
function isBefore(a, b) {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  const differs = left.findIndex((part, index) => part !== right[index]);
  return differs !== -1 && left[differs] < right[differs];
}

function refuse(message, cure) {
  process.stderr.write(`${message}\n${cure}\n`);
  process.exitCode = 1;
}

const given = process.argv.slice(2);
if (given.length === 1 && given[0] === '--version') {
  // Known without anything that would have to be loaded, or built.
  process.stdout.write(`${manifest.version}\n`);
} else if (isBefore(process.versions.node, oldest)) {
  refuse(
    `Benchside needs Node ${oldest} or later, and this is ${process.versions.node}.`,
    'Install a current Node from https://nodejs.org or with your version manager (for instance “nvm install 24”), then run this again.',
  );
} else if (!fs.existsSync(commandLine)) {
  const where = process.cwd() === root ? '' : ` in ${root}`;
  refuse(
    'Benchside is not built yet.',
    `Run “npm start”${where}: it sets up what is missing and compares three pool sizes. Or only “npm run setup”, then run this again.`,
  );
} else {
  require(commandLine);
}
