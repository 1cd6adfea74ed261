import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { FromTestCaller, VoiceCallReport } from '../../../src/contract/voice-call.js';
import { StreamFramer } from '../../../src/sip/framing.js';
import { Headers } from '../../../src/sip/headers.js';
import { newRequest, type SipMessage, type SipRequest } from '../../../src/sip/message.js';
import { respondTo } from '../../../src/sip/response.js';
import { serialize } from '../../../src/sip/serialize.js';
import { TestCall } from '../../../src/test-caller/test-call.js';
import { until } from '../../../src/testkit/waiting.js';

/** An edge that does what a test says. */
let server: Server;
let edge: Socket;
let received: SipMessage[];
let reports: FromTestCaller[];
beforeEach(async () => {
  received = [];
  reports = [];
  server = createServer((socket) => {
    edge = socket;
    const framer = new StreamFramer({ maximumHeaderBytes: 10_000, maximumMessageBytes: 20_000 });
    socket.on('data', (chunk: Buffer) => {
      for (const item of framer.push(chunk)) {
        if (item.kind !== 'message') continue;
        received.push(item.message);
        server.emit('message');
      }
    });
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  edge?.destroy();
  server.close();
});

async function next(method: string): Promise<SipRequest> {
  for (;;) {
    const found = received.find((message) => message.kind === 'request' && message.method === method);
    if (found !== undefined) return found as SipRequest;
    await once(server, 'message', { signal: AbortSignal.timeout(15_000) });
  }
}

const send = (message: SipMessage): void => void edge.write(Buffer.from(serialize(message), 'latin1'));

const answer =
  'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 9 RTP/SAVP 8\r\n' +
  `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${'A'.repeat(40)}\r\na=rtpmap:8 PCMA/8000\r\na=sendrecv\r\n`;

function begin(answerMilliseconds = 3_000) {
  const address = server.address() as { readonly port: number };
  let report: (report: VoiceCallReport) => void = () => {};
  const ended = new Promise<VoiceCallReport>((resolve) => {
    report = resolve;
  });
  const call = new TestCall(
    {
      type: 'call',
      id: 'one',
      number: '4930',
      uriParameters: ';organization=acme',
      callerNumber: null,
      sipCallId: 'one@test',
      headers: {},
      target: { protocol: 'tcp', host: '127.0.0.1', port: address.port },
      answerMilliseconds,
      maximumMilliseconds: 50_000,
      endOfTurnMilliseconds: 500,
      isRecorded: false,
    },
    {
      report: (message: FromTestCaller) => {
        if (message.type === 'ended') report(message.report);
        else reports.push(message);
      },
      ended: () => {},
    },
  );
  void call.begin();
  return { call, ended };
}

async function established() {
  const { call, ended } = begin();
  const invite = await next('INVITE');
  const contact: [string, string] = ['Contact', '<sip:edge@127.0.0.1;transport=tcp>'];
  send(respondTo(invite, 200, { toTag: 'e', headers: [contact], body: answer }));
  await next('ACK');
  const headers = (method: string, reason?: string): Headers => {
    const list = Headers.from([
      ['Via', 'SIP/2.0/TCP 127.0.0.1;branch=z9hG4bKe'],
      ['From', `${invite.headers.get('To')};tag=e`],
      ['To', invite.headers.get('From')!],
      ['Call-ID', 'one@test'],
      ['CSeq', `7 ${method}`],
    ]);
    return reason === undefined ? list : list.add('Reason', reason);
  };
  return { call, ended, headers };
}

it.each([
  [undefined, 'agent'],
  ['Q.850;cause=16;text="Normal"', 'agent'],
  ['SIP;cause=503;text="Agent lost"', 'failed'],
])('a BYE with Reason %s means that the call ended by: %s', async (reason, by) => {
  const { ended, headers } = await established();
  send(newRequest('BYE', 'sip:tester@127.0.0.1', headers('BYE', reason)));
  expect(await ended).toMatchObject({ ended_by: by, codec: 'PCMA', detail: reason ?? null });
});

it('fails when the connection to the edge breaks', async () => {
  const { ended } = await established();
  edge.destroy();
  expect(await ended).toMatchObject({
    ended_by: 'failed',
    detail: expect.stringContaining('connection to the edge was lost'),
  });
});

it('answers a re-INVITE, and refuses another codec', async () => {
  const { call, headers } = await established();
  const offers = [
    answer.replace('sendrecv', 'sendonly'),
    answer.replaceAll(/8 PCMA|SAVP 8/g, (x) => x.replace('8', '0').replace('PCMA', 'PCMU')),
  ];
  for (const [index, body] of offers.entries()) {
    received = [];
    const list = headers('INVITE')
      .set('CSeq', `${8 + index} INVITE`)
      .add('Content-Type', 'application/sdp');
    send(newRequest('INVITE', 'sip:tester@127.0.0.1', list, body));
    await once(server, 'message');
    const [response] = received;
    if (response?.kind !== 'response') throw new Error('no response');
    expect(response.status).toBe(index === 0 ? 200 : 488);
    if (index === 0) expect(response.body).toContain('a=recvonly');
  }
  call.hangUp();
  await next('BYE');
});

it('holds the call and resumes it, and tries again after glare', async () => {
  const { call, ended } = await established();
  const contact: [string, string] = ['Contact', '<sip:edge@127.0.0.1;transport=tcp>'];
  for (const [isHeld, direction, answered] of [
    [true, 'sendonly', 'recvonly'],
    [false, 'sendrecv', 'sendrecv'],
  ] as const) {
    received = [];
    void call.hold(isHeld);
    const first = await next('INVITE');
    expect(first.body).toContain(`a=${direction}`);
    if (isHeld) {
      send(respondTo(first, 491, {}));
      await next('ACK');
      received = [];
    }
    const second = await next('INVITE');
    send(respondTo(second, 200, { headers: [contact], body: answer.replace('sendrecv', answered) }));
    await next('ACK');
    await until(
      () => reports.some((report) => report.type === 'held' && report.isHeld === isHeld),
      10_000,
      'the hold is reported',
    );
  }
  received = [];
  void call.hold(true);
  send(respondTo(await next('INVITE'), 488, {}));
  expect(await ended).toMatchObject({ ended_by: 'failed', detail: expect.stringContaining('488') });
}, 60_000);

it('cancels an INVITE that is not answered in time, after the first provisional response', async () => {
  const { ended } = begin(100);
  const invite = await next('INVITE');
  expect(await ended).toMatchObject({ ended_by: 'no_answer' });
  expect(received.map((message) => message.kind === 'request' && message.method)).toEqual(['INVITE']);
  send(respondTo(invite, 180, { toTag: 'e' }));
  const cancel = await next('CANCEL');
  expect(invite.uri).toMatch(/^sip:4930@127\.0\.0\.1:\d+;organization=acme$/);
  expect(cancel.uri).toBe(invite.uri);
  expect(invite.headers.get('To')).toMatch(/^<sip:4930@127\.0\.0\.1:\d+>$/);
  expect(cancel.headers.get('To')).toBe(invite.headers.get('To'));
  send(respondTo(invite, 487, { toTag: 'e' }));
  expect((await next('ACK')).headers.get('Via')).toBe(invite.headers.get('Via'));
});

it('says that the edge is not reachable', async () => {
  const { port } = server.address() as { readonly port: number };
  server.close();
  const reports: VoiceCallReport[] = [];
  const call = new TestCall(
    {
      type: 'call',
      id: 'one',
      number: '4930',
      uriParameters: '',
      callerNumber: null,
      sipCallId: 'one@test',
      headers: {},
      target: { protocol: 'tcp', host: '127.0.0.1', port },
      answerMilliseconds: 1_000,
      maximumMilliseconds: 1_000,
      endOfTurnMilliseconds: 500,
      isRecorded: false,
    },
    { report: (message) => message.type === 'ended' && reports.push(message.report), ended: () => {} },
  );
  await call.begin();
  expect(reports).toMatchObject([
    { ended_by: 'failed', detail: expect.stringContaining('cannot be reached') },
  ]);
});
