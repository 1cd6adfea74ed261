import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isLoopback } from '../naming/address-scope.js';
import { askApi } from './api-request.js';
import { ensureCertificates } from './certificates.js';
import { complain, report } from './console.js';
import { type DemoKey, ensureDemoKey, ensureDemoNumber } from './demo.js';
import type { ProcessPlan } from './managed-process.js';
import { ensureMetricsToken } from './metrics-token.js';
import { type Part, type PartContext, until } from './part.js';
import { agentPart } from './parts/agent.js';
import { controlPart, controlUrl } from './parts/control.js';
import { type EdgeFacts, edgePart } from './parts/edge.js';
import { enginePart } from './parts/engine.js';
import { mediaStreamPart } from './parts/media-stream.js';
import { postgresPart } from './parts/postgres.js';
import { redisPart } from './parts/redis.js';
import { rtpenginePart } from './parts/rtpengine.js';
import { checkPorts, PrivatePorts, type WantedPort } from './ports.js';
import type { ReadyFile } from './ready-file.js';
import { ensureSecretKey } from './secret-key.js';
import type { LauncherSettings } from './settings.js';
import type { StateDirectory } from './state-directory.js';
import type { Supervisor } from './supervisor.js';
import { SystemFacts } from './system-facts.js';
import { welcome } from './welcome.js';

/** No call rings longer. */
const longestRingMilliseconds = 310_000;
const certificateCheckMilliseconds = 12 * 3_600_000;

export interface SystemPlan {
  readonly settings: LauncherSettings;
  readonly directory: StateDirectory;
  readonly supervisor: Supervisor;
  /** File of the demo agent; undefined: DEMARC_AGENT_URI names the agent. */
  readonly demoAgent: string | undefined;
}

/** What runs, as far as its replacement needs it. */
export interface System {
  readonly supervisor: Supervisor;
  /** Names of the processes that can be replaced while calls continue. */
  readonly roles: readonly string[];
  readonly edges: readonly string[];
  /** A further edge, which takes the calls while the others are replaced. */
  readonly spareEdge: ProcessPlan;
  /** Resolves when the engine has that many edges, or when the last call has ended for which one could wait. */
  readonly whenConnected: (edges: number) => Promise<void>;
}

