/** `npm run build`: builds programs and dashboard, each only if its sources have changed; `-- --product`: without development programs. */
import { root } from './bootstrap.mjs';
import { ensureBuild } from './build.mjs';
import { giveUp } from './progress.mjs';

try {
  await ensureBuild(root, { development: !process.argv.includes('--product') });
} catch (failure) {
  giveUp(failure);
}
