import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Logger } from '../base/log.js';
import { pause } from '../base/pause.js';
import { connectRedis, firstConnection, type Redis } from '../base/redis.js';
import { SystemClock } from '../base/system-clock.js';
import { within, withinOrThrow } from '../base/within.js';
import type { MediaStreamSettings } from '../config/media-stream-settings.js';
import { version } from '../config/version.js';
import {
  processRefusal,
  type StreamFallback,
  type StreamProcess,
  streamOrderHeader,
  streamSoundKey,
} from '../contract/agent-stream.js';
import { SecretBox } from '../contract/secret.js';
import { callSidOf } from '../contract/stream-ids.js';
import { EngineLink } from '../edge/sip/engine-link.js';
import type { ReceivedRequest, ResponseSender } from '../edge/sip/messages.js';
import { sipReason } from '../edge/sip/reason.js';
import { restoreDialogs } from '../edge/sip/restore-dialogs.js';
import { Engine } from '../engine/library.js';
import { EgressPolicy } from '../naming/egress.js';
import { formatHostPort } from '../sip/uri.js';
import { Phases, phaseCount, type Tick } from './audio/phases.js';
import { trustedAuthorities, trustedCertificates } from './bot/authorities.js';
import { botSockets, type OpenBotSocket } from './bot/bot-socket.js';
import { Handshakes } from './bot/handshakes.js';
import { BotStates } from './bot-states.js';
import { ContinuedCalls, dialogElsewhere } from './continued-calls.js';
import { StreamHttp } from './http.js';
import { MediaStreamMetrics } from './metrics.js';
import { chooseTls } from './native-tls/choose-tls.js';
import type { NativeTls } from './native-tls/native-tls.js';
import { factsOf, type OpenedOrder, OrderError, openAction, openOrder, readOrder } from './orders.js';
import { ProcessEntry } from './process-entry.js';
import type { KnownDialog } from './refer-to.js';
import { chooseSockets } from './rtp-sockets/choose-sockets.js';
import type { RtpSocketKind, RtpSockets } from './rtp-sockets/rtp-sockets.js';
import { type FetchSound, soundFetcher } from './sounds/fetch-sound.js';
import { StreamCall } from './stream-call.js';
import type { StreamCallParts, StreamCounters } from './stream-call-parts.js';

const loopback = '127.0.0.1';
/** The engine is in this process; on a busy machine both wait for a processor. */
const connectMilliseconds = 25_000;
const redisMilliseconds = 2_000;
/** Within which requests of edges inside dialogs wait for their dialogs to be restored. */
const restoreSeconds = 3;
const allow = 'INVITE, ACK, CANCEL, BYE, OPTIONS, UPDATE, INFO, PRACK, NOTIFY';
const drainPollMilliseconds = 100;
const byeMilliseconds = 1_000;
/** An ACK that is later than this was lost, and its call with it. */
const acknowledgementMilliseconds = 2_000;

/** How the parts outside of this process are opened; a test has doubles. */
interface OpenParts {
  readonly connect?: typeof connectRedis;
  readonly choose?: typeof chooseSockets;
}

/** The role: a SIP UAS on its own engine, which carries each call's audio to a bot by WebSocket and back. */
export class MediaStream {
  private readonly calls = new Set<StreamCall>();
  /** By phase of the cadence. */
  private readonly lanes: Set<StreamCall>[] = Array.from({ length: phaseCount }, () => new Set());
  private readonly phases: Phases;
  private readonly secrets: SecretBox;
  private readonly open: OpenBotSocket;
  private readonly fetchSound: FetchSound;
  private readonly entry: ProcessEntry;
  private readonly botStates: BotStates;
  private readonly continued: ContinuedCalls;
  private readonly http: StreamHttp;
  private readonly counters: StreamCounters = {
    answered: 0,
    refused: 0,
    reconnected: 0,
    unknownMessages: 0,
    droppedToBots: 0,
    droppedFromBotsMilliseconds: 0,
  };
  private isStopping = false;

  private constructor(
    private readonly settings: MediaStreamSettings,
    private readonly engine: Engine,
    private readonly link: EngineLink,
    private readonly redis: Redis,
    private readonly sockets: RtpSockets,
    private readonly nativeTls: NativeTls | undefined,
    private readonly log: Logger,
  ) {
    this.secrets = new SecretBox(settings.secretKeys);
    this.phases = new Phases((tick) => this.tick(tick), new SystemClock());
    const secureContext = trustedAuthorities(settings.caFile);
    const egress = new EgressPolicy(settings.egress);
    this.fetchSound = soundFetcher({ egress, secureContext });
    this.open = botSockets({
      secureContext,
      nativeTls,
      egress,
      handshakes: new Handshakes(),
    });
    this.entry = new ProcessEntry(redis, settings.id, () => this.describe());
    this.botStates = new BotStates(redis, this.calls);
    this.continued = new ContinuedCalls(redis, settings.id, this.secrets, log);
    const metrics = new MediaStreamMetrics(() => ({
      calls: this.calls.size,
      latenessP99: this.phases.latenessP99,
      skippedFrames: this.phases.skippedFrames,
      sockets: sockets.kind,
      counters: this.counters,
    }));
    this.http = new StreamHttp({
      listen: settings.http,
      metrics,
      metricsToken: settings.metricsToken,
      problem: () => this.problem,
    });
    link.handle('invite', (request, response) => this.invite(request, response));
    link.handle('options', (_request, response) =>
      response.send(this.problem === undefined ? 200 : 503, undefined, {
        headers: { Allow: allow, Accept: 'application/sdp' },
      }),
    );
  }

