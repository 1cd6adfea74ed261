import { createLog } from '../../src/base/log.js';
import { surviveFaults } from '../../src/base/process-faults.js';
import { preferThisProcess } from '../../src/base/process-priority.js';
import { onStopRequest, reportReady } from '../../src/base/stop-requests.js';
import { DemoAgent } from './agent.js';
import { readAgentSettings } from './agent-settings.js';

/** `npm run agent`: runs until SIGTERM, SIGINT, or the end of its IPC channel. */
async function main(argv: readonly string[]): Promise<void> {
  const settings = readAgentSettings(argv);
  const log = createLog({ level: settings.logLevel, role: 'agent' });
  surviveFaults(log);
  preferThisProcess();
  let agent: DemoAgent;
  try {
    agent = await DemoAgent.start(settings, log);
  } catch (error) {
    log.fatal({ error: (error as Error).message }, 'The agent failed to start.');
    process.exit(1);
  }
  onStopRequest(log, () => agent.stop());
  const { host } = settings.listen;
  log.info({ host, port: agent.port }, 'Agent is ready.');
  reportReady({ host, port: agent.port });
}

await main(process.argv.slice(2));
