import { createLog, type Logger } from '../../src/base/log.js';
import { surviveFaults } from '../../src/base/process-faults.js';
import { preferThisProcess } from '../../src/base/process-priority.js';
import { onStopRequest, reportReady } from '../../src/base/stop-requests.js';
import type { HostPort } from '../../src/config/environment.js';
import { DemoAgent } from './agent.js';
import { type PathwaySettings, readAgentSettings } from './agent-settings.js';
import type { PathwayAgent } from './pathway/pathway-agent.js';

/** Of a caller whom a pathway listens to: shorter pauses are within a sentence. */
const endOfTurnMilliseconds = 700;

/** `npm run agent`: runs until SIGTERM, SIGINT, or the end of its IPC channel. */
async function main(argv: readonly string[]): Promise<void> {
  const settings = readAgentSettings(argv);
  const log = createLog({ level: settings.logLevel, role: 'agent' });
  surviveFaults(log);
  preferThisProcess();
  let agent: DemoAgent | PathwayAgent;
  try {
    agent = await (settings.pathway === undefined
      ? DemoAgent.start(settings, log)
      : startPathwayAgent(settings.listen, settings.pathway, log));
  } catch (error) {
    log.fatal({ error: (error as Error).message }, 'The agent failed to start.');
    process.exit(1);
  }
  onStopRequest(log, () => agent.stop());
  const { host } = settings.listen;
  log.info({ host, port: agent.port }, 'Agent is ready.');
  reportReady({ host, port: agent.port });
}

/** Its code is loaded for it alone: the demo agent starts with every `npm start`. */
async function startPathwayAgent(
  listen: HostPort,
  pathway: PathwaySettings,
  log: Logger,
): Promise<PathwayAgent> {
  const { PathwayAgent } = await import('./pathway/pathway-agent.js');
  const { pathwayServices, signingOf } = await import('./pathway/pathway-settings.js');
  const { apiUrl, language, signedUrl } = pathway;
  const signing = signingOf(signedUrl, process.env);
  const services = await pathwayServices(process.env, log);
  return PathwayAgent.start(
    { listen, signing },
    { ...services, apiUrl, language, endOfTurnMilliseconds, log },
  );
}

await main(process.argv.slice(2));
