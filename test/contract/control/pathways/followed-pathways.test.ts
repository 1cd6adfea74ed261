import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signCallToken } from '../../../../src/contract/call-token.js';
import { numberKey } from '../../../../src/contract/keys.js';
import { numberDocumentSchema } from '../../../../src/contract/number.js';
import { SecretBox } from '../../../../src/contract/secret.js';
import { createKey } from '../../../../src/control/organizations/keys.js';
import { createOrganization } from '../../../../src/control/organizations/organizations.js';
import { until } from '../../../../src/testkit/waiting.js';
import { documentWith } from '../../../unit/control/pathways/sample-document.js';
import { type Answer, type ApiUnderTest, startApi } from '../api-under-test.js';
import { ControlBench } from '../control-bench.js';

const secretKey = 'ab'.repeat(32);
let bench: ControlBench;
let api: ApiUnderTest;
let redis: ReturnType<ControlBench['connectRedis']>;
let key: string;
let otherKey: string;
let hours: string;
const inbound = '+14155550161';
const outbound = '+14155550162';

beforeAll(async () => {
  bench = await ControlBench.start();
  redis = bench.connectRedis();
  api = await startApi(bench, { DEMARC_SECRET_KEY: secretKey });
  await bench.pretendEdge();
  const { id: stranger } = await createOrganization(bench.database, { name: 'other', sipEnabled: true });
  ({ key } = await createKey(bench.database, bench.organization, 'test'));
  ({ key: otherKey } = await createKey(bench.database, stranger, 'test'));
  const base = { type: 'text', name: 'Hours', text: 'Open from nine to five.' };
  hours = dataOf(await api.post('/v1/knowledge/learn', key, base)).id;
  await attachSip(inbound, { type: 'inbound' });
  await attachSip(outbound, { type: 'outbound', sip_endpoint: 'sip:pbx.example.com' });
});
afterAll(async () => {
  await api?.stop();
  await bench?.stop();
});

const dataOf = (answer: Answer) => {
  expect(answer.text).toContain('"errors":null');
  return answer.body.data;
};
const refusal = ({ status, body }: Answer) => ({ status, ...body.errors[0] });
async function attachSip(number: string, direction: object): Promise<void> {
  const order = { phone_numbers: [number], directions: [direction], service: 'sip' };
  expect(dataOf(await api.post('/v1/sip/attach', key, order)).configured).toEqual([number]);
}
const withKnowledge = () =>
  documentWith((d) => {
    (d.nodes[0] as { kb_ids?: string[] }).kb_ids = [hours];
  });
const create = async (document: unknown = documentWith()): Promise<string> =>
  dataOf(await api.post('/v1/pathways', key, { name: 'Appointments', document })).id;
const promote = async (path: string): Promise<void> => {
  dataOf(await api.post(`/v1/${path}/versions/promote`, key, {}));
};
const attach = (id: string, values: object = {}, by = key): Promise<Answer> =>
  api.post(`/v1/pathways/${id}/inbound/attach`, by, { inbound_numbers: [inbound], ...values });
const detach = (id: string): Promise<Answer> =>
  api.post(`/v1/pathways/${id}/inbound/detach`, key, { inbound_numbers: [inbound] });
const documentOf = async () => {
  await until(async () => (await bench.waiting()) === 0, 5_000, 'the projection');
  return numberDocumentSchema.parse(JSON.parse((await redis.get(numberKey(inbound.slice(1))))!));
};
const changePrompt = (id: string): Promise<Answer> =>
  api.patch(`/v1/pathways/${id}`, key, {
    document: documentWith((d) => {
      (d.nodes[0] as { prompt?: string }).prompt = `Ask again (${randomUUID()}).`;
    }),
  });

describe('calls to a number', () => {
  it('follow the live version of its pathway, with the knowledge of its nodes', async () => {
    const id = await create(withKnowledge());
    expect(dataOf(await attach(id)).numbers).toEqual([{ phone_number: inbound, version_number: null }]);
    expect(await documentOf()).not.toHaveProperty('pathway');
    await promote(`pathways/${id}`);
    expect(await documentOf()).toMatchObject({ pathway: { id, version: 1 }, pathway_knowledge_ids: [hours] });
    dataOf(await changePrompt(id));
    expect((await documentOf()).pathway).toEqual({ id, version: 1 });
    await promote(`pathways/${id}`);
    expect((await documentOf()).pathway).toEqual({ id, version: 2 });
    expect(refusal(await api.delete(`/v1/pathways/${id}`, key))).toMatchObject({
      status: 409,
      error: 'PATHWAY_IN_USE',
      message: expect.stringContaining(inbound),
    });
    dataOf(await detach(id));
    expect(await documentOf()).not.toHaveProperty('pathway');
    expect((await api.delete(`/v1/pathways/${id}`, key)).status).toBe(200);
  });

  it('follow the version that the number names, which is not deleted meanwhile', async () => {
    const id = await create();
    await promote(`pathways/${id}`);
    dataOf(await api.post(`/v1/pathways/${id}/versions/1/fork`, key, {}));
    expect(dataOf(await attach(id, { version_number: 2 })).numbers).toMatchObject([{ version_number: 2 }]);
    expect((await documentOf()).pathway).toEqual({ id, version: 2 });
    const gone = await api.delete(`/v1/pathways/${id}/versions/2`, key);
    expect(refusal(gone)).toMatchObject({ status: 409, error: 'PATHWAY_IN_USE' });
    expect(refusal(await attach(id, { version_number: 9 }))).toMatchObject({ status: 404 });
    expect((await attach(id, {}, otherKey)).status).toBe(404);
    dataOf(await detach(id));
  });

  it('follow the pathway of the live persona, unless the number has its own', async () => {
    const [ofPersona, ofNumber] = [await create(withKnowledge()), await create()];
    await promote(`pathways/${ofPersona}`);
    await promote(`pathways/${ofNumber}`);
    const values = { name: 'Front desk', pathway_id: ofPersona, voice: 'maya' };
    const persona = dataOf(await api.post('/v1/personas', key, values));
    expect(persona.current_draft_version).toMatchObject({ pathway_id: ofPersona, pathway_version: null });
    const numbers = { inbound_numbers: [inbound] };
    dataOf(await api.post(`/v1/personas/${persona.id}/inbound/attach`, key, numbers));
    expect(await documentOf()).not.toHaveProperty('pathway');
    await promote(`personas/${persona.id}`);
    expect(await documentOf()).toMatchObject({
      persona: { id: persona.id },
      pathway: { id: ofPersona, version: 1 },
      pathway_knowledge_ids: [hours],
      voice: 'maya',
    });
    dataOf(await changePrompt(ofPersona));
    await promote(`pathways/${ofPersona}`);
    expect((await documentOf()).pathway).toEqual({ id: ofPersona, version: 2 });
    dataOf(await attach(ofNumber));
    expect((await documentOf()).pathway).toEqual({ id: ofNumber, version: 1 });
    dataOf(await detach(ofNumber));
    expect((await api.delete(`/v1/pathways/${ofPersona}`, key)).text).toContain(persona.id);
    dataOf(await api.patch(`/v1/personas/${persona.id}`, key, { pathway_version: 1 }));
    await promote(`personas/${persona.id}`);
    expect((await documentOf()).pathway).toEqual({ id: ofPersona, version: 1 });
    dataOf(await api.patch(`/v1/personas/${persona.id}`, key, { pathway_id: null }));
    await promote(`personas/${persona.id}`);
    expect(await documentOf()).not.toHaveProperty('pathway');
    expect((await api.delete(`/v1/pathways/${ofPersona}`, key)).status).toBe(200);
  });
});

