/** `npm run fuzz`: builds, then runs main.ts on the built programs, as production does. */
import { prepare, root } from '../setup/bootstrap.mjs';
import { giveUp } from '../setup/progress.mjs';
import { runCommand } from '../setup/run-command.mjs';
import { systemPackages } from '../setup/system-packages.mjs';

const { redis, rtpengine } = systemPackages;
try {
  await prepare([redis, rtpengine]);
  const args = ['--import', 'tsx', 'dev/fuzz/main.ts', ...process.argv.slice(2)];
  const { code } = await runCommand(process.execPath, args, {
    cwd: root,
    show: true,
    env: { ...process.env, DEMARC_TEST_DIST: '1' },
  });
  process.exitCode = code;
} catch (failure) {
  giveUp(failure);
}
