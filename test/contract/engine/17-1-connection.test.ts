import { expect } from 'vitest';
import { pause, within } from '../../../src/testkit/waiting.js';
import { isRealServer } from '../../support/engine-under-test.js';
import { newToken, PeerCall, sdp } from '../../support/peer-call.js';
import { connectApplication, newApplication } from '../../support/srf-application.js';
import { type Frame, sipText, WireClient } from '../../support/wire-client.js';
import { ask, establishUas, hangUpAtPeer } from './calls.js';
import { contractSuite } from './suite.js';

const options = (uri: string, callId: string): string =>
  sipText(`OPTIONS ${uri} SIP/2.0`, { To: `<${uri}>`, 'Call-ID': callId });

const text = (frame: Frame): string => Buffer.from(frame.text, 'latin1').toString('utf8');

/** Strict turns; a real server may still have an earlier row's connection in its round. */
function expectEvenShares(owners: readonly unknown[]): void {
  const shares = [...new Set(owners)].map((owner) => owners.filter((each) => each === owner).length);
  expect(shares).toHaveLength(2);
  if (isRealServer) expect(Math.min(...shares)).toBeGreaterThanOrEqual(2);
  else for (let i = 2; i < owners.length; i++) expect(owners[i]).toBe(owners[i - 2]);
}

