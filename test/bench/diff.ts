// Two versions of the code whose difference is known: commits of an Express and of a Jetty service, and searches among 16 commits; docs/truth.md says what came out.
// Resumable, and alone on the machine. Usage: node scripts/bench.mjs diff [options of the bench “truth”]
process.argv.splice(2, 0, '--cell=versions,expressCommits,jettyCommits,bisections');
void import('./truth/main.ts');
