import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { generateSecretKey, SecretBox } from '../../../src/contract/secret.js';
import { digestResponse, formatCredentials, parseChallenges } from '../../../src/sip/digest.js';
import type { SipResponse } from '../../../src/sip/message.js';
import { isRealServer } from '../../support/engine-under-test.js';
import { PeerCall } from '../../support/peer-call.js';
import { trunkDescription } from '../media/descriptions.js';
import { CallBench, calledNumber } from './bench.js';

const secretKey = generateSecretKey();
const user = { username: 'trunk', password: 'correct-horse-battery' };
let bench: CallBench;
beforeAll(async () => {
  bench = await CallBench.start({ DEMARC_SECRET_KEY: secretKey, DEMARC_SOURCE_POLICY: 'none' });
  await bench.addEdge('second');
  await bench.addEdge('third');
  const password = new SecretBox([secretKey]).seal(user.password);
  await bench.configure({ inbound: [{ id: 'pbx', credentials: [{ ...user, password }] }] });
});
afterAll(() => bench?.stop());
afterEach(() => bench.expectNothingLeft());

function answerTo(challenged: SipResponse, uri: string): string {
  const [challenge] = parseChallenges(challenged.headers.lines('WWW-Authenticate'));
  const { algorithm, realm, nonce } = challenge!;
  const fields = {
    algorithm: algorithm!,
    username: user.username,
    realm,
    nonce,
    uri,
    qop: 'auth',
    nc: '00000001',
    cnonce: 'c0ffee',
  };
  const response = digestResponse({ ...fields, password: user.password, method: 'INVITE' });
  return formatCredentials({ ...fields, scheme: 'Digest', response, userhash: false });
}

// A drachtio-server gives each INVITE to the next application.
it.skipIf(isRealServer)(
  'a challenge and its answer are in one record, whichever of three edges challenged',
  async () => {
    const edges = new Set<string>();
    for (let calls = 0; calls < 3; calls++) {
      const trunk = PeerCall.to(bench.trunk, calledNumber);
      await trunk.invite({ body: trunkDescription() });
      const challenge = await trunk.response(401);
      await trunk.ack(challenge.message);
      trunk.remoteTag = undefined;
      const Authorization = answerTo(challenge.message, trunk.target);
      await trunk.invite({ body: trunkDescription(), headers: { Authorization } });
      const { agent, invite } = await bench.atAgent();
      await agent.respond(invite, 486);
      const refusal = await trunk.response(486);
      await trunk.ack(refusal.message);
      const record = await bench.record();
      expect(record).toMatchObject({ end_reason: 'agent_refused', trace_truncated: false });
      const trace = record.trace.filter(({ leg }) => leg === 'trunk').map(({ summary }) => summary);
      expect(trace.filter((summary) => /^401/.test(summary))).toHaveLength(1);
      edges.add(record.edge_id);
    }
    expect(edges.size).toBe(3);
  },
);