  /** Binds, continues the calls of a process before it, and announces itself. Rejects when the port is taken. */
  static async start(
    settings: MediaStreamSettings,
    log: Logger,
    { connect = connectRedis, choose = chooseSockets }: OpenParts = {},
  ): Promise<MediaStream> {
    const sockets = await choose(settings.sockets, log);
    const nativeTls =
      sockets.kind === 'native' ? await chooseTls(trustedCertificates(settings.caFile), log) : undefined;
    const secret = randomBytes(24).toString('base64url');
    const { host, port } = settings.listen;
    const engine = new Engine(
      {
        admin: { host: loopback, port: 0 },
        secret,
        listeners: [
          { protocol: 'tcp', host, port },
          { protocol: 'udp', host, port },
        ],
        restoreSeconds,
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
    await engine.start();
    const redis = connect(settings.redis, log, `media-stream ${settings.id}`, {
      commandTimeout: redisMilliseconds,
    });
    const link = new EngineLink(log.child({}, { level: 'warn' }));
    const role = new MediaStream(settings, engine, link, redis, sockets, nativeTls, log);
    link.connect({ host: loopback, port: engine.adminPort, secret });
    const late = `its own engine was not connected within ${connectMilliseconds / 1_000} s`;
    await withinOrThrow(connectMilliseconds, once(link, 'up'), late);
    await role.begin();
    return role;
  }

  /** Where edges send its calls. */
  get uri(): string {
    const { address, port } = this.engine.listeners[0]!;
    return `sip:${formatHostPort(address, port)};transport=tcp`;
  }

  get httpUrl(): string {
    return `http://${formatHostPort(this.settings.http.host, this.http.port)}`;
  }

  get socketKind(): RtpSocketKind {
    return this.sockets.kind;
  }

  get activeCalls(): number {
    return this.calls.size;
  }

  /**
   * Takes no new calls and waits for those that run.
   * @param leaves answered calls that are left then continue in the next process with this id; false: they end
   */
  async stop(seconds: number, leaves: boolean): Promise<void> {
    this.isStopping = true;
    await this.entry.renew().catch(() => {});
    const until = performance.now() + seconds * 1_000;
    while (this.calls.size > 0 && performance.now() < until) await pause(drainPollMilliseconds);
    if (leaves) await this.leaveCalls();
    else for (const call of [...this.calls]) call.hangUp(503, 'Media stream stops');
    await this.entry.stop();
    await this.botStates.stop();
    this.phases.stop();
    // Without its application the engine would end the calls by BYE.
    if (leaves) await this.engine.leave();
    // Its answer follows what the engine has been asked before: the BYEs, which the connection's end would overtake.
    else await within(byeMilliseconds, this.link.command('alive'));
    this.link.close();
    if (!leaves) await this.engine.stop();
    await this.http.stop();
    this.redis.disconnect();
  }

  /** For the next process with this id. Those that are not answered yet go to another one, or to the next as new calls. */
  private async leaveCalls(): Promise<void> {
    for (const call of [...this.calls]) call.leave();
    const until = performance.now() + acknowledgementMilliseconds;
    while ([...this.calls].some(({ isAnswering }) => isAnswering) && performance.now() < until)
      await pause(drainPollMilliseconds);
    await this.continued.leave().catch((error: Error) => {
      this.log.warn({ error: error.message }, 'Redis did not take the calls that are left.');
    });
  }

  /** Why it takes no new calls. */
  private get problem(): string | undefined {
    const { maximumCalls } = this.settings;
    if (this.isStopping) return 'it is stopping';
    if (this.calls.size >= maximumCalls) return `it has ${maximumCalls} calls`;
    return undefined;
  }

  /** A call with late audio is better than none: where there is no other process, this one takes it all the same. */
  private get isLate(): boolean {
    return this.calls.size > 0 && this.phases.latenessP99 > this.settings.maximumLatenessMilliseconds;
  }

  private async begin(): Promise<void> {
    await this.http.start();
    await firstConnection(this.redis, redisMilliseconds);
    try {
      await this.continueCalls();
    } catch (error) {
      this.log.warn({ error: (error as Error).message }, 'The calls of the process before are not known.');
    }
    await this.link.command('restored').catch(() => {});
    this.entry.start();
    this.botStates.start();
    await this.entry.renew();
  }

  private async continueCalls(): Promise<void> {
    const documents = await this.continued.left();
    if (documents.size === 0) return;
    const restored = await restoreDialogs(
      this.link,
      [...documents.values()].map(({ leg, answeredAt }) => ({ leg, answeredAt })),
      this.log,
    );
    for (const [id, document] of documents) {
      if (!restored.has(document.leg.dialog_id)) {
        this.continued.forget(id);
        continue;
      }
      let call: StreamCall | undefined;
      try {
        const opened = openOrder(document.order, this.secrets);
        const { facts = {}, traceparent } = document;
        call = new StreamCall(this.partsOf(opened, { facts, traceparent }), undefined, true);
        this.add(call);
        await call.continue(document);
      } catch (error) {
        this.log.error({ call: id, error: (error as Error).message }, 'A call could not be continued.');
        this.continued.forget(id);
        call?.hangUp(500, 'Media stream failed');
      }
    }
    this.log.info({ calls: this.calls.size }, 'Continued the calls of the process before.');
  }

  private invite(request: ReceivedRequest, response: ResponseSender): void {
    const { problem } = this;
    if (problem !== undefined) {
      const headers = { 'Retry-After': '1', Reason: sipReason(503, `${processRefusal}${problem}`) };
      response.send(503, undefined, { headers });
      return;
    }
    let opened: OpenedOrder;
    try {
      opened = readOrder(request, this.secrets);
    } catch (error) {
      if (!(error instanceof OrderError)) throw error;
      this.log.warn({ from: request.source_address, error: error.message }, 'An INVITE was refused.');
      response.send(request.get(streamOrderHeader) === undefined ? 403 : 500, undefined, {
        headers: { Reason: sipReason(403, error.message) },
      });
      return;
    }
    const fromRequest = {
      facts: factsOf(request),
      // Of the edge, which gives it to agents by SIP in the same header (DEMARC_TRACE_CONTEXT).
      traceparent: request.get('traceparent'),
    };
    const call = new StreamCall(this.partsOf(opened, fromRequest), { request, response });
    this.add(call);
    call.begin().catch((error: Error) => {
      this.log.error({ call: call.id, error: error.message }, 'A call failed.');
      call.hangUp(500, 'Media stream failed');
    });
  }

  private partsOf(
    opened: OpenedOrder,
    fromRequest: Pick<StreamCallParts<StreamCall>, 'facts' | 'traceparent'>,
  ): StreamCallParts<StreamCall> {
    const { settings, link: engine, sockets, open, fetchSound, counters } = this;
    return {
      engine,
      opened,
      ...fromRequest,
      open,
      fetchSound,
      openAction: (sealed) => openAction(sealed, opened.order, this.secrets),
      readSound: async (id) => (await this.redis.getBuffer(streamSoundKey(id))) ?? undefined,
      findDialog: (callSid) => this.findDialog(callSid),
      sealFallback: (uri) =>
        this.secrets.seal(
          JSON.stringify({ version: 1, call_id: opened.order.call_id, uri } satisfies StreamFallback),
        ),
      counters,
      settings,
      version,
      sockets,
      address: settings.listen.host,
      log: this.log.child({ call: opened.order.call_id }),
      changed: (call) => this.continued.note(call),
      ended: (call) => {
        this.calls.delete(call);
        if (this.calls.size === 0) this.phases.stop();
        for (const lane of this.lanes) lane.delete(call);
        this.continued.forget(call.id);
      },
    };
  }

  /** Of an answered call at this process or another one. */
  private async findDialog(callSid: string): Promise<KnownDialog | undefined> {
    for (const call of this.calls) if (callSidOf(call.id) === callSid) return call.knownDialog;
    return dialogElsewhere(this.redis, callSid, this.secrets);
  }

  private add(call: StreamCall): void {
    this.calls.add(call);
    this.phases.start();
    const [first, ...rest] = this.lanes;
    let least = first!;
    for (const lane of rest) if (lane.size < least.size) least = lane;
    least.add(call);
  }

  private tick(tick: Tick): void {
    const lane = this.lanes[tick.phase]!;
    // What bots have sent by now, such as `clear`, counts in this tick.
    this.nativeTls?.read();
    // What is due at callers comes first: encrypting what bots hear takes most of the time.
    for (const call of lane) call.speak(tick);
    this.sockets.read();
    for (const call of lane) call.hear(tick);
  }

  private describe(): StreamProcess {
    return {
      uri: this.uri,
      calls: this.calls.size,
      accepts: this.problem === undefined,
      is_leaving: this.isStopping,
      is_late: this.isLate,
      lateness_p99: this.phases.latenessP99,
    };
  }
}
