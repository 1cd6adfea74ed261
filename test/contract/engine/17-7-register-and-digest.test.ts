import { expect } from 'vitest';
import { tagOf } from '../../../src/sip/address.js';
import { parseCSeq } from '../../../src/sip/cseq.js';
import { digestResponse, parseCredentials } from '../../../src/sip/digest.js';
import type { SipRequest } from '../../../src/sip/message.js';
import { parseVia } from '../../../src/sip/via.js';
import type { Arrival, SipPeer } from '../../../src/testkit/sip-peer.js';
import { pause, until, within } from '../../../src/testkit/waiting.js';
import { PeerCall, sdp } from '../../support/peer-call.js';
import { SlowRelay } from '../../support/slow-relay.js';
import {
  connectApplication,
  newApplication,
  type SrfApplication,
  type SrfRequest,
  type SrfResponse,
} from '../../support/srf-application.js';
import { Stopwatch } from '../../support/stopwatch.js';
import { dialogOf, meta } from '../../support/wire-client.js';
import { establishUac, hangUpAtApp, sentTransaction } from './calls.js';
import { contractSuite } from './suite.js';

const realm = 'demarc.example';
const nonce = 'abcdef0123456789';
const challenge = `Digest realm="${realm}", nonce="${nonce}", algorithm=MD5, qop="auth"`;
const auth = { username: '1001', password: 'secret' };

/** Whether the request carries credentials that fit the challenge. */
function isAuthentic(request: SipRequest, header = 'Authorization'): boolean {
  const credentials = parseCredentials(request.headers.get(header) ?? '');
  if (credentials === undefined) return false;
  const { nc, cnonce, qop } = credentials;
  const expected = digestResponse({
    algorithm: 'MD5',
    ...auth,
    realm,
    nonce,
    method: request.method,
    uri: credentials.uri,
    ...(nc === undefined ? {} : { nc }),
    ...(cnonce === undefined ? {} : { cnonce }),
    ...(qop === undefined ? {} : { qop }),
  });
  return credentials.nonce === nonce && credentials.response === expected;
}

const numberOf = (request: SipRequest): number => parseCSeq(request.headers.get('CSeq') ?? '')?.number ?? -1;

/** Challenges the next request with that method and gives the retry, checked. */
async function challenged(
  peer: SipPeer,
  method: string,
  status: 401 | 407 = 401,
): Promise<{ first: Arrival<SipRequest>; retry: Arrival<SipRequest> }> {
  const first = await peer.expectRequest(method);
  const header = status === 401 ? 'WWW-Authenticate' : 'Proxy-Authenticate';
  await PeerCall.from(peer, first.message).respond(first, status, { headers: { [header]: challenge } });
  const retry = await peer.expectRequest(method);
  expect(isAuthentic(retry.message, status === 401 ? 'Authorization' : 'Proxy-Authorization')).toBe(true);
  expect(numberOf(retry.message)).toBe(numberOf(first.message) + 1);
  expect(retry.message.headers.get('Call-ID')).toBe(first.message.headers.get('Call-ID'));
  expect(tagOf(retry.message.headers.get('From')!)).toBe(tagOf(first.message.headers.get('From')!));
  return { first, retry };
}

const registration = (peer: SipPeer) => ({
  method: 'REGISTER',
  headers: {
    From: `<${peer.uri('1001')}>`,
    To: `<${peer.uri('1001')}>`,
    Contact: '<sip:1001@localhost>',
    Expires: '300',
  },
  auth,
});

async function register(application: SrfApplication, peer: SipPeer): Promise<Promise<SrfResponse>> {
  const request = await application.request(`sip:127.0.0.1:${peer.port}`, registration(peer));
  return new Promise<SrfResponse>((resolve) => request.on('response', resolve));
}

