#!/usr/bin/env node
/**
 * `demarc` of the package. `up` and `call` first install the system packages that are missing, as `npm start` and `npm run call` do in a
 * clone.
 */
import { fileURLToPath, pathToFileURL } from 'node:url';
import { giveUp } from './progress.mjs';
import { ensureSystemPackages, systemPackages, widenPath } from './system-packages.mjs';

/** @param {string} path relative to the package */
const fileOf = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** @param {string} program @param {readonly string[]} options */
async function handOver(program, options) {
  process.argv = [process.execPath, program, ...options];
  await import(pathToFileURL(program).href);
}

/** @param {readonly string[]} options */
async function up(options) {
  const { redis, rtpengine, postgres, espeak, flite } = systemPackages;
  const isPostgresGiven = (process.env.DATABASE_URL ?? '') !== '';
  await ensureSystemPackages([redis, rtpengine, ...(isPostgresGiven ? [] : [postgres]), espeak, flite]);
  widenPath();
  const agent = options.includes('--demo-agent') ? [] : ['--demo-agent', fileOf('dist-dev/agent.js')];
  await handOver(fileOf('dist/cli.js'), ['up', ...options, ...agent]);
}

/** @param {readonly string[]} options */
async function call(options) {
  await ensureSystemPackages([systemPackages.baresip]);
  widenPath();
  await handOver(fileOf('dist-dev/call.js'), options);
}

try {
  const [command, ...options] = process.argv.slice(2);
  if (command === 'up' && !options.includes('--help')) await up(options);
  else if (command === 'call') await call(options);
  else await handOver(fileOf('dist/cli.js'), process.argv.slice(2));
} catch (failure) {
  giveUp(failure);
}
