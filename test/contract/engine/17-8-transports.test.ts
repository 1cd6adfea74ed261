import { readFileSync } from 'node:fs';
import { connect as tlsConnect } from 'node:tls';
import { expect } from 'vitest';
import { serialize } from '../../../src/sip/serialize.js';
import { parseVia } from '../../../src/sip/via.js';
import type { SipPeer } from '../../../src/testkit/sip-peer.js';
import { pause, until, within } from '../../../src/testkit/waiting.js';
import { isRealServer } from '../../support/engine-under-test.js';
import { PeerCall, sdp } from '../../support/peer-call.js';
import { connectApplication, isHeard, newApplication } from '../../support/srf-application.js';
import { isRequestFrame, meta, sipText } from '../../support/wire-client.js';
import { establishUac, establishUas, hangUpAtApp, hangUpAtPeer, sentTransaction } from './calls.js';
import { contractSuite } from './suite.js';

contractSuite('17.8 transports and robustness', {}, ({ row }) => {
  row(
    94,
    'R',
    'transport= in R-URI or next hop selects the protocol; Via and Contact agree',
    async (bench) => {
      const wire = await bench.wire();
      for (const protocol of ['udp', 'tcp', 'tls'] as const) {
        const peer = await bench.peer(protocol);
        const { host, port } = bench.engine.listeners[protocol]!;
        for (const nextHop of [undefined, `sip:127.0.0.1:${peer.port}${peer.transportParameter}`]) {
          const uri = nextHop === undefined ? peer.uri('bob') : 'sip:bob@target.example.com';
          const reply = await wire.newRequest(`INVITE ${uri} SIP/2.0`, { To: `<${uri}>` }, sdp(), nextHop);
          expect(reply.fields[3]).toBe('OK');
          const arrived = await peer.expectRequest('INVITE');
          const via = parseVia(arrived.message.headers.get('Via')!)!;
          expect(via.transport).toBe(protocol.toUpperCase());
          expect(`${via.host}:${via.port}`).toBe(`${host}:${port}`);
          expect(via.parameters.has('rport')).toBe(protocol === 'udp');
          expect(via.branch).toMatch(/^z9hG4bK/);
          const contact = arrived.message.headers.get('Contact')!;
          expect(contact).toContain(`${host}:${port}`);
          if (protocol !== 'udp') expect(contact).toContain(`transport=${protocol}`);
          await PeerCall.from(peer, arrived.message).respond(arrived, 486);
          expect(meta(await wire.expectResponse({ status: 486 })).protocol).toBe(protocol);
        }
      }
    },
  );

  row(95, 'R', 'TCP and TLS: answers on the same connection; split and joined messages', async (bench) => {
    const wire = await bench.wire('options', 'message');
    for (const protocol of ['tcp', 'tls'] as const) {
      const call = await bench.caller(protocol);
      const route = await call.peer.route();
      const text = (method: string, body: string): string =>
        serialize(call.build(method, { body, headers: { 'Content-Type': 'text/plain' } }));
      const message = text('MESSAGE', 'a body that is split as well');
      for (let cut = 0; cut < message.length; cut += 37) {
        route.send(message.slice(cut, cut + 37));
        await pause(3);
      }
      const frame = await wire.expectRequest('MESSAGE');
      expect(frame.message.body).toBe('a body that is split as well');
      await wire.respond(frame, 200);
      expect((await call.response(200, 'MESSAGE')).route).toBe(route);
      route.send(text('MESSAGE', 'one') + text('MESSAGE', '') + text('MESSAGE', 'three'));
      for (const body of ['one', '', 'three']) {
        const each = await wire.expectRequest('MESSAGE');
        expect(each.message.body).toBe(body);
        await wire.respond(each, 200);
        expect((await call.response(200, 'MESSAGE')).route).toBe(route);
      }
      expect(call.peer.accepted).toBe(0);
    }
  });

  row(
    '95 calls',
    'R',
    'whole calls over TCP and TLS, both ways, with re-INVITE and CANCEL',
    async (bench) => {
      const wire = await bench.wire('invite');
      for (const protocol of ['tcp', 'tls'] as const) {
        const call = await bench.caller(protocol);
        const leg = await establishUas(wire, call);
        await call.invite({ body: sdp('11') });
        await wire.respond(await wire.expectRequest('INVITE'), 200, { body: sdp('12') });
        await call.ack((await call.response(200)).message);
        await wire.expectRequest('ACK');
        await hangUpAtApp(wire, call, leg.dialogId);
        const outgoing = await establishUac(wire, call.peer);
        await wire.inDialog(outgoing.dialogId, 'INVITE', {}, sdp('13'));
        const invite = await call.peer.expectRequest('INVITE');
        await outgoing.call.respond(invite, 200, { body: sdp('14') });
        await wire.expectResponse({ status: 200, method: 'INVITE' });
        await wire.inDialog(outgoing.dialogId, 'ACK');
        await call.peer.expectRequest('ACK');
        await hangUpAtPeer(wire, outgoing.call);
        const cancelled = PeerCall.to(call.peer);
        await cancelled.invite();
        await wire.expectRequest('INVITE');
        await cancelled.cancel();
        await cancelled.ack((await cancelled.response(487)).message);
        await wire.expectRequest('CANCEL');
      }
    },
  );

  row(96, 'R', 'rport and received are added; UDP responses go to the source port', async (bench) => {
    const wire = await bench.wire('options');
    const call = await bench.caller();
    const via = `SIP/2.0/UDP 192.0.2.9:5999;branch=z9hG4bK96${Date.now()};rport`;
    await call.send('OPTIONS', { headers: { Via: via } });
    const frame = await wire.expectRequest('OPTIONS');
    const delivered = parseVia(frame.message.headers.get('Via')!)!;
    expect(delivered.parameters.get('received')).toBe('127.0.0.1');
    expect(delivered.parameters.get('rport')).toBe(String(call.peer.port));
    await wire.respond(frame, 200);
    const answer = await call.response(200, 'OPTIONS');
    const returned = parseVia(answer.message.headers.get('Via')!)!;
    expect(returned.parameters.get('received')).toBe('127.0.0.1');
    expect(returned.parameters.get('rport')).toBe(String(call.peer.port));
    expect(returned.host).toBe('192.0.2.9');
  });

  row('96 unasked', 'B', 'without rport, UDP responses go to the port of sent-by', async (bench) => {
    const wire = await bench.wire('options');
    const call = await bench.caller();
    const listening = await bench.peer();
    const via = `SIP/2.0/UDP 192.0.2.9:${listening.port};branch=z9hG4bK96u${Date.now()}`;
    await call.send('OPTIONS', { headers: { Via: via } });
    const frame = await wire.expectRequest('OPTIONS');
    expect(meta(frame).port).toBe(call.peer.port);
    await wire.respond(frame, 200);
    const answer = await listening.expectResponse(200);
    const returned = parseVia(answer.message.headers.get('Via')!)!;
    expect(returned.parameters.get('received')).toBe('127.0.0.1');
    expect(returned.parameters.has('rport')).toBe(false);
  });

  for (const [id, rowClass, protocol] of [
    [97, 'R', 'tcp'],
    ['97 TLS', 'B', 'tls'],
  ] as const) {
    row(id, rowClass, `CRLFCRLF is answered CRLF on ${protocol}`, async (bench) => {
      const peer = await bench.peer(protocol);
      const route = await peer.route();
      route.send('\r\n\r\n');
      await until(() => peer.keepAlives.length > 0, 2_000, `pong over ${protocol}`);
      expect(peer.keepAlives).toEqual(['pong']);
      expect(route.isOpen()).toBe(true);
    });
  }

  row(
    98,
    'R',
    'a peer behind NAT: in-dialog requests go to the source, the R-URI stays the Contact',
    async (bench) => {
      const wire = await bench.wire('invite');
      for (const protocol of ['udp', 'tcp', 'tls'] as const) {
        const call = await bench.caller(protocol);
        const contact = `sip:alice@192.0.2.55:5999${call.peer.transportParameter}`;
        const leg = await establishUas(wire, call, { invite: { headers: { Contact: `<${contact}>` } } });
        await wire.inDialog(leg.dialogId, 'BYE');
        const bye = await call.peer.expectRequest('BYE');
        expect(bye.message.uri).toBe(contact);
        await call.respond(bye, 200);
        await wire.expectResponse({ status: 200 });
      }
      const peer = await bench.peer();
      const outgoing = await establishUac(wire, peer, {
        answer: { headers: { Contact: '<sip:bob@192.0.2.56:5999>' } },
      });
      expect(outgoing.ack.message.uri).toBe('sip:bob@192.0.2.56:5999');
      await hangUpAtApp(wire, outgoing.call, outgoing.dialogId);
    },
  );

  row(101, 'B', 'LF in a header value from the app is answered NOK, from the network 400', async (bench) => {
    const wire = await bench.wire('options');
    const peer = await bench.peer();
    const reply = await wire.command(
      'sip||',
      sipText(`OPTIONS ${peer.uri()} SIP/2.0`, { To: `<${peer.uri()}>`, Subject: 'a\nX-Injected: yes' }),
    );
    expect(reply.fields[3]).toBe('NOK');
    await peer.expectNothing((each) => each.kind === 'request', 100, 'Nothing is sent');
    const call = await bench.caller();
    const request = call.build('OPTIONS', { headers: { Subject: 'a' } });
    await call.peer.send(serialize(request).replace('Subject: a', 'Subject: a\nX-Injected: yes'));
    await call.response(400, 'OPTIONS');
    await wire.noFrame((frame) => isRequestFrame(frame), 50, 'Nothing is delivered');
  });

  row(103, 'R', 'route set: Record-Route in the right order, loose routing, both sides', async (bench) => {
    const wire = await bench.wire('invite');
    const call = await bench.caller();
    const near = `<sip:near@127.0.0.1:${call.peer.port};lr>`;
    const leg = await establishUas(wire, call, {
      invite: { headers: { 'Record-Route': [near, '<sip:far@192.0.2.1;lr>'] } },
    });
    expect(leg.answer.message.headers.list('Record-Route')).toEqual([near, '<sip:far@192.0.2.1;lr>']);
    await wire.inDialog(leg.dialogId, 'OPTIONS');
    const options = await call.peer.expectRequest('OPTIONS');
    expect(options.message.headers.list('Route')).toEqual([near, '<sip:far@192.0.2.1;lr>']);
    expect(options.message.uri).toBe(call.peer.uri('alice'));
    await call.respond(options, 200);
    await wire.expectResponse({ status: 200 });
    call.routes = [];
    await hangUpAtPeer(wire, call);
  });

  row(
    '103 strict',
    'B',
    'a strict router gets the request with its own URI, the target last in Route',
    async (bench) => {
      const wire = await bench.wire('invite');
      const call = await bench.caller();
      const strict = `sip:strict@127.0.0.1:${call.peer.port}`;
      const leg = await establishUas(wire, call, { invite: { headers: { 'Record-Route': `<${strict}>` } } });
      await wire.inDialog(leg.dialogId, 'OPTIONS');
      const options = await call.peer.expectRequest('OPTIONS');
      expect(options.message.uri).toBe(strict);
      expect(options.message.headers.list('Route')).toEqual([`<${call.peer.uri('alice')}>`]);
      await call.respond(options, 200);
      await wire.expectResponse({ status: 200 });
      call.routes = [];
      await hangUpAtPeer(wire, call);
    },
  );

  row(
    100,
    'B',
    'outbound TLS sends SNI and verifies chain and name; TLS below 1.2 is refused',
    async (bench) => {
      const wire = await bench.wire();
      const open = async (names: string[] | undefined, foreign = false): Promise<SipPeer> => {
        const authority = foreign
          ? await (await import('../../support/certificates.js')).TestAuthority.create('CN=Stranger')
          : bench.authority;
        const certificate = await authority.issue('verified', names);
        if (foreign) authority.remove();
        return bench.peer('tls', { certificate });
      };
      const statusAt = async (peer: SipPeer): Promise<number> => {
        const reply = await wire.newRequest(`OPTIONS sip:x@localhost:${peer.port};transport=tls SIP/2.0`, {
          To: '<sip:x@example.com>',
        });
        expect(reply.fields[3]).toBe('OK');
        const answered = wire.expectResponse({ transaction: sentTransaction(reply) }, 10_000);
        void peer
          .expectRequest('OPTIONS', { milliseconds: 3_000 })
          .then((arrived) => PeerCall.from(peer, arrived.message).respond(arrived, 200))
          .catch(() => {});
        return (await answered).message.status;
      };
      const good = await open(['localhost', '127.0.0.1']);
      expect(await statusAt(good)).toBe(200);
      expect(good.serverNames).toEqual(['localhost']);
      expect(await statusAt(await open(['other.example']))).toBe(503);
      expect(await statusAt(await open(['localhost'], true))).toBe(503);
      const { host, port } = bench.engine.listeners.tls!;
      const failure = await new Promise<Error | undefined>((resolve) => {
        const socket = tlsConnect(
          {
            host,
            port,
            rejectUnauthorized: false,
            minVersion: 'TLSv1.1',
            maxVersion: 'TLSv1.1',
            ciphers: 'DEFAULT@SECLEVEL=0',
          },
          () => {
            socket.destroy();
            resolve(undefined);
          },
        );
        socket.on('error', resolve);
      });
      expect(failure).toBeInstanceOf(Error);
    },
  );

  row(
    104,
    'B',
    '200 calls at 50 a second through one app: no lost frame, memory flat',
    async (bench) => {
      const application = await bench.srf();
      const callee = await bench.peer('tcp');
      const failures: unknown[] = [];
      let ended = 0;
      let hungUp = 0;
      application.invite((request, response) => {
        application.createB2BUA(request, response, callee.uri('bob')).then(
          ({ uas, uac }) => {
            const end = (otherLeg: { destroy(): Promise<unknown> }) => () => {
              ended += 1;
              otherLeg.destroy().catch((error: unknown) => failures.push(error));
            };
            uas.on('destroy', end(uac));
            uac.on('destroy', end(uas));
            if (!uas.connected) end(uac)();
          },
          (error: unknown) => failures.push(error),
        );
      });
      await isHeard(application);
      const caller = await bench.peer();
      let answering = true;
      const answerer = (async () => {
        while (answering) {
          const invite = await callee.expectRequest('INVITE', { milliseconds: 500 }).catch(() => undefined);
          if (invite === undefined) continue;
          const call = PeerCall.from(callee, invite.message);
          void call
            .respond(invite, 200, { body: sdp('2') })
            .then(() => callee.expectRequest('BYE', { callId: call.callId, milliseconds: 10_000 }))
            .then((bye) => call.respond(bye, 200))
            .then(() => {
              hungUp += 1;
            })
            .catch((error: unknown) => failures.push(error));
        }
      })();
      const memory = (): number => {
        if (bench.engine.pid === undefined) return 0;
        const status = readFileSync(`/proc/${bench.engine.pid}/status`, 'utf8');
        return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
      };
      const oneCall = async (): Promise<void> => {
        const call = PeerCall.to(caller);
        await call.invite();
        await call.ack((await call.response(200)).message);
        await call.hangUp();
      };
      const calls: Promise<void>[] = [];
      let before = 0;
      for (let i = 0; i < 200; i++) {
        if (i === 50) before = memory();
        calls.push(oneCall().catch((error: unknown) => void failures.push(error)));
        await pause(20);
      }
      await Promise.all(calls);
      await until(
        () => ended >= 200 && hungUp >= 200,
        5_000,
        () => `destroy events (${ended} of 200), BYE at the callee (${hungUp} of 200)`,
      );
      answering = false;
      await answerer;
      expect(failures).toEqual([]);
      expect(memory() - before).toBeLessThan(100);
    },
    { timeout: 120_000 },
  );
});