/** Starts all processes, or adopts those that run, and writes `ready.json`. */
export async function bringUp({ settings, directory, supervisor, demoAgent }: SystemPlan): Promise<System> {
  report(`State directory: ${directory.path}`);
  supervisor.findLeftovers();
  await checkPorts(portsToCheck(settings, supervisor));
  const { sipTlsPort, httpPort, rtpPorts, sipTcpPort, sipUdpPort, agentSidePort } = settings;
  const taken = [sipTlsPort, httpPort, sipTcpPort ?? 0, sipUdpPort ?? 0, agentSidePort ?? 0].map((port) => ({
    low: port,
    high: port,
  }));
  const ports = new PrivatePorts(settings.privatePorts, [rtpPorts, ...taken]);
  const facts = new SystemFacts(directory, ports, (name) => supervisor.isLeft(name));
  const context: PartContext = { settings, directory, facts };
  const certificates = await ensureCertificates(directory.tls, settings.certificateNames);
  report(
    certificates.renewed
      ? `Created a certificate, CA in ${certificates.caFile}`
      : `Certificate is valid, CA in ${certificates.caFile}`,
  );

  const isPublic = !isLoopback(settings.bind);
  const token = process.env.DEMARC_METRICS_TOKEN || undefined;
  const metrics =
    token !== undefined || !isPublic ? { token, file: undefined } : ensureMetricsToken(directory.path);
  const redis = await redisPart(context);
  const rtpengine = await rtpenginePart(context);
  const engine = await enginePart(context, certificates, metrics.token);
  const api = {
    url: controlUrl(context, isPublic),
    caFile: isPublic ? certificates.caFile : undefined,
  };
  const agent = demoAgent === undefined ? undefined : await agentPart(context, demoAgent, api);
  const secretKey = ensureSecretKey(directory.path);
  const mediaStream = await mediaStreamPart(context, {
    redis: redis.facts,
    secretKey,
    metricsToken: metrics.token,
    caFile: certificates.caFile,
  });
  const edgeOf = (index: number): Promise<Part<EdgeFacts>> =>
    edgePart(context, index, {
      redis: redis.facts,
      rtpengine: rtpengine.facts,
      engine: engine.facts,
      agent: agent?.facts,
      metricsToken: metrics.token,
      secretKey,
    });
  const [first, ...further] = [
    await edgeOf(1),
    ...(await Promise.all(Array.from({ length: settings.edges }, (_, index) => edgeOf(index + 2)))),
  ];
  const spare = further.pop()!;
  const edges = [first, ...further];
  const haveCalls = (): Promise<boolean> =>
    anyActiveCall(
      edges.map(({ facts: { url } }) => url),
      metrics.token,
    );
  const startPostgres = async (): Promise<string> => {
    const postgres = await postgresPart(context);
    await supervisor.runOrRepeat(postgres.plan, haveCalls);
    return postgres.facts.url;
  };
  const calls = startCalls(supervisor, {
    // Before the edges, so that it stops after them, when its calls have ended.
    components: [redis.plan, rtpengine.plan, mediaStream.plan],
    engine: engine.plan,
    plans: [...(agent === undefined ? [] : [agent.plan]), ...edges.map((edge) => edge.plan)],
    settings,
  });
  // Its failure is reported below; until then it must not count as unhandled.
  calls.catch(() => {});
  const databaseUrl = settings.databaseUrl ?? (await startPostgres());
  const control = controlPart(context, {
    databaseUrl,
    redis: redis.facts,
    edges: edges.map((edge) => edge.facts),
    engine: engine.facts,
    rtpengine: rtpengine.facts,
    mediaStream: mediaStream.facts,
    spareEdge: spare.facts,
    sourcePolicy: first.facts.acceptsAnybody ? 'any' : 'none',
    certificates: isPublic ? certificates : undefined,
    sipAuthorityFile: certificates.caFile,
    metricsToken: metrics.token,
    secretKey,
  });
  writeEnvironmentFile(directory, {
    DATABASE_URL: databaseUrl,
    DEMARC_REDIS_URL: redis.facts.url,
    DEMARC_SECRET_KEY: secretKey,
    // For links to the dashboard that `demarc member` prints.
    DEMARC_PUBLIC_URL: process.env.DEMARC_PUBLIC_URL ?? control.facts.url,
  });
  const startControl = async (): Promise<DemoKey> => {
    await supervisor.runOrRepeat(control.plan, haveCalls);
    report('PostgreSQL and control are ready.');
    const key = await ensureDemoKey(databaseUrl, directory.path);
    const at = { url: control.facts.url, caFile: certificates.caFile };
    await ensureDemoNumber(at, key.key, settings.demoNumber);
    return key;
  };
  const [, demoKey] = await Promise.all([calls, startControl()]);
  if (supervisor.adoptedNames.length > 0)
    report(`Adopted running processes: ${supervisor.adoptedNames.join(', ')}`);
  await supervisor.endUnclaimed(settings.drainSeconds * 1_000 + 5_000);
  renewCertificates(settings, directory, () => supervisor.signal(engine.plan.name, 'SIGHUP'));

  const ready: ReadyFile = {
    sip: {
      host: settings.publicHost,
      port: settings.sipTlsPort,
      transport: 'tls',
      caFile: certificates.caFile,
    },
    http: {
      url: control.facts.url,
      apiKey: demoKey.key,
      ...(isPublic && { caFile: certificates.caFile }),
    },
    redis: { url: redis.facts.url },
    postgres: { url: databaseUrl },
    rtpengine: { ng: rtpengine.facts.ng },
    agents: { listen: engine.facts.agentSide, ...first.facts.agentCredentials },
    demo: { number: settings.demoNumber, ...(agent !== undefined && { agent: agent.facts.uri }) },
  };
  directory.writeReady(ready);
  welcome(ready, directory, demoKey, metrics.file);
  if (first.facts.acceptsAnybody && !isLoopback(settings.bind)) {
    process.stdout.write(
      `Any caller that can reach ${settings.publicHost} can call the demo number; DEMARC_SOURCE_POLICY=none turns that off.\n\n`,
    );
  }
  const edgeNames = edges.map((edge) => edge.facts.name);
  return {
    supervisor,
    edges: edgeNames,
    roles: [...edgeNames, engine.plan.name, control.plan.name, mediaStream.plan.name],
    spareEdge: spare.plan,
    whenConnected: (count) => whenConnected(engine.facts.metricsUrl, metrics.token, count),
  };
}

