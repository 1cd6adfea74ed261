import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { until } from '../../src/testkit/waiting.js';
import { type Bencoded, bencode, readBencoded } from './bencode.js';

type Dictionary = Readonly<Record<string, Bencoded>>;

interface Session {
  readonly tags: Set<string>;
  /** Of the description that the last offer brought: the answer goes back in its profile. */
  readonly offered: string;
  /** By the tag of the party that describes itself: the other one sends there. */
  readonly ports: Map<string, number>;
}

/** One datagram as it came: a repeated command is listed again, with the same cookie. */
export interface NgRequest {
  readonly cookie: string;
  readonly command: string;
  readonly callId: string | undefined;
  readonly parameters: Dictionary;
}

/** They change the audio, of which there is none. */
const audioCommands: ReadonlySet<string> = new Set([
  ...['silence media', 'unsilence media', 'block media', 'unblock media', 'stop media', 'play DTMF'],
]);

const unknownCall: Dictionary = { result: 'error', 'error-reason': 'Unknown call-id' };

let started = 0;

/**
 * An rtpengine for unit tests: a UDP server on loopback that speaks the ng protocol (ping, offer, answer, query, delete,
 * list) and keeps sessions, but relays no media. `test/contract/media/ng-double.test.ts` runs the same tests on it and on
 * rtpengine. Faults are switched on by its fields.
 */
export class NgDouble {
  readonly host = '127.0.0.1';
  /** Every datagram that came, also those that were not answered, except the question for the release (`publish`). */
  readonly received: NgRequest[] = [];
  /** Reads nothing, as a process that hangs: no session is made. */
  isSilent = false;
  /** Commands that it does not answer, though it carries out all others. */
  unanswered: ReadonlySet<string> = new Set();
  /** Datagrams from now on that are lost on the way to it. */
  lostRequests = 0;
  /** Replies from now on that are lost on the way back: the command has been carried out. */
  lostReplies = 0;
  /** Replies are sent this late; the command is carried out at once. */
  delayMilliseconds = 0;
  /** Called when a reply has left without a delay: it is in the socket of the client then, unread. */
  replied: () => void = () => {};
  /** Sent in reply to every offer; like rtpengine, it keeps the session nevertheless. */
  refusal: Dictionary | undefined;
  private readonly sessionsById = new Map<string, Session>();
  /** By cookie: a repeated command gets the same reply. */
  private readonly replies = new Map<string, Buffer>();
  private readonly delayed = new Set<NodeJS.Timeout>();
  private socket: Socket | undefined;
  private boundPort = 0;
  /** Two of them have different ports, as on different machines different addresses. */
  private nextMediaPort = 30_000 + 1_000 * (started++ % 10);

  static async start(): Promise<NgDouble> {
    const double = new NgDouble();
    await double.open();
    return double;
  }

  get port(): number {
    return this.boundPort;
  }

  async sessions(): Promise<string[]> {
    return [...this.sessionsById.keys()];
  }

  /** Commands that came, in order; repeats count once. */
  commands(): string[] {
    return [...new Map(this.received.map(({ cookie, command }) => [cookie, command])).values()];
  }

  /** Opens the port again after `close`; sessions are still there. */
  async open(): Promise<void> {
    // While it was closed, the system may have given its port to another socket, mostly for a moment.
    await until(() => this.bind(), 20_000, `port ${this.boundPort} is free`);
  }

  private async bind(): Promise<boolean> {
    const socket = createSocket('udp4');
    socket.on('message', (datagram, from) => this.receive(datagram, from));
    socket.bind(this.boundPort, this.host);
    try {
      await once(socket, 'listening');
    } catch {
      // Taken.
      socket.close();
      return false;
    }
    this.socket = socket;
    this.boundPort = socket.address().port;
    return true;
  }

  /** Closes the port: the system refuses datagrams, as after a crash. */
  async close(): Promise<void> {
    for (const timer of this.delayed) clearTimeout(timer);
    const { socket } = this;
    if (socket === undefined) return;
    this.socket = undefined;
    await new Promise<void>((resolve) => socket.close(resolve));
  }

