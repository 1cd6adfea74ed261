import { expect } from 'vitest';
import { parseAddress, tagOf } from '../../../src/sip/address.js';
import { parseCSeq } from '../../../src/sip/cseq.js';
import { parseVia } from '../../../src/sip/via.js';
import { until, within } from '../../../src/testkit/waiting.js';
import { freePort } from '../../support/free-ports.js';
import { InstantAnswerer } from '../../support/instant-answerer.js';
import { newToken, PeerCall, sdp } from '../../support/peer-call.js';
import { isHeard, type SrfResponse } from '../../support/srf-application.js';
import { stays } from '../../support/stays.js';
import { Stopwatch } from '../../support/stopwatch.js';
import { dialogOf, isResponseFrame, meta, sipText, transactionOf } from '../../support/wire-client.js';
import { establishUac, hangUpAtApp, hangUpAtPeer, sentTransaction } from './calls.js';
import { contractSuite } from './suite.js';

contractSuite('17.3 outbound INVITE and the two legs of a B2BUA', {}, ({ row }) => {
  row(32, 'L', 'a new request: reply OK, txn id, `Msg sent:`, the message as sent', async (bench) => {
    const wire = await bench.wire();
    const peer = await bench.peer();
    const reply = await wire.newRequest(
      `INVITE ${peer.uri('bob')} SIP/2.0`,
      { from: '"A" <sip:a@localhost>', To: `<${peer.uri('bob')}>`, 'X-Own': 'kept' },
      sdp(),
    );
    expect(reply.fields[3]).toBe('OK');
    expect(meta(reply, 4).source).toBe('application');
    expect(meta(reply, 4).protocol).toBe('udp');
    expect(sentTransaction(reply)).not.toBe('');
    expect(reply.fields[11]).toBe('Msg sent:');
    expect(reply.fields[12]).toBe('');
    const arrived = await peer.expectRequest('INVITE');
    expect(reply.text).toBe(arrived.text);
    expect(meta(reply, 4).bytes).toBe(arrived.text.length);
    const { headers } = arrived.message;
    for (const name of ['Call-ID', 'CSeq', 'Via', 'Contact', 'Max-Forwards'])
      expect(headers.has(name)).toBe(true);
    expect(tagOf(headers.get('From')!)).toBeTruthy();
    expect(headers.get('X-Own')).toBe('kept');
    const call = PeerCall.from(peer, arrived.message);
    await call.respond(arrived, 486);
    await wire.expectResponse({ status: 486 });
  });

  row(33, 'L', 'the reply comes before any response frame, also for immediate failures', async (bench) => {
    const wire = await bench.wire();
    const port = await freePort();
    const id = wire.post('sip||', sipText(`INVITE sip:x@127.0.0.1:${port};transport=tcp SIP/2.0`, {}, sdp()));
    const response = await wire.expectResponse();
    const reply = await wire.reply(id);
    expect(reply.fields[3]).toBe('OK');
    expect(wire.everything.indexOf(reply)).toBeLessThan(wire.everything.indexOf(response));
    const peer = await bench.peer();
    for (let i = 0; i < 5; i++) {
      const each = wire.post('sip||', sipText(`OPTIONS ${peer.uri()} SIP/2.0`));
      const arrived = await peer.expectRequest('OPTIONS');
      await PeerCall.from(peer, arrived.message).respond(arrived, 200);
      const answer = await wire.expectResponse({ status: 200 });
      const first = await wire.reply(each);
      expect(wire.everything.indexOf(first)).toBeLessThan(wire.everything.indexOf(answer));
      expect(transactionOf(answer)).toBe(sentTransaction(first));
    }
  });

  row(
    '33 at once',
    'B',
    'an answer that comes at once reaches a listener attached after `await`',
    async (bench) => {
      const application = await bench.srf();
      const answerer = await InstantAnswerer.open();
      const watch = Stopwatch.start();
      try {
        let heard = 0;
        for (let i = 0; i < 20; i++) {
          const request = await application.request(answerer.uri, {
            method: 'OPTIONS',
            headers: { To: `<${answerer.uri}>` },
          });
          const answered = new Promise<SrfResponse>((resolve) => request.on('response', resolve));
          const answer = await within(answered, 900, `answer ${i}`).catch(() => undefined);
          if (answer?.status === 200) heard++;
        }
        // Written together, none would be heard; an application that is kept from the processor may still miss many.
        expect(heard).toBeGreaterThanOrEqual(5 / watch.slowdown());
      } finally {
        await answerer.close();
      }
    },
  );

  row(34, 'L', 'From at localhost is substituted and bracketed', async (bench) => {
    const wire = await bench.wire();
    const peer = await bench.peer();
    const { host, port } = bench.engine.listeners.udp!;
    const cases: [string, string][] = [
      ['sip:123@localhost', `<sip:123@${host}:${port}>`],
      ['"N" <sip:123@localhost>', `"N" <sip:123@${host}:${port}>`],
      ['<sips:123@localhost>', `<sips:123@${host}:${port}>`],
      ['<sip:123@localhost:7777>', `<sip:123@${host}:${port}>`],
      ['<sip:123@my.localhost>', '<sip:123@my.localhost>'],
    ];
    for (const [from, expected] of cases) {
      await wire.newRequest(`OPTIONS ${peer.uri()} SIP/2.0`, { From: from, To: `<${peer.uri()}>` });
      const arrived = await peer.expectRequest('OPTIONS');
      expect(arrived.message.headers.get('From')!.split(';tag=')[0]).toBe(expected);
      await PeerCall.from(peer, arrived.message).respond(arrived, 200);
      await wire.expectResponse({ status: 200 });
    }
  });

  row('34 other host', 'B', 'a host that only begins with localhost is left alone', async (bench) => {
    const wire = await bench.wire();
    const peer = await bench.peer();
    await wire.newRequest(`OPTIONS ${peer.uri()} SIP/2.0`, {
      From: '<sip:123@localhost.example.com>',
      To: `<${peer.uri()}>`,
    });
    const arrived = await peer.expectRequest('OPTIONS');
    await PeerCall.from(peer, arrived.message).respond(arrived, 200);
    expect(arrived.message.headers.get('From')).toContain('<sip:123@localhost.example.com>');
  });

  row(
    35,
    'R',
    'From, To, Contact, Max-Forwards, Call-ID and CSeq are generated where missing',
    async (bench) => {
      const wire = await bench.wire();
      for (const protocol of ['udp', 'tcp'] as const) {
        const peer = await bench.peer(protocol);
        const { host, port } = bench.engine.listeners[protocol]!;
        await wire.newRequest(`INVITE ${peer.uri('bob')} SIP/2.0`, {}, sdp());
        const arrived = await peer.expectRequest('INVITE');
        const { headers } = arrived.message;
        expect(arrived.message.uri).toBe(peer.uri('bob'));
        expect(parseAddress(headers.get('From')!)?.uri).toContain(`sip:${host}:${port}`);
        expect(tagOf(headers.get('From')!)).toBeTruthy();
        expect(headers.get('To')).toContain(`sip:bob@127.0.0.1:${peer.port}`);
        expect(tagOf(headers.get('To')!)).toBeUndefined();
        expect(headers.get('Contact')).toContain(`sip:${host}:${port}`);
        if (protocol === 'tcp') expect(headers.get('Contact')).toContain('transport=tcp');
        expect(headers.get('Max-Forwards')).toBe('70');
        expect(headers.get('Call-ID')).toBeTruthy();
        expect(parseCSeq(headers.get('CSeq')!)?.method).toBe('INVITE');
        expect(headers.get('Content-Type')).toBe('application/sdp');
        for (const name of ['User-Agent', 'Allow', 'Supported', 'Date'])
          expect(headers.has(name)).toBe(false);
        await PeerCall.from(peer, arrived.message).respond(arrived, 486);
        await wire.expectResponse({ status: 486 });
      }
      const peer = await bench.peer();
      const callId = newToken();
      await wire.newRequest(`OPTIONS ${peer.uri()} SIP/2.0`, {
        From: '<sip:a@b.example>;tag=own',
        To: '<sip:c@d.example>',
        'Call-ID': callId,
        CSeq: '4321 OPTIONS',
        'Max-Forwards': '9',
      });
      const kept = await peer.expectRequest('OPTIONS');
      expect(kept.message.headers.get('From')).toBe('<sip:a@b.example>;tag=own');
      expect(kept.message.headers.get('To')).toBe('<sip:c@d.example>');
      expect(kept.message.headers.get('Call-ID')).toBe(callId);
      expect(kept.message.headers.get('CSeq')).toBe('4321 OPTIONS');
      expect(kept.message.headers.get('Max-Forwards')).toBe('9');
      await PeerCall.from(peer, kept.message).respond(kept, 200);
      await wire.expectResponse({ status: 200 });
    },
  );

  row(36, 'R', "the app's Via, Route, Record-Route, Content-Length and RSeq are ignored", async (bench) => {
    const wire = await bench.wire();
    const peer = await bench.peer();
    await wire.newRequest(
      `INVITE ${peer.uri('bob')} SIP/2.0`,
      {
        Via: 'SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bKforeign',
        Route: '<sip:192.0.2.2;lr>',
        'Record-Route': '<sip:192.0.2.3;lr>',
        RSeq: '77',
        Subject: 'kept',
        To: `<${peer.uri('bob')}>`,
      },
      sdp(),
    );
    const { message } = await peer.expectRequest('INVITE');
    expect(message.headers.lines('Via')).toHaveLength(1);
    expect(parseVia(message.headers.get('Via')!)?.branch).not.toBe('z9hG4bKforeign');
    for (const name of ['Route', 'Record-Route', 'RSeq']) expect(message.headers.has(name)).toBe(false);
    expect(message.headers.get('Subject')).toBe('kept');
    expect(message.headers.get('Content-Length')).toBe(String(message.body.length));
    const arrived = peer.everything.at(-1)!;
    await PeerCall.from(peer, message).respond({ ...arrived, message }, 486);
    await wire.expectResponse({ status: 486 });
  });

  row(
    '36 all headers',
    'R',
    "createB2BUA with proxyRequestHeaders ['all'] sends a valid INVITE",
    async (bench) => {
      const application = await bench.srf();
      const peer = await bench.peer();
      application.invite((request, response) => {
        application
          .createB2BUA(request, response, peer.uri('bob'), { proxyRequestHeaders: ['all'] })
          .catch(() => {});
      });
      await isHeard(application);
      const call = await bench.caller();
      await call.invite({ headers: { 'Record-Route': '<sip:127.0.0.1:9;lr>', 'X-Copied': 'yes' } });
      const arrived = await peer.expectRequest('INVITE');
      const { headers } = arrived.message;
      for (const name of [
        'Via',
        'From',
        'To',
        'Call-ID',
        'CSeq',
        'Contact',
        'Max-Forwards',
        'Content-Length',
      ]) {
        expect(headers.lines(name)).toHaveLength(1);
      }
      expect(headers.has('Record-Route')).toBe(false);
      expect(headers.get('X-Copied')).toBe('yes');
      await PeerCall.from(peer, arrived.message).respond(arrived, 486);
      await call.ack((await call.response(486)).message);
    },
  );

  row(37, 'R', 'the next hop changes only where the packet goes', async (bench) => {
    const wire = await bench.wire();
    const peer = await bench.peer();
    await wire.newRequest(
      'OPTIONS sip:somebody@target.example.com SIP/2.0',
      { To: '<sip:somebody@target.example.com>' },
      '',
      `sip:127.0.0.1:${peer.port};lr`,
    );
    const arrived = await peer.expectRequest('OPTIONS');
    expect(arrived.message.uri).toBe('sip:somebody@target.example.com');
    expect(arrived.message.headers.has('Route')).toBe(false);
    await PeerCall.from(peer, arrived.message).respond(arrived, 200);
    await wire.expectResponse({ status: 200 });
  });

  row(
    '38 asked',
    'B',
    'a 100 is delivered to an application with the route `response:100`',
    async (bench) => {
      const wire = await bench.wire('response:100');
      const peer = await bench.peer();
      const reply = await wire.newRequest(
        `INVITE ${peer.uri('bob')} SIP/2.0`,
        { To: `<${peer.uri()}>` },
        sdp(),
      );
      const arrived = await peer.expectRequest('INVITE');
      const call = PeerCall.from(peer, arrived.message);
      for (const status of [100, 603]) await call.respond(arrived, status);
      for (const status of [100, 603]) {
        const frame = await wire.expectResponse();
        expect(frame.message.status).toBe(status);
        expect(transactionOf(frame)).toBe(sentTransaction(reply));
      }
    },
  );

  row(38, 'L', '1xx and final carry txn id and dialog id; 100 is not delivered', async (bench) => {
    const wire = await bench.wire();
    const peer = await bench.peer();
    const reply = await wire.newRequest(
      `INVITE ${peer.uri('bob')} SIP/2.0`,
      { To: `<${peer.uri()}>` },
      sdp(),
    );
    const arrived = await peer.expectRequest('INVITE');
    const call = PeerCall.from(peer, arrived.message);
    for (const status of [100, 180, 183, 199, 603]) await call.respond(arrived, status);
    const localTag = tagOf(arrived.message.headers.get('From')!);
    for (const status of [180, 183, 199, 603]) {
      const frame = await wire.expectResponse();
      expect(frame.message.status).toBe(status);
      expect(frame.fields).toHaveLength(11);
      expect(transactionOf(frame)).toBe(sentTransaction(reply));
      expect(dialogOf(frame)).toBe(`${call.callId};from-tag=${localTag}`);
      expect(meta(frame)).toMatchObject({
        source: 'network',
        protocol: 'udp',
        address: '127.0.0.1',
        port: peer.port,
      });
    }
    await wire.noFrame(isResponseFrame, 50, 'Nothing after the final');
  });

  row(39, 'L', "200: the app's ACK goes to the Contact through the route set", async (bench) => {
    const wire = await bench.wire();
    const peer = await bench.peer();
    const elsewhere = await bench.peer();
    const leg = await establishUac(wire, peer, {
      answer: {
        headers: {
          Contact: `<sip:contact@127.0.0.1:${elsewhere.port};x=1>`,
          'Record-Route': [`<sip:second@192.0.2.1;lr>, <sip:first@127.0.0.1:${peer.port};lr>`],
        },
      },
    });
    expect(leg.ack.message.uri).toBe(`sip:contact@127.0.0.1:${elsewhere.port};x=1`);
    expect(leg.ack.message.headers.list('Route')).toEqual([
      `<sip:first@127.0.0.1:${peer.port};lr>`,
      '<sip:second@192.0.2.1;lr>',
    ]);
    expect(parseCSeq(leg.ack.message.headers.get('CSeq')!)).toEqual({
      number: parseCSeq(leg.invite.message.headers.get('CSeq')!)!.number,
      method: 'ACK',
    });
    expect(tagOf(leg.ack.message.headers.get('To')!)).toBe(leg.call.localTag);
    expect(parseVia(leg.ack.message.headers.get('Via')!)?.branch).not.toBe(
      parseVia(leg.invite.message.headers.get('Via')!)?.branch,
    );
    await hangUpAtApp(wire, leg.call, leg.dialogId);
  });

  for (const protocol of ['udp', 'tcp'] as const) {
    const [id, rowClass] = protocol === 'udp' ? ([40, 'R'] as const) : (['40 streams', 'B'] as const);
    row(
      id,
      rowClass,
      `a repeated 2xx is absorbed before the app's ACK, repeats the ACK after it (${protocol})`,
      async (bench) => {
        const wire = await bench.wire();
        const peer = await bench.peer(protocol);
        const reply = await wire.newRequest(
          `INVITE ${peer.uri('bob')} SIP/2.0`,
          { To: `<${peer.uri()}>` },
          sdp(),
        );
        const arrived = await peer.expectRequest('INVITE');
        const call = PeerCall.from(peer, arrived.message);
        const answer = await call.respond(arrived, 200, { body: sdp('2') });
        const first = await wire.expectResponse({ status: 200 });
        await peer.send(answer, arrived.route);
        await peer.send(answer, arrived.route);
        await wire.noFrame(isResponseFrame, 100, 'No second 200 frame');
        await peer.expectNothing(
          (each) => each.kind === 'request' && each.method === 'ACK',
          10,
          'No ACK before the app sends it',
        );
        await wire.inDialog(dialogOf(first), 'ACK');
        const ack = await peer.expectRequest('ACK');
        await peer.send(answer, arrived.route);
        await peer.send(answer, arrived.route);
        const acks = () => peer.all((each) => each.kind === 'request' && each.method === 'ACK');
        await until(() => acks().length >= 3, 2_000, 'an ACK for each copy');
        for (const each of acks()) {
          expect(each.message.headers.get('CSeq')).toBe(ack.message.headers.get('CSeq'));
        }
        await wire.noFrame(isResponseFrame, 20, 'No second 200 frame');
        expect(transactionOf(first)).toBe(sentTransaction(reply));
        await hangUpAtApp(wire, call, dialogOf(first));
      },
    );
  }

  row(41, 'L', "non-2xx: ACK by the engine; the app's ACK is answered NOK and not sent", async (bench) => {
    const wire = await bench.wire();
    const peer = await bench.peer();
    await wire.newRequest(`INVITE ${peer.uri('bob')} SIP/2.0`, { To: `<${peer.uri()}>` }, sdp());
    const arrived = await peer.expectRequest('INVITE');
    const call = PeerCall.from(peer, arrived.message);
    await call.respond(arrived, 486);
    const frame = await wire.expectResponse({ status: 486 });
    const ack = await peer.expectRequest('ACK');
    expect(parseVia(ack.message.headers.get('Via')!)?.branch).toBe(
      parseVia(arrived.message.headers.get('Via')!)?.branch,
    );
    expect(tagOf(ack.message.headers.get('To')!)).toBe(call.localTag);
    const reply = await wire.inDialog(dialogOf(frame), 'ACK');
    expect(reply.fields[3]).toBe('NOK');
    await stays(
      () => expect(peer.all((each) => each.kind === 'request' && each.method === 'ACK')).toHaveLength(1),
      100,
    );
  });

  row(42, 'R', '408 after 64·T1 of silence; 503 at once for refused TCP; both fabricated', async (bench) => {
    const wire = await bench.wire();
    const port = await freePort();
    const watch = Stopwatch.start();
    const refused = await wire.newRequest(
      `INVITE sip:x@127.0.0.1:${port};transport=tcp SIP/2.0`,
      { To: '<sip:x@example.com>' },
      sdp(),
    );
    expect(refused.fields[3]).toBe('OK');
    const unavailable = await wire.expectResponse({ transaction: sentTransaction(refused) });
    expect(unavailable.message.status).toBe(503);
    // Without the refusal it would have taken 64·T1.
    expect(watch.milliseconds).toBeLessThan(watch.bound(bench.giveUp));
    const silent = await bench.peer();
    const sent = await wire.newRequest(
      `INVITE ${silent.uri()} SIP/2.0`,
      { To: '<sip:x@example.com>' },
      sdp(),
    );
    const late = await wire.expectResponse({ transaction: sentTransaction(sent) }, bench.giveUp + 3_000);
    expect(late.message.status).toBe(408);
    for (const frame of [unavailable, late]) {
      expect(meta(frame)).toMatchObject({ source: 'network', bytes: 0, address: '', port: 0 });
      expect(dialogOf(frame)).toContain(';from-tag=');
      expect(frame.message.headers.get('Call-ID')).toBeTruthy();
    }
  });

  row(43, 'R', 'unknown host: reply OK, then 503', async (bench) => {
    const wire = await bench.wire();
    const reply = await wire.newRequest(
      'INVITE sip:x@no-such-host.invalid SIP/2.0',
      { To: '<sip:x@no-such-host.invalid>' },
      sdp(),
    );
    expect(reply.fields[3]).toBe('OK');
    const frame = await wire.expectResponse({ transaction: sentTransaction(reply) }, 15_000);
    expect(frame.message.status).toBe(503);
  });

  row(
    44,
    'L',
    'offer-less: no ACK until the app sends one with SDP, which arrives with its type',
    async (bench) => {
      const wire = await bench.wire();
      const peer = await bench.peer();
      await wire.newRequest(`INVITE ${peer.uri('bob')} SIP/2.0`, { To: `<${peer.uri()}>` });
      const arrived = await peer.expectRequest('INVITE');
      expect(arrived.message.body).toBe('');
      const call = PeerCall.from(peer, arrived.message);
      await call.respond(arrived, 200, { body: sdp('2') });
      const answer = await wire.expectResponse({ status: 200 });
      await peer.expectNothing((each) => each.kind === 'request', 150, 'No ACK without the application');
      await wire.inDialog(dialogOf(answer), 'ACK', {}, sdp('5'));
      const ack = await peer.expectRequest('ACK');
      expect(ack.message.body).toBe(sdp('5'));
      expect(ack.message.headers.get('Content-Type')).toBe('application/sdp');
      await hangUpAtPeer(wire, call);
    },
  );

  row(45, 'B', 'a forked second 2xx is acknowledged with its own tag and ended by BYE', async (bench) => {
    const wire = await bench.wire();
    const peer = await bench.peer();
    await wire.newRequest(`INVITE ${peer.uri('bob')} SIP/2.0`, { To: `<${peer.uri()}>` }, sdp());
    const arrived = await peer.expectRequest('INVITE');
    const call = PeerCall.from(peer, arrived.message);
    const fork = PeerCall.from(peer, arrived.message);
    await call.respond(arrived, 200, { body: sdp('2') });
    await fork.respond(arrived, 200, { body: sdp('6') });
    const first = await wire.expectResponse({ status: 200 });
    await wire.inDialog(dialogOf(first), 'ACK');
    const bye = await peer.expectRequest('BYE');
    expect(tagOf(bye.message.headers.get('To')!)).toBe(fork.localTag);
    await fork.respond(bye, 200);
    const tags = peer
      .all((each) => each.kind === 'request' && each.method === 'ACK')
      .map((each) => tagOf(each.message.headers.get('To')!));
    expect(new Set(tags)).toEqual(new Set([call.localTag, fork.localTag]));
    await wire.noFrame(isResponseFrame, 20, 'One 200 frame');
    await hangUpAtApp(wire, call, dialogOf(first));
  });

  row(
    46,
    'R',
    'a reliable provisional is delivered once; PRACK has RAck, CSeq and route right',
    async (bench) => {
      const wire = await bench.wire();
      const peer = await bench.peer();
      await wire.newRequest(`INVITE ${peer.uri('bob')} SIP/2.0`, { To: `<${peer.uri()}>` }, sdp());
      const arrived = await peer.expectRequest('INVITE');
      const number = parseCSeq(arrived.message.headers.get('CSeq')!)!.number;
      const call = PeerCall.from(peer, arrived.message);
      const progress = await call.respond(arrived, 183, {
        body: sdp('2'),
        headers: { Require: '100rel', RSeq: '9001' },
      });
      const frame = await wire.expectResponse({ status: 183 });
      const prack = await wire.inDialog(dialogOf(frame), 'PRACK', { RAck: `9001 ${number} INVITE` });
      expect(prack.fields[3]).toBe('OK');
      const received = await peer.expectRequest('PRACK');
      expect(received.message.headers.get('RAck')).toBe(`9001 ${number} INVITE`);
      expect(parseCSeq(received.message.headers.get('CSeq')!)!.number).toBe(number + 1);
      expect(received.message.uri).toBe(peer.uri('alice'));
      expect(tagOf(received.message.headers.get('To')!)).toBe(call.localTag);
      await call.respond(received, 200);
      await wire.expectResponse({ status: 200, transaction: sentTransaction(prack) });
      await peer.send(progress, arrived.route);
      await wire.noFrame(isResponseFrame, 100, 'Delivered once');
      await call.respond(arrived, 200);
      const answer = await wire.expectResponse({ status: 200 });
      await wire.inDialog(dialogOf(answer), 'ACK');
      const ack = await peer.expectRequest('ACK');
      expect(parseCSeq(ack.message.headers.get('CSeq')!)!.number).toBe(number);
      await hangUpAtApp(wire, call, dialogOf(answer));
    },
  );

  row(
    '46 before PRACK',
    'B',
    'a reliable provisional repeated before its PRACK is absorbed too',
    async (bench) => {
      const wire = await bench.wire();
      const peer = await bench.peer();
      await wire.newRequest(`INVITE ${peer.uri('bob')} SIP/2.0`, { To: `<${peer.uri()}>` }, sdp());
      const arrived = await peer.expectRequest('INVITE');
      const call = PeerCall.from(peer, arrived.message);
      const progress = await call.respond(arrived, 183, { headers: { Require: '100rel', RSeq: '1' } });
      await wire.expectResponse({ status: 183 });
      await peer.send(progress, arrived.route);
      await wire.noFrame(isResponseFrame, 100, 'Delivered once');
      await call.respond(arrived, 486);
      await wire.expectResponse({ status: 486 });
    },
  );

  row(
    47,
    'R',
    "the app's 1xx with Require: 100rel gets an RSeq, is repeated, and its PRACK delivered",
    async (bench) => {
      const wire = await bench.wire('invite');
      const call = await bench.caller();
      const invite = await call.invite({ headers: { Supported: '100rel' } });
      const frame = await wire.expectRequest('INVITE');
      const reply = await wire.respond(frame, 183, { headers: { Require: '100rel' }, body: sdp('2') });
      expect(reply.fields[3]).toBe('OK');
      expect(reply.text).toMatch(/\r\nRSeq: \d+\r\n/);
      const progress = await call.response(183);
      const rseq = progress.message.headers.get('RSeq')!;
      expect(progress.message.headers.get('Contact')).toBeTruthy();
      await until(() => call.peer.copies(progress) >= 2, 10 * bench.t1 + 1_000, 'the 183 is repeated');
      const number = parseCSeq(invite.headers.get('CSeq')!)!.number;
      await call.send('PRACK', { headers: { RAck: `${rseq} ${number} INVITE` } });
      const prack = await wire.expectRequest('PRACK');
      expect(dialogOf(prack)).toBe(call.dialogId);
      await wire.respond(prack, 200);
      await call.response(200, 'PRACK');
      await wire.respond(frame, 200);
      const answer = await call.response(200);
      await call.ack(answer.message);
      await wire.expectRequest('ACK');
      await hangUpAtPeer(wire, call);
      const plain = await bench.caller();
      await plain.invite();
      const second = await wire.expectRequest('INVITE');
      const refused = await wire.respond(second, 183, { headers: { Require: '100rel' } });
      expect(refused.fields.slice(3)).toEqual(['NOK', 'Remote endpoint does not support 100rel']);
      await wire.respond(second, 486);
      await plain.ack((await plain.response(486)).message);
    },
  );

  row(
    48,
    'B',
    "a reliable 1xx without PRACK for 64·T1: 5xx to the peer, the app's later responses NOK",
    async (bench) => {
      const wire = await bench.wire('invite');
      const call = await bench.caller();
      await call.invite({ headers: { Supported: '100rel' } });
      const frame = await wire.expectRequest('INVITE');
      await wire.respond(frame, 183, { headers: { Require: '100rel' }, body: sdp('2') });
      const refusal = await call.response((status) => status >= 500, 'INVITE', bench.giveUp + 3_000);
      await call.ack(refusal.message);
      expect((await wire.respond(frame, 200)).fields[3]).toBe('NOK');
      expect((await wire.command('ping')).fields[3]).toBe('OK');
    },
  );

  row(
    '48 queue',
    'B',
    'responses behind an unacknowledged reliable 1xx are sent intact after its PRACK',
    async (bench) => {
      const wire = await bench.wire('invite');
      const call = await bench.caller();
      const invite = await call.invite({ headers: { Supported: '100rel' } });
      const number = parseCSeq(invite.headers.get('CSeq')!)!.number;
      const frame = await wire.expectRequest('INVITE');
      await wire.respond(frame, 183, { headers: { Require: '100rel' }, body: sdp('2') });
      const progress = await call.response(183);
      const queued = wire.post(
        `sip|${transactionOf(frame)}|`,
        sipText('SIP/2.0 200 All right', { 'X-Last': 'yes' }),
      );
      await call.peer.expectNothing(
        (each) => each.kind === 'response' && each.status === 200,
        100,
        'No 200 yet',
      );
      await call.send('PRACK', {
        headers: { RAck: `${progress.message.headers.get('RSeq')} ${number} INVITE` },
      });
      await wire.respond(await wire.expectRequest('PRACK'), 200);
      await call.response(200, 'PRACK');
      const answer = await call.response(200);
      expect(answer.message.reason).toBe('All right');
      expect(answer.message.headers.get('X-Last')).toBe('yes');
      const reply = await wire.reply(queued);
      expect(reply.fields[3]).toBe('OK');
      expect(reply.text).toContain('SIP/2.0 200 All right');
      await call.ack(answer.message);
      await wire.expectRequest('ACK');
      await hangUpAtPeer(wire, call);
    },
  );

  row('39 library', 'L', 'createB2BUA connects two legs and ends both', async (bench) => {
    const application = await bench.srf();
    const callee = await bench.peer('tcp');
    const connected = new Promise<string[]>((resolve, reject) => {
      application.invite((request, response) => {
        application.createB2BUA(request, response, callee.uri('bob')).then(({ uas, uac }) => {
          uas.on('destroy', () => uac.destroy());
          uac.on('destroy', () => uas.destroy());
          resolve([uas.remote.sdp, uas.local.sdp, uac.local.sdp, uac.remote.sdp]);
        }, reject);
      });
    });
    await isHeard(application);
    const call = await bench.caller();
    const invite = await call.invite();
    const arrived = await callee.expectRequest('INVITE');
    const answerer = PeerCall.from(callee, arrived.message);
    await answerer.respond(arrived, 180);
    await call.response(180);
    await answerer.respond(arrived, 200, { body: sdp('7') });
    const answer = await call.response(200);
    await call.ack(answer.message);
    await callee.expectRequest('ACK');
    expect(await within(connected, 2_000, 'createB2BUA')).toEqual([
      invite.body,
      sdp('7'),
      invite.body,
      sdp('7'),
    ]);
    await call.send('BYE');
    await call.response(200, 'BYE');
    await answerer.respond(await callee.expectRequest('BYE'), 200);
  });
});
