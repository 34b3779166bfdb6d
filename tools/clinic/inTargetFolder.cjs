/**
 * Preloaded into the app that one of Clinic's tools starts. The tool writes its files into the folder in which it is itself, which is an empty
 * one of Benchside’s; the app belongs into its own folder. Also notes which process the app is, and which Node runs it.
 */
'use strict';

const { writeFileSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

const told = process.env.BENCHSIDE_CLINIC_TARGET;
// What the app starts in its turn inherits the preload, but chooses its folder on its own.
delete process.env.BENCHSIDE_CLINIC_TARGET;
if (isMainThread && told !== undefined) {
  const { cwd, report } = JSON.parse(told);
  process.chdir(cwd);
  writeFileSync(report, JSON.stringify({ pid: process.pid, version: process.version }));
}
