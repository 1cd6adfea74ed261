import { warnOfExpiry, whenFilesChange } from '../base/certificate-files.js';
import { IdleMemory } from '../base/idle-memory.js';
import { InheritedSockets, inheritedSocketsVariable } from '../base/inherited-sockets.js';
import { createLog, type Logger } from '../base/log.js';
import { surviveFaults } from '../base/process-faults.js';
import { preferMainThread } from '../base/process-priority.js';
import { onStopRequest, parentGone, reportReady } from '../base/stop-requests.js';
import { onSuccessionRequest, startSuccessor } from '../base/successor.js';
import { type EngineSettings, readEngineSettings } from '../config/engine-settings.js';
import { Engine, type EngineNotices, engineVersion } from './engine.js';
import { MetricsServer } from './metrics-server.js';
import type { SuccessionChannel } from './succession.js';
import type { RelayMessage } from './transport/relay.js';

/** Enough for the log destination to hand its last lines to the system. */
const lastLinesMilliseconds = 50;
/** For a successor to be ready. */
const successorMilliseconds = 20_000;

/** `demarc engine`: runs until SIGTERM, SIGINT, or the end of the IPC channel it was started with. */
export async function main(argv: readonly string[]): Promise<void> {
  const settings = readEngineSettings(argv);
  const log = createLog({ level: settings.logLevel, role: 'engine' });
  surviveFaults(log);
  const inherited = new InheritedSockets(process.env);
  const notices: EngineNotices = {
    wire: (notice) => {
      const { kind, remote, text, error } = notice;
      if (kind === 'failed') log.error({ err: error, remote }, `application: ${text}`);
      else if (kind === 'malformed') log.warn({ remote }, `application closed: ${text}`);
      else log.info({ remote, ...(text === '' ? {} : { text }) }, `application ${kind}`);
    },
    transport: ({ kind, text, remote }) => log.warn({ kind, remote }, text),
    defect: (error) => log.error({ err: error }, 'defect'),
  };
  const engine = new Engine(settings, notices, undefined, undefined, inherited);
  const metrics =
    settings.metrics === undefined
      ? undefined
      : new MetricsServer(engine, settings.metrics, settings.metricsToken);
  try {
    await metrics?.start(inherited.take('metrics'));
    await startOrStandBy(engine, log);
    inherited.closeRest();
  } catch (error) {
    log.fatal({ err: error }, error instanceof Error ? error.message : String(error));
    // Open handles, and the channel to the parent process, would keep the process alive.
    process.exit(1);
  }
  keepCertificatesFresh(engine, settings, log);
  const memory = new IdleMemory();
  preferMainThread();
  onStopRequest(log, async (why) => {
    memory.stop();
    // The next edge starts an engine at the same ports, and restores the calls there; BYE would end them.
    if (why === parentGone && engine.holdsKeptDialogs) {
      await engine.applicationsLeft();
      return;
    }
    await engine.drain(settings.drainSeconds);
    await engine.stop();
    await metrics?.stop();
  });
  const isSuccessor = process.env[inheritedSocketsVariable] !== undefined;
  if (isSuccessor) engine.beginSuccession(log)?.follow(channelOf(process as ChannelEnd));
  announce(engine, metrics, settings, log);
  // SIGUSR2 starts a successor, which takes the calls over, and then ends this process.
  onSuccessionRequest((file) => succeed(engine, metrics, log, file));
}

/** On standby it may take days until the address comes. */
async function startOrStandBy(engine: Engine, log: Logger): Promise<void> {
  const { standby } = engine;
  if (standby === undefined) {
    await engine.start();
    return;
  }
  const { missing } = standby;
  const end = (): void => process.exit(0);
  if (missing.length > 0) log.info({ missing }, 'Waiting for the addresses of the listeners.');
  process.once('disconnect', end);
  await engine.start();
  process.off('disconnect', end);
  if (missing.length > 0) log.info('The addresses of the listeners have arrived.');
  standby.onDeparture((departed) => {
    // BYE or 503 cannot leave from here; where the address is now, the calls continue.
    log.fatal({ departed }, 'An address of the listeners has left this machine; exiting.');
    setTimeout(() => process.exit(1), lastLinesMilliseconds);
  });
}

async function succeed(
  engine: Engine,
  metrics: MetricsServer | undefined,
  log: Logger,
  file: string,
): Promise<void> {
  const { sockets } = engine;
  if (metrics?.descriptor !== undefined) sockets.set('metrics', metrics.descriptor);
  const successor = await startSuccessor(file, sockets, successorMilliseconds);
  if (successor === undefined) {
    log.error({ file }, 'The successor did not start; this process continues.');
    return;
  }
  log.info({ successor: successor.pid }, 'A successor has started.');
  // At once: its first message may be there already.
  const yielded = engine.beginSuccession(log)?.yieldTo(channelOf(successor as ChannelEnd));
  await metrics?.stop();
  try {
    await yielded;
    log.info('Succeeded.');
    await engine.leave();
    process.exit(0);
  } catch (error) {
    log.error({ err: error }, 'The succession failed; this process continues.');
    await engine.endSuccession();
    await metrics?.start();
  }
}

/** An IPC channel: of a child, or of this process to its parent. */
interface ChannelEnd {
  send?(message: unknown): boolean;
  readonly connected: boolean;
  on(event: 'message', handle: (message: unknown) => void): unknown;
  on(event: 'disconnect', handle: () => void): unknown;
}

const channelOf = (end: ChannelEnd): SuccessionChannel => ({
  post: (message) => {
    if (end.connected) end.send?.(message);
  },
  onMessage: (handle) => void end.on('message', (message) => handle(message as RelayMessage)),
  onEnd: (handle) => {
    if (end.connected) end.on('disconnect', handle);
    else handle();
  },
});

function announce(
  engine: Engine,
  metrics: MetricsServer | undefined,
  settings: EngineSettings,
  log: Logger,
): void {
  const listeners = engine.listeners.map(({ protocol, address, port }) => ({ protocol, address, port }));
  const admin = { host: settings.admin.host, port: engine.adminPort };
  log.info({ admin, listeners, version: engineVersion }, 'ready');
  reportReady({ admin, listeners, metricsPort: metrics?.port });
}

/** Reads the TLS files again on SIGHUP, and when they change on disk. */
function keepCertificatesFresh(engine: Engine, { tls }: EngineSettings, log: Logger): void {
  const reload = (): void => {
    engine.reloadCertificates().then(
      () => log.info('certificates reloaded'),
      (error: unknown) =>
        log.error({ err: error }, 'certificates not reloaded; the previous ones stay in use'),
    );
  };
  process.on('SIGHUP', reload);
  whenFilesChange([tls.certificateFile, tls.keyFile, tls.chainFile, tls.caFile], reload);
  warnOfExpiry(
    () => engine.transport.certificateExpiresAt,
    (text) => log.warn({ file: tls.certificateFile }, text),
  );
}
