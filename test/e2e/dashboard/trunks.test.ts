import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../../src/testkit/waiting.js';
import type { Visitor } from '../browser.js';
import type { RunningSystem } from '../running-system.js';
import { closedUri, inbound, outbound, shown, Visit } from './visit.js';

const answered = '+12105550161';
const refusing = '+12105550162';
const broken = '+12105550163';
const backed = '+12105550164';
const registering = '+12105550165';

let visit: Visit;
let system: RunningSystem;
let noc: Visitor;

beforeAll(async () => {
  visit = await Visit.begin(import.meta.filename);
  system = visit.system;
  const pbxUri = visit.pbx;
  const closed = await closedUri();
  await visit.attach(answered, inbound(), outbound(pbxUri));
  await visit.attach(refusing, inbound('203.0.113.0/24'));
  await visit.attach(broken, outbound(closed));
  const register_auth = { username: 'acme', password: 'correct horse' };
  await visit.attach(registering, {
    type: 'inbound',
    auth_mode: 'register',
    register_auth,
    sip_endpoint: closed,
  });
  await visit.attach(backed, outbound(closed));
  const { port } = new URL(pbxUri.replace('sip:', 'http://').replace(/;.*/, ''));
  await system.ask('PATCH', '/v1/sip/config', {
    phone_number: backed,
    direction: 'outbound',
    failover_config: {
      endpoints: [{ host: '127.0.0.1', port: Number(port), transport: 'tcp', priority: 1 }],
      failback: 'manual',
    },
  });
  await system.ask('GET', `/v1/sip/status?phone_number=${encodeURIComponent(answered)}&probe=now`);
  await system.ask('GET', `/v1/sip/status?phone_number=${encodeURIComponent(broken)}&probe=now`);
  await system.phone(refusing, 1).exit(30_000);
  noc = await visit.visitor();
});
afterAll(() => visit?.end());

describe('a trunk', () => {
  it('shows its health over time, its configuration and its failures in plain words', async () => {
    const { page } = noc;
    await noc.open(`/trunks/${answered.slice(1)}`);
    await noc.heading(shown(answered));
    const health = page.getByRole('region', { name: 'Health' });
    await health.getByText('Reachable', { exact: true }).first().waitFor();
    // A share of a day says nothing after a minute of checks.
    await health.getByText('Checked since').waitFor();
    expect(await health.getByText('100 %').count()).toBe(0);
    await page.getByLabel('30 d').check({ force: true });
    await health.getByText(/reachable in \d+ of \d+ checks? since/).waitFor();
    await noc.expectPageAccessible('trunk');
    await noc.open('/trunks');
    await page
      .getByRole('row')
      .filter({ hasText: shown(broken) })
      .getByText('Connection refused')
      .waitFor();
    await noc.expectPageAccessible('trunks');
    await page.getByRole('link', { name: shown(broken) }).click();
    await noc.heading(shown(broken));
    await page.getByText('Check port and transport').first().waitFor();
    await noc.expectAccessible('trunk-broken');
    await noc.open(`/trunks/${refusing.slice(1)}`);
    const failures = page.getByRole('region', { name: 'Latest failures' });
    await failures
      .getByText("The call came from an address that is not in the number's allowed IPs.")
      .waitFor();
  });

  it('shows the server in use, the reason, and the state of its registration', async () => {
    const { page } = noc;
    const order = { phone_number: '+12025550199', from: backed, task: 'Say hello.' };
    const { call_id } = await system.ask('POST', '/v1/calls', order);
    const status = `/v1/sip/status?phone_number=${encodeURIComponent(backed)}`;
    await until(
      async () => (await system.ask('GET', status)).data.failover?.failed_over === true,
      20_000,
      'the backup is used',
    );
    await noc.open(`/trunks/${backed.slice(1)}`);
    await page.getByText('Calls go to a backup').waitFor();
    await page.getByRole('region', { name: 'Servers and failover' }).getByText('in use').waitFor();
    await noc.picture('failover');
    await page.getByRole('button', { name: 'Fail back to the first server' }).click();
    await expect.poll(() => page.getByText('Calls go to a backup').count()).toBe(0);
    await system.ask('POST', `/v1/calls/${call_id}/stop`);
    await noc.open(`/calls/${call_id}`);
    await page.getByRole('region', { name: 'Servers tried' }).getByText('Unreachable').waitFor();
    for (const lane of ['Agent', 'Demarc', 'Trunk']) {
      await page.locator('.lane-names').getByText(lane, { exact: true }).waitFor();
    }
    await noc.picture('call-outbound');
    await noc.open(`/trunks/${registering.slice(1)}`);
    const registration = page.getByRole('region', { name: 'Registration' });
    await registration.getByText('Failed').waitFor();
    await registration.getByText('acme').waitFor();
    await noc.picture('registration');
    await noc.open('/trunks');
    const rowOf = (number: string) => page.getByRole('row').filter({ hasText: shown(number) });
    await rowOf(registering).getByText('Registration failed').waitFor();
    await rowOf(backed).getByText('1 of 2 servers unreachable').waitFor();
  });

  it('is called for a test, with a timeline as it happens', async () => {
    const { page } = noc;
    await noc.open(`/trunks/${answered.slice(1)}`);
    const test = page.getByRole('region', { name: 'Test call' });
    await test.getByRole('button', { name: 'Place a test call' }).click();
    await test.getByText('Ringing', { exact: true }).waitFor();
    await test.getByText('Announcement', { exact: true }).waitFor();
    await noc.picture('test-call');
    await noc.open(`/trunks/${broken.slice(1)}`);
    await test.getByRole('button', { name: 'Place a test call' }).click();
    await test.getByText('Failed').first().waitFor();
    await test.getByRole('link', { name: 'SIP messages' }).waitFor();
    await noc.picture('test-call-failed');
  });

  it('has its alerts set and tried', async () => {
    const { page } = noc;
    await noc.open(`/trunks/${answered.slice(1)}`);
    const form = page.getByRole('form', { name: 'Alerts of outbound calls' });
    await form.getByLabel('Outbound calls').check();
    await form.getByLabel('Unreachable for').fill('3');
    // This service has no mail server, and the organization no contact for SMS.
    await form.getByText('This service cannot send email').waitFor();
    expect(await form.getByLabel('Email').isDisabled()).toBe(true);
    await form.getByLabel('Webhook').fill('https://hooks.invalid/alerts');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('Saved.').waitFor();
    await form.getByRole('button', { name: 'Send a test notice' }).click();
    await form.getByText('Not configured').first().waitFor();
    await noc.picture('alert-form');
    await page.reload();
    await expect.poll(() => form.getByLabel('Unreachable for').inputValue()).toBe('3');
    await expect.poll(() => form.getByLabel('Webhook').inputValue()).toBe('https://hooks.invalid/alerts');
    expect(noc.problems).toEqual([]);
  });
});
