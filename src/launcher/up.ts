import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { faultFields, isDiskFault } from '../base/process-faults.js';
import { SettingsError } from '../config/environment.js';
import { roleCommand } from '../config/role-command.js';
import { isLoopback } from '../naming/address-scope.js';
import { ensureCertificates } from './certificates.js';
import { complain, report } from './console.js';
import { type DemoKey, ensureDemoKey, ensureDemoNumber } from './demo.js';
import { PartFailed } from './managed-process.js';
import { ensureMetricsToken } from './metrics-token.js';
import { hostForUrl, type PartContext } from './part.js';
import { agentPart } from './parts/agent.js';
import { controlPart, controlUrl } from './parts/control.js';
import { edgePart } from './parts/edge.js';
import { enginePart } from './parts/engine.js';
import { postgresPart } from './parts/postgres.js';
import { redisPart } from './parts/redis.js';
import { rtpenginePart } from './parts/rtpengine.js';
import { checkPorts, PortsTaken, PrivatePorts, type WantedPort } from './ports.js';
import type { ReadyFile } from './ready-file.js';
import { ensureSecretKey } from './secret-key.js';
import { type LauncherSettings, readLauncherSettings } from './settings.js';
import { StateDirectory, StateDirectoryBusy, StateDirectoryUnusable } from './state-directory.js';
import { Supervisor } from './supervisor.js';

const variables = `
Settings come from the environment:
  DEMARC_STATE_DIR=.demarc           directory for all data and logs
  DATABASE_URL                       PostgreSQL to use instead of a private one
  DEMARC_BIND=127.0.0.1              address for SIP, media and HTTP
  DEMARC_ADVERTISED_HOST             address to announce instead of the bind address, e.g. behind NAT
  DEMARC_SIP_TLS_PORT=5061
  DEMARC_HTTP_PORT=8080
  DEMARC_RTP_PORTS=10000-20000
  DEMARC_PRIVATE_PORTS=21000-31999   loopback ports of the private processes
  DEMARC_SIP_HOST=demarc.test        additional name in the certificate
  DEMARC_DEMO_NUMBER=12025550100
  DEMARC_DRAIN_SECONDS=10            seconds for active calls to finish after the first Ctrl-C
  DEMARC_AGENT_URI                   SIP URI of the voice agent; required without --demo-agent
`;

/** Under npm one Ctrl-C arrives twice, from the terminal and from npm; signals closer together than this count as one. */
const sameSignalMilliseconds = 1_000;
const parentCheckMilliseconds = 250;
const certificateCheckMilliseconds = 12 * 3_600_000;

/** `demarc up`: starts everything, runs until SIGINT or SIGTERM, then ends what it started. */
export async function main(argv: readonly string[]): Promise<void> {
  const command = roleCommand(
    'demarc up',
    'Runs all of Demarc in the foreground, with private copies of Redis, PostgreSQL and rtpengine.',
  )
    .option('--demo-agent <file>', 'Node.js program to run as the voice agent (set by `npm start`)')
    .addHelpText('after', variables)
    .parse([...argv], { from: 'user' });
  const { demoAgent } = command.opts<{ demoAgent?: string }>();
  // A closed terminal or pipe must not end the supervisor before its child processes.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  try {
    const settings = readLauncherSettings(process.env);
    if (demoAgent === undefined && !process.env.DEMARC_AGENT_URI) {
      throw new SettingsError(['DEMARC_AGENT_URI: required without --demo-agent']);
    }
    await runUntilStopped(settings, new StateDirectory(settings.stateDirectory), demoAgent);
    process.exit(0);
  } catch (failure) {
    const expected = [SettingsError, StateDirectoryBusy, StateDirectoryUnusable, PortsTaken, PartFailed].some(
      (kind) => failure instanceof kind,
    );
    complain(
      expected
        ? (failure as Error).message
        : failure instanceof Error
          ? (failure.stack ?? failure.message)
          : String(failure),
    );
    process.exit(1);
  }
}

async function runUntilStopped(
  settings: LauncherSettings,
  directory: StateDirectory,
  demoAgent: string | undefined,
): Promise<void> {
  await directory.takeWhenFree((pid) =>
    report(`Waiting for process ${pid}, which is starting or stopping here …`),
  );
  const supervisor = new Supervisor(directory);
  const stop = stopRequests(supervisor, directory);
  try {
    await Promise.race([bringUp(settings, directory, supervisor, demoAgent), stop]);
    await stop;
    report('Stopping after active calls finish. Press Ctrl-C again to stop at once.');
  } finally {
    directory.withdrawReady();
    await supervisor.stop();
    directory.release();
  }
  report('Stopped.');
}

/** Resolves at the first request to stop; a second one kills everything at once. */
function stopRequests(supervisor: Supervisor, directory: StateDirectory): Promise<void> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    const onSignal = (): void => {
      const now = performance.now();
      if (firstAt === undefined) {
        firstAt = now;
        resolve();
      } else if (now - firstAt > sameSignalMilliseconds) {
        void killAll('Stopped at once.', 1);
      }
    };
    const killAll = async (text: string, code: number): Promise<void> => {
      await supervisor.kill();
      directory.release();
      report(text);
      process.exit(code);
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
    whenNpmIsGone(onSignal);
    process.on('disconnect', onSignal);
    // One operation failed; the processes keep running.
    process.on('unhandledRejection', (failure) => complain(faultFields(failure).error));
    process.on('uncaughtException', (failure) => {
      if (isDiskFault(failure)) {
        complain(failure.message);
        return;
      }
      complain(failure.stack ?? failure.message);
      void killAll('Stopped all processes after an internal error in the launcher.', 1);
    });
  });
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

