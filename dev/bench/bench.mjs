/** `npm run bench`: CPU per call, delays and memory, by process; dev/bench/options.ts has the options. */
import { ensureLtsNode } from '../gate/lts-node.mjs';
import { ensureNewerPrograms } from '../gate/newer-programs.mjs';
import { prepare, root } from '../setup/bootstrap.mjs';
import { giveUp } from '../setup/progress.mjs';
import { runCommand } from '../setup/run-command.mjs';
import { systemPackages } from '../setup/system-packages.mjs';

const { redis, rtpengine, postgres, chromium } = systemPackages;
try {
  const pages = process.argv.includes('--dashboard') ? [chromium] : [];
  await prepare([redis, rtpengine, postgres, ...pages]);
  await ensureNewerPrograms();
  // The systems run on the Node.js of the images, whichever one runs the benchmark; a later --node wins.
  const found = await ensureLtsNode();
  if ('reason' in found)
    process.stderr.write(`${found.reason}; measuring on Node.js ${process.versions.node}\n`);
  const node = 'node' in found ? ['--node', found.node] : [];
  const bench = ['--import', 'tsx', 'dev/bench/main.ts', ...node, ...process.argv.slice(2)];
  // In a network namespace, whose loopback interface may lose packets.
  const [command, ...args] = process.argv.includes('--speech')
    ? ['unshare', '--net', process.execPath, ...bench]
    : [process.execPath, ...bench];
  const env = { ...process.env, DEMARC_TEST_DIST: '1' };
  const { code } = await runCommand(/** @type {string} */ (command), args, { cwd: root, show: true, env });
  process.exitCode = code;
} catch (failure) {
  giveUp(failure);
}
