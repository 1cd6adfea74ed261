import { randomUUID } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { readMediaStreamSettings } from '../../../src/config/media-stream-settings.js';
import {
  type StreamOrder,
  streamCallsKey,
  streamOrderHeader,
  streamOrderSchema,
  streamProcessKey,
  streamProcessSchema,
} from '../../../src/contract/agent-stream.js';
import { generateSecretKey, SecretBox } from '../../../src/contract/secret.js';
import { MediaStream } from '../../../src/media-stream/media-stream.js';
import { DgramSockets } from '../../../src/media-stream/rtp-sockets/dgram-sockets.js';
import type { RtpSocketPair } from '../../../src/media-stream/rtp-sockets/rtp-sockets.js';
import { type RtpPacket, readPacket, writePacket } from '../../../src/rtp/packet.js';
import { SipPeer } from '../../../src/testkit/sip-peer.js';
import { until } from '../../../src/testkit/waiting.js';
import { freePort } from '../../support/free-ports.js';
import { MemoryRedis } from '../../support/memory-redis.js';
import { PeerCall, sdp } from '../../support/peer-call.js';
import { BotStream } from '../../support/stream-bot.js';

const key = generateSecretKey();
const secrets = new SecretBox([key]);
const id = 'unit';
let redis: MemoryRedis;
let port: number;
let role: MediaStream;
/** The edge. */
let peer: SipPeer;
let server: Server;
/** Of the bot. */
let streams: BotStream[];
/** What the bot's server answers a handshake with in place of the upgrade. */
let refusal: number | undefined;
let rtp: Socket;
let heard: RtpPacket[];

const start = (environment: Readonly<Record<string, string>> = {}): Promise<MediaStream> =>
  MediaStream.start(
    readMediaStreamSettings({
      DEMARC_STREAM_ID: id,
      DEMARC_SECRET_KEY: key,
      DEMARC_STREAM_LISTEN: `127.0.0.1:${port}`,
      DEMARC_STREAM_SOCKETS: 'dgram',
      DEMARC_STREAM_ALLOW_PRIVATE: 'true',
      // A machine that does other things makes frames late.
      DEMARC_STREAM_MAX_LATENESS_MS: '1000',
      ...environment,
    }),
    pino({ level: 'silent' }, { write: () => {} }),
    { connect: () => redis.asRedis, choose: async () => new LostSockets() },
  );

/** RTP sockets that the test can close as the end of a process does. */
const openSockets: RtpSocketPair[] = [];
class LostSockets extends DgramSockets {
  override async open(address: string, atPort?: number): Promise<RtpSocketPair> {
    const pair = await super.open(address, atPort);
    openSockets.push(pair);
    return pair;
  }
}
async function leave(): Promise<void> {
  await role.stop(0, true);
  for (const { rtp, rtcp } of openSockets.splice(0)) for (const socket of [rtp, rtcp]) socket.close();
  for (const { socket } of streams) socket.terminate();
}