describe('an ordered call', () => {
  const order = (values: object): Promise<Answer> =>
    api.post('/v1/calls', key, { phone_number: '+14155550199', from: outbound, task: 'Call.', ...values });
  const commandOf = async (callId: string) =>
    (await redis.xrange('demarc:commands', '-', '+'))
      .map(([, fields]) => JSON.parse(fields[1]!))
      .find(({ call_id }) => call_id === callId);

  it('follows the pathway of the order before that of its persona, and has its voice', async () => {
    const [own, unused] = [await create(withKnowledge()), await create()];
    await promote(`pathways/${own}`);
    await promote(`pathways/${unused}`);
    const values = { name: 'Sales', pathway_id: unused, voice: 'maya' };
    const { id: persona } = dataOf(await api.post('/v1/personas', key, values));
    await promote(`personas/${persona}`);
    const byPersona = (await order({ persona_id: persona })).body.call_id;
    expect(await commandOf(byPersona)).toMatchObject({
      pathway_id: unused,
      pathway_version: 1,
      voice: 'maya',
    });
    const byOrder = (await order({ persona_id: persona, pathway_id: own, voice: 'tom' })).body.call_id;
    expect(await commandOf(byOrder)).toMatchObject({
      pathway_id: own,
      pathway_version: 1,
      voice: 'tom',
      knowledge_ids: [hours],
    });
    expect((await api.get(`/v1/calls/${byOrder}`, key)).body).toMatchObject({
      pathway_id: own,
      voice: 'tom',
    });
  });

  it('is refused with a pathway that is unknown or has no such version, also in a batch', async () => {
    const draft = await create();
    for (const [values, path, named] of [
      [{ pathway_id: randomUUID() }, 'pathway_id', 'not one of your pathways'],
      [{ pathway_id: draft }, 'pathway_id', 'no live version'],
      [{ pathway_id: draft, pathway_version: 7 }, 'pathway_version', 'no version 7'],
      [{ pathway_version: 1 }, 'pathway_version', 'needs pathway_id'],
    ] as const)
      expect(refusal(await order(values))).toMatchObject({
        status: 400,
        path,
        message: expect.stringContaining(named),
      });
    const calls = [{ phone_number: '+14155550199' }, { phone_number: '+14155550198', pathway_id: draft }];
    const batch = { from: outbound, task: 'Call.', pathway_id: draft, pathway_version: 1, calls };
    expect(refusal(await api.post('/v1/calls/batch', key, batch))).toMatchObject({
      status: 400,
      path: 'calls.1.pathway_id',
    });
    expect((await order({ pathway_id: draft, pathway_version: 1 })).text).toContain('success');
  });
});

describe('the agent of a call', () => {
  it('reads the version of the pathway that the call follows with the token, and no other', async () => {
    const id = await create();
    await promote(`pathways/${id}`);
    dataOf(await changePrompt(id));
    const order = { phone_number: '+14155550199', from: outbound, task: 'Call.', pathway_id: id };
    const token = signCallToken(new SecretBox([secretKey]), {
      organization: bench.organization,
      callId: (await api.post('/v1/calls', key, order)).body.call_id,
      pathway: { id, version: 1 },
      knowledgeIds: [],
      expiresAt: Math.floor(Date.now() / 1_000) + 60,
    });
    const read = (path: string) => fetch(api.url + path, { headers: { 'x-demarc-token': token } });
    const own = await read(`/v1/pathways/${id}/versions/1`);
    expect(await own.json()).toMatchObject({
      data: { version_number: 1, document: { start_node_id: expect.any(String) } },
    });
    for (const path of [`/v1/pathways/${id}/versions/2`, `/v1/pathways/${id}`, '/v1/pathways'])
      expect((await read(path)).status, path).toBe(403);
  });
});
