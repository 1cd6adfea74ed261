import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Logger } from '../../src/base/log.js';
import { engineDefaults } from '../../src/config/engine-settings.js';
import { EngineLink } from '../../src/edge/sip/engine-link.js';
import type { ReceivedRequest, ResponseSender } from '../../src/edge/sip/messages.js';
import { standardTimers } from '../../src/engine/clock.js';
import { Engine } from '../../src/engine/engine.js';
import { parseUri, userOf } from '../../src/sip/uri.js';
import { AgentCall } from './agent-call.js';
import type { AgentSettings } from './agent-settings.js';
import { readBehaviour } from './behaviour.js';

const loopback = '127.0.0.1';
const portAttempts = 20;
const connectMilliseconds = 5_000;
const allow = 'INVITE, ACK, CANCEL, BYE, OPTIONS, UPDATE, INFO, PRACK';

/** The demo voice agent: a drachtio-srf application with an embedded engine in the same process. */
export class DemoAgent {
  private readonly calls = new Set<AgentCall>();
  private isStopping = false;

  private constructor(
    private readonly settings: AgentSettings,
    private readonly engine: Engine,
    private readonly link: EngineLink,
    /** SIP over UDP and TCP. */
    readonly port: number,
    private readonly log: Logger,
  ) {
    link.handle('invite', (request, response) => this.invite(request, response));
    link.handle('options', (_request, response) =>
      response.send(this.isStopping ? 503 : 200, undefined, {
        headers: { Allow: allow, Accept: 'application/sdp' },
      }),
    );
  }

  /** Binds and connects; rejects when the port is taken. */
  static async start(settings: AgentSettings, log: Logger): Promise<DemoAgent> {
    const secret = randomBytes(24).toString('base64url');
    const { host } = settings.listen;
    for (let attempt = 1; ; attempt++) {
      const port = settings.listen.port === 0 ? await freePort(host) : settings.listen.port;
      const engine = engineOn(host, port, secret, log);
      try {
        await engine.start();
      } catch (error) {
        // Another process may have taken a port that was free a moment ago.
        if (settings.listen.port !== 0 || attempt === portAttempts) throw error;
        continue;
      }
      const link = new EngineLink(log.child({}, { level: 'warn' }));
      const agent = new DemoAgent(settings, engine, link, port, log);
      link.connect({ host: loopback, port: engine.adminPort, secret });
      await once(link, 'up', { signal: AbortSignal.timeout(connectMilliseconds) });
      return agent;
    }
  }

  get activeCalls(): number {
    return this.calls.size;
  }

  /** Ends all calls with BYE, then closes everything. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await Promise.all([...this.calls].map((call) => call.hangUp()));
    this.link.close();
    await this.engine.stop();
  }

  private invite(request: ReceivedRequest, response: ResponseSender): void {
    if (this.isStopping) {
      response.send(503, undefined, { headers: { 'Retry-After': '5' } });
      return;
    }
    const uri = parseUri(request.uri);
    const user = (uri === undefined ? undefined : userOf(uri)) ?? '';
    const log = this.log.child({ call: request.get('X-Demarc-Call-ID') ?? request.get('Call-ID') ?? '' });
    log.info({ user, from: request.get('From') }, 'Call.');
    const call = new AgentCall(request, response, readBehaviour(request.get('X-Agent-Behaviour') ?? user), {
      engine: this.link,
      address: this.settings.listen.host,
      ringMilliseconds: this.settings.ringMilliseconds,
      toneMilliseconds: this.settings.toneMilliseconds,
      knowledge: this.settings.knowledge,
      log,
      ended: (ended) => this.calls.delete(ended),
    });
    this.calls.add(call);
    call.begin().catch((error: Error) => {
      log.error({ error: error.message }, 'Call failed.');
      void call.hangUp();
    });
  }
}

function engineOn(host: string, port: number, secret: string, log: Logger): Engine {
  return new Engine(
    {
      admin: { host: loopback, port: 0 },
      secret,
      listeners: [
        { protocol: 'udp', host, port },
        { protocol: 'tcp', host, port },
      ],
      externalHost: undefined,
      tls: {
        certificateFile: undefined,
        keyFile: undefined,
        chainFile: undefined,
        caFile: undefined,
        clientCertificate: 'none',
        verify: true,
        unverifiedHosts: [],
      },
      hep: undefined,
      hepCaptureId: 0,
      metrics: undefined,
      metricsToken: undefined,
      timers: standardTimers,
      inviteTimeout: engineDefaults.inviteTimeout,
      ringingTimeout: engineDefaults.ringingTimeout,
      minimumSessionExpiresSeconds: engineDefaults.minimumSessionExpiresSeconds,
      keepSeconds: 0,
      isStandby: false,
      restoreSeconds: 0,
      screening: engineDefaults.screening,
      drainSeconds: 0,
      maximumFrame: engineDefaults.maximumFrame,
      logLevel: 'silent',
    },
    {
      wire: ({ kind, text }) => {
        if (kind === 'failed' || kind === 'malformed') log.warn({ kind }, text);
      },
      defect: (error) => log.error({ err: error }, 'defect'),
      transport: ({ kind, text, remote }) => log.warn({ kind, remote }, text),
    },
  );
}

/** A port that is currently free for both TCP and UDP. */
async function freePort(host: string): Promise<number> {
  for (let attempt = 0; attempt < portAttempts; attempt++) {
    const server = createServer();
    server.listen(0, host);
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const isFree = await isUdpPortFree(host, port);
    server.close();
    await once(server, 'close');
    if (isFree) return port;
  }
  throw new Error(`No port on ${host} is free for both TCP and UDP.`);
}

async function isUdpPortFree(host: string, port: number): Promise<boolean> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  return new Promise((resolve) => {
    socket.once('error', () => {
      socket.close();
      resolve(false);
    });
    socket.bind(port, host, () => socket.close(() => resolve(true)));
  });
}
