import { randomBytes } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { cryptoLinesOf, type Direction, directionOf, readSession } from '../../src/sdp/sdp.js';
import { keyLineOf } from '../../src/sdp/srtp-key.js';
import { parseAddress } from '../../src/sip/address.js';
import { parseCredentials } from '../../src/sip/digest.js';
import type { SipRequest } from '../../src/sip/message.js';
import { parseUri } from '../../src/sip/uri.js';
import type { Address, Arrival, Route, SipPeer } from '../../src/testkit/sip-peer.js';
import { pause } from '../../src/testkit/waiting.js';
import { PeerCall } from '../../test/support/peer-call.js';
import { ToneStream } from './tone-stream.js';

const nonce = randomBytes(8).toString('hex');

class ConnectionLost extends Error {}

/** Rejects when the connection is closed. */
async function connectionLost(route: Route): Promise<never> {
  while (route.isOpen()) await pause(50);
  throw new ConnectionLost('The connection was lost.');
}

const isLoss = (error: unknown): boolean =>
  error instanceof ConnectionLost || (error as { code?: string }).code === 'ECONNREFUSED';

/** Longer than any test. */
const patience = 3_600_000;
const mirrored: Readonly<Record<Direction, Direction>> = {
  sendrecv: 'sendrecv',
  sendonly: 'recvonly',
  recvonly: 'sendonly',
  inactive: 'inactive',
};

export interface TonePhoneOptions {
  readonly hertz: number;
  /** Of the first RTP packet. */
  readonly firstSequence?: number;
  /** It challenges each INVITE (RFC 3261 §22.3) that this user does not send. */
  readonly challenges?: string;
  /** How it answers a re-INVITE; default 200, always. Called with the number of the re-INVITE, from 1. */
  readonly statusFor?: (reinvite: number) => number;
}

/**
 * A light caller for tests with many calls: SIP at a scripted peer, SRTP with a tone. It answers what it is asked in the call, and
 * follows each new description with its keys.
 */
export class TonePhone {
  /** Status of each re-INVITE that it got. */
  readonly reinvites: number[] = [];
  /** Versions in the `o=` lines that it got. */
  readonly versions: number[] = [];
  isUp = false;
  /** Status in the last NOTIFY of a transfer; undefined: none has come. */
  transferOutcome: number | undefined;
  /** The description that it got last. */
  remote = '';
  /** The engine that the call has moved to. */
  moved: Address | undefined;
  /** Monotonic milliseconds. */
  movedAt: number | undefined;
  private direction: Direction = 'sendrecv';
  private readonly key = randomBytes(30).toString('base64');
  private version = 1;

  private constructor(
    readonly call: PeerCall,
    readonly stream: ToneStream,
    private readonly options: TonePhoneOptions,
  ) {}

  /** Resolves when the call is up. */
  static async dial(peer: SipPeer, number: string, options: TonePhoneOptions): Promise<TonePhone> {
    const stream = await ToneStream.open(peer.host, options.hertz, options.firstSequence);
    const phone = new TonePhone(PeerCall.to(peer, number), stream, options);
    const { call } = phone;
    await phone.reconnect();
    await call.invite({ body: phone.description('sendrecv') });
    const ok = await Promise.race([
      call.response((status) => status >= 200, 'INVITE', 15_000),
      connectionLost(await peer.route()),
    ]).catch((error: unknown) => {
      stream.close();
      throw error;
    });
    await call.ack(ok.message);
    if (ok.message.status !== 200) {
      stream.close();
      const why = ok.message.headers.get('Reason') ?? 'without Reason';
      throw new Error(`The call was refused: ${ok.message.status} ${ok.message.reason} (${why}).`);
    }
    phone.isUp = true;
    phone.take(ok.message.body);
    phone.listen();
    return phone;
  }

