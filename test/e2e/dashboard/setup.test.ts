import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { trunkDescription } from '../../contract/media/descriptions.js';
import { PeerCall } from '../../support/peer-call.js';
import type { Visitor } from '../browser.js';
import type { RunningSystem } from '../running-system.js';
import { answeredCall, inbound, outbound, Visit } from './visit.js';

const answered = '+12125550161';
const guided = '+12125550162';

let visit: Visit;
let system: RunningSystem;
let noc: Visitor;

beforeAll(async () => {
  visit = await Visit.begin(import.meta.filename);
  system = visit.system;
  await visit.attach(answered, outbound(visit.pbx));
  noc = await visit.visitor();
});
afterAll(() => visit?.end());

describe('setting up', () => {
  it('parses what one types, and finds out how a PBX is reached', async () => {
    const { page } = noc;
    await noc.open('/setup/discover');
    await page.getByLabel('PBX').fill('tls://[2001:db8::1]:5071');
    await page.getByText('sip:[2001:db8::1]:5071;transport=tls').waitFor();
    await page.getByLabel('PBX').fill('not a host');
    await page.getByText('Not a destination').waitFor();
    await page.getByText('Show as curl').click();
    await page.getByLabel('PBX').fill('127.0.0.1');
    await page.getByText(`-d '{"host":"127.0.0.1"}'`).waitFor();
    await page.getByRole('button', { name: 'Discover' }).click();
    await page.getByRole('heading', { name: 'Result' }).waitFor();
    await page.getByRole('region', { name: 'Attempts' }).getByRole('row').nth(1).waitFor();
    await noc.expectPageAccessible('setup-discover');
  });

  it('shows the real values for firewall and PBX, to copy', async () => {
    const { page } = noc;
    await noc.open('/setup');
    await page.getByRole('button', { name: 'Copy: 127.0.0.1' }).click();
    await expect.poll(() => noc.copied()).toBe('127.0.0.1');
    await noc.expectPageAccessible('setup-firewall');
    await page.getByRole('link', { name: 'Your PBX' }).click();
    await noc.heading('Connect your PBX');
    const { port } = system.ready.sip;
    await page.getByRole('radio', { name: 'Asterisk', exact: true }).check({ force: true });
    await page.getByText(`contact=sip:127.0.0.1:${port}\\;transport=tls`).waitFor();
    await page.getByRole('radio', { name: 'Cisco CUBE', exact: true }).check({ force: true });
    await page.getByText(`session target ipv4:127.0.0.1:${port}`).waitFor();
    await page.getByRole('radio', { name: '3CX', exact: true }).check({ force: true });
    await page.getByRole('row', { name: 'auth_mode register' }).waitFor();
    await page.getByRole('radio', { name: 'FreePBX', exact: true }).check({ force: true });
    await page.getByRole('row', { name: `SIP Server Port ${port}` }).waitFor();
  });

  it('leads through the set-up of a PBX until its call is admitted, and says why the first one was not', async () => {
    const { page } = noc;
    await visit.attach(guided, inbound('203.0.113.9'));
    await noc.open(`/setup/pbx?system=Asterisk&number=${guided.slice(1)}`);
    const authority = new X509Certificate(readFileSync(system.ready.sip.caFile));
    await page.getByText(authority.fingerprint256).waitFor();
    const link = page.getByRole('link', { name: 'Download demarc-ca.crt' });
    const [, pem = ''] = (await link.getAttribute('href'))!.split('base64,');
    expect(new X509Certificate(Buffer.from(pem, 'base64')).fingerprint256).toBe(authority.fingerprint256);

    await page.getByText('Waiting for the first OPTIONS or INVITE').waitFor();
    const peer = await visit.peer();
    const refused = PeerCall.to(peer, guided.slice(1));
    await refused.send('INVITE', { body: trunkDescription(), headers: { 'User-Agent': 'Asterisk PBX 22' } });
    await refused.ack((await refused.response(403)).message);
    await page.getByText('INVITE from 127.0.0.1: 403, the address is not in the list').waitFor();
    await page.getByText(/^TLSv1\.3, TLS_/).waitFor();
    await page.getByText('Asterisk PBX 22').waitFor();
    await noc.picture('pbx-refused');
    await page.getByRole('button', { name: 'Allow 127.0.0.1' }).click();
    await page.getByText('127.0.0.1 is in the list now').waitFor();

    const call = await answeredCall(peer, guided);
    await page.getByText('Connected: a call was admitted').waitFor();
    await noc.expectPageAccessible('setup-pbx');
    await call.hangUp();
  });
});

describe('the reference at /docs', () => {
  it('places a call for a new user with a key, under its content security policy', async () => {
    const newcomer = await visit.stranger();
    const { page } = newcomer;
    await newcomer.load('/docs/#/Calls/createCall');
    // Beside the key, the form takes the token of a call.
    const keyForm = page.locator('.auth-container').filter({ has: page.getByLabel('auth-bearer-value') });
    await page.locator('.auth-wrapper .authorize').click();
    await keyForm.getByLabel('auth-bearer-value').fill(system.ready.http.apiKey);
    await keyForm.locator('.auth-btn-wrapper button.authorize').click();
    await page.locator('.auth-btn-wrapper .btn-done').first().click();
    const operation = page.locator('#operations-Calls-createCall');
    const body = operation.locator('textarea.body-param__text');
    if (!(await body.isVisible())) await operation.locator('.opblock-summary-control').click();
    // The example stands there already; only the numbers are the newcomer's own.
    await body.waitFor();
    const example = JSON.parse(await body.inputValue()) as Record<string, unknown>;
    await body.fill(JSON.stringify({ ...example, from: answered }));
    await operation.locator('button.execute').click();
    const answer = operation.locator('.live-responses-table .response').first();
    await answer.waitFor();
    expect(await answer.locator('.response-col_status').textContent()).toContain('200');
    expect(await answer.textContent()).toContain('The call is queued.');
    expect(newcomer.problems).toEqual([]);
  }, 240_000);
});

describe('the secrets of bots and agents', () => {
  it('are created and shown once; credentials of an agent are revoked', async () => {
    const { page } = noc;
    await noc.open('/setup/bots');
    await page.getByRole('button', { name: 'Create secret' }).click();
    await page.getByText('Shown only now.').waitFor();
    await page.getByText('Current', { exact: true }).waitFor();
    await noc.expectPageAccessible('setup-bots');
    await noc.open('/setup/agents');
    await page.getByText('No agent can place calls by INVITE.').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Outbound runtime');
    await page.getByRole('button', { name: 'Create credentials' }).click();
    await page.getByText('Shown only now.').waitFor();
    const password = (await page.locator('.once b').last().textContent())!;
    expect(password.length).toBeGreaterThan(15);
    await noc.expectAccessible('agent credentials');
    await noc.open('/setup/agents');
    await page.getByRole('row').filter({ hasText: 'Outbound runtime' }).waitFor();
    expect(await page.content()).not.toContain(password);
    await page.getByRole('button', { name: 'Revoke Outbound runtime' }).click();
    await page.getByRole('button', { name: 'Revoke for good' }).click();
    await page.getByText('No agent can place calls by INVITE.').waitFor();
    expect(noc.problems).toEqual([]);
  });
});
