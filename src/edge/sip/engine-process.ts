import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '../../base/child-environment.js';
import type { Logger } from '../../base/log.js';
import type { EngineSettingsOfEdge } from '../../config/edge-settings.js';
import type { EngineAddress } from './engine-link.js';

export interface EngineProcessParts {
  readonly settings: EngineSettingsOfEdge;
  /** Where the engine sends its HEP3 packets. */
  readonly hep: { readonly host: string; readonly port: number };
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
/** The engine ends its own calls first, for 5 s unless told otherwise. */
const stopMilliseconds = 7_000;
const restartDelays = [100, 300, 1_000, 3_000] as const;
/** A process that lived this long was well; the next failure begins with the shortest delay again. */
const stableMilliseconds = 30_000;

/**
 * The embedded SIP engine as a child process on loopback, behind a random secret. It is started again when it dies, at the
 * same admin port, so that the connection to it comes back by itself.
 */
export class EngineProcess {
  private readonly secret = randomBytes(24).toString('base64url');
  private child: ChildProcess | undefined;
  private adminPort = 0;
  private metricsPort = 0;
  private stopping = false;
  private failures = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly parts: EngineProcessParts) {}

  /** The child's process id while it runs. */
  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** Its page of Prometheus metrics; undefined while it is not ready. */
  get metricsUrl(): string | undefined {
    return this.metricsPort === 0 ? undefined : `http://127.0.0.1:${this.metricsPort}/metrics`;
  }

  /** Resolves once all its sockets are bound; rejects when the first start fails. */
  async start(): Promise<EngineAddress> {
    const { admin } = await this.launch();
    this.adminPort = admin.port;
    return { host: admin.host, port: admin.port, secret: this.secret };
  }

  /** Ends it: SIGTERM, which lets it end its calls, then SIGKILL. */
  async stop(): Promise<void> {
    this.stopping = true;
    clearTimeout(this.timer);
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.kill('SIGTERM');
    const killer = setTimeout(() => child.kill('SIGKILL'), stopMilliseconds);
    await exited;
    clearTimeout(killer);
  }

  private launch(): Promise<ReadyMessage> {
    const cli = fileURLToPath(new URL(isSource ? '../../cli.ts' : '../../cli.js', import.meta.url));
    const child = fork(cli, ['engine', ...this.arguments()], {
      env: childEnvironment(process.env, {
        DEMARC_ENGINE_SECRET: this.secret,
        DEMARC_METRICS_TOKEN: process.env.DEMARC_METRICS_TOKEN,
      }),
      execArgv: isSource ? ['--import', 'tsx'] : [],
      // A Ctrl-C at the terminal is for the edge, which drains before it ends the engine.
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.child = child;
    const startedAt = performance.now();
    return new Promise((resolve, reject) => {
      let isReady = false;
      const tooLate = setTimeout(() => child.kill('SIGKILL'), startMilliseconds);
      child.on('message', (message: ReadyMessage) => {
        if (message.type !== 'ready' || isReady) return;
        isReady = true;
        this.metricsPort = message.metricsPort;
        clearTimeout(tooLate);
        resolve(message);
      });
      child.on('error', reject);
      child.on('exit', (code, signal) => {
        clearTimeout(tooLate);
        this.metricsPort = 0;
        if (!isReady) reject(new Error(`The SIP engine did not start (${signal ?? `exit ${code}`}).`));
        if (this.stopping || this.adminPort === 0) return;
        if (performance.now() - startedAt > stableMilliseconds) this.failures = 0;
        this.parts.log.error({ code, signal }, 'The SIP engine exited; restarting it.');
        this.startAgain();
      });
    });
  }

  private startAgain(): void {
    const delay = restartDelays[Math.min(this.failures, restartDelays.length - 1)]!;
    this.failures++;
    this.timer = setTimeout(() => {
      this.launch().catch((error: Error) => {
        this.parts.log.error({ error: error.message }, 'Restarting the SIP engine failed.');
      });
    }, delay);
  }

  private arguments(): string[] {
    const { settings, hep } = this.parts;
    const list = ['--admin', `127.0.0.1:${this.adminPort}`, '--hep', `tcp:${hostPort(hep.host, hep.port)}`];
    list.push('--metrics', '127.0.0.1:0');
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
    return [...list, ...settings.screening];
  }
}

const isSource = import.meta.url.endsWith('.ts');

const hostPort = (host: string, port: number): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;