  /** Takes the next call to the peer (to that user); resolves when it is up. */
  static async answer(
    peer: SipPeer,
    options: TonePhoneOptions,
    milliseconds = 15_000,
    user?: string,
  ): Promise<TonePhone> {
    const stream = await ToneStream.open(peer.host, options.hertz, options.firstSequence);
    let invite = await peer
      .expectRequest('INVITE', { milliseconds, ...(user === undefined ? {} : { user }) })
      .catch((error: unknown) => {
        stream.close();
        throw error;
      });
    const phone = new TonePhone(PeerCall.from(peer, invite.message), stream, options);
    if (await phone.challenged(invite))
      invite = await peer.expectRequest('INVITE', { callId: phone.call.callId, milliseconds });
    await phone.challenged(invite);
    phone.take(invite.message.body);
    await phone.call.respond(invite, 200, { body: phone.description('sendrecv') });
    await peer.expectRequest('ACK', { callId: phone.call.callId, milliseconds });
    phone.isUp = true;
    phone.listen();
    return phone;
  }

  /** Refreshes the session with UPDATE; resolves with the final status. */
  async refresh(): Promise<number> {
    return this.ask('UPDATE', {});
  }

  /** Presses a digit, by INFO; resolves with the final status. */
  async press(digit: string): Promise<number> {
    return this.ask('INFO', {
      headers: { 'Content-Type': 'application/dtmf-relay' },
      body: `Signal=${digit}\r\nDuration=120\r\n`,
    });
  }

  /** Asks for a blind transfer (RFC 3515); resolves with the final status. `transferOutcome` follows. */
  async refer(target: string): Promise<number> {
    return this.ask('REFER', { headers: { 'Refer-To': `<${target}>` } });
  }

  /** Puts the call on hold, or takes it back; resolves with the final status. */
  async turn(direction: Direction): Promise<number> {
    this.version++;
    const status = await this.ask('INVITE', { body: this.description(direction) });
    if (status === 200) this.direction = direction;
    return status;
  }

  /** Sends a request, again where its connection is lost; resolves with the final status. */
  private async ask(method: string, options: { headers?: Record<string, string>; body?: string }) {
    const { call } = this;
    const { peer, callId } = call;
    for (;;) {
      await this.reconnect();
      const cseq = call.cseq + 1;
      try {
        const route = await this.route();
        await call.send(method, { ...options, route });
        const { message } = await Promise.race([
          peer.expectResponse((status) => status >= 200, { method, callId, cseq, milliseconds: 40_000 }),
          connectionLost(route),
        ]);
        if (method === 'INVITE') {
          await call.ack(message, { route });
          if (message.status === 200) this.take(message.body);
        }
        return message.status;
      } catch (error) {
        if (!isLoss(error)) throw error;
        await pause(100);
      }
    }
  }

  /** It has put the call on hold, and not taken it back. */
  get isOnHold(): boolean {
    return this.direction !== 'sendrecv';
  }

  /** Resolves with the status of the response to the BYE. */
  async hangUp(): Promise<number> {
    this.isUp = false;
    return this.ask('BYE', {});
  }

  close(): void {
    this.isUp = false;
    this.stream.close();
  }

  /** To our target: where the last re-INVITE said that the call is (RFC 3261 §12.2), at first the peer's own. */
  private route(): Promise<Route> {
    const { peer } = this.call;
    return this.moved === undefined ? peer.route() : peer.routeTo(this.moved);
  }

  /** The connection was lost with the engine. */
  private async reconnect(): Promise<void> {
    if (this.moved !== undefined) return;
    const { peer } = this.call;
    const route = await peer.route().catch(() => undefined);
    if (route?.isOpen() !== true) peer.closeConnections();
  }

  private listen(): void {
    const serve = async (
      method: string,
      answer: (arrival: Arrival<SipRequest>) => Promise<unknown>,
    ): Promise<void> => {
      const { callId, peer } = this.call;
      for (;;) await answer(await peer.expectRequest(method, { callId, milliseconds: patience }));
    };
    const ok = (arrival: Arrival<SipRequest>) => this.call.respond(arrival, 200);
    const ignore = (): void => {};
    void serve('INVITE', (arrival) => this.reinvited(arrival)).catch(ignore);
    void serve('ACK', async () => {}).catch(ignore);
    void serve('OPTIONS', ok).catch(ignore);
    void serve('UPDATE', ok).catch(ignore);
    void serve('INFO', ok).catch(ignore);
    void serve('NOTIFY', (arrival) => {
      const { headers, body } = arrival.message;
      if (headers.get('Subscription-State')?.startsWith('terminated') === true)
        this.transferOutcome = Number(/^SIP\/2\.0 (\d{3})/.exec(body)?.[1] ?? 0);
      return ok(arrival);
    }).catch(ignore);
    void serve('BYE', (arrival) => {
      this.isUp = false;
      return ok(arrival);
    }).catch(ignore);
  }

