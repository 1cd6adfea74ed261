/** `npm run call`: a softphone calls the running demo and tells what happened. */
import { handOver, prepare } from './bootstrap.mjs';
import { giveUp } from './progress.mjs';
import { systemPackages } from './system-packages.mjs';

try {
  await prepare([systemPackages.baresip]);
  await handOver(['call', ...process.argv.slice(2)]);
} catch (failure) {
  giveUp(failure);
}
