import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { documentWith } from '../../../unit/control/pathways/sample-document.js';
import { type Answer, type ApiUser, WholeApi } from './whole-api.js';

let api: WholeApi;
let user: ApiUser;
let stranger: ApiUser;
let serial = 700;
beforeAll(async () => {
  api = await WholeApi.shared();
}, 300_000);
beforeEach(async () => {
  [user, stranger] = [await api.user(), await api.user()];
});

const saying = (prompt: string) =>
  documentWith((document) => {
    (document.nodes[0] as { prompt?: string }).prompt = prompt;
  });
const create = async (by = user): Promise<string> =>
  (await by.post('/pathways', { name: 'Appointments', document: saying('first') })).data.id;
const promote = (id: string, body: object = {}): Promise<Answer> =>
  user.post(`/pathways/${id}/versions/promote`, body);
const refusal = ({ status, error }: Answer) => [status, error];
const number = async (by = user): Promise<string> => {
  const phone_number = `+14155551${serial++}`;
  const directions = [{ type: 'inbound', allowed_ips: ['203.0.113.0/24'] }];
  const { status } = await by.post('/sip/attach', { phone_number, directions, service: 'sip' });
  expect(status).toBe(200);
  return phone_number;
};

describe('the versions of a pathway', () => {
  it('become live by promotion, and are archived by the next one', async () => {
    const id = await create();
    expect((await promote(id)).data).toMatchObject({
      current_production_version: { version_number: 1 },
      current_draft_version: null,
    });
    expect(refusal(await promote(id))).toEqual([409, 'NO_DRAFT_VERSION']);
    await user.patch(`/pathways/${id}`, { document: saying('second') });
    await promote(id);
    const { versions } = (await user.get(`/pathways/${id}/versions`)).data;
    expect(versions.map((each: Record<string, unknown>) => [each.version_number, each.version_type])).toEqual(
      [
        [2, 'production'],
        [1, 'archived'],
      ],
    );
    // An archived one again.
    expect((await promote(id, { version_number: 1 })).data.current_production_version.version_number).toBe(1);
    expect(refusal(await promote(id, { version_number: 9 }))).toEqual([404, 'NOT_FOUND']);
  });

  it('are compared by node and field', async () => {
    const id = await create();
    await promote(id);
    await user.patch(`/pathways/${id}`, { document: saying('second') });
    const compare = (version: number, from: number) =>
      user.get(`/pathways/${id}/versions/${version}/diff?from=${from}`);
    const { data } = await compare(2, 1);
    expect([data.from_version, data.to_version]).toEqual([1, 2]);
    expect(JSON.stringify(data.changes)).toMatch(/greeting.*first.*second/);
    expect((await compare(1, 1)).data.changes).toEqual([]);
    expect(refusal(await compare(2, 7))).toEqual([404, 'NOT_FOUND']);
    expect((await stranger.get(`/pathways/${id}/versions/2/diff?from=1`)).status).toBe(404);
  });

  it('take no changes once they are live or archived', async () => {
    const id = await create();
    await promote(id);
    const change = await user.put(`/pathways/${id}/versions/1`, { document: saying('late') });
    expect(refusal(change)).toEqual([409, 'VERSION_NOT_CHANGEABLE']);
    const deletion = await user.delete(`/pathways/${id}/versions/1`);
    expect(refusal(deletion)).toEqual([409, 'VERSION_NOT_CHANGEABLE']);
  });

  it('are forked, changed beside the draft, and deleted', async () => {
    const id = await create();
    const fork = await user.post(`/pathways/${id}/versions/1/fork`, { note: 'Shorter' });
    expect(fork.data).toMatchObject({ version_number: 2, version_type: 'fork', forked_from: 1 });
    expect((await stranger.post(`/pathways/${id}/versions/1/fork`)).status).toBe(404);
    const changed = await user.put(`/pathways/${id}/versions/2`, { document: saying('fork'), revision: 1 });
    expect(changed.data.document.nodes[0].prompt).toBe('fork');
    const late = await user.put(`/pathways/${id}/versions/2`, { document: saying('late'), revision: 1 });
    expect(refusal(late)).toEqual([409, 'PATHWAY_CHANGED']);
    expect((await user.get(`/pathways/${id}/versions/1`)).data.document.nodes[0].prompt).toBe('first');
    expect((await stranger.delete(`/pathways/${id}/versions/2`)).status).toBe(404);
    expect((await user.delete(`/pathways/${id}/versions/2`)).data).toEqual({
      version_number: 2,
      deleted: true,
    });
    expect((await user.get(`/pathways/${id}/versions/2`)).status).toBe(404);
    expect((await user.get(`/pathways/${id}/versions/1`)).status).toBe(200);
  });

  it('are read in pages by their own organization', async () => {
    const id = await create();
    for (let count = 0; count < 3; count++) await user.post(`/pathways/${id}/versions/1/fork`);
    const numbers = ({ data }: Answer): number[] =>
      data.versions.map(({ version_number }: { version_number: number }) => version_number);
    const first = await user.get(`/pathways/${id}/versions?limit=3`);
    expect([numbers(first), first.body.has_more]).toEqual([[4, 3, 2], true]);
    const last = await user.get(`/pathways/${id}/versions?limit=3&after=${first.body.next}`);
    expect([numbers(last), last.body.has_more, last.body.next]).toEqual([[1], false, null]);
    expect((await stranger.get(`/pathways/${id}/versions`)).status).toBe(404);
    expect((await stranger.get(`/pathways/${id}/versions/1`)).status).toBe(404);
  });
});

