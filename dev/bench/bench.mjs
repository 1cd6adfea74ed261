/** `npm run bench`: calls per second and CPU per call, split by process; dev/bench/main.ts has the options. */
import { prepare, root } from '../setup/bootstrap.mjs';
import { giveUp } from '../setup/progress.mjs';
import { runCommand } from '../setup/run-command.mjs';
import { systemPackages } from '../setup/system-packages.mjs';

const { redis, rtpengine, sipp, stunnel } = systemPackages;
try {
  await prepare([redis, rtpengine, sipp, stunnel]);
  const bench = ['--import', 'tsx', 'dev/bench/main.ts', ...process.argv.slice(2)];
  const { code } = await runCommand(process.execPath, bench, { cwd: root, show: true });
  process.exitCode = code;
} catch (failure) {
  giveUp(failure);
}
