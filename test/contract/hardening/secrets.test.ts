import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { digestHa1, digestResponse, formatCredentials, parseChallenges } from '../../../src/sip/digest.js';
import type { SipResponse } from '../../../src/sip/message.js';
import type { SipPeer } from '../../../src/testkit/sip-peer.js';
import { PeerCall } from '../../support/peer-call.js';
import { agentDescription, trunkDescription, trunkKey } from '../media/descriptions.js';
import { calledNumber, Stage } from './stage.js';

const username = 'trunk-user';
const password = 'c0rrect-horse-battery';

let stage: Stage;
let trunk: SipPeer;
beforeAll(async () => {
  stage = await Stage.start({
    isTls: true,
    engine: { t1: 60, options: ['--log-level', 'trace'] },
    edge: { DEMARC_LOG_LEVEL: 'trace' },
  });
  trunk = await stage.peer('tls');
  const credentials = [{ username, password: stage.seal(password) }];
  await stage.configure({ inbound: [{ id: 'digest', credentials }] });
});
afterAll(() => stage?.stop());
afterEach(() => stage.expectNothingLeft());

/** What must not be found anywhere: digest responses sent so far. */
const digestResponses: string[] = [];

function credentialsFor(
  challenged: SipResponse,
  uri: string,
  credentials: { username: string; password: string; nc?: string },
): string {
  const challenge = parseChallenges(challenged.headers.lines('WWW-Authenticate'))[0]!;
  const fields = {
    algorithm: challenge.algorithm!,
    username: credentials.username,
    realm: challenge.realm,
    nonce: challenge.nonce,
    uri,
    qop: 'auth',
    nc: credentials.nc ?? '00000001',
    cnonce: 'c0ffee',
  };
  const response = digestResponse({ ...fields, password: credentials.password, method: 'INVITE' });
  digestResponses.push(response);
  return formatCredentials({ ...fields, scheme: 'Digest', response, userhash: false });
}

/** An INVITE with that Authorization, or without; its final response, acknowledged when it is a refusal. */
async function attempt(call: PeerCall, authorization?: string): Promise<SipResponse> {
  call.remoteTag = undefined;
  const headers = authorization === undefined ? {} : { Authorization: authorization };
  await call.invite({ body: trunkDescription(), headers });
  const { message } = await trunk.expectResponse((status) => status >= 200 || status === 100, {
    callId: call.callId,
    method: 'INVITE',
    cseq: call.cseq,
  });
  const final =
    message.status >= 200
      ? message
      : (await trunk.expectResponse((status) => status >= 200, { callId: call.callId, cseq: call.cseq }))
          .message;
  if (final.status >= 300) await call.ack(final);
  return final;
}

/** Lines of a response without what differs from request to request. */
const shape = (response: SipResponse): string[] =>
  [...response.headers]
    .filter(([name]) => !['Via', 'From', 'To', 'Call-ID', 'CSeq', 'Date'].includes(name))
    .map(([name, value]) => `${name}: ${value.replace(/nonce="[^"]*"/, 'nonce')}`)
    .concat(`${response.status} ${response.reason}`);

describe('digest on the wire', () => {
  it('unknown user and wrong password get the same answer', async () => {
    const answers: string[][] = [];
    for (const credentials of [
      { username, password: 'wrong' },
      { username: 'nobody', password },
    ]) {
      const call = PeerCall.to(trunk, calledNumber);
      const challenge = await attempt(call);
      expect(challenge.status).toBe(401);
      answers.push(shape(await attempt(call, credentialsFor(challenge, call.target, credentials))));
      await stage.record(call.callId);
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]!.at(-1)).toContain('401');
  });

  it('a replayed answer is stale, and use of the nonce by another source does not make it so', async () => {
    const call = PeerCall.to(trunk, calledNumber);
    const challenge = await attempt(call);
    const authorization = credentialsFor(challenge, call.target, { username, password });
    const pending = attempt(call, authorization);
    const invite = await stage.agent.expectRequest('INVITE');
    const agent = PeerCall.from(stage.agent, invite.message);
    await agent.respond(invite, 200, { body: agentDescription() });
    const ok = await pending;
    expect(ok.status).toBe(200);
    call.learn(ok);
    await call.ack(ok);
    await stage.agent.expectRequest('ACK', { callId: agent.callId });
    await stage.hangUp({ trunk: call, agent, invite });
    expect(await stage.record(call.callId)).toMatchObject({ outcome: 'completed' });
    const replay = PeerCall.to(trunk, calledNumber);
    const refused = await attempt(replay, authorization);
    expect(refused.status).toBe(401);
    expect(refused.headers.lines('WWW-Authenticate').every((line) => /stale=true/i.test(line))).toBe(true);
    await stage.record(replay.callId);
  });
});

describe('with every log at its most talkative', () => {
  it('neither logs nor records hold keys, passwords, digest answers or our own secrets', async () => {
    await stage.configure({});
    const legs = await stage.establish(trunk);
    const keys = [trunkKey, /inline:([A-Za-z0-9+/=]+)/.exec(lastBodyToTrunk())![1]!];
    await stage.hangUp(legs);
    const bad = PeerCall.to(trunk, calledNumber);
    await bad.invite({
      body: `${trunkDescription()}a=crypto:2 AES_CM_128_HMAC_SHA1_80 inline:${'C'.repeat(40)} what\r\nnonsense`,
      headers: {
        Authorization: `Digest username="${username}", response="${'d'.repeat(32)}`,
        Require: 'nothing',
      },
    });
    await bad.ack((await bad.response(420)).message);
    // What cannot be read at all: the libraries below get to see it too.
    await trunk.send(
      `INVITE sip:x SIP/2.0\r\nAuthorization: Digest response="${'e'.repeat(32)}"\r\nContent-Length: 0\r\n\r\n`,
    );
    const records = JSON.stringify([
      await stage.record(legs.trunk.callId),
      await stage.record(bad.callId),
      ...(await stage.otherRecords()),
    ]);
    const logs = `${stage.edge.output}\n${stage.engine.output()}`;
    expect(logs).toContain('Call answered');
    const secrets = [
      ...keys,
      'C'.repeat(40),
      'd'.repeat(32),
      'e'.repeat(32),
      ...digestResponses,
      password,
      stage.engine.secret,
      digestHa1('SHA-256', username, 'demarc', password),
      digestHa1('MD5', username, 'demarc', password),
    ];
    expect(digestResponses.length).toBeGreaterThanOrEqual(3);
    for (const secret of secrets) {
      expect(logs.includes(secret), `a log holds ${secret}`).toBe(false);
      expect(records.includes(secret), `a record holds ${secret}`).toBe(false);
    }
    expect(records).toContain('inline:[redacted]');
  });

  function lastBodyToTrunk(): string {
    const answered = trunk.all(
      (message) => message.kind === 'response' && message.status === 200 && message.body !== '',
    );
    return answered.at(-1)!.message.body;
  }
});
