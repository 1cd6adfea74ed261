import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import type { AgreedAudio } from '../../../src/media-stream/audio-description.js';
import { RtpLeg, type RtpListener } from '../../../src/media-stream/rtp-leg.js';
import { DgramSockets } from '../../../src/media-stream/rtp-sockets/dgram-sockets.js';
import { NativeSockets } from '../../../src/media-stream/rtp-sockets/native-sockets.js';
import { loadSystemCalls } from '../../../src/media-stream/system-calls/system-calls.js';
import { readPacket, writePacket } from '../../../src/rtp/packet.js';
import { until } from '../../../src/testkit/waiting.js';

const kinds = process.platform === 'linux' ? (['native', 'dgram'] as const) : (['dgram'] as const);
const waitMilliseconds = 10_000;
const bye = 203;

const opened: { close(): void }[] = [];
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
});

async function openPeer(heard: Buffer[]): Promise<Socket> {
  const peer = createSocket('udp4');
  opened.push(peer);
  peer.on('message', (datagram) => heard.push(datagram));
  peer.bind(0, '127.0.0.1');
  await once(peer, 'listening');
  return peer;
}

/** Of the packets of a compound (RFC 3550 §6.1). */
function typesOf(compound: Buffer): number[] {
  const types: number[] = [];
  for (let at = 0; at < compound.length; at += 4 * (compound.readUInt16BE(at + 2) + 1))
    types.push(compound[at + 1]!);
  return types;
}

describe.each(kinds)('the RTP of a call by %s sockets', (kind) => {
  it('flows both ways, and ends with a BYE', async () => {
    const sockets = kind === 'native' ? new NativeSockets(await loadSystemCalls()) : new DgramSockets();
    const [packets, reports]: [Buffer[], Buffer[]] = [[], []];
    const [peer, peerRtcp] = [await openPeer(packets), await openPeer(reports)];
    const voices: { sequence: number; payload: Buffer }[] = [];
    const position = { source: 7, sequence: 99, timestamp: 16_000 };
    const listener: RtpListener = {
      voice: (sequence, _timestamp, _source, payload) =>
        voices.push({ sequence, payload: Buffer.from(payload) }),
      event: () => {},
    };
    const before = await RtpLeg.open(sockets, '127.0.0.1', listener);
    const { port } = before;
    before.close();
    // As a process that continues the call does.
    let continued: RtpLeg | undefined;
    await until(
      async () => {
        continued = await RtpLeg.open(sockets, '127.0.0.1', listener, { port, position }).catch(
          () => undefined,
        );
        return continued !== undefined;
      },
      waitMilliseconds,
      'the ports are free',
    );
    opened.push(continued!);
    const agreed: AgreedAudio = {
      codec: 'PCMU',
      payloadType: 0,
      eventPayloadType: undefined,
      remote: {
        address: '127.0.0.1',
        port: peer.address().port,
        rtcp: { address: '127.0.0.1', port: peerRtcp.address().port },
      },
      direction: 'sendrecv',
    };
    continued!.agree(agreed);
    await until(() => continued!.maySend, waitMilliseconds, 'the connection');
    for (const octet of [1, 2, 3]) {
      continued!.frame.fill(octet);
      continued!.sendFrame(performance.now());
      await until(() => packets.length === octet, waitMilliseconds, `packet ${octet}`);
    }
    const read = packets.map((packet) => readPacket(packet)!);
    expect(read.map(({ sequence }) => sequence)).toEqual([100, 101, 102]);
    expect(read.map(({ timestamp }) => timestamp)).toEqual([16_160, 16_320, 16_480]);
    expect(read.map(({ payload }) => payload)).toEqual([1, 2, 3].map((octet) => Buffer.alloc(160, octet)));
    const parts = { payloadType: 0, isMarked: false, source: 9 };
    const sent = [1, 2, 3].map((sequence) => ({ sequence, payload: Buffer.alloc(160, sequence) }));
    for (const each of sent)
      peer.send(writePacket({ ...parts, ...each, timestamp: 160 * each.sequence }), port, '127.0.0.1');
    await until(
      () => {
        sockets.read();
        return voices.length >= sent.length;
      },
      waitMilliseconds,
      'the voice',
    );
    expect(voices).toEqual(sent);
    continued!.close();
    await until(() => reports.some((report) => typesOf(report).includes(bye)), waitMilliseconds, 'the BYE');
    continued!.sendFrame(performance.now());
    expect(continued!.maySend).toBe(false);
  });
});