const seconds = isRealServer ? 90 : 4;

contractSuite('17.8 session timers', { options: ['--min-se', '2'] }, ({ row }) => {
  row(
    102,
    'R',
    'Session-Expires in INVITE and 200: echoed with its refresher, or as the app wrote it',
    async (bench) => {
      const wire = await bench.wire('invite');
      const cases: [string | undefined, string | undefined, RegExp | undefined][] = [
        ['1800;refresher=uac', undefined, /^1800;\s*refresher=uac$/],
        ['1800;refresher=uas', undefined, /^1800;\s*refresher=uas$/],
        ['1800', undefined, undefined],
        ['1800;refresher=uac', '900;refresher=uas', /^900;\s*refresher=uas$/],
        [undefined, undefined, undefined],
      ];
      for (const [asked, written, expected] of cases) {
        const call = await bench.caller();
        const headers = asked === undefined ? {} : { 'Session-Expires': asked, Supported: 'timer' };
        const leg = await establishUas(wire, call, {
          invite: { headers },
          headers: written === undefined ? {} : { 'Session-Expires': written },
        });
        const agreed = leg.answer.message.headers.get('Session-Expires');
        if (expected === undefined) expect(agreed).toBeUndefined();
        else expect(agreed).toMatch(expected);
        await hangUpAtPeer(wire, call);
      }
    },
  );

  row('102 too short', 'R', 'less than the minimum: 422 with Min-SE, not delivered', async (bench) => {
    const wire = await bench.wire('invite');
    const call = await bench.caller();
    await call.invite({ headers: { 'Session-Expires': isRealServer ? '60' : '1', Supported: 'timer' } });
    const refusal = await call.response(422);
    expect(refusal.message.headers.get('Min-SE')).toBe(String(isRealServer ? 90 : 2));
    await call.ack(refusal.message);
    await wire.noFrame(() => true, 50, 'Nothing is delivered');
  });

  row(
    '102 refresh',
    'R',
    'as refresher the engine sends a re-INVITE at half the interval, unseen by the app',
    async (bench) => {
      const wire = await bench.wire();
      const peer = await bench.peer();
      const leg = await establishUac(wire, peer, {
        headers: { 'Session-Expires': String(seconds), Supported: 'timer' },
        answer: { headers: { 'Session-Expires': `${seconds};refresher=uac`, Require: 'timer' } },
      });
      const seen = wire.everything.length;
      const refresh = await peer.expectRequest('INVITE', { milliseconds: seconds * 700 });
      expect(refresh.message.body).toBe(sdp('3'));
      expect(refresh.message.headers.get('Session-Expires')).toMatch(
        new RegExp(`^${seconds};\\s*refresher=uac$`),
      );
      await leg.call.respond(refresh, 200, {
        body: sdp('4'),
        headers: { 'Session-Expires': `${seconds};refresher=uac`, Require: 'timer' },
      });
      await peer.expectRequest('ACK');
      expect(wire.everything.length).toBe(seen);
      await hangUpAtApp(wire, leg.call, leg.dialogId);
    },
  );

  row('102 expiry', 'R', 'the peer does not refresh: BYE and unsolicited frame', async (bench) => {
    const wire = await bench.wire('invite');
    const call = await bench.caller();
    await establishUas(wire, call, {
      invite: { headers: { 'Session-Expires': `${seconds};refresher=uac`, Supported: 'timer' } },
    });
    const bye = await call.peer.expectRequest('BYE', { milliseconds: seconds * 1_000 + 5_000 });
    expect(bye.message.headers.get('Reason')).toContain('text="Session timer expired"');
    await call.respond(bye, 200);
    expect((await wire.expectUnsolicited()).message.headers.get('Reason')).toContain('Session timer expired');
  });

  row(
    '102 re-armed',
    'R',
    'a refresh of the peer goes to the app as usual and restarts the timer',
    async (bench) => {
      const wire = await bench.wire('invite');
      const call = await bench.caller();
      const headers = { 'Session-Expires': `${seconds};refresher=uac`, Supported: 'timer' };
      await establishUas(wire, call, { invite: { headers } });
      for (let i = 0; i < 2; i++) {
        await pause(seconds * 600);
        await call.invite({ headers });
        await wire.respond(await wire.expectRequest('INVITE'), 200, { body: sdp('2') });
        await call.ack((await call.response(200)).message);
        await wire.expectRequest('ACK');
      }
      await hangUpAtPeer(wire, call);
    },
    { embeddedOnly: 'two refreshes of a 90 s session take longer than a row may' },
  );
});

