import { createLog } from '../../src/base/log.js';
import { surviveFaults } from '../../src/base/process-faults.js';
import { DemoAgent } from './agent.js';
import { readAgentSettings } from './agent-settings.js';

/** `npm run agent`: runs until SIGTERM, SIGINT, or the end of the IPC channel it was started with. */
async function main(argv: readonly string[]): Promise<void> {
  const settings = readAgentSettings(argv);
  const log = createLog({ level: settings.logLevel, role: 'agent' });
  surviveFaults(log);
  let agent: DemoAgent;
  try {
    agent = await DemoAgent.start(settings, log);
  } catch (error) {
    log.fatal({ error: (error as Error).message }, 'The agent cannot start.');
    process.exit(1);
  }
  let isStopping = false;
  const stop = async (): Promise<void> => {
    // A second signal means: now.
    if (isStopping) process.exit(1);
    isStopping = true;
    await agent.stop();
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop());
  process.on('SIGINT', () => void stop());
  process.on('disconnect', () => void stop());
  const { host } = settings.listen;
  log.info({ host, port: agent.port }, 'Agent is ready.');
  process.send?.({ type: 'ready', host, port: agent.port });
}

await main(process.argv.slice(2));