contractSuite('17.1 connection between app and engine', {}, ({ row }) => {
  row(
    1,
    'L',
    'the length prefix counts UTF-8 octets both ways; a display name of 3-byte characters survives',
    async (bench) => {
      const wire = await bench.wire('options');
      const peer = await bench.peer();
      const name = '"日本語 ✓"';
      const sent = await wire.newRequest(`OPTIONS ${peer.uri()} SIP/2.0`, {
        From: `${name} <sip:tester@localhost>`,
        To: `<${peer.uri()}>`,
      });
      expect(text(sent)).toContain(name);
      const arrived = await peer.expectRequest('OPTIONS');
      expect(Buffer.from(arrived.text, 'latin1').toString('utf8')).toContain(name);
      const call = PeerCall.from(peer, arrived.message);
      await call.respond(arrived, 200, { headers: { Subject: 'Grüße 日本' } });
      expect(text(await wire.expectResponse({ status: 200 }))).toContain('Grüße 日本');
      const inbound = PeerCall.to(peer);
      await inbound.send('OPTIONS', { headers: { Subject: '日本' } });
      const request = await wire.expectRequest('OPTIONS');
      expect(text(request)).toContain('Subject: 日本');
      await wire.respond(request, 200, { headers: { Subject: '語' } });
      expect((await inbound.response(200, 'OPTIONS')).text).toContain(
        Buffer.from('Subject: 語').toString('latin1'),
      );
      expect(wire.framingDefect).toBeUndefined();
    },
  );

  row(
    2,
    'L',
    'a frame split at every octet, and 50 frames in one segment, are handled alike',
    async (bench) => {
      const wire = await bench.wire();
      const { id, bytes } = WireClient.frame('ping');
      for (let cut = 1; cut < bytes.length; cut++) {
        const { id: each, bytes: octets } = WireClient.frame('ping');
        wire.write(octets.subarray(0, cut));
        await pause(2);
        wire.write(octets.subarray(cut));
        expect((await wire.reply(each)).fields.slice(3)).toEqual(['OK', 'pong']);
      }
      wire.write(bytes);
      await wire.reply(id);
      const frames = Array.from({ length: 50 }, () => WireClient.frame('ping'));
      wire.write(Buffer.concat(frames.map((frame) => frame.bytes)));
      for (const frame of frames) expect((await wire.reply(frame.id)).fields[3]).toBe('OK');
    },
  );

  row(3, 'L', 'authenticate is answered OK and three fields; `connect` carries them', async (bench) => {
    const wire = await bench.rawWire();
    const reply = await wire.authenticate(bench.engine.secret, 'edge,v2');
    expect(reply.fields[3]).toBe('OK');
    // The embedded engine also names its extensions.
    expect(reply.fields).toHaveLength(isRealServer ? 7 : 8);
    const application = newApplication(['edge', 'v2']);
    const connected = await connectApplication(application, bench.engine);
    application.disconnect();
    const { udp, tcp } = bench.engine.listeners;
    for (const field of [connected.hostports, connected.localHostports]) {
      const listeners = field.split(',');
      expect(listeners).toContain(`udp/${udp!.host}:${udp!.port}`);
      expect(listeners).toContain(`tcp/${tcp!.host}:${tcp!.port}`);
    }
  });

  row(4, 'L', 'the version matches v<n>.<n>.<n> and is at least v0.8.2', async (bench) => {
    const wire = await bench.rawWire();
    const reply = await wire.authenticate(bench.engine.secret);
    const match = /^v(\d+)\.(\d+)\.(\d+)/.exec(reply.fields[5] ?? '');
    expect(match).not.toBeNull();
    const [major, minor, patch] = match!.slice(1).map(Number) as [number, number, number];
    expect(major * 1e6 + minor * 1e3 + patch).toBeGreaterThanOrEqual(8_002);
  });

  row(5, 'R', 'a wrong secret is answered NO and the connection closed', async (bench) => {
    const wire = await bench.rawWire();
    const reply = await wire.authenticate('not the secret');
    expect(reply.fields[3]).toBe('NO');
    expect(reply.fields[4]).not.toBe('');
    await within(wire.closed, 2_000, 'close after a wrong secret');
    await expect(
      connectApplication(newApplication(), { ...bench.engine, secret: 'wrong' }),
    ).rejects.toThrow();
  });

  row(
    6,
    'B',
    'any other frame before authentication is answered NO and the connection closed',
    async (bench) => {
      for (const leader of ['route|invite', 'ping', 'sip||']) {
        const wire = await bench.rawWire();
        const reply = await wire.command(
          leader,
          leader === 'sip||' ? options('sip:x@192.0.2.1', newToken()) : undefined,
        );
        expect(reply.fields[3]).toBe('NO');
        await within(wire.closed, 2_000, `close after ${leader}`);
      }
    },
  );

  row(7, 'L', '`route` is answered OK, is idempotent and ignores case', async (bench) => {
    const wire = await bench.wire('OPTIONS', 'options', 'Options', 'never-heard-of');
    const secondWire = await bench.wire('options');
    const owners: string[] = [];
    for (let i = 0; i < 6; i++) {
      const call = await bench.caller();
      await call.send('OPTIONS');
      owners.push(await ask('OPTIONS', { wire, other: secondWire }));
      await call.response(200, 'OPTIONS');
    }
    expectEvenShares(owners);
  });

  row(8, 'B', '`remove_route` removes only that verb; later requests are answered 503', async (bench) => {
    const wire = await bench.wire('options', 'message');
    expect((await wire.command('remove_route|options')).fields[3]).toBe('OK');
    const call = await bench.caller();
    await call.send('OPTIONS');
    await call.response(503, 'OPTIONS');
    await call.send('MESSAGE', { body: 'hello', headers: { 'Content-Type': 'text/plain' } });
    const frame = await wire.expectRequest('MESSAGE');
    await wire.respond(frame, 200);
    await call.response(200, 'MESSAGE');
  });

  row(9, 'L', '`ping`, with or without further text, is answered OK|pong', async (bench) => {
    const wire = await bench.wire();
    for (const leader of ['ping', 'ping|', 'ping|anything']) {
      expect((await wire.command(leader)).fields.slice(3)).toEqual(['OK', 'pong']);
    }
  });

  row(10, 'L', 'only sip, response and cdr frames come, each with a message id', async (bench) => {
    const wire = await bench.wire('invite', 'options');
    const call = await bench.caller();
    await establishUas(wire, call);
    await hangUpAtPeer(wire, call);
    await wire.command('ping');
    for (const frame of wire.everything) {
      expect(frame.type).toMatch(/^(sip|response|cdr:(attempt|start|stop))$/);
      expect(frame.id).not.toBe('');
    }
  });

  row(11, 'R', 'two apps with one verb take turns; in-dialog requests stay with the owner', async (bench) => {
    const first = await bench.wire('invite');
    const second = await bench.wire('invite');
    const owners: WireClient[] = [];
    for (let i = 0; i < 6; i++) {
      const call = await bench.caller();
      await call.invite();
      const owner = (await ask('INVITE', { first, second }, 200, sdp('2'))) === 'first' ? first : second;
      owners.push(owner);
      const answer = await call.response(200);
      await call.ack(answer.message);
      await owner.expectRequest('ACK');
      for (let k = 0; k < 2; k++) {
        await call.send('INFO', { body: 'Signal=1', headers: { 'Content-Type': 'application/dtmf-relay' } });
        await owner.respond(await owner.expectRequest('INFO'), 200);
        await call.response(200, 'INFO');
      }
      await hangUpAtPeer(owner, call);
    }
    expectEvenShares(owners);
  });

  row(12, 'B', 'a malformed frame closes only its own connection', async (bench) => {
    const healthy = await bench.wire();
    for (const garbage of ['x17#whatever', '#', '12345678901#a', '-5#ping', '4#ab|\r\n']) {
      const wire = await bench.wire();
      wire.write(garbage);
      await within(wire.closed, 2_000, `close after ${JSON.stringify(garbage)}`);
    }
    const short = await bench.wire();
    const reply = await Promise.race([
      short.command('sip', 'OPTIONS sip:x@192.0.2.1 SIP/2.0\r\n\r\n'),
      short.closed.then(() => undefined),
    ]);
    if (reply !== undefined) expect(reply.fields[3]).toMatch(/^NO/);
    expect((await healthy.command('ping')).fields[3]).toBe('OK');
  });

  row(13, 'B', 'frames of 60 kB work', async (bench) => {
    const wire = await bench.wire('message');
    const call = await bench.caller('tcp');
    const body = 'x'.repeat(40_000);
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`X-Header-${i}`, 'y'.repeat(80)]));
    const reply = await wire.newRequest(
      `MESSAGE ${call.peer.uri()} SIP/2.0`,
      { ...many, To: `<${call.peer.uri()}>`, 'Content-Type': 'text/plain' },
      body,
    );
    expect(reply.fields[3]).toBe('OK');
    const arrived = await call.peer.expectRequest('MESSAGE');
    expect(arrived.message.body).toHaveLength(body.length);
    for (const name of Object.keys(many)) expect(arrived.message.headers.get(name)).toHaveLength(80);
    const outgoing = PeerCall.from(call.peer, arrived.message);
    await outgoing.respond(arrived, 200, { body, headers: { 'Content-Type': 'text/plain' } });
    expect((await wire.expectResponse({ status: 200 })).message.body).toHaveLength(body.length);
  });

  row(
    14,
    'B',
    'when an app goes, its unanswered INVITEs get 503, its dialogs BYE, its outgoing INVITEs CANCEL',
    async (bench) => {
      const wire = await bench.wire('invite');
      const waiting = await bench.caller();
      await waiting.invite();
      await wire.expectRequest('INVITE');
      const ringing = await bench.caller();
      await ringing.invite();
      await wire.respond(await wire.expectRequest('INVITE'), 180);
      await ringing.response(180);
      const confirmed = await bench.caller();
      await establishUas(wire, confirmed);
      const callee = await bench.peer();
      const sent = await wire.newRequest(
        `INVITE ${callee.uri()} SIP/2.0`,
        { To: `<${callee.uri()}>` },
        sdp(),
      );
      expect(sent.fields[3]).toBe('OK');
      const invite = await callee.expectRequest('INVITE');
      const outgoing = PeerCall.from(callee, invite.message);
      await outgoing.respond(invite, 180);
      await wire.expectResponse({ status: 180 });
      wire.abort();
      for (const call of [waiting, ringing]) {
        const refusal = await call.response(503);
        expect(refusal.message.headers.get('Retry-After')).toMatch(/^\d+/);
        await call.ack(refusal.message);
      }
      const bye = await confirmed.peer.expectRequest('BYE', { milliseconds: 10_000 });
      await confirmed.respond(bye, 200);
      const cancel = await callee.expectRequest('CANCEL', { milliseconds: 10_000 });
      await outgoing.respond(cancel, 200);
      await outgoing.respond(invite, 487);
      await callee.expectRequest('ACK');
    },
  );

  row('14 late 200', 'B', 'a 200 after the app has gone is acknowledged and ended', async (bench) => {
    const wire = await bench.wire();
    const callee = await bench.peer();
    await wire.newRequest(`INVITE ${callee.uri()} SIP/2.0`, { To: `<${callee.uri()}>` }, sdp());
    const invite = await callee.expectRequest('INVITE');
    wire.abort();
    const outgoing = PeerCall.from(callee, invite.message);
    await pause(50);
    await outgoing.respond(invite, 200, { body: sdp('2') });
    await callee.expectRequest('ACK');
    await outgoing.respond(await callee.expectRequest('BYE'), 200);
  });
});
