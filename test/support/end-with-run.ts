/**
 * For vitest's `setupFiles`: a worker ends when the test run is killed, and with it what it started. Otherwise it would stay for as long as its
 * test or a server in it.
 */
const marked = globalThis as { demarcEndsWithRun?: boolean };

// Set-up files run before each file of a worker.
if (marked.demarcEndsWithRun !== true) {
  marked.demarcEndsWithRun = true;
  process.once('disconnect', () => process.exit(1));
}
