import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '../../base/child-environment.js';
import { callProcessEnvironment, callProcessOptions } from '../../base/garbage-collection.js';
import type { Logger } from '../../base/log.js';
import { readyMessage, SupervisedProcess } from '../../base/supervised-process.js';
import type { EngineSettingsOfEdge } from '../../config/edge-settings.js';
import type { EngineAddress } from './engine-connection.js';

export interface EngineProcessDeps {
  readonly settings: EngineSettingsOfEdge;
  readonly log: Logger;
}

interface ReadyMessage {
  readonly type: 'ready';
  readonly admin: { readonly host: string; readonly port: number };
  readonly listeners: readonly unknown[];
  readonly metricsPort: number;
}

/** A first start that takes longer has failed: sockets that are taken, certificates that cannot be read. */
const startMilliseconds = 15_000;
/** The engine ends its own calls first, for 5 s by default. */
const stopMilliseconds = 7_000;
const restart = { first: 100, longest: 3_000 };

/**
 * The embedded SIP engine as a child process on loopback, behind a random secret. It is started again when it dies, at the
 * same admin port, so that the connection to it is restored without new settings.
 */
export class EngineProcess {
  private readonly secret = randomBytes(24).toString('base64url');
  private adminPort = 0;
  private metricsPort = 0;
  private readonly process: SupervisedProcess;

  constructor(private readonly deps: EngineProcessDeps) {
    this.process = new SupervisedProcess(
      {
        spawn: () => this.spawn(),
        ready: async (started) => {
          const { admin, metricsPort } = (await readyMessage(started)) as unknown as ReadyMessage;
          this.adminPort = admin.port;
          this.metricsPort = metricsPort;
        },
        readyWithinMilliseconds: startMilliseconds,
        graceMilliseconds: stopMilliseconds,
        restart,
      },
      {
        ended: () => {
          this.metricsPort = 0;
        },
        crashed: (how, delay) =>
          deps.log.error({ how, restartMilliseconds: delay }, 'The SIP engine exited; restarting it.'),
        restarted: () => deps.log.info('The SIP engine is ready again.'),
      },
    );
  }

  /** The child's process id while it runs. */
  get pid(): number | undefined {
    return this.process.pid;
  }

  /** Its Prometheus metrics; undefined while it is not ready. */
  get metricsUrl(): string | undefined {
    return this.metricsPort === 0 ? undefined : `http://127.0.0.1:${this.metricsPort}/metrics`;
  }

  /** Resolves once all its sockets are bound; rejects when the first start fails. */
  async start(): Promise<EngineAddress> {
    await this.process.start().catch((error: Error) => {
      throw new Error(`The SIP engine did not start: it ${error.message}.`);
    });
    return { host: '127.0.0.1', port: this.adminPort, secret: this.secret };
  }

  /** Stops it: SIGTERM, which lets it end its calls, then SIGKILL. */
  stop(): Promise<void> {
    return this.process.stop();
  }

  private spawn(): ChildProcess {
    const cli = fileURLToPath(new URL(isSource ? '../../cli.ts' : '../../cli.js', import.meta.url));
    return fork(cli, ['engine', ...this.arguments()], {
      env: childEnvironment(process.env, {
        ...callProcessEnvironment,
        DEMARC_ENGINE_SECRET: this.secret,
        DEMARC_METRICS_TOKEN: process.env.DEMARC_METRICS_TOKEN,
      }),
      execArgv: [...callProcessOptions, ...(isSource ? ['--import', 'tsx'] : [])],
      // A Ctrl-C at the terminal is for the edge, which drains before it ends the engine.
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
  }

  private arguments(): string[] {
    const { settings } = this.deps;
    const list = ['--admin', `127.0.0.1:${this.adminPort}`, '--metrics', '127.0.0.1:0'];
    const { host: agentHost, port: agentPort } = settings.agentListen;
    list.push('--tcp', hostPort(agentHost, agentPort), '--udp', hostPort(agentHost, agentPort));
    if (settings.certificateFile !== undefined && settings.keyFile !== undefined) {
      list.push('--tls', hostPort(settings.bind, settings.tlsPort));
      list.push('--cert', settings.certificateFile, '--key', settings.keyFile);
    }
    if (settings.caFile !== undefined) list.push('--ca', settings.caFile);
    if (settings.tcpPort !== undefined) list.push('--tcp', hostPort(settings.bind, settings.tcpPort));
    if (settings.udpPort !== undefined) {
      const suffix = settings.forceRport ? ',force-rport' : '';
      list.push('--udp', hostPort(settings.bind, settings.udpPort) + suffix);
    }
    if (settings.advertisedHost !== undefined) list.push('--external-ip', settings.advertisedHost);
    // A restarted engine gets its dialogs from the edge.
    return [...list, '--restore-seconds', '3', ...settings.screening];
  }
}

const isSource = import.meta.url.endsWith('.ts');

const hostPort = (host: string, port: number): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;