contractSuite('17.8 external address', { options: ['--external-ip', '203.0.113.9'] }, ({ row }) => {
  row(
    99,
    'R',
    'the external address appears in Via, Contact, From, localhost and host-ports',
    async (bench) => {
      const application = newApplication();
      const connected = await connectApplication(application, bench.engine);
      application.disconnect();
      const { port, host } = bench.engine.listeners.udp!;
      expect(connected.hostports).toContain(`udp/203.0.113.9:${port}`);
      expect(connected.hostports).not.toContain(`/${host}:`);
      expect(connected.localHostports).toContain(`udp/${host}:${port}`);
      const wire = await bench.wire('invite');
      const peer = await bench.peer();
      await wire.newRequest(`INVITE ${peer.uri()} SIP/2.0`, { To: `<${peer.uri()}>` }, sdp());
      const arrived = await peer.expectRequest('INVITE');
      const { headers } = arrived.message;
      expect(parseVia(headers.get('Via')!)?.host).toBe('203.0.113.9');
      for (const name of ['Contact', 'From']) expect(headers.get(name)).toContain(`sip:203.0.113.9:${port}`);
      await PeerCall.from(peer, arrived.message).respond(arrived, 486);
      await wire.expectResponse({ status: 486 });
      const call = await bench.caller();
      const leg = await establishUas(wire, call, { headers: { Contact: '<sip:x@localhost>' } });
      expect(leg.answer.message.headers.get('Contact')).toBe(`<sip:x@203.0.113.9:${port}>`);
      await within(hangUpAtPeer(wire, call), 5_000, 'BYE');
    },
    { embeddedOnly: 'needs a server started with an external address' },
  );
});

