/** `npm run call`: a softphone calls the running demo and prints a report. */
import { handOver, prepare, programs } from '../setup/bootstrap.mjs';
import { giveUp } from '../setup/progress.mjs';
import { systemPackages } from '../setup/system-packages.mjs';

try {
  const { waited } = await prepare([systemPackages.baresip]);
  // The command that was preparing the clone is probably `npm start`, which needs a moment longer to start the service.
  const patience = waited ? ['--start-within', '10'] : [];
  await handOver(programs.call, [...patience, ...process.argv.slice(2)]);
} catch (failure) {
  giveUp(failure);
}
