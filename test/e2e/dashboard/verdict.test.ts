import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SipPeer } from '../../../src/testkit/sip-peer.js';
import { until } from '../../../src/testkit/waiting.js';
import { trunkDescription } from '../../contract/media/descriptions.js';
import { PeerCall } from '../../support/peer-call.js';
import { Stopwatch } from '../../support/stopwatch.js';
import type { Visitor } from '../browser.js';
import type { Body } from '../running-system.js';
import { closedUri, inbound, Visit } from './visit.js';

/** The same refusal for every call of a number: none of them is green. */
const kinds = {
  refused_source: { number: '+15055550161', status: 403, body: trunkDescription() },
  refused_media: { number: '+15055550162', status: 488, body: undefined },
  refused_credentials: { number: '+15055550163', status: 401, body: trunkDescription() },
  agent_unreachable: { number: '+15055550164', status: 503, body: trunkDescription() },
} as const;
type Kind = keyof typeof kinds;

const calls = 5;

let visit: Visit;
let noc: Visitor;
let callers: SipPeer;
/** By kind, since its last call has failed. */
const failed = new Map<Kind, Stopwatch>();

beforeAll(async () => {
  visit = await Visit.begin(import.meta.filename);
  await visit.attach(kinds.refused_source.number, inbound('203.0.113.0/24'));
  await visit.attach(kinds.refused_media.number, inbound());
  await visit.attach(kinds.refused_credentials.number, {
    type: 'inbound',
    allowed_ips: ['203.0.113.0/24'],
    options: { sip_username: 'pbx', sip_password: 'correct horse battery' },
  });
  await visit.attach(kinds.agent_unreachable.number, {
    ...inbound(),
    agent: await closedUri(),
  });
  callers = await visit.peer();
  noc = await visit.visitor();
  // Side by side, because it takes seconds until a number counts as failing.
  await Promise.all(
    (Object.keys(kinds) as Kind[]).map(async (kind) => {
      await drive(kinds[kind]);
      failed.set(kind, Stopwatch.start());
    }),
  );
});
afterAll(() => visit?.end());

async function drive({ number, status, body }: (typeof kinds)[Kind]): Promise<void> {
  for (let placed = 0; placed < calls; placed++) {
    const call = PeerCall.to(callers, number.slice(1));
    await call.invite(body === undefined ? {} : { body });
    const { message } = await call.response(status, 'INVITE', 20_000);
    await call.ack(message);
  }
}

const trunks = async (): Promise<Body[]> =>
  (await visit.system.ask('GET', '/v1/noc/trunks?state=failing')).data.trunks;

describe('the verdict', () => {
  it.each(Object.keys(kinds) as Kind[])(
    'is red while every call ends with %s, and names number and cause',
    async (kind) => {
      const { number } = kinds[kind];
      const watch = failed.get(kind)!;
      await until(
        async () => (await trunks()).some(({ phone_number }) => phone_number === number),
        60_000,
        'the number is failing',
      );
      // A challenge that is not answered counts five seconds later.
      expect(watch.milliseconds).toBeLessThan(watch.bound(16_000));
      const found = (await trunks()).find(({ phone_number }) => phone_number === number);
      expect(found!.calls).toMatchObject({ failed: calls, calls, worst: { end_reason: kind } });
    },
  );

  it('leads the overview of the organization, and of the fleet', async () => {
    const { page } = noc;
    await noc.open('/');
    const verdict = page.getByRole('region', { name: 'Verdict' });
    await verdict.getByText('Needs attention').waitFor();
    await verdict.getByRole('link', { name: 'Calls fail on 4 numbers' }).waitFor();
    const operator = await visit.visitor(visit.operator.ready.http.apiKey);
    await operator.open('/?scope=fleet');
    await operator.page.getByRole('region', { name: 'Verdict' }).getByText('Needs attention').waitFor();
    const row = operator.page
      .getByRole('region', { name: /^Organizations, those whose calls fail first/ })
      .getByRole('row')
      .filter({ hasText: 'verdict.test.ts' });
    await row.getByText('Failing').waitFor();
    await operator.expectAccessible('overview-fleet');
    expect([...noc.problems, ...operator.problems]).toEqual([]);
  });
});

