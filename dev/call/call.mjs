/** `npm run call`: a softphone calls the running demo and prints a report. */
import { handOver, prepare, programs } from '../setup/bootstrap.mjs';
import { giveUp } from '../setup/progress.mjs';
import { systemPackages } from '../setup/system-packages.mjs';

try {
  await prepare([systemPackages.baresip]);
  await handOver(programs.call, process.argv.slice(2));
} catch (failure) {
  giveUp(failure);
}