contractSuite('17.8 IPv6', { options: ['--udp', '[::1]:0', '--tcp', '[::1]:0'] }, ({ row }) => {
  row(
    '16 IPv6',
    'B',
    'calls both ways over IPv6: addresses without brackets in frames, with brackets in SIP',
    async (bench) => {
      const wire = await bench.wire('invite');
      for (const protocol of ['udp', 'tcp'] as const) {
        const target = bench.engine.ipv6Listeners[protocol]!;
        const peer = await bench.peer(protocol, { host: '::1', target });
        const call = PeerCall.to(peer);
        const leg = await establishUas(wire, call);
        expect(meta(leg.invite)).toMatchObject({ protocol, address: '::1' });
        expect(leg.invite.fields[10]).toBe('::1');
        expect(leg.answer.message.headers.get('Contact')).toContain(`sip:[::1]:${target.port}`);
        await hangUpAtPeer(wire, call);
        const outgoing = await establishUac(wire, peer);
        expect(parseVia(outgoing.invite.message.headers.get('Via')!)?.host).toBe('::1');
        expect(outgoing.invite.message.headers.get('Contact')).toContain(`@[::1]:${target.port}`);
        await hangUpAtApp(wire, outgoing.call, outgoing.dialogId);
      }
    },
    { embeddedOnly: 'needs a server with IPv6 listeners' },
  );
});

contractSuite('17.8 strict parity', { options: ['--strict-parity'] }, ({ row }) => {
  row(
    '13 strict parity',
    'B',
    'in strict-parity mode a frame over 12,228 octets is refused',
    async (bench) => {
      const wire = await bench.wire();
      wire.post(
        'sip||',
        sipText('MESSAGE sip:x@127.0.0.1:9 SIP/2.0', { 'Content-Type': 'text/plain' }, 'x'.repeat(13_000)),
      );
      const refusal = wire.frames.take(
        (frame) => frame.type === 'response' && (frame.fields[3] ?? '').startsWith('NO'),
        3_000,
        'refusal',
      );
      await Promise.race([refusal, wire.closed]);
    },
    { embeddedOnly: 'a mode of the embedded engine' },
  );
});
