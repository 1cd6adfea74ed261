/** `npm run bench`: calls a second and CPU a call, split by process; options are those of test/bench/main.ts. */
import { prepare, root } from './bootstrap.mjs';
import { giveUp } from './progress.mjs';
import { runCommand } from './run-command.mjs';
import { systemPackages } from './system-packages.mjs';

const { redis, rtpengine, sipp, stunnel } = systemPackages;
try {
  await prepare([redis, rtpengine, sipp, stunnel]);
  const bench = ['--import', 'tsx', 'test/bench/main.ts', ...process.argv.slice(2)];
  const { code } = await runCommand(process.execPath, bench, { cwd: root, show: true });
  process.exitCode = code;
} catch (failure) {
  giveUp(failure);
}