/** Edges stay with the former engine process until their calls are answered or have ended. */
async function whenConnected(metricsUrl: string, token: string | undefined, count: number): Promise<void> {
  const url = new URL('/counts', metricsUrl).href;
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const isReached = async (): Promise<boolean> => {
    const { text } = await askApi(url, undefined, { method: 'GET', headers });
    return countsSchema.parse(JSON.parse(text)).applicationConnections >= count;
  };
  await until(isReached, AbortSignal.timeout(longestRingMilliseconds)).catch(() => {});
}

/** Whether an edge has a call; one that runs and does not say counts as having some. */
async function anyActiveCall(edgeUrls: readonly string[], token: string | undefined): Promise<boolean> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const hasCalls = async (url: string): Promise<boolean> => {
    try {
      const { text } = await askApi(`${url}/metrics`, undefined, { method: 'GET', headers });
      return !/^demarc_calls 0$/m.test(text);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code !== 'ECONNREFUSED';
    }
  };
  return (await Promise.all(edgeUrls.map(hasCalls))).includes(true);
}

const countsSchema = z.object({ applicationConnections: z.int() });

interface CallProcesses {
  readonly components: readonly ProcessPlan[];
  readonly engine: ProcessPlan;
  readonly plans: readonly ProcessPlan[];
  readonly settings: LauncherSettings;
}

/** What calls need, without waiting for control: calls that are up wait for their edges for half a minute only. */
async function startCalls(
  supervisor: Supervisor,
  { components, engine, plans, settings }: CallProcesses,
): Promise<void> {
  await Promise.all([engine, ...components].map((plan) => supervisor.run(plan)));
  const { bind, sipTlsPort, mediaAddress, rtpPorts } = settings;
  report(
    `Engine, Redis and rtpengine are ready (SIP over TLS on ${bind} port ${sipTlsPort}, media on ${mediaAddress} UDP ${rtpPorts.low}-${rtpPorts.high})`,
  );
  await Promise.all(plans.map((plan) => supervisor.run(plan)));
  report(`${plans.map(({ name }) => name).join(', ')} are ready.`);
}

/** Those that none of our processes has already. */
function portsToCheck(settings: LauncherSettings, supervisor: Supervisor): WantedPort[] {
  const { bind } = settings;
  const sip = {
    purpose: 'SIP over TLS',
    address: bind,
    port: settings.sipTlsPort,
    setting: 'DEMARC_SIP_TLS_PORT',
  };
  const http = { purpose: 'HTTP', address: bind, port: settings.httpPort, setting: 'DEMARC_HTTP_PORT' };
  return [
    ...(supervisor.isLeft('engine') ? [] : [sip]),
    ...(supervisor.isLeft('control') ? [] : [http]),
    ...(supervisor.isLeft('engine') ? [] : plainListeners(settings)),
  ];
}

/** The enabled plain SIP listeners. */
function plainListeners(settings: LauncherSettings): WantedPort[] {
  const { bind, agentSideAddress, sipTcpPort, sipUdpPort, agentSidePort } = settings;
  const listeners = [
    ['tcp', bind, sipTcpPort, 'DEMARC_SIP_TCP_PORT'],
    ['udp', bind, sipUdpPort, 'DEMARC_SIP_UDP_PORT'],
    ['tcp', agentSideAddress, agentSidePort, 'DEMARC_AGENT_PORT'],
    ['udp', agentSideAddress, agentSidePort, 'DEMARC_AGENT_PORT'],
  ] as const;
  return listeners.flatMap(([protocol, address, port, setting]) =>
    port === undefined
      ? []
      : [{ purpose: `SIP over ${protocol.toUpperCase()}`, address, port, setting, protocol }],
  );
}

/** For a process that runs for months: checks the certificate twice a day; the engine loads the new files without a restart. */
function renewCertificates(settings: LauncherSettings, directory: StateDirectory, reload: () => void): void {
  const check = async (): Promise<void> => {
    const { renewed } = await ensureCertificates(directory.tls, settings.certificateNames);
    if (!renewed) return;
    report('Renewed the server certificate.');
    reload();
  };
  const timer = setInterval(
    () => void check().catch((failure) => complain(`certificate not renewed: ${failure}`)),
    certificateCheckMilliseconds,
  );
  timer.unref();
}

/** For commands next to the running system: `node --env-file=.demarc/env dist/cli.js org list`. */
function writeEnvironmentFile(directory: StateDirectory, values: Record<string, string>): void {
  const text = Object.entries(values)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
  writeFileSync(join(directory.path, 'env'), text, { mode: 0o600 });
}