  private async reinvited(arrival: Arrival<SipRequest>): Promise<void> {
    if (await this.challenged(arrival)) return;
    const status = this.options.statusFor?.(this.reinvites.length + 1) ?? 200;
    this.reinvites.push(status);
    if (status !== 200) {
      await this.call.respond(arrival, status);
      return;
    }
    this.follow(arrival.message);
    this.version++;
    const offer = arrival.message.body;
    const offered = this.take(offer);
    const own = this.direction === 'sendrecv' ? mirrored[offered] : this.direction;
    await this.call.respond(arrival, 200, { body: this.description(own) });
  }

  /** True: it lacks credentials, and was refused. */
  private async challenged(arrival: Arrival<SipRequest>): Promise<boolean> {
    const { challenges } = this.options;
    if (challenges === undefined) return false;
    const credentials = parseCredentials(arrival.message.headers.get('Proxy-Authorization') ?? '');
    if (credentials?.username === challenges && credentials.nonce === nonce) return false;
    await this.call.respond(arrival, 407, {
      headers: {
        'Proxy-Authenticate': `Digest realm="trunk", nonce="${nonce}", algorithm=SHA-256, qop="auth"`,
      },
    });
    return true;
  }

  /** Sends requests to the Contact of a re-INVITE that has another one. */
  private follow({ headers }: SipRequest): void {
    const contact = parseAddress(headers.get('Contact') ?? '')?.uri ?? '';
    const uri = parseUri(contact);
    if (contact === this.call.target || uri?.kind !== 'sip') return;
    this.call.target = contact;
    this.movedAt = performance.now();
    this.moved = { host: uri.host, port: uri.port ?? 5060 };
  }

  /** Sends to the address of a description from now on; its direction. */
  private take(sdp: string): Direction {
    const session = readSession(sdp);
    const audio = session?.media[0];
    if (session === undefined || audio === undefined) return 'inactive';
    this.remote = sdp;
    this.versions.push(Number(/^o=\S+ \S+ (\d+)/m.exec(sdp)?.[1]));
    const key = /inline:([A-Za-z0-9+/]+)/.exec(keyLineOf(audio) ?? '')?.[1];
    const host = /^c=IN IP[46] (\S+)/m.exec(sdp)?.[1] ?? '127.0.0.1';
    this.tag = cryptoLinesOf(audio)[0]?.tag ?? '1';
    this.isPlain = audio.protocol === 'RTP/AVP';
    this.stream.agree({ host, port: audio.port, key }, this.isPlain ? undefined : this.key);
    return directionOf(session, audio);
  }

  private tag = '1';
  /** RTP without SRTP. */
  private isPlain = false;

  private description(direction: Direction): string {
    const { host } = this.call.peer;
    const type = isIPv6(host) ? 'IP6' : 'IP4';
    return `${[
      'v=0',
      `o=tone 1 ${this.version} IN ${type} ${host}`,
      's=-',
      `c=IN ${type} ${host}`,
      't=0 0',
      `m=audio ${this.stream.port} ${this.isPlain ? 'RTP/AVP' : 'RTP/SAVP'} 0 101`,
      'a=rtpmap:0 PCMU/8000',
      'a=rtpmap:101 telephone-event/8000',
      'a=fmtp:101 0-15',
      `a=${direction}`,
      ...(this.isPlain ? [] : [`a=crypto:${this.tag} AES_CM_128_HMAC_SHA1_80 inline:${this.key}`]),
    ].join('\r\n')}\r\n`;
  }
}
