import { expect } from 'vitest';
import { tagOf } from '../../../src/sip/address.js';
import { pause, until, within } from '../../../src/testkit/waiting.js';
import { PeerCall } from '../../support/peer-call.js';
import type { SrfResponse } from '../../support/srf-application.js';
import { dialogOf, isRequestFrame, meta } from '../../support/wire-client.js';
import { sentTransaction } from './calls.js';
import { contractSuite } from './suite.js';

contractSuite('17.6 OPTIONS and other stand-alone requests', {}, ({ row }) => {
  row(
    76,
    'L',
    "inbound OPTIONS: 13 tokens, the app's 200 goes out with a tag, no dialog id",
    async (bench) => {
      const wire = await bench.wire('options');
      const call = await bench.caller();
      await call.send('OPTIONS');
      const frame = await wire.expectRequest('OPTIONS');
      expect(frame.fields).toHaveLength(13);
      expect(dialogOf(frame)).toBe('');
      const reply = await wire.respond(frame, 200, {
        headers: { Allow: 'INVITE, ACK, BYE, CANCEL', Accept: 'application/sdp', Supported: 'timer' },
      });
      expect(reply.fields[11]).toBe('');
      expect(reply.fields[13]).toBe('Msg sent:');
      const { message } = await call.response(200, 'OPTIONS');
      expect(tagOf(message.headers.get('To')!)).toBeTruthy();
      expect(message.headers.list('Allow')).toEqual(['INVITE', 'ACK', 'BYE', 'CANCEL']);
      expect(message.headers.get('Accept')).toBe('application/sdp');
      expect(message.headers.get('Supported')).toBe('timer');
    },
  );

  row(77, 'L', 'srf.request OPTIONS: one response, empty dialog id, right source', async (bench) => {
    const application = await bench.srf();
    for (const protocol of ['udp', 'tcp'] as const) {
      const peer = await bench.peer(protocol);
      const request = await application.request(peer.uri(), {
        method: 'OPTIONS',
        headers: { To: `<${peer.uri()}>` },
      });
      const responses: SrfResponse[] = [];
      request.on('response', (response: SrfResponse) => responses.push(response));
      const arrived = await peer.expectRequest('OPTIONS');
      await PeerCall.from(peer, arrived.message).respond(arrived, 200, { headers: { Allow: 'INVITE' } });
      await until(() => responses.length > 0, 2_000, 'the response');
      await pause(50);
      expect(responses).toHaveLength(1);
      expect(responses[0]!.status).toBe(200);
      expect(responses[0]!.source_address).toBe('127.0.0.1');
      expect(responses[0]!.source_port).toBe(peer.port);
      expect(responses[0]!.protocol).toBe(protocol);
    }
    const wire = await bench.wire();
    const peer = await bench.peer();
    const reply = await wire.newRequest(`OPTIONS ${peer.uri()} SIP/2.0`, { To: `<${peer.uri()}>` });
    const arrived = await peer.expectRequest('OPTIONS');
    await PeerCall.from(peer, arrived.message).respond(arrived, 404);
    const frame = await wire.expectResponse({ transaction: sentTransaction(reply) });
    expect(dialogOf(frame)).toBe('');
    expect(meta(frame).port).toBe(peer.port);
  });

  row(
    78,
    'R',
    'no Contact is invented for OPTIONS, REGISTER, MESSAGE and INFO; no dialog state',
    async (bench) => {
      const wire = await bench.wire('options', 'register', 'message', 'info');
      const peer = await bench.peer();
      for (const method of ['OPTIONS', 'REGISTER', 'MESSAGE', 'INFO']) {
        await wire.newRequest(`${method} ${peer.uri()} SIP/2.0`, { To: `<${peer.uri()}>` });
        const arrived = await peer.expectRequest(method);
        expect(arrived.message.headers.has('Contact')).toBe(false);
        const call = PeerCall.from(peer, arrived.message);
        await call.respond(arrived, 200);
        const frame = await wire.expectResponse({ status: 200 });
        expect(dialogOf(frame)).toBe('');
        expect((await wire.inDialog(call.dialogId, 'INFO')).fields[3]).toBe('NOK');
      }
      const inbound = await bench.caller();
      for (const method of ['OPTIONS', 'REGISTER', 'MESSAGE', 'INFO']) {
        await inbound.send(method);
        const frame = await wire.expectRequest(method);
        const reply = await wire.respond(frame, 200);
        expect(reply.fields[11]).toBe('');
        expect((await inbound.response(200, method)).message.headers.has('Contact')).toBe(false);
      }
    },
  );

  row(
    79,
    'R',
    'MESSAGE, PUBLISH and NOTIFY likewise, body and type intact; SUBSCRIBE gets a Contact',
    async (bench) => {
      const wire = await bench.wire('message', 'publish', 'notify', 'subscribe');
      const peer = await bench.peer();
      const event = { Event: 'presence', 'Subscription-State': 'active' };
      for (const method of ['MESSAGE', 'PUBLISH', 'NOTIFY']) {
        const headers = { 'Content-Type': 'application/pidf+xml', ...(method === 'MESSAGE' ? {} : event) };
        const inbound = PeerCall.to(peer);
        await inbound.send(method, { body: '<presence/>', headers });
        const frame = await wire.expectRequest(method);
        expect(frame.message.body).toBe('<presence/>');
        expect(frame.message.headers.get('Content-Type')).toBe('application/pidf+xml');
        await wire.respond(frame, 200);
        await inbound.response(200, method);
        await wire.newRequest(
          `${method} ${peer.uri()} SIP/2.0`,
          { To: `<${peer.uri()}>`, ...headers },
          '<presence/>',
        );
        const arrived = await peer.expectRequest(method);
        expect(arrived.message.body).toBe('<presence/>');
        expect(arrived.message.headers.get('Content-Type')).toBe('application/pidf+xml');
        await PeerCall.from(peer, arrived.message).respond(arrived, 200);
        await wire.expectResponse({ status: 200 });
      }
      const reply = await wire.newRequest(`SUBSCRIBE ${peer.uri()} SIP/2.0`, {
        To: `<${peer.uri()}>`,
        Event: 'presence',
        Expires: '60',
      });
      const arrived = await peer.expectRequest('SUBSCRIBE');
      expect(arrived.message.headers.get('Contact')).toContain('sip:');
      const call = PeerCall.from(peer, arrived.message);
      await call.respond(arrived, 489);
      const frame = await wire.expectResponse({ transaction: sentTransaction(reply) });
      expect(dialogOf(frame)).toBe(call.dialogId);
    },
  );

  row(
    '79 subscription',
    'R',
    'a subscription: 202 makes a dialog, NOTIFY goes inside, terminated ends it',
    async (bench) => {
      const wire = await bench.wire('subscribe');
      const call = await bench.caller();
      await call.send('SUBSCRIBE', { headers: { Event: 'presence', Expires: '60' } });
      const frame = await wire.expectRequest('SUBSCRIBE');
      const reply = await wire.respond(frame, 202, { headers: { Expires: '60' } });
      expect(reply.fields[11]).toBe(call.dialogId);
      call.learn((await call.response(202, 'SUBSCRIBE')).message);
      for (const state of ['active', 'terminated']) {
        await wire.inDialog(call.dialogId, 'NOTIFY', { Event: 'presence', 'Subscription-State': state });
        const notify = await call.peer.expectRequest('NOTIFY');
        expect(tagOf(notify.message.headers.get('To')!)).toBe(call.localTag);
        await call.respond(notify, 200);
        await wire.expectResponse({ status: 200 });
      }
      const after = await wire.inDialog(call.dialogId, 'NOTIFY', {
        Event: 'presence',
        'Subscription-State': 'active',
      });
      expect(after.fields[3]).toBe('NOK');
    },
  );

  row(80, 'R', 'a verb without a registered application is answered 503', async (bench) => {
    const wire = await bench.wire('invite');
    const call = await bench.caller();
    for (const method of ['OPTIONS', 'MESSAGE', 'REGISTER', 'INFO', 'NOTIFY', 'SUBSCRIBE', 'PUBLISH']) {
      const event = { Event: 'presence', 'Subscription-State': 'active' };
      await call.send(method, { headers: event });
      await call.response(503, method);
    }
    await wire.noFrame((frame) => isRequestFrame(frame), 50, 'Nothing is delivered');
  });

  row(
    81,
    'B',
    'REFER is delivered if registered, else answered; an unknown method gets 405 or 501',
    async (bench) => {
      const wire = await bench.wire('refer');
      const call = await bench.caller();
      const headers = { 'Refer-To': '<sip:carol@example.com>' };
      await call.send('REFER', { headers });
      await wire.respond(await wire.expectRequest('REFER'), 403);
      await call.response(403, 'REFER');
      await wire.close();
      await pause(50);
      await call.send('REFER', { headers });
      await call.response((status) => [405, 481, 503].includes(status), 'REFER');
      await call.send('NEVERHEARDOF');
      const refusal = await call.response((status) => [405, 501].includes(status), 'NEVERHEARDOF');
      if (refusal.message.status === 405) expect(refusal.message.headers.has('Allow')).toBe(true);
    },
  );

  row(
    '81 dialogs',
    'R',
    'BYE, UPDATE and INVITE with the tag of no dialog are answered 481',
    async (bench) => {
      const wire = await bench.wire('invite', 'bye', 'update');
      for (const method of ['BYE', 'UPDATE', 'INVITE']) {
        const call = await bench.caller();
        call.remoteTag = 'nobody';
        const sent = await call.send(method);
        call.invitation = sent;
        const refusal = await call.response(481, method);
        if (method === 'INVITE') await call.ack(refusal.message);
      }
      await wire.noFrame((frame) => isRequestFrame(frame), 50, 'Nothing is delivered');
    },
  );

  row('81 tagged', 'B', 'other requests with the tag of no dialog are answered 481', async (bench) => {
    const wire = await bench.wire('options', 'message');
    const call = await bench.caller();
    call.remoteTag = 'nobody';
    await call.send('MESSAGE', { body: 'x', headers: { 'Content-Type': 'text/plain' } });
    await call.response(481, 'MESSAGE');
    await wire.noFrame((frame) => isRequestFrame(frame), 50, 'Nothing is delivered');
  });

  row(82, 'L', 'a 1xx to a request other than INVITE is not delivered', async (bench) => {
    const application = await bench.srf();
    const peer = await bench.peer();
    const request = await application.request(peer.uri(), {
      method: 'OPTIONS',
      headers: { To: `<${peer.uri()}>` },
    });
    const first = new Promise<SrfResponse>((resolve) => request.on('response', resolve));
    const arrived = await peer.expectRequest('OPTIONS');
    const call = PeerCall.from(peer, arrived.message);
    await call.respond(arrived, 100);
    await call.respond(arrived, 183);
    await pause(50);
    await call.respond(arrived, 200);
    expect((await within(first, 2_000, 'response')).status).toBe(200);
  });
});