contractSuite('17.7 REGISTER and digest', {}, ({ row }) => {
  row(83, 'L', 'REGISTER with auth: 401 with numeric source, one legal retry, its answer', async (bench) => {
    const application = await bench.srf();
    const peer = await bench.peer();
    const request = await application.request(`sip:127.0.0.1:${peer.port}`, registration(peer));
    const answered = new Promise<SrfResponse>((resolve) => request.on('response', resolve));
    const { retry } = await challenged(peer, 'REGISTER');
    await PeerCall.from(peer, retry.message).respond(retry, 200, {
      headers: { Contact: '<sip:1001@127.0.0.1>;expires=300' },
    });
    const response = await within(answered, 2_000, 'answer to the retry');
    expect(response.status).toBe(200);
    expect(response.source_address).toBe('127.0.0.1');
    expect(response.source_port).toBe(peer.port);
  });

  row(84, 'L', 'the retry of a TLS request uses the open connection', async (bench) => {
    const wire = await bench.wire();
    const peer = await bench.peer('tls');
    const headers = { From: '<sip:1001@example.com>', To: '<sip:1001@example.com>', Expires: '60' };
    const first = await wire.newRequest(
      'REGISTER sip:example.com SIP/2.0',
      headers,
      '',
      `sip:127.0.0.1:${peer.port};transport=tls`,
    );
    const arrived = await peer.expectRequest('REGISTER');
    await PeerCall.from(peer, arrived.message).respond(arrived, 401, {
      headers: { 'WWW-Authenticate': challenge },
    });
    const refused = await wire.expectResponse({ status: 401, transaction: sentTransaction(first) });
    const { protocol, address, port } = meta(refused);
    expect(protocol).toBe('tls');
    await wire.newRequest(
      'REGISTER sip:example.com SIP/2.0',
      {
        ...headers,
        From: arrived.message.headers.get('From')!,
        'Call-ID': arrived.message.headers.get('Call-ID')!,
        CSeq: `${numberOf(arrived.message) + 1} REGISTER`,
      },
      '',
      `sip:${address}:${port};transport=tls`,
    );
    const retry = await peer.expectRequest('REGISTER');
    expect(peer.accepted).toBe(1);
    expect(retry.route).toBe(arrived.route);
    await PeerCall.from(peer, retry.message).respond(retry, 200);
    await wire.expectResponse({ status: 200 });
  });

  row('84 library', 'L', 'the library retries over the same TLS connection', async (bench) => {
    const application = await bench.srf();
    const peer = await bench.peer('tls');
    const request = await application.request('sip:example.com;transport=tls', {
      ...registration(peer),
      proxy: `sip:localhost:${peer.port};transport=tls`,
    });
    const answered = new Promise<SrfResponse>((resolve) => request.on('response', resolve));
    const { retry } = await challenged(peer, 'REGISTER');
    await PeerCall.from(peer, retry.message).respond(retry, 200);
    expect((await within(answered, 2_000, 'answer to the retry')).status).toBe(200);
    expect(peer.accepted).toBe(1);
  });

  row(
    85,
    'R',
    'Expires, expires=, Path, Service-Route and several Contacts survive both ways',
    async (bench) => {
      const wire = await bench.wire('register');
      const call = await bench.caller();
      await call.send('REGISTER', {
        headers: {
          Contact: ['<sip:a@192.0.2.1>;expires=60', '<sip:b@192.0.2.2>;expires=120;q=0.5'],
          Expires: '90',
          Path: '<sip:edge.example;lr>',
        },
      });
      const frame = await wire.expectRequest('REGISTER');
      const contacts = ['<sip:a@192.0.2.1>;expires=60', '<sip:b@192.0.2.2>;expires=120;q=0.5'];
      expect(frame.message.headers.list('Contact')).toEqual(contacts);
      expect(frame.message.headers.get('Expires')).toBe('90');
      expect(frame.message.headers.get('Path')).toBe('<sip:edge.example;lr>');
      await wire.respond(frame, 200, {
        headers: [
          ['Contact', contacts.join(', ')],
          ['Expires', '90'],
          ['Path', '<sip:edge.example;lr>'],
          ['Service-Route', '<sip:home.example;lr>'],
        ],
      });
      const { headers } = (await call.response(200, 'REGISTER')).message;
      expect(headers.list('Contact')).toEqual(contacts);
      expect(headers.get('Expires')).toBe('90');
      expect(headers.get('Path')).toBe('<sip:edge.example;lr>');
      expect(headers.get('Service-Route')).toBe('<sip:home.example;lr>');
      await wire.newRequest(`REGISTER sip:127.0.0.1:${call.peer.port} SIP/2.0`, [
        ['To', '<sip:x@example.com>'],
        ['Contact', contacts.join(', ')],
        ['Expires', '90'],
        ['Path', '<sip:edge.example;lr>'],
      ]);
      const sent = await call.peer.expectRequest('REGISTER');
      expect(sent.message.headers.list('Contact')).toEqual(contacts);
      expect(sent.message.headers.get('Expires')).toBe('90');
      expect(sent.message.headers.get('Path')).toBe('<sip:edge.example;lr>');
      await PeerCall.from(call.peer, sent.message).respond(sent, 200, {
        headers: { Contact: contacts, 'Service-Route': '<sip:home.example;lr>' },
      });
      const answer = await wire.expectResponse({ status: 200 });
      expect(answer.message.headers.list('Contact')).toEqual(contacts);
      expect(answer.message.headers.get('Service-Route')).toBe('<sip:home.example;lr>');
    },
  );

  row(86, 'L', 'INVITE with 407: ACK, retry, then ACK, re-INVITE and BYE on the dialog', async (bench) => {
    const application = await bench.srf();
    const peer = await bench.peer();
    const created = application.createUAC(peer.uri('bob'), {
      headers: { From: '<sip:1001@localhost>', To: `<${peer.uri('bob')}>` },
      localSdp: sdp('3'),
      auth,
    });
    const { first, retry } = await challenged(peer, 'INVITE', 407);
    const acknowledged = await peer.expectRequest('ACK');
    expect(numberOf(acknowledged.message)).toBe(numberOf(first.message));
    expect(retry.message.body).toBe(sdp('3'));
    const call = PeerCall.from(peer, retry.message);
    await call.respond(retry, 200, { body: sdp('4') });
    const dialog = await within(created, 2_000, 'createUAC');
    const ack = await peer.expectRequest('ACK');
    expect(numberOf(ack.message)).toBe(numberOf(retry.message));
    expect(dialog.id).toBe(call.dialogId);
    const modified = dialog.modify(sdp('5'));
    const again = await peer.expectRequest('INVITE');
    expect(numberOf(again.message)).toBe(numberOf(retry.message) + 1);
    await call.respond(again, 200, { body: sdp('6') });
    expect(await within(modified, 2_000, 'modify')).toBe(sdp('6'));
    await peer.expectRequest('ACK');
    const ended = dialog.destroy();
    await call.respond(await peer.expectRequest('BYE'), 200);
    await within(ended, 2_000, 'destroy');
  });

  row(
    87,
    'L',
    "CANCEL between the challenge and the retry's reply goes to the new transaction",
    async (bench) => {
      const relay = await SlowRelay.open(bench.engine.admin, 100);
      const application = newApplication();
      try {
        await connectApplication(application, {
          admin: { host: '127.0.0.1', port: relay.port },
          secret: bench.engine.secret,
        });
        const peer = await bench.peer();
        let sent: SrfRequest | undefined;
        const outcome = application
          .createUAC(
            peer.uri('bob'),
            { headers: { To: `<${peer.uri('bob')}>` }, localSdp: sdp('3'), auth },
            {
              cbRequest: (_error, request) => {
                sent = request;
              },
            },
          )
          .then(
            () => 200,
            (error: { status: number }) => error.status,
          );
        const first = await peer.expectRequest('INVITE');
        await until(() => sent !== undefined, 2_000, 'the request is known');
        const refusing = PeerCall.from(peer, first.message);
        await refusing.respond(first, 407, { headers: { 'Proxy-Authenticate': challenge } });
        const retry = await peer.expectRequest('INVITE');
        // The engine's reply is on its way for 100 ms.
        sent!.cancel();
        const call = PeerCall.from(peer, retry.message);
        await call.respond(retry, 180);
        const cancel = await peer.expectRequest('CANCEL');
        expect(parseVia(cancel.message.headers.get('Via')!)?.branch).toBe(
          parseVia(retry.message.headers.get('Via')!)?.branch,
        );
        await call.respond(cancel, 200);
        await call.respond(retry, 487);
        expect(await within(outcome, 3_000, 'outcome of createUAC')).toBe(487);
      } finally {
        application.disconnect();
        await relay.close();
      }
    },
  );

  row(88, 'B', "the ACK of the authenticated INVITE's 2xx repeats the credentials", async (bench) => {
    const wire = await bench.wire();
    const peer = await bench.peer();
    const credentials = `Digest username="1001",realm="${realm}",nonce="${nonce}",uri="sip:x",response="00"`;
    const leg = await establishUac(wire, peer, { headers: { 'Proxy-Authorization': credentials } });
    const parsed = parseCredentials(leg.ack.message.headers.get('Proxy-Authorization') ?? '');
    expect(parsed?.nonce).toBe(nonce);
    expect(parsed?.username).toBe('1001');
    await hangUpAtApp(wire, leg.call, leg.dialogId);
  });

  row(
    89,
    'R',
    'a challenged BYE, re-INVITE or REFER keeps the dialog; the retry has the next CSeq',
    async (bench) => {
      const wire = await bench.wire();
      const peer = await bench.peer();
      const leg = await establishUac(wire, peer);
      let number = numberOf(leg.invite.message);
      for (const [method, status] of [
        ['INVITE', 401],
        ['REFER', 407],
        ['BYE', 401],
      ] as const) {
        const body = method === 'INVITE' ? sdp('5') : '';
        const headers: Record<string, string> =
          method === 'REFER' ? { 'Refer-To': '<sip:c@example.com>' } : {};
        const header = status === 401 ? 'WWW-Authenticate' : 'Proxy-Authenticate';
        await wire.inDialog(leg.dialogId, method, headers, body);
        const first = await peer.expectRequest(method);
        expect(numberOf(first.message)).toBe(++number);
        await leg.call.respond(first, status, { headers: { [header]: challenge } });
        expect(dialogOf(await wire.expectResponse({ status }))).toBe(leg.dialogId);
        const retry = await wire.inDialog(
          leg.dialogId,
          method,
          {
            ...headers,
            Authorization: `Digest username="1001",realm="${realm}",nonce="${nonce}",uri="sip:x",response="00"`,
          },
          body,
        );
        expect(retry.fields[3]).toBe('OK');
        const second = await peer.expectRequest(method);
        expect(numberOf(second.message)).toBe(++number);
        await leg.call.respond(second, method === 'REFER' ? 202 : 200, body === '' ? {} : { body: sdp('6') });
        await wire.expectResponse({ transaction: sentTransaction(retry) });
        if (method === 'INVITE') await wire.inDialog(leg.dialogId, 'ACK');
      }
      await pause(50);
      expect((await wire.inDialog(leg.dialogId, 'BYE')).fields[3]).toBe('NOK');
    },
  );

  row(90, 'R', '403 on the retry is delivered; there is no third attempt', async (bench) => {
    const application = await bench.srf();
    const peer = await bench.peer();
    const answered = register(application, peer);
    const { retry } = await challenged(peer, 'REGISTER');
    await PeerCall.from(peer, retry.message).respond(retry, 403);
    expect(
      (
        await within(
          answered.then((each) => each),
          2_000,
          'answer',
        )
      ).status,
    ).toBe(403);
    await peer.expectNothing((each) => each.kind === 'request', 200, 'No third attempt');
  });

  row(
    91,
    'R',
    'after a 200 to REGISTER over TLS an INVITE to that Contact uses the connection',
    async (bench) => {
      const wire = await bench.wire('register');
      const call = await bench.caller('tls');
      const contact = 'sip:1001@192.0.2.77:49999;transport=tls';
      await call.send('REGISTER', { headers: { Contact: `<${contact}>`, Expires: '60' } });
      const frame = await wire.expectRequest('REGISTER');
      await wire.respond(frame, 200, { headers: { Contact: `<${contact}>;expires=60`, Expires: '60' } });
      await call.response(200, 'REGISTER');
      const reply = await wire.newRequest(`INVITE ${contact} SIP/2.0`, { To: `<${contact}>` }, sdp());
      expect(reply.fields[3]).toBe('OK');
      const invite = await call.peer.expectRequest('INVITE');
      expect(invite.message.uri).toBe(contact);
      expect(invite.route).toBe(await call.peer.route());
      await PeerCall.from(call.peer, invite.message).respond(invite, 486);
      await wire.expectResponse({ status: 486 });
    },
  );

  row(92, 'R', 'the same after the connection has closed: 410 at once', async (bench) => {
    const wire = await bench.wire('register');
    const call = await bench.caller('tls');
    const contact = 'sip:1002@192.0.2.78:49999;transport=tls';
    await call.send('REGISTER', { headers: { Contact: `<${contact}>`, Expires: '60' } });
    const frame = await wire.expectRequest('REGISTER');
    await wire.respond(frame, 200, { headers: { Contact: `<${contact}>;expires=60`, Expires: '60' } });
    await call.response(200, 'REGISTER');
    const connections = async () => (await bench.engine.counts())?.openConnections;
    const before = await connections();
    call.peer.closeConnections();
    if (before === undefined) await pause(500);
    else
      await until(async () => (await connections())! < before, 3_000, 'the engine knows that it has closed');
    const watch = Stopwatch.start();
    const reply = await wire.newRequest(`INVITE ${contact} SIP/2.0`, { To: `<${contact}>` }, sdp());
    expect(reply.fields[3]).toBe('OK');
    await wire.expectResponse({ status: 410, transaction: sentTransaction(reply) });
    // A connection would have been tried for longer.
    expect(watch.milliseconds).toBeLessThan(watch.bound(3_000));
  });

  row(
    '92 own',
    'B',
    'a REGISTER of an app with the route `flow:lost` comes back unsolicited when its connection closes',
    async (bench) => {
      const wire = await bench.wire('flow:lost');
      const peer = await bench.peer('tcp');
      const reply = await wire.newRequest(`REGISTER ${peer.uri()} SIP/2.0`, {
        To: `<${peer.uri()}>`,
        Contact: '<sip:me@localhost>',
      });
      const arrived = await peer.expectRequest('REGISTER');
      const call = PeerCall.from(peer, arrived.message);
      await call.respond(arrived, 200);
      await wire.expectResponse({ status: 200, transaction: sentTransaction(reply) });
      peer.closeConnections();
      const lost = await wire.expectUnsolicited();
      expect(lost.message.headers.get('Call-ID')).toBe(call.callId);
      expect(lost.message.headers.get('Reason')).toMatch(/^Transport;failure=closed;text="/);
    },
  );

  row(
    93,
    'B',
    'REGISTERs with fresh options have different Call-IDs; reused options repeat the old one',
    async (bench) => {
      const application = await bench.srf();
      const peer = await bench.peer();
      const callIdOf = async (options: ReturnType<typeof registration>): Promise<string> => {
        const request = await application.request(`sip:127.0.0.1:${peer.port}`, options);
        const answered = new Promise((resolve) => request.on('response', resolve));
        const { retry } = await challenged(peer, 'REGISTER');
        await PeerCall.from(peer, retry.message).respond(retry, 200);
        await within(answered, 2_000, 'answer');
        return retry.message.headers.get('Call-ID')!;
      };
      expect(await callIdOf(registration(peer))).not.toBe(await callIdOf(registration(peer)));
      const options = registration(peer);
      await callIdOf(options);
      expect(Object.keys(options.headers).map((name) => name.toLowerCase())).toContain('call-id');
    },
  );
});