beforeAll(async () => {
  port = await freePort();
  peer = await SipPeer.open({ protocol: 'udp', target: { host: '127.0.0.1', port } });
  const sockets = new WebSocketServer({ noServer: true });
  server = createServer();
  server.on('upgrade', (request, socket, head) => {
    if (refusal !== undefined) socket.end(`HTTP/1.1 ${refusal} Refused\r\nConnection: close\r\n\r\n`);
    else
      sockets.handleUpgrade(request, socket, head, (accepted) =>
        streams.push(new BotStream(accepted, request.headers, request.url ?? '')),
      );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server?.closeAllConnections();
  server?.close();
  await peer?.close();
});
beforeEach(async () => {
  redis = new MemoryRedis();
  streams = [];
  heard = [];
  refusal = undefined;
  rtp = createSocket('udp4');
  rtp.on('message', (octets) => heard.push(readPacket(octets)!));
  rtp.bind(0, '127.0.0.1');
  await once(rtp, 'listening');
  role = await start();
});
afterEach(async () => {
  await role?.stop(0, false);
  for (const { socket } of streams) socket.terminate();
  rtp.close();
  peer.inbox.clear();
});

const entry = () => {
  const json = redis.strings.get(streamProcessKey(id));
  return json === undefined ? undefined : streamProcessSchema.parse(JSON.parse(json));
};
const kept = () => [...(redis.hashes.get(streamCallsKey(id))?.keys() ?? [])];
const bot = () => streams.at(-1)!;

interface Asked {
  readonly stream?: Partial<StreamOrder['stream']>;
  /** In place of the sealed order. */
  readonly order?: string | null;
}

async function invite({ stream, order }: Asked = {}) {
  const dialog = PeerCall.to(peer);
  const callId = randomUUID();
  const document = streamOrderSchema.parse({
    version: 1,
    call_id: callId,
    organization: 'acme',
    from: '+14155550100',
    to: '+14155550101',
    direction: 'inbound',
    sip_call_id: dialog.callId,
    stream: { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/bot`, ...stream },
  });
  const sealed = order === undefined ? secrets.seal(JSON.stringify(document)) : order;
  await dialog.invite({
    body: sdp('1', '127.0.0.1', rtp.address().port),
    headers: { [streamOrderHeader]: sealed, 'X-Case': '42', traceparent: '00-1-2-01' },
  });
  return { dialog, callId };
}

/** A call that the bot has answered. */
async function talk(asked: Asked = {}) {
  const { dialog, callId } = await invite(asked);
  const ok = await dialog.response(200);
  await dialog.ack(ok.message);
  await until(() => bot()?.start !== undefined, 10_000, 'the start of the stream');
  const [, toPort] = /^m=audio (\d+)/m.exec(ok.message.body)!;
  await until(() => kept().includes(callId), 10_000, 'the document of the call');
  return { dialog, callId, rtpPort: Number(toPort) };
}

const say = (to: number, sequence: number): void =>
  rtp.send(
    writePacket({
      payloadType: 0,
      isMarked: false,
      sequence,
      timestamp: 160 * sequence,
      source: 7,
      payload: Buffer.alloc(160, 0x55),
    }),
    to,
    '127.0.0.1',
  );

/** The bot hears the caller, and the caller hears the bot. */
async function hearEachOther(to: number): Promise<void> {
  const isVoice = (octets: Uint8Array) => octets.includes(0x55);
  let sequence = 100 * (1 + heard.length);
  await until(
    () => {
      say(to, sequence++);
      return bot().audio.some(isVoice);
    },
    10_000,
    'the caller at the bot',
  );
  bot().media(Buffer.alloc(800, 0x2a));
  await until(() => heard.some(({ payload }) => payload.includes(0x2a)), 10_000, 'the bot at the caller');
}

const bye = async (dialog: PeerCall): Promise<string> => {
  const request = await peer.expectRequest('BYE', { callId: dialog.callId });
  await dialog.respond(request, 200);
  return request.message.headers.get('Reason') ?? '';
};
const get = async (path: string) => {
  const response = await fetch(`${role.httpUrl}${path}`);
  return [response.status, await response.text()] as const;
};
const options = async () => {
  const asking = PeerCall.to(peer);
  await asking.send('OPTIONS');
  return (await asking.response((status) => status >= 200, 'OPTIONS')).message;
};
const refused = async (asked: Asked = {}) => {
  const { dialog } = await invite(asked);
  const { message } = await dialog.response((status) => status >= 300);
  await dialog.ack(message);
  return message;
};

describe('a media-stream process', () => {
  test('announces itself, carries the audio of a call both ways, and forgets the call at its end', async () => {
    expect(entry()).toMatchObject({
      uri: role.uri,
      calls: 0,
      accepts: true,
      is_leaving: false,
      is_late: false,
    });
    expect(role.uri).toBe(`sip:127.0.0.1:${port};transport=tcp`);
    const { dialog, callId, rtpPort } = await talk();
    expect(bot().path).toBe('/bot');
    expect(bot().headers.traceparent).toBe('00-1-2-01');
    expect(bot().start).toMatchObject({
      start: { customParameters: { From: '+14155550100', To: '+14155550101', 'x-case': '42' } },
    });
    expect([role.activeCalls, kept()]).toEqual([1, [callId]]);
    await hearEachOther(rtpPort);
    await until(() => entry()?.calls === 1, 10_000, 'the load in its entry');
    await dialog.hangUp();
    await until(() => kept().length === 0, 10_000, 'the end of the document');
    await until(() => bot().closedWith !== undefined, 10_000, 'the end of the stream');
    expect([role.activeCalls, bot().of('stop').length]).toEqual([0, 1]);
  });

  test('answers health checks, and nothing else', async () => {
    const { headers, status } = await options();
    expect([status, headers.get('Accept')]).toEqual([200, 'application/sdp']);
    expect(headers.get('Allow')).toContain('INVITE');
    expect(await get('/livez')).toEqual([200, '{"status":"ok"}']);
    expect(await get('/readyz?verbose')).toEqual([200, '{"status":"ready"}']);
    expect((await get('/other'))[0]).toBe(404);
    const [found, text] = await get('/metrics');
    expect([found, text.includes('demarc_')]).toEqual([200, true]);
  });

  test('takes calls of edges with its key only', async () => {
    const foreign = new SecretBox([generateSecretKey()]);
    expect((await refused({ order: null })).status).toBe(403);
    const unreadable = await refused({ order: foreign.seal('{}') });
    expect([unreadable.status, unreadable.headers.get('Reason')]).toEqual([
      500,
      expect.stringContaining('cannot be read'),
    ]);
    expect(streams).toEqual([]);
  });

  test('refuses with the status that the bot’s server gives it', async () => {
    refusal = 486;
    const busy = await refused();
    expect([busy.status, busy.headers.get('Reason')]).toEqual([486, expect.stringContaining('HTTP 486')]);
    const url = `ws://127.0.0.1:${await freePort()}/`;
    const down = await refused({ stream: { url } });
    expect([down.status, down.headers.get('Reason')]).toEqual([503, expect.stringContaining('ECONNREFUSED')]);
    expect(role.activeCalls).toBe(0);
  });

  test('refuses bots at private addresses unless these are allowed', async () => {
    await role.stop(0, false);
    role = await start({ DEMARC_STREAM_ALLOW_PRIVATE: 'false' });
    expect((await refused()).status).toBe(403);
    expect(streams).toEqual([]);
  });

  test('takes no more calls than it may have, and says so everywhere', async () => {
    await role.stop(0, false);
    role = await start({
      DEMARC_STREAM_MAX_CALLS: '1',
      DEMARC_METRICS_TOKEN: 'a-token-for-metrics-0123456789',
    });
    const { dialog } = await talk();
    const busy = await refused();
    expect([busy.status, busy.headers.get('Retry-After'), busy.headers.get('Reason')]).toEqual([
      503,
      '1',
      expect.stringContaining('it has 1 calls'),
    ]);
    expect((await options()).status).toBe(503);
    expect(await get('/readyz')).toEqual([503, '{"status":"not ready","detail":"it has 1 calls"}']);
    expect((await get('/metrics'))[0]).toBe(401);
    await until(() => entry()?.accepts === false, 10_000, 'its entry');
    await dialog.hangUp();
    await until(() => entry()?.accepts === true, 10_000, 'room in its entry');
  });

  test('ends its calls when it stops for good', async () => {
    const { dialog } = await talk();
    const stopped = role.stop(0, false);
    expect(await bye(dialog)).toContain('Media stream stops');
    await stopped;
    expect(entry()).toBeUndefined();
    await until(() => bot().closedWith !== undefined, 10_000, 'the end of the stream');
  });

  test('waits for its calls when it stops, refuses others, and sends those that ring elsewhere', async () => {
    const { dialog } = await talk();
    const ringing = await invite({ stream: { answer_on: 'first_audio' } });
    await ringing.dialog.response(180);
    await until(() => streams.length === 2, 10_000, 'the second stream');
    const stopped = role.stop(60, false);
    await until(() => entry()?.is_leaving === true, 10_000, 'its leave');
    expect((await refused()).headers.get('Reason')).toContain('it is stopping');
    await dialog.hangUp();
    await ringing.dialog.cancel();
    const { message } = await ringing.dialog.response(487);
    await ringing.dialog.ack(message);
    await stopped;
    expect(role.activeCalls).toBe(0);
  });
});

describe('the calls of a process that leaves', () => {
  const askedIfAlive = async (dialog: PeerCall, status: number): Promise<void> => {
    const request = await peer.expectRequest('OPTIONS', { callId: dialog.callId });
    await dialog.respond(request, status);
  };

  test('continue at the next one with the same bot, dialog and port', async () => {
    const { dialog, callId, rtpPort } = await talk();
    await hearEachOther(rtpPort);
    const last = heard.at(-1)!;
    await leave();
    expect([kept(), entry()]).toEqual([[callId], undefined]);
    heard = [];
    role = await start();
    await askedIfAlive(dialog, 200);
    expect(role.activeCalls).toBe(1);
    await until(() => streams.length === 2 && bot().start !== undefined, 10_000, 'the new stream');
    expect(bot().start).toMatchObject({
      start: { reconnected: true, customParameters: { 'x-case': '42', reconnected: 'true' } },
    });
    expect(bot().headers.traceparent).toBe('00-1-2-01');
    await hearEachOther(rtpPort);
    // What the caller hears continues one stream, beyond what was sent.
    const [first] = heard;
    expect(first!.source).toBe(last.source);
    expect((first!.timestamp - last.timestamp) >>> 0).toBeGreaterThan(0);
    expect((first!.timestamp - last.timestamp) >>> 0).toBeLessThan(8_000 * 600);
    bot().send({ event: 'hangup', streamSid: bot().streamSid, reason: 'All said' });
    expect(await bye(dialog)).toContain('All said');
  });

  test('end where the edge has none of them any more', async () => {
    const { dialog } = await talk();
    await leave();
    role = await start();
    await askedIfAlive(dialog, 481);
    await until(() => role.activeCalls === 0 && kept().length === 0, 10_000, 'the end of the call');
  });

  test('end where their port is taken, and leave nothing behind', async () => {
    const { dialog, rtpPort } = await talk();
    await leave();
    const taker = createSocket('udp4');
    await until(
      () =>
        new Promise<boolean>((resolve) => {
          taker.once('error', () => resolve(false));
          taker.bind(rtpPort, '127.0.0.1', () => resolve(true));
        }),
      10_000,
      'the port',
    );
    role = await start();
    expect(await bye(dialog)).toContain('Media stream failed');
    expect(role.activeCalls).toBe(0);
    await until(() => kept().length === 0, 10_000, 'the end of the document');
    taker.close();
  });

  test('are forgotten where their documents cannot be used', async () => {
    const { callId } = await talk();
    await leave();
    const hash = redis.hashes.get(streamCallsKey(id))!;
    const document = JSON.parse(secrets.openOctets(Buffer.from(hash.get(callId)!, 'latin1')).toString());
    document.order.stream.headers = 'unreadable';
    hash.set(callId, secrets.sealOctets(JSON.stringify(document)).toString('latin1'));
    hash.set('broken', 'x');
    role = await start();
    expect(role.activeCalls).toBe(0);
    await until(() => !kept().includes(callId), 10_000, 'the end of the document');
  });
});
