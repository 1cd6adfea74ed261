import { warnOfExpiry, whenFilesChange } from '../base/certificate-files.js';
import { IdleMemory } from '../base/idle-memory.js';
import { createLog, type Logger } from '../base/log.js';
import { surviveFaults } from '../base/process-faults.js';
import { onStopRequest, parentGone, reportReady } from '../base/stop-requests.js';
import { type EngineSettings, readEngineSettings } from '../config/engine-settings.js';
import { Engine, engineVersion } from './engine.js';
import { MetricsServer } from './metrics-server.js';

/** `demarc engine`: runs until SIGTERM, SIGINT, or the end of the IPC channel it was started with. */
export async function main(argv: readonly string[]): Promise<void> {
  const settings = readEngineSettings(argv);
  const log = createLog({ level: settings.logLevel, role: 'engine' });
  surviveFaults(log);
  const engine = new Engine(settings, {
    wire: (notice) => {
      const { kind, remote, text, error } = notice;
      if (kind === 'failed') log.error({ err: error, remote }, `application: ${text}`);
      else if (kind === 'malformed') log.warn({ remote }, `application closed: ${text}`);
      else log.info({ remote, ...(text === '' ? {} : { text }) }, `application ${kind}`);
    },
    transport: ({ kind, text, remote }) => log.warn({ kind, remote }, text),
    defect: (error) => log.error({ err: error }, 'defect'),
  });
  const metrics =
    settings.metrics === undefined
      ? undefined
      : new MetricsServer(engine, settings.metrics, settings.metricsToken);
  try {
    await metrics?.start();
    await engine.start();
  } catch (error) {
    log.fatal({ err: error }, error instanceof Error ? error.message : String(error));
    // Open handles, and the channel to the parent process, would keep the process alive.
    process.exit(1);
  }
  keepCertificatesFresh(engine, settings, log);
  const memory = new IdleMemory();
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
  announce(engine, metrics, settings, log);
}

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
