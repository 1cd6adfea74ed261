/** `npm start`: everything a newcomer needs, then the whole of Demarc in the foreground. */
import { handOver, prepare } from './bootstrap.mjs';
import { giveUp } from './progress.mjs';
import { systemPackages } from './system-packages.mjs';

try {
  await prepare([systemPackages.redis, systemPackages.rtpengine]);
  await handOver(['up', ...process.argv.slice(2)]);
} catch (failure) {
  giveUp(failure);
}
