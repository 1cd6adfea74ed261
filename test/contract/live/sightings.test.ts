import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sighting, sightingSchema, sightingStream } from '../../../src/contract/sighting.js';
import { SipPeer } from '../../../src/testkit/sip-peer.js';
import { until } from '../../../src/testkit/waiting.js';
import { TestAuthority } from '../../support/certificates.js';
import { startEngine } from '../../support/engine-under-test.js';
import { PeerCall } from '../../support/peer-call.js';
import { CallBench, calledNumber } from '../call/bench.js';
import { trunkDescription } from '../media/descriptions.js';

let bench: CallBench;
let authority: TestAuthority;
/** A PBX that calls over TLS. */
let pbx: SipPeer;

beforeAll(async () => {
  authority = await TestAuthority.create();
  bench = await CallBench.start({}, () => startEngine({ t1: 100, authority }));
  await bench.configure({ inbound: [{ id: 'in-1', allowed_sources: ['203.0.113.9'] }] });
  pbx = await SipPeer.open({
    protocol: 'tls',
    target: bench.engine.listeners.tls!,
    certificate: await authority.issue('pbx'),
    ca: authority.ca,
  });
});
afterAll(async () => {
  await pbx?.close();
  await bench?.stop();
  authority?.remove();
});

const all = async (): Promise<Sighting[]> =>
  (await bench.redis.xrange(sightingStream, '-', '+')).map(([, [, json]]) =>
    sightingSchema.parse(JSON.parse(json!)),
  );

async function seen(matches: (sighting: Sighting) => boolean): Promise<Sighting> {
  let found: Sighting | undefined;
  await until(
    async () => {
      found = (await all()).find(matches);
      return found !== undefined;
    },
    5_000,
    'the sighting',
  );
  return found!;
}

/** Sends a request that is answered finally; returns the status. */
async function ask(method: string, user: string): Promise<number> {
  const call = PeerCall.to(pbx, user);
  await call.send(method, {
    headers: { 'User-Agent': 'FPBX-16.0.40(20.5.0)' },
    ...(method === 'INVITE' && { body: trunkDescription() }),
  });
  const { message } = await call.response((status) => status >= 200, method);
  if (method === 'INVITE') await call.ack(message);
  return message.status;
}

describe('a PBX that is being set up', () => {
  it('is seen with its INVITE that was refused, the reason, its TLS session and User-Agent', async () => {
    expect(await ask('INVITE', calledNumber)).toBe(403);
    expect(await seen(({ method }) => method === 'INVITE')).toMatchObject({
      edge_id: 'bench',
      kind: 'request',
      source: { address: '127.0.0.1', protocol: 'tls' },
      tls: { version: 'TLSv1.3', cipher: expect.stringMatching(/^TLS_/), certificate: null },
      user_agent: 'FPBX-16.0.40(20.5.0)',
      called: calledNumber,
      number: calledNumber,
      organization: 'acme',
      status: 403,
      end_reason: 'refused_source',
      detail: expect.stringContaining('allows 127.0.0.1'),
    });
  });

  it('is seen with its OPTIONS, of the number that it names or of none', async () => {
    expect(await ask('OPTIONS', `+${calledNumber}`)).toBe(200);
    expect(await ask('OPTIONS', 'ping')).toBe(200);
    const named = await seen(({ method, number }) => method === 'OPTIONS' && number !== null);
    expect(named).toMatchObject({ number: calledNumber, organization: 'acme', status: 200 });
    const unnamed = await seen(({ method, called }) => method === 'OPTIONS' && called === 'ping');
    expect(unnamed).toMatchObject({ number: null, organization: null, status: 200 });
  });

  it('is seen with its REGISTER, which is refused', async () => {
    expect(await ask('REGISTER', 'trunk')).toBe(405);
    expect(await seen(({ method }) => method === 'REGISTER')).toMatchObject({ status: 405 });
  });

  it('is seen with its call to a number that is not attached', async () => {
    expect(await ask('INVITE', '14155559999')).toBe(404);
    expect(await seen(({ called }) => called === '14155559999')).toMatchObject({
      organization: null,
      end_reason: 'refused_unknown_number',
    });
  });

  it('is seen with a TLS handshake that failed, so that no request came', async () => {
    const { host, port } = bench.engine.listeners.tls!;
    const socket = connect(port, host, () => socket.write('OPTIONS sip:demarc SIP/2.0\r\n\r\n'));
    socket.on('error', () => {});
    await once(socket, 'close');
    expect(await seen(({ kind }) => kind === 'handshake')).toMatchObject({
      source: { address: '127.0.0.1', port: null, protocol: 'tls' },
      detail: expect.stringMatching(/wrong version number|http request|unexpected message|packet length/i),
    });
  });

  it('is seen once in five seconds, however often it repeats the same', async () => {
    const before = (await all()).length;
    for (let sent = 0; sent < 30; sent += 1) expect(await ask('OPTIONS', 'flood')).toBe(200);
    await seen(({ called }) => called === 'flood');
    expect((await all()).length - before).toBeLessThanOrEqual(3);
  });
});
