import { expect } from 'vitest';
import { parseAddress, tagOf } from '../../../src/sip/address.js';
import { serialize } from '../../../src/sip/serialize.js';
import type { PeerProtocol } from '../../../src/testkit/sip-peer.js';
import { pause, until, within } from '../../../src/testkit/waiting.js';
import { isRealServer } from '../../support/engine-under-test.js';
import { sdp } from '../../support/peer-call.js';
import { isHeard, type SrfDialog, type SrfRequest } from '../../support/srf-application.js';
import { dialogOf, meta, transactionOf } from '../../support/wire-client.js';
import { establishUas, hangUpAtPeer } from './calls.js';
import { contractSuite } from './suite.js';

const protocols: readonly PeerProtocol[] = ['udp', 'tcp', 'tls'];

contractSuite('17.2 inbound INVITE', {}, ({ row }) => {
  row(15, 'L', 'the INVITE frame has 13 tokens; req.receivedOn is the listener', async (bench) => {
    const wire = await bench.wire('invite');
    for (const protocol of protocols) {
      const call = await bench.caller(protocol);
      const invite = await call.invite();
      const frame = await wire.expectRequest('INVITE');
      const listener = bench.engine.listeners[protocol]!;
      expect(frame.fields).toHaveLength(13);
      expect(transactionOf(frame)).not.toBe('');
      expect(dialogOf(frame)).toBe('');
      expect(frame.fields[10]).toBe(listener.host);
      expect(frame.fields[11]).toBe(String(listener.port));
      expect(frame.fields[12]).toBe('');
      expect(frame.message.headers.get('Call-ID')).toBe(invite.headers.get('Call-ID'));
      expect(frame.message.body).toBe(invite.body);
      await wire.respond(frame, 486);
      await call.ack((await call.response(486)).message);
    }
    await wire.close();
    const application = await bench.srf();
    const arrived = new Promise<SrfRequest>((resolve) => {
      application.invite((request, response) => {
        resolve(request);
        response.send(486);
      });
    });
    await isHeard(application);
    const call = await bench.caller();
    await call.invite();
    const request = await within(arrived, 2_000, 'INVITE at the app');
    const { host, port } = bench.engine.listeners.udp!;
    expect(request.receivedOn).toBe(`${host}:${port}`);
    await call.ack((await call.response(486)).message);
  });

  row(16, 'L', 'source address, port and protocol are those of the packet', async (bench) => {
    const application = await bench.srf();
    const requests: SrfRequest[] = [];
    application.invite((request, response) => {
      requests.push(request);
      response.send(486);
    });
    await isHeard(application);
    for (const protocol of protocols) {
      const call = await bench.caller(protocol);
      await call.invite({
        headers: { Via: call.peer.via('z9hG4bK16', true).replace('127.0.0.1', '192.0.2.7') },
      });
      await call.ack((await call.response(486)).message);
      const request = requests.at(-1)!;
      expect(request.source).toBe('network');
      expect(request.source_address).toBe('127.0.0.1');
      expect(request.protocol).toBe(protocol);
      if (protocol === 'udp') expect(request.source_port).toBe(call.peer.port);
      else expect(request.source_port).not.toBe(call.peer.port);
    }
  });

  row(
    17,
    'R',
    '100 within 200 ms without the app; a repeated INVITE is not delivered again',
    async (bench) => {
      const wire = await bench.wire('invite');
      const call = await bench.caller();
      const invite = await call.invite();
      await call.response(100);
      // The app has not answered; unit tests check the 200 ms on a manual clock.
      const frame = await wire.expectRequest('INVITE');
      for (let i = 0; i < 3; i++) await call.peer.send(invite);
      await wire.noFrame((each) => each.message?.kind === 'request', 200, 'No second INVITE frame');
      await wire.respond(frame, 180);
      const ringing = await call.response(180);
      await call.peer.send(invite);
      await until(() => call.peer.copies(ringing) >= 2, 2_000, 'the 180 again');
      await wire.noFrame((each) => each.message?.kind === 'request', 50, 'No second INVITE frame');
      await wire.respond(frame, 486);
      await call.ack((await call.response(486)).message);
    },
  );

  row(
    '17 100 again',
    'B',
    'an INVITE repeated before any response of the app gets 100 again',
    async (bench) => {
      const wire = await bench.wire('invite');
      const call = await bench.caller();
      const invite = await call.invite();
      const trying = await call.response(100);
      const frame = await wire.expectRequest('INVITE');
      await call.peer.send(invite);
      await until(() => call.peer.copies(trying) >= 2, 2_000, 'the 100 again');
      expect(call.peer.copies(trying)).toBe(2);
      await wire.respond(frame, 486);
      await call.ack((await call.response(486)).message);
    },
  );

  row(18, 'R', 'no app with route `invite`: 503', async (bench) => {
    await bench.wire('options');
    const call = await bench.caller();
    await call.invite();
    const refusal = await call.response(503);
    await call.ack(refusal.message);
    if (!isRealServer) expect(refusal.message.headers.get('Retry-After')).toMatch(/^\d+/);
  });

  row(19, 'L', 'reply to a 180: txn id, dialog id, `Msg sent:` and the message as sent', async (bench) => {
    const wire = await bench.wire('invite');
    const call = await bench.caller();
    await call.invite();
    const frame = await wire.expectRequest('INVITE');
    const reply = await wire.respond(frame, 180, { reason: 'Ringing', headers: { 'X-Leg': 'A' } });
    expect(reply.fields[3]).toBe('OK');
    expect(meta(reply, 4)).toMatchObject({
      source: 'application',
      protocol: 'udp',
      address: '127.0.0.1',
      port: call.peer.port,
    });
    expect(meta(reply, 4).time).toMatch(/^\d\d:\d\d:\d\d\.\d{6}$/);
    expect(reply.fields[10]).toBe(transactionOf(frame));
    expect(reply.fields[11]).toBe(call.dialogId);
    expect(reply.fields[12]).toBe('');
    expect(reply.fields[13]).toBe('Msg sent:');
    const ringing = await call.response(180);
    expect(reply.text).toBe(ringing.text);
    expect(meta(reply, 4).bytes).toBe(ringing.text.length);
    expect(tagOf(ringing.message.headers.get('To')!)).toBeDefined();
    expect(ringing.message.headers.get('X-Leg')).toBe('A');
    await wire.respond(frame, 486);
    await call.ack((await call.response(486)).message);
  });

  row(20, 'R', 'the To tag is the same in 180, 183 and 200; a tag of the app is honoured', async (bench) => {
    const wire = await bench.wire('invite');
    const call = await bench.caller();
    await call.invite();
    const frame = await wire.expectRequest('INVITE');
    const tags: (string | undefined)[] = [];
    for (const status of [180, 183, 200]) {
      await wire.respond(frame, status, { body: status === 180 ? '' : sdp('2') });
      tags.push(tagOf((await call.response(status)).message.headers.get('To')!));
    }
    expect(tags[0]).toBeTruthy();
    expect(new Set(tags).size).toBe(1);
    const answer = call.peer.all((each) => each.kind === 'response' && each.status === 200)[0]!;
    await call.ack(answer.message as never);
    await wire.expectRequest('ACK');
    await hangUpAtPeer(wire, call);

    const chosen = await bench.caller();
    const invite = await chosen.invite();
    const second = await wire.expectRequest('INVITE');
    const headers = { To: `${invite.headers.get('To')};tag=my-own-tag` };
    await wire.respond(second, 180, { headers });
    expect(tagOf((await chosen.response(180)).message.headers.get('To')!)).toBe('my-own-tag');
    await wire.respond(second, 200, { headers, body: sdp('2') });
    const accepted = await chosen.response(200);
    expect(tagOf(accepted.message.headers.get('To')!)).toBe('my-own-tag');
    await chosen.ack(accepted.message);
    await wire.expectRequest('ACK');
    await hangUpAtPeer(wire, chosen);
  });

  row(
    21,
    'L',
    'the 200 in the reply carries Contact and tag; createUAS resolves with its dialog',
    async (bench) => {
      const application = await bench.srf();
      const created = new Promise<SrfDialog>((resolve, reject) => {
        application.invite((request, response) => {
          application.createUAS(request, response, { localSdp: sdp('2') }).then(resolve, reject);
        });
      });
      await isHeard(application);
      const call = await bench.caller();
      await call.invite();
      const answer = await call.response(200);
      await call.ack(answer.message);
      const dialog = await within(created, 2_000, 'createUAS');
      const { host, port } = bench.engine.listeners.udp!;
      expect(dialog.id).toBe(call.dialogId);
      expect(dialog.sip.localTag).toBe(tagOf(answer.message.headers.get('To')!));
      expect(dialog.sip.remoteTag).toBe(call.localTag);
      expect(dialog.local.contact).toContain(`sip:${host}:${port}`);
      expect(dialog.local.sdp).toContain('o=peer 2');
      expect(answer.message.headers.get('Contact')).toContain(`sip:${host}:${port}`);
      const destroyed = new Promise((resolve) => dialog.on('destroy', resolve));
      await call.hangUp();
      await within(destroyed, 2_000, 'destroy event');
    },
  );

  row(22, 'R', "the app's Contact at localhost becomes the listener's address", async (bench) => {
    const wire = await bench.wire('invite');
    const { host, port } = bench.engine.listeners.udp!;
    const call = await bench.caller();
    const leg = await establishUas(wire, call, { headers: { Contact: '<sip:x@localhost>' } });
    for (const text of [leg.answer.text, leg.reply.text]) {
      expect(text).toContain(`Contact: <sip:x@${host}:${port}>`);
    }
    await hangUpAtPeer(wire, call);
  });

  row(
    23,
    'R',
    'a body that starts v=0 gets application/sdp; another body passes without a type',
    async (bench) => {
      const wire = await bench.wire('invite', 'message');
      const call = await bench.caller();
      const leg = await establishUas(wire, call);
      expect(leg.answer.message.headers.get('Content-Type')).toBe('application/sdp');
      await hangUpAtPeer(wire, call);
      const secondCaller = await bench.caller();
      await secondCaller.send('MESSAGE', { body: 'hello', headers: { 'Content-Type': 'text/plain' } });
      await wire.respond(await wire.expectRequest('MESSAGE'), 200, { body: 'not SDP' });
      const answer = await secondCaller.response(200, 'MESSAGE');
      expect(answer.message.body).toBe('not SDP');
      expect(answer.message.headers.has('Content-Type')).toBe(false);
    },
  );

  row(24, 'R', 'Content-Length is the length in octets, whatever the app wrote', async (bench) => {
    const wire = await bench.wire('message');
    const call = await bench.caller('tcp');
    await call.send('MESSAGE', { body: 'hello', headers: { 'Content-Type': 'text/plain' } });
    const frame = await wire.expectRequest('MESSAGE');
    const body = 'zwölf Boxkämpfer ✓';
    const reply = await wire.command(
      `sip|${transactionOf(frame)}|`,
      `SIP/2.0 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n\r\n${body}`,
    );
    expect(reply.fields[3]).toBe('OK');
    const answer = await call.response(200, 'MESSAGE');
    expect(Buffer.from(answer.message.body, 'latin1').toString('utf8')).toBe(body);
    expect(answer.message.headers.get('Content-Length')).toBe(String(Buffer.byteLength(body)));
  });

  row(
    25,
    'L',
    'the ACK frame has the txn id of the INVITE and the dialog id, after the reply to the 200',
    async (bench) => {
      const wire = await bench.wire('invite');
      const call = await bench.caller();
      await call.invite({ body: '' });
      const frame = await wire.expectRequest('INVITE');
      const reply = await wire.respond(frame, 200, { body: sdp('2') });
      const answer = await call.response(200);
      await call.ack(answer.message, { body: sdp('9') });
      const ack = await wire.expectRequest('ACK');
      expect(ack.fields).toHaveLength(11);
      expect(transactionOf(ack)).toBe(transactionOf(frame));
      expect(dialogOf(ack)).toBe(call.dialogId);
      expect(ack.message.body).toBe(sdp('9'));
      expect(wire.everything.indexOf(reply)).toBeLessThan(wire.everything.indexOf(ack));
      await hangUpAtPeer(wire, call);
    },
  );

  row(
    26,
    'L',
    'the library copes with the ACK frame (protocol may be empty on the real server)',
    async (bench) => {
      const application = await bench.srf();
      let isListening = false;
      const acknowledged = new Promise<SrfRequest>((resolve, reject) => {
        application.invite((request, response) => {
          application.createUAS(request, response, { localSdp: sdp('2') }).then((dialog) => {
            dialog.on('ack', resolve);
            isListening = true;
          }, reject);
        });
      });
      await isHeard(application);
      const call = await bench.caller();
      await call.invite();
      const answer = await call.response(200);
      await until(() => isListening, 2_000, 'the application listens');
      await call.ack(answer.message);
      const ack = await within(acknowledged, 2_000, 'ack event');
      expect(ack.method).toBe('ACK');
      expect(['', 'udp']).toContain(ack.protocol);
      await call.hangUp();
    },
  );

  row('26 protocol', 'B', 'the ACK frame names protocol, address and port', async (bench) => {
    const wire = await bench.wire('invite');
    for (const protocol of protocols) {
      const call = await bench.caller(protocol);
      const leg = await establishUas(wire, call);
      expect(meta(leg.ack)).toMatchObject({ source: 'network', protocol, address: '127.0.0.1' });
      expect(meta(leg.ack).port).toBe(meta(leg.invite).port);
      await hangUpAtPeer(wire, call);
    }
  });

  const retransmission = async (bench: Parameters<Parameters<typeof row>[3]>[0], protocol: PeerProtocol) => {
    const wire = await bench.wire('invite');
    const call = await bench.caller(protocol);
    await call.invite();
    await wire.respond(await wire.expectRequest('INVITE'), 200, { body: sdp('2') });
    const answer = await call.response(200);
    await until(() => call.peer.copies(answer) >= 3, 10 * bench.t1 + 1_000, 'the 200 is repeated');
    await call.ack(answer.message);
    await wire.expectRequest('ACK');
    // What was on its way.
    await pause(50);
    const copies = call.peer.copies(answer);
    await pause(6 * bench.t1);
    expect(call.peer.copies(answer)).toBe(copies);
    await hangUpAtPeer(wire, call);
  };
  row(27, 'R', 'a 200 is repeated over UDP until the ACK', (bench) => retransmission(bench, 'udp'));
  row('27 streams', 'B', 'a 200 is repeated over TCP and TLS until the ACK', async (bench) => {
    await retransmission(bench, 'tcp');
    await retransmission(bench, 'tls');
  });

  row(
    28,
    'R',
    'no ACK for 64·T1: BYE to the peer, unsolicited frame, `destroy` with reason ACK timeout',
    async (bench) => {
      const wire = await bench.wire('invite');
      const call = await bench.caller();
      await call.invite();
      await wire.respond(await wire.expectRequest('INVITE'), 200, { body: sdp('2') });
      await call.response(200);
      const bye = await call.peer.expectRequest('BYE', { milliseconds: bench.giveUp + 3_000 });
      expect(bye.message.headers.get('Reason')).toContain('text="ACK timeout"');
      await call.respond(bye, 200);
      const frame = await wire.expectUnsolicited();
      expect(frame.fields[2]).toBe('application');
      expect(dialogOf(frame)).toBe(call.dialogId);
      expect(frame.message.headers.get('Reason')).toContain('text="ACK timeout"');
      await wire.close();

      const application = await bench.srf();
      const reason = new Promise<string>((resolve, reject) => {
        application.invite((request, response) => {
          application
            .createUAS(request, response, { localSdp: sdp('2') })
            .then((dialog) => dialog.on('destroy', (_message, text: string) => resolve(text)), reject);
        });
      });
      await isHeard(application);
      const second = await bench.caller();
      await second.invite();
      await second.response(200);
      const end = await second.peer.expectRequest('BYE', { milliseconds: bench.giveUp + 3_000 });
      await second.respond(end, 200);
      expect(await within(reason, 2_000, 'destroy event')).toBe('ACK timeout');
    },
  );

  row(29, 'R', 'a second final response is answered NOK unknown transaction', async (bench) => {
    const wire = await bench.wire('invite');
    const call = await bench.caller();
    await call.invite();
    const frame = await wire.expectRequest('INVITE');
    expect((await wire.respond(frame, 486)).fields[3]).toBe('OK');
    const refusal = await call.response(486);
    await call.ack(refusal.message);
    await pause(50);
    const second = await wire.respond(frame, 480);
    expect(second.fields.slice(3)).toEqual(['NOK', 'Response not sent due to unknown transaction']);
    await call.peer.expectNothing((each) => each.kind === 'response' && each.status === 480, 100, 'No 480');
    const unknown = await wire.command('sip|00000000-0000-4000-8000-000000000000|', 'SIP/2.0 200 OK\r\n\r\n');
    expect(unknown.fields.slice(3)).toEqual(['NOK', 'Response not sent due to unknown transaction']);
  });

  row(
    '29 before ACK',
    'B',
    'a second final before the ACK of the first is refused as well',
    async (bench) => {
      const wire = await bench.wire('invite');
      const call = await bench.caller();
      await call.invite();
      const frame = await wire.expectRequest('INVITE');
      await wire.respond(frame, 486);
      const refusal = await call.response(486);
      expect((await wire.respond(frame, 480)).fields[3]).toBe('NOK');
      await call.ack(refusal.message);
      await call.peer.expectNothing((each) => each.kind === 'response' && each.status === 480, 100, 'No 480');
    },
  );

  row(
    30,
    'B',
    'an INVITE without Contact, or that the library could not parse, is answered 400 and not delivered',
    async (bench) => {
      const wire = await bench.wire('invite');
      const bare = await bench.caller();
      await bare.invite({ headers: { Contact: null } });
      await bare.ack((await bare.response(400)).message);
      const broken = await bench.caller();
      const invite = broken.build('INVITE', { body: sdp() });
      broken.invitation = invite;
      const text = serialize(invite);
      await broken.peer.send(text.replace('Max-Forwards: 70\r\n', 'Max-Forwards: 70\r\nno colon here\r\n'));
      await broken.ack((await broken.response(400)).message);
      await wire.noFrame(() => true, 100, 'Nothing is delivered');
    },
  );

  row(
    '30 readable',
    'B',
    'what the parser of the library would misread is delivered in a form it reads',
    async (bench) => {
      const application = await bench.srf();
      const arrived: SrfRequest[] = [];
      application.invite((request, response) => {
        arrived.push(request);
        application.createUAS(request, response, { localSdp: sdp('2') }).then(
          (dialog) => tags.push(dialog.sip.remoteTag),
          () => tags.push('failed'),
        );
      });
      const tags: string[] = [];
      await isHeard(application);
      for (const from of [
        'Jürgen <sip:j@example.com>;tag=TAG',
        '<sip:j@example.com>;via=[2001:db8::1];tag=TAG',
        '"a, <b>;tag=wrong" <sip:j@example.com>;tag=TAG',
      ]) {
        const call = await bench.caller();
        await call.invite({
          headers: { From: from.replace('TAG', call.localTag), '%43ontact': '<sip:evil@b>' },
        });
        const answer = await call.response(200);
        await call.ack(answer.message);
        await until(() => tags.length > 0, 2_000, 'createUAS');
        expect(tags.pop()).toBe(call.localTag);
        expect(arrived.at(-1)!.get('Contact')).toBe(call.contact);
        await call.hangUp();
      }
    },
  );

  row(31, 'R', 'a refusal is repeated until its ACK, which is not delivered', async (bench) => {
    const wire = await bench.wire('invite');
    const call = await bench.caller();
    await call.invite();
    const frame = await wire.expectRequest('INVITE');
    await call.response(100);
    await wire.respond(frame, 486, { reason: 'Busy Here' });
    const refusal = await call.response(486);
    expect(parseAddress(refusal.message.headers.get('To')!)?.parameters.get('tag')).toBeTruthy();
    await until(() => call.peer.copies(refusal) >= 3, 10 * bench.t1 + 1_000, 'the refusal is repeated');
    await call.ack(refusal.message);
    await pause(50);
    const copies = call.peer.copies(refusal);
    await wire.noFrame((frame) => frame.message?.kind === 'request', 5 * bench.t1, 'The ACK is absorbed');
    expect(call.peer.copies(refusal)).toBe(copies);
  });

  row(
    '31 at once',
    'B',
    'a refusal over UDP that comes before any 100 is sent once, and again for each copy of its INVITE',
    async (bench) => {
      const wire = await bench.wire('invite');
      const call = await bench.caller();
      const invite = await call.invite();
      await wire.respond(await wire.expectRequest('INVITE'), 404);
      const refusal = await call.response(404);
      // An application that is kept from the processor answers after the 100.
      if (call.peer.everything.length > 1) return;
      await pause(10 * bench.t1);
      expect(call.peer.everything).toHaveLength(1);
      await call.peer.send(invite);
      await until(() => call.peer.copies(refusal) === 2, 2_000, 'the answer to the copy');
      await call.ack(refusal.message);
    },
  );

  row('31 reply', 'R', 'the body and reason phrase of a refusal survive', async (bench) => {
    const wire = await bench.wire('invite');
    const call = await bench.caller();
    await call.invite();
    await wire.respond(await wire.expectRequest('INVITE'), 488, {
      reason: 'Nicht möglich',
      headers: { Warning: '305 demarc "no common codec"', 'X-Detail': 'a, b' },
    });
    const refusal = await call.response(488);
    expect(Buffer.from(refusal.message.reason, 'latin1').toString('utf8')).toBe('Nicht möglich');
    expect(refusal.message.headers.get('Warning')).toContain('no common codec');
    expect(refusal.message.headers.get('X-Detail')).toBe('a, b');
    await call.ack(refusal.message);
  });
});

contractSuite(
  '17.2 an app that does not answer',
  { options: ['--invite-timeout', '600', '--ringing-timeout', '1200'] },
  ({ row }) => {
    for (const [id, isRinging] of [
      ['18 silent app', false],
      ['18 ringing', true],
    ] as const) {
      row(
        id,
        'B',
        `an INVITE that the app ${isRinging ? 'only lets ring' : 'never answers'} gets a final response, a late answer of the app NOK`,
        async (bench) => {
          const wire = await bench.wire('invite');
          const call = await bench.caller();
          await call.invite();
          const frame = await wire.expectRequest('INVITE');
          if (isRinging) await wire.respond(frame, 180);
          const refusal = await call.response((status) => status >= 300);
          expect([408, 480, 487, 500, 503, 504]).toContain(refusal.message.status);
          await call.ack(refusal.message);
          expect((await wire.respond(frame, 200, { body: sdp('2') })).fields[3]).toBe('NOK');
        },
        { embeddedOnly: 'the time until then is not to be set there' },
      );
    }
  },
);
