import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { freePorts } from '../../test/support/free-ports.js';
import { Children, until } from './children.js';
import { type Metered, pinToCore } from './cpu.js';
import { nodeVersion, type SystemPlan, type SystemUnderTest } from './system-under-test.js';

/** The names under which the launcher notes its processes. */
const parts = ['engine', 'edge', 'control', 'postgres', 'redis', 'rtpengine'] as const;
export const number = '15550100100';

const readySchema = z.object({
  sip: z.object({ host: z.string(), port: z.number() }),
  http: z.object({ url: z.string(), apiKey: z.string() }),
  redis: z.object({ url: z.string() }),
});
const identitySchema = z.object({ pid: z.number() });

/** Limits that a load of one organization and one source would reach; and timers for media, which does not flow. */
const limits = {
  DEMARC_ORGANIZATION_MAX_CALLS: '100000',
  DEMARC_ORGANIZATION_CALLS_PER_SECOND: '10000',
  DEMARC_SOURCE_CALLS_PER_SECOND: '100000',
  DEMARC_MAX_CALLS: '100000',
  // Callers and agents are on loopback.
  DEMARC_PRIVATE_NETWORKS: '127.0.0.0/8',
  DEMARC_MEDIA_TIMEOUT_SECONDS: '3600',
  DEMARC_AGENT_SILENCE_SECONDS: '0',
} as const;

export interface DemarcSystem extends SystemUnderTest {
  readonly redisUrl: string;
  readonly api: { readonly url: string; readonly apiKey: string };
}

/**
 * The whole of Demarc, run by its own launcher with the options of `npm start`, from a built clone: engine, edge, control,
 * PostgreSQL, Redis and rtpengine with everything enabled. Its number is attached by the API. A second start in the same directory
 * finds the data of the first.
 */
export async function startDemarc(
  plan: SystemPlan,
  clone: string,
  environment: NodeJS.ProcessEnv = {},
): Promise<DemarcSystem> {
  const program = join(clone, 'dist', 'cli.js');
  if (!existsSync(program)) throw new Error(`${program} is missing: run npm run build in ${clone}.`);
  const state = join(plan.directory, 'state');
  const isNew = !existsSync(state);
  const [tlsPort, httpPort] = await freePorts(2);
  const children = new Children(plan.directory, { cores: plan.cores, graceMilliseconds: 30_000 });
  const range = ({ low, high }: SystemPlan['mediaPorts']): string => `${low}-${high}`;
  const launcher = children.start('launcher', plan.node, [...plan.nodeOptions, program, 'up'], {
    NODE_ENV: 'production',
    ...limits,
    DEMARC_STATE_DIR: state,
    DEMARC_SIP_TLS_PORT: String(tlsPort),
    DEMARC_HTTP_PORT: String(httpPort),
    DEMARC_RTP_PORTS: range(plan.mediaPorts),
    DEMARC_PRIVATE_PORTS: range(plan.privatePorts),
    DEMARC_AGENT_URI: `sip:agent@127.0.0.1:${plan.agentPort};transport=tcp`,
    DEMARC_DRAIN_SECONDS: '0',
    // Further ones are added by name.
    DEMARC_EDGES: '1',
    ...environment,
  });
  try {
    const readyFile = join(state, 'ready.json');
    await until(
      async () => existsSync(readyFile) || !children.isRunning(launcher),
      `${clone} to be ready`,
      120_000,
    );
    if (!existsSync(readyFile)) throw new Error(`${clone} did not start:\n${children.logOf('launcher')}`);
    const { sip, http, redis } = readySchema.parse(JSON.parse(readFileSync(readyFile, 'utf8')));
    if (isNew) await attachNumber(http, plan.agentPort);
    const processes = readProcesses(state, launcher);
    const storage = processes.filter(({ name }) => name === 'control' || name === 'postgres');
    if (plan.storageCore !== undefined) pinToCore(plan.storageCore, storage);
    return {
      name: plan.name,
      description: `${describe(clone)}, Node.js ${nodeVersion(plan)}`,
      target: sip,
      number,
      redisUrl: redis.url,
      api: http,
      processes: () => {
        const now = readProcesses(state, launcher);
        const restarted = now.find(({ pid }, i) => pid !== processes[i]?.pid);
        if (restarted !== undefined) throw new Error(`${plan.name}: ${restarted.name} was restarted.`);
        return now;
      },
      stop: () => children.stop(),
    };
  } catch (failure) {
    await children.stop();
    throw failure;
  }
}

function readProcesses(state: string, launcher: number): Metered[] {
  const fileOf = (name: string): string => join(state, 'run', `${name}.json`);
  const running = parts.map((name) => ({
    name,
    // Versions with several edges number them.
    ...identitySchema.parse(
      JSON.parse(readFileSync(existsSync(fileOf(`${name}-1`)) ? fileOf(`${name}-1`) : fileOf(name), 'utf8')),
    ),
  }));
  return [...running, { name: 'launcher', pid: launcher, alone: true }];
}

async function attachNumber(http: z.infer<typeof readySchema>['http'], agentPort: number): Promise<void> {
  const response = await fetch(`${http.url}/v1/sip/attach`, {
    method: 'POST',
    headers: { authorization: `Bearer ${http.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      phone_numbers: [`+${number}`],
      service: 'sip',
      directions: [
        {
          type: 'inbound',
          allowed_ips: ['127.0.0.1'],
          sip_endpoint: `sip:agent@127.0.0.1:${agentPort};transport=tcp`,
        },
      ],
    }),
  });
  const text = await response.text();
  if (!response.ok || !text.includes('"failed":[]')) throw new Error(`The number was not attached: ${text}`);
  // The projection carries it to the edge.
  await sleep(1_000);
}

function describe(clone: string): string {
  try {
    const commit = execFileSync('git', ['-C', clone, 'rev-parse', '--short', 'HEAD'], { encoding: 'utf8' });
    return `Demarc ${commit.trim()}`;
  } catch {
    return 'Demarc';
  }
}