describe('the draft of a pathway', () => {
  it('takes changes of the revision that was read', async () => {
    const id = await create();
    const change = (revision: number) =>
      user.patch(`/pathways/${id}`, { document: saying(`revision ${revision}`), revision });
    expect((await change(1)).data.current_draft_version.revision).toBe(2);
    expect(refusal(await change(1))).toEqual([409, 'PATHWAY_CHANGED']);
    expect((await change(2)).status).toBe(200);
  });

  it('is refused with the node that is wrong', async () => {
    const document = { ...saying('x'), nodes: saying('x').nodes.map((node) => ({ ...node, name: 7 })) };
    const { status, path } = await user.post('/pathways', { name: 'Appointments', document });
    expect([status, path]).toEqual([400, 'document.nodes.0.name']);
  });

  it('names a knowledge base of the organization only', async () => {
    const document = documentWith((each) => {
      (each.nodes[0] as { kb_ids?: string[] }).kb_ids = ['5f0c7f0e-7a3b-4c58-9d1f-0f5a5d3c2b1a'];
    });
    expect((await user.post('/pathways', { name: 'Appointments', document })).status).toBe(400);
  });
});

describe('numbers that follow a pathway', () => {
  const numbersOf = async (id: string): Promise<string> =>
    JSON.stringify((await user.get(`/pathways/${id}`)).data);

  it('are attached all or none, and move from another one', async () => {
    const [id, next] = [await create(), await create()];
    await promote(id);
    const [first, second] = [await number(), await number()];
    const unknown = await user.post(`/pathways/${id}/inbound/attach`, {
      inbound_numbers: [first, '+14155550999'],
    });
    expect(unknown.status).toBe(400);
    expect(await numbersOf(id)).not.toContain(first);
    await user.post(`/pathways/${id}/inbound/attach`, { inbound_numbers: [first, second] });
    expect(await numbersOf(id)).toContain(first);
    await user.post(`/pathways/${next}/inbound/attach`, { inbound_numbers: [first] });
    expect(await numbersOf(id)).not.toContain(first);
    expect(await numbersOf(id)).toContain(second);
    expect(await numbersOf(next)).toContain(first);
  });

  it('are not attached by another organization', async () => {
    const id = await create();
    const foreign = await number(stranger);
    const refused = await user.post(`/pathways/${id}/inbound/attach`, { inbound_numbers: [foreign] });
    expect(refused.status).toBe(400);
    const own = await number(stranger);
    expect((await stranger.post(`/pathways/${id}/inbound/attach`, { inbound_numbers: [own] })).status).toBe(
      404,
    );
  });

  it('are detached one at a time; those of others are ignored', async () => {
    const [id, next] = [await create(), await create()];
    const [first, second, third] = [await number(), await number(), await number()];
    await user.post(`/pathways/${id}/inbound/attach`, { inbound_numbers: [first, second] });
    await user.post(`/pathways/${next}/inbound/attach`, { inbound_numbers: [third] });
    await user.post(`/pathways/${id}/inbound/detach`, { inbound_numbers: [first, third] });
    expect(await numbersOf(id)).not.toContain(first);
    expect(await numbersOf(id)).toContain(second);
    expect(await numbersOf(next)).toContain(third);
    expect(
      (await stranger.post(`/pathways/${id}/inbound/detach`, { inbound_numbers: [second] })).status,
    ).toBe(404);
  });

  it('keep the pathway from being deleted', async () => {
    const id = await create();
    const phone = await number();
    await user.post(`/pathways/${id}/inbound/attach`, { inbound_numbers: [phone] });
    const refused = await user.delete(`/pathways/${id}`);
    expect(refusal(refused)).toEqual([409, 'PATHWAY_IN_USE']);
    expect(refused.message).toContain(phone);
    await user.post(`/pathways/${id}/inbound/detach`, { inbound_numbers: [phone] });
    expect((await user.delete(`/pathways/${id}`)).status).toBe(200);
  });
});