describe('an incident', () => {
  it('has a page from the first failed call to who was notified, with a button to acknowledge it', async () => {
    const { page } = noc;
    await noc.open('/alerts/incidents?state=open');
    // The first reason names it: all calls together may count as failing before those of one number do.
    const open = page.getByRole('link', { name: /calls of (\+1505555016\d|the organization) failed/ });
    await open.waitFor({ timeout: 60_000 });
    await noc.expectAccessible('incidents');
    await open.click();
    await page.getByText('No recipient: no alert fired').waitFor();
    await page
      .getByRole('region', { name: 'Changes before' })
      .getByText(kinds.refused_media.number)
      .first()
      .waitFor();
    await noc.expectAccessible('incident');
    await page.getByLabel('Note for colleagues').fill('Carrier asked.');
    await page.getByRole('button', { name: 'Acknowledge' }).click();
    await page.getByText('Carrier asked.').waitFor();
    await page.getByText('First failed call:').getByRole('link').click();
    await page.getByRole('heading', { name: /^Call from/ }).waitFor();
    expect(noc.problems).toEqual([]);
  });

  it('is on a screen that may change nothing, until the key is revoked', async () => {
    const { page } = noc;
    await noc.open('/alerts/incidents');
    const panel = page.getByRole('region', { name: 'Link for a screen' });
    await panel.getByRole('button', { name: 'Create link' }).click();
    const link = await panel.getByText('/screen#').textContent();
    const screen = await visit.stranger();
    await screen.page.goto(link!);
    await screen.page.getByRole('region', { name: 'Verdict' }).getByText('Needs attention').waitFor();
    await screen.page.getByRole('region', { name: 'Latest incidents' }).getByText('Open').waitFor();
    expect(new URL(screen.page.url()).hash).toBe('');
    expect(await screen.page.getByRole('region', { name: 'Verdict' }).getByRole('link').count()).toBe(0);
    await screen.expectAccessible('screen');
    const { data } = await visit.system.ask('GET', '/v1/keys');
    const { id } = data.keys.find(({ name }: Body) => name === 'NOC screen');
    const { url, apiKey } = visit.system.ready.http;
    const revoked = await fetch(`${url}/v1/keys/${id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${apiKey}` },
    });
    expect(revoked.status).toBe(200);
    await screen.page.getByText('The link is not valid').waitFor();
  });
});

describe('a call that is shared', () => {
  it('shows a carrier its messages without a number', async () => {
    const { page } = noc;
    const { number } = kinds.refused_source;
    const { data } = await visit.system.ask(
      'GET',
      `/v1/sip/calls?limit=1&phone_number=${encodeURIComponent(number)}`,
    );
    await noc.open(`/calls/${data.calls[0].call_id}`);
    const panel = page.getByRole('region', { name: 'Share with a carrier' });
    await panel.getByRole('button', { name: 'Create link' }).click();
    const link = await panel.getByText('/shared-call#').first().textContent();
    await panel.getByText(`Call-ID: ${data.calls[0].sip_call_id}`).waitFor();
    const carrier = await visit.stranger();
    await carrier.page.goto(link!);
    await carrier.page.getByRole('heading', { name: 'SIP messages' }).waitFor();
    expect(await carrier.page.content()).not.toContain(number.slice(1));
    await carrier.expectAccessible('shared-call');
    const download = carrier.page.waitForEvent('download');
    await carrier.page.getByRole('link', { name: /^pcap/ }).click();
    expect((await download).suggestedFilename()).toBe('call.pcap');
    await panel.getByRole('button', { name: 'Revoke' }).click();
    await panel.getByRole('button', { name: 'Revoke' }).waitFor({ state: 'detached' });
    await carrier.page.reload();
    await carrier.page.getByText('The link is not valid').waitFor();
  });
});
