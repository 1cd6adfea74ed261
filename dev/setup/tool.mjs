/** `npm run fuzz`, `survival`, `soak`, `verdicts`, `pictures`: builds, then runs dev/<name>/main.ts on the built programs, as production does. */
import { prepare, root } from './bootstrap.mjs';
import { giveUp } from './progress.mjs';
import { runCommand } from './run-command.mjs';
import { systemPackages } from './system-packages.mjs';

const [name, ...options] = process.argv.slice(2);
const { redis, rtpengine, postgres, baresip, chromium } = systemPackages;
try {
  await prepare([redis, rtpengine, postgres, ...(name === 'pictures' ? [baresip, chromium] : [])]);
  const { code } = await runCommand(
    process.execPath,
    ['--import', 'tsx', `dev/${name}/main.ts`, ...options],
    {
      cwd: root,
      show: true,
      // A signal to npm reaches this process alone, and the systems that it has started end with it.
      graceMilliseconds: 60_000,
      env: { ...process.env, DEMARC_TEST_DIST: '1' },
    },
  );
  process.exitCode = code;
} catch (failure) {
  giveUp(failure);
}