/** A killed npm forwards no signal, so nothing else would stop the processes it started. */
function whenNpmIsGone(act: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const npm = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(timer);
    act();
  }, parentCheckMilliseconds);
  timer.unref();
}

async function bringUp(
  settings: LauncherSettings,
  directory: StateDirectory,
  supervisor: Supervisor,
  demoAgent: string | undefined,
): Promise<void> {
  report(`State directory: ${directory.path}`);
  const leftovers = await directory.endLeftovers();
  if (leftovers.length > 0) report(`Ended processes left over from an earlier run: ${leftovers.join(', ')}`);
  await checkPorts([
    {
      purpose: 'SIP over TLS',
      address: settings.bind,
      port: settings.sipTlsPort,
      setting: 'DEMARC_SIP_TLS_PORT',
    },
    { purpose: 'HTTP', address: settings.bind, port: settings.httpPort, setting: 'DEMARC_HTTP_PORT' },
    ...plainListeners(settings),
  ]);
  const { sipTlsPort, httpPort, rtpPorts, sipTcpPort, sipUdpPort, agentSidePort } = settings;
  const taken = [sipTlsPort, httpPort, sipTcpPort ?? 0, sipUdpPort ?? 0, agentSidePort ?? 0].map((port) => ({
    low: port,
    high: port,
  }));
  const ports = new PrivatePorts(settings.privatePorts, [rtpPorts, ...taken]);
  const context: PartContext = { settings, directory, ports };
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
  const edge = await edgePart(context, {
    redis: redis.facts,
    rtpengine: rtpengine.facts,
    engine: engine.facts,
    agent: agent?.facts,
    metricsToken: metrics.token,
    secretKey,
  });
  const startPostgres = async (): Promise<string> => {
    const postgres = await postgresPart(context);
    await supervisor.run(postgres.plan);
    return postgres.facts.url;
  };
  const [databaseUrl] = await Promise.all([
    settings.databaseUrl ?? startPostgres(),
    supervisor.run(redis.plan),
    supervisor.run(rtpengine.plan),
  ]);
  report(
    `Redis, PostgreSQL and rtpengine are ready (media on ${settings.mediaAddress} UDP ${settings.rtpPorts.low}-${settings.rtpPorts.high})`,
  );
  writeEnvironmentFile(directory, {
    DATABASE_URL: databaseUrl,
    DEMARC_REDIS_URL: redis.facts.url,
    DEMARC_SECRET_KEY: secretKey,
  });
  const control = controlPart(context, {
    databaseUrl,
    redis: redis.facts,
    edgeUrl: edge.facts.url,
    sourcePolicy: edge.facts.acceptsAnybody ? 'any' : 'none',
    certificates: isPublic ? certificates : undefined,
    metricsToken: metrics.token,
    secretKey,
  });
  const [engineProcess] = await Promise.all([
    supervisor.run(engine.plan),
    agent && supervisor.run(agent.plan),
    supervisor.run(control.plan),
  ]);
  report(
    `Engine${agent === undefined ? '' : ', demo agent'} and control are ready (SIP over TLS on ${settings.bind} port ${settings.sipTlsPort})`,
  );
  const demoKey = await ensureDemoKey(databaseUrl, directory.path);
  await Promise.all([
    supervisor.run(edge.plan),
    ensureDemoNumber(
      { url: control.facts.url, caFile: certificates.caFile },
      demoKey.key,
      settings.demoNumber,
    ),
  ]);
  report('Edge is ready.');
  renewCertificates(settings, directory, () => engineProcess.signal('SIGHUP'));

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
    rtpengine: { ng: rtpengine.facts.ng },
    agents: { listen: engine.facts.agentSide, ...edge.facts.agentCredentials },
    demo: { number: settings.demoNumber },
  };
  directory.writeReady(ready);
  welcome(ready, directory, demoKey, metrics.file);
  if (edge.facts.acceptsAnybody && !isLoopback(settings.bind)) {
    process.stdout.write(
      `Any caller that can reach ${settings.publicHost} can call the demo number; DEMARC_SOURCE_POLICY=none turns that off.\n\n`,
    );
  }
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

function welcome(
  ready: ReadyFile,
  directory: StateDirectory,
  { key, isNew }: DemoKey,
  metricsTokenFile: string | undefined,
): void {
  const place = `${hostForUrl(ready.sip.host)}:${ready.sip.port}`;
  process.stdout.write(`
Demarc is up.

  Call it         sip:${ready.demo.number}@${place};transport=tls   (SRTP required)
  Trust this CA   ${ready.sip.caFile}
  Dashboard       ${ready.http.url}/   (log in with the API key)
  API             ${ready.http.url}/docs
  API key         ${isNew ? `${key}   (shown once)` : `http.apiKey in ${directory.readyFile}`}
  Health          ${ready.http.url}/readyz
  Metrics         ${ready.http.url}/metrics${metricsTokenFile === undefined ? '' : `   (token in ${metricsTokenFile})`}
  Logs            ${directory.logs}

  Try it now      npm run call      (in a second terminal)
  Stop            Ctrl-C

`);
}
