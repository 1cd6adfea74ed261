/**
 * Keeps the machine code of loaded modules in a folder beside this file, for programs that tests start hundreds of times: what V8 compiled in one
 * process, functions that ran included, the next one reads. Node.js 22 has this as NODE_COMPILE_CACHE.
 */
const { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { dirname, join } = require('node:path');
const { cachedDataVersionTag } = require('node:v8');
const { constants, Script } = require('node:vm');

/** What the first process with it ran is kept: the modules that roles share run other functions in each, and `--help` runs few. */
const command = process.argv.slice(2, 4).filter((word) => /^[a-z-]+$/.test(word));
/** V8 rejects code that a process with other options compiled, and each role has its own. */
const folder = join(__dirname, 'code', String(cachedDataVersionTag()), ['command', ...command].join(' '));
mkdirSync(folder, { recursive: true });
/** Longer than a start: such a process has also run what a call needs. In a much longer life V8 forgets what only the start needed. */
const complete = { fromSeconds: 5, toSeconds: 30 };
/** @type {{ path: string, script: Script, isCached: boolean }[]} */
const loaded = [];

Module.prototype._compile = function (content, filename) {
  const path = join(folder, nameOf(filename));
  const cachedData = readIfPresent(path);
  const script = new Script(Module.wrap(content.replace(/^#!.*/, '')), {
    filename,
    cachedData,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  loaded.push({ path, script, isCached: cachedData !== undefined && !script.cachedDataRejected });
  const own = Module.createRequire(filename);
  const require = Object.assign((id) => this.require(id), own, { main: process.mainModule });
  script.runInThisContext().call(this.exports, this.exports, require, this, filename, dirname(filename));
};

/** A process writes what none has written; the first one that has lived long enough writes all again, with what a start does not run. */
process.once('exit', () => {
  const isComplete = process.uptime() > complete.fromSeconds && process.uptime() < complete.toSeconds;
  for (const { path, script, isCached } of loaded) {
    const renewed = `${path}.renewed`;
    if (isComplete ? existsSync(renewed) : isCached) continue;
    if (isComplete) writeFileSync(renewed, '');
    // Others write the same at the same time.
    writeFileSync(`${path}.${process.pid}`, script.createCachedData());
    renameSync(`${path}.${process.pid}`, path);
  }
});

/** Size and time instead of the content, because a hash of megabytes takes a twentieth of a start. */
function nameOf(filename) {
  const { size, mtimeMs } = statSync(filename);
  const name = `${filename.replaceAll('/', '!')}.${size}.${mtimeMs}`;
  // Longer names are not possible; what makes a path unique is at its end.
  return name.slice(-240);
}

function readIfPresent(path) {
  try {
    return readFileSync(path);
  } catch {
    // The first process to load it.
    return undefined;
  }
}