  private receive(datagram: Buffer, from: RemoteInfo): void {
    const text = datagram.toString('latin1');
    const blank = text.indexOf(' ');
    const cookie = text.slice(0, blank);
    const parameters = readBencoded(text.slice(blank + 1)) as Dictionary;
    const callId = parameters['call-id'] as string | undefined;
    if (parameters.command !== 'publish')
      this.received.push({ cookie, command: String(parameters.command), callId, parameters });
    if (this.isSilent || this.unanswered.has(String(parameters.command))) return;
    if (this.lostRequests > 0) {
      this.lostRequests--;
      return;
    }
    let reply = this.replies.get(cookie);
    if (reply === undefined) {
      reply = Buffer.from(`${cookie} ${bencode(this.carryOut(parameters, callId ?? ''))}`, 'latin1');
      this.replies.set(cookie, reply);
    }
    if (this.lostReplies > 0) {
      this.lostReplies--;
      return;
    }
    this.send(reply, from);
  }

  private send(reply: Buffer, { port, address }: RemoteInfo): void {
    if (this.delayMilliseconds === 0) {
      this.socket?.send(reply, port, address);
      this.replied();
      return;
    }
    const timer = setTimeout(() => {
      this.delayed.delete(timer);
      this.socket?.send(reply, port, address);
    }, this.delayMilliseconds);
    this.delayed.add(timer);
  }

  private carryOut(parameters: Dictionary, callId: string): Dictionary {
    const session = this.sessionsById.get(callId);
    const from = parameters['from-tag'] as string | undefined;
    switch (parameters.command) {
      case 'ping':
        return { result: 'pong' };
      case 'list':
        return { result: 'ok', calls: [...this.sessionsById.keys()] };
      case 'offer': {
        const tags = new Set([...(session?.tags ?? []), String(from)]);
        const ports = session?.ports ?? new Map<string, number>();
        this.sessionsById.set(callId, { tags, offered: String(parameters.sdp), ports });
        const port = this.portOf(ports, String(from));
        return this.refusal ?? this.described(parameters, port, parameters['transport-protocol']);
      }
      case 'answer':
        if (session === undefined) return unknownCall;
        session.tags.add(String(parameters['to-tag']));
        return this.described(
          parameters,
          this.portOf(session.ports, String(parameters['to-tag'])),
          profileOf(session.offered),
          session.offered,
        );
      case 'query':
        if (session === undefined) return unknownCall;
        return { result: 'ok', tags: Object.fromEntries([...session.tags].map((tag) => [tag, { tag }])) };
      case 'delete':
        if (session === undefined || (from !== undefined && !session.tags.has(from)))
          return { result: 'ok', warning: 'Call-ID not found or tags did not match' };
        this.sessionsById.delete(callId);
        return from === undefined ? { result: 'ok' } : { result: 'ok', totals: {}, tags: {} };
      case 'play media':
        return session === undefined ? unknownCall : { result: 'ok', duration: 1_000 };
      default:
        if (!audioCommands.has(String(parameters.command)))
          return { result: 'error', 'error-reason': 'Unrecognized command' };
        return session === undefined ? unknownCall : { result: 'ok' };
    }
  }

  private portOf(ports: Map<string, number>, tag: string): number {
    const known = ports.get(tag);
    if (known !== undefined) return known;
    this.nextMediaPort += 2;
    ports.set(tag, this.nextMediaPort);
    return this.nextMediaPort;
  }

  /** The description with the double's media port in place of the party's, in that profile. */
  private described(
    { sdp }: Dictionary,
    port: number,
    profile: Bencoded | undefined,
    offered: string | undefined = undefined,
  ): Dictionary {
    if (typeof sdp !== 'string' || !sdp.startsWith('v=0'))
      return { result: 'error', 'error-reason': 'Failed to parse SDP' };
    const protocol = typeof profile === 'string' ? profile : (profileOf(sdp) ?? 'RTP/AVP');
    const [line = cryptoLine] = /^a=crypto:\d+ [A-Z0-9_]+/m.exec(offered ?? '') ?? [];
    const own = sdp
      .replace(/^a=crypto:.*\r\n/gm, '')
      .replace(/^c=IN IP4 .*$/m, 'c=IN IP4 127.0.0.1')
      .replace(/^m=audio \d+ \S+/m, `m=audio ${port} ${protocol}`);
    const keys = protocol.includes('SAVP')
      ? `${line} inline:${Buffer.alloc(30, 3).toString('base64')}\r\n`
      : '';
    return { result: 'ok', sdp: `${own}${keys}` };
  }
}

const cryptoLine = 'a=crypto:1 AES_CM_128_HMAC_SHA1_80';

const profileOf = (sdp: string): string | undefined => /^m=audio \d+ (\S+)/m.exec(sdp)?.[1];
