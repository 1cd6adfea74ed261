import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NgClient } from '../../../src/edge/media/ng-client.js';
import { bencode } from '../../support/bencode.js';
import { NgDouble } from '../../support/ng-double.js';
import { agentDescription } from './descriptions.js';
import { RtpengineProcess } from './rtpengine-process.js';

/** What unit tests rely on of the double holds for rtpengine. */
const servers = [
  {
    name: 'rtpengine',
    start: () => RtpengineProcess.start(),
    stop: (server: unknown) => (server as RtpengineProcess).stop(),
  },
  {
    name: 'its double',
    start: () => NgDouble.start(),
    stop: (server: unknown) => (server as NgDouble).close(),
  },
] as const;

describe.each(servers)('$name', ({ start, stop }) => {
  let server: RtpengineProcess | NgDouble;
  let client: NgClient;
  beforeAll(async () => {
    server = await start();
    client = await NgClient.open(server.host, server.port);
  });
  afterAll(async () => {
    client?.close();
    await stop(server);
  });

  const limit = 5_000;
  const offer = (callId: string, sdp = agentDescription()) =>
    client.command('offer', { 'call-id': callId, 'from-tag': 'a', sdp }, limit);
  const answer = (callId: string) =>
    client.command(
      'answer',
      { 'call-id': callId, 'from-tag': 'a', 'to-tag': 'b', sdp: agentDescription({ port: 42_010 }) },
      limit,
    );
  const remove = (callId: string, fromTag?: string) => {
    const tag = fromTag === undefined ? {} : { 'from-tag': fromTag };
    return client.command('delete', { 'call-id': callId, ...tag, 'delete-delay': 0 }, limit);
  };

  it('answers a ping with pong', async () => {
    expect((await client.command('ping', {}, limit)).result).toBe('pong');
  });

  it('puts its own ports into the descriptions of offer and answer, and knows both tags', async () => {
    const offered = await offer('described');
    const answered = await answer('described');
    for (const { result, sdp } of [offered, answered]) {
      expect(result).toBe('ok');
      expect(sdp).toContain('c=IN IP4 127.0.0.1');
      expect(sdp).toMatch(/^m=audio \d+ RTP\/AVP 0 101/m);
      expect(sdp).not.toMatch(/^m=audio 420[01]0 /m);
    }
    const { result, tags } = await client.command('query', { 'call-id': 'described' }, limit);
    expect(result).toBe('ok');
    expect(Object.keys(tags as object).sort()).toEqual(['a', 'b']);
    expect((await remove('described')).result).toBe('ok');
  });

  it('gives a repeated cookie the reply it gave before: a command is carried out once', async () => {
    const socket = createSocket('udp4');
    const command = { command: 'offer', 'call-id': 'repeated', 'from-tag': 'a', sdp: agentDescription() };
    const replies: string[] = [];
    for (let i = 0; i < 2; i++) {
      socket.send(`cookie-1 ${bencode(command)}`, server.port, server.host);
      const [reply] = (await once(socket, 'message')) as [Buffer];
      replies.push(reply.toString('latin1'));
    }
    socket.close();
    expect(replies[0]).toContain('m=audio');
    expect(replies[1]).toBe(replies[0]);
    await remove('repeated');
  });

  it('refuses an unreadable description, and a call it does not know', async () => {
    const unreadable = await offer('unreadable', 'no description');
    expect(unreadable).toMatchObject({ result: 'error', 'error-reason': expect.any(String) });
    await remove('unreadable');
    const reason = { result: 'error', 'error-reason': 'Unknown call-id' };
    expect(await answer('never offered')).toMatchObject(reason);
    expect(await client.command('query', { 'call-id': 'never offered' }, limit)).toMatchObject(reason);
  });

  it('deletes with a known tag and without one, not with an unknown one; twice is no error', async () => {
    await offer('one');
    await offer('two');
    expect(await remove('one', 'strange')).toMatchObject({ result: 'ok', warning: expect.any(String) });
    expect((await server.sessions()).sort()).toEqual(['one', 'two']);
    expect(await remove('one', 'a')).toMatchObject({ result: 'ok', totals: expect.anything() });
    expect(await server.sessions()).toEqual(['two']);
    expect((await remove('two')).totals).toBeUndefined();
    expect(await server.sessions()).toEqual([]);
    expect(await remove('two')).toMatchObject({ result: 'ok', warning: expect.any(String) });
  });
});
