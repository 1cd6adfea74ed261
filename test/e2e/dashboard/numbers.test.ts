import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PeerCall } from '../../support/peer-call.js';
import type { Visitor } from '../browser.js';
import type { RunningSystem } from '../running-system.js';
import { answeredCall, closedUri, inbound, outbound, shown, Visit } from './visit.js';

const added = '+13035550161';
const edited = '+13035550162';
const shared = '+13035550163';

let visit: Visit;
let system: RunningSystem;
let noc: Visitor;
/** The SIP URI of the PBX, and its port. */
let pbx: string;
let port: string;

beforeAll(async () => {
  visit = await Visit.begin(import.meta.filename);
  system = visit.system;
  pbx = visit.pbx;
  port = /:(\d+);/.exec(pbx)![1]!;
  await visit.attach(edited, inbound('203.0.113.7'), outbound(await closedUri()));
  noc = await visit.visitor();
});
afterAll(() => visit?.end());

const configurationOf = async (number: string) =>
  (await system.ask('GET', `/v1/sip?phone_number=${encodeURIComponent(number)}`)).data;

const next = () => noc.page.getByRole('button', { name: 'Save and continue' }).click();

/** The step begins at the top of the page, with the focus on its name. */
async function expectBegun(step: string): Promise<void> {
  const { page } = noc;
  await expect
    .poll(() => page.evaluate('[document.activeElement.getAttribute("aria-current"), scrollY]'))
    .toEqual(['step', 0]);
  expect(await page.evaluate('document.activeElement.textContent')).toContain(step);
}

describe('adding a number', () => {
  it('takes four steps to a test call that the PBX answers', async () => {
    const { page } = noc;
    await noc.open('/trunks');
    await page.getByRole('link', { name: 'Add number' }).first().click();
    await noc.heading('Add number');
    const number = page.getByLabel('Phone number, E.164');
    await number.fill('303 555 0161');
    await page.getByText('Did you mean +13035550161?').waitFor();
    await number.fill(added);
    await page.getByText('Can be added').waitFor();
    await noc.picture('add-number');
    await page.getByRole('button', { name: 'Continue' }).click();

    await noc.heading(`Add ${shown(added)}`);
    await expectBegun('PBX');
    await page.getByLabel('Address', { exact: true }).fill(`127.0.0.1:${port}`);
    await page.getByRole('button', { name: 'Discover', exact: true }).click();
    const findings = page.getByRole('region', { name: 'Discovery' });
    await findings.getByText('Found', { exact: true }).waitFor();
    await findings.getByText(/answered OPTIONS with 200/).waitFor();
    await expect.poll(() => page.getByLabel('Address', { exact: true }).inputValue()).toBe(pbx);
    await page.getByLabel('Plain RTP').check({ force: true });
    await page.getByText('Show as curl').click();
    await page.getByText(`"sip_endpoint": "${pbx}"`).waitFor();
    await noc.expectAccessibleEverywhere('add-pbx');
    await next();

    const sources = page.getByLabel('Addresses that may call');
    await sources.waitFor();
    await expectBegun('Who may call');
    await sources.fill('not an address');
    await next();
    await page.getByText('Correct the marked fields.').waitFor();
    expect(await sources.getAttribute('aria-invalid')).toBe('true');
    await page.goBack();
    await expect.poll(() => page.getByLabel('Address', { exact: true }).inputValue()).toBe(pbx);
    await page.goForward();
    expect(await sources.inputValue()).toBe('not\nan\naddress');
    await sources.fill('');
    await page.getByRole('button', { name: /^Add the PBX’s address/ }).click();
    expect(await sources.inputValue()).toBe('127.0.0.1');
    await page.getByLabel('Concurrent calls to the number').fill('5');
    await noc.picture('add-callers');

    // A closed tab continues from the page of the number, with what was typed in this one.
    await noc.open(`/trunks/${added.slice(1)}`);
    await page.getByText('step 3 of 4').waitFor();
    await page.getByRole('link', { name: 'Continue', exact: true }).click();
    await expect.poll(() => sources.inputValue()).toBe('127.0.0.1');
    await next();

    const test = page.getByRole('region', { name: 'Test call' });
    await page.getByText('Waiting for a call from the PBX').waitFor();
    await test.getByRole('button', { name: 'Place a test call' }).click();
    await test.getByText('Ringing', { exact: true }).waitFor();
    await test.getByText('Answered', { exact: true }).waitFor();
    await test.getByText('Connected', { exact: true }).waitFor();
    const peer = await visit.peer();
    const call = await answeredCall(peer, added);
    const seen = page.getByRole('region', { name: 'Call the number' });
    await seen.getByText('In conversation').waitFor();
    await noc.expectAccessible('the last step');
    await noc.picture('add-test');
    await call.hangUp();
    // A call that is refused says why, and where that is changed.
    const refused = PeerCall.to(peer, added.slice(1));
    await refused.invite();
    await refused.ack((await refused.response(488)).message);
    await seen.getByText('Refused: 488 SDP offer not acceptable').waitFor();
    await seen.getByRole('link', { name: 'Codecs and encryption of this number' }).waitFor();
    await page.getByRole('link', { name: 'Finish' }).click();
    await noc.heading(shown(added));
    expect(await page.getByText('Set-up is not finished').count()).toBe(0);
    const { configurations } = await configurationOf(added);
    expect(configurations).toMatchObject([
      { direction: 'outbound', sip_endpoint: pbx, options: { secure_media: false } },
      { direction: 'inbound', allowed_ips: ['127.0.0.1'], limits: { concurrent_calls: 5 } },
    ]);
    expect(noc.problems).toEqual([]);
  });
});

describe('editing a number', () => {
  it('orders codecs by keyboard, and sends only what changed', async () => {
    const { page } = noc;
    await noc.open(`/trunks/${edited.slice(1)}/edit`);
    await noc.expectPageAccessible('edit-number');
    const form = page.getByRole('form', { name: 'Outbound calls' });
    await form.getByRole('button', { name: 'Move Opus' }).focus();
    await page.keyboard.press('ArrowUp');
    await form.getByRole('status').getByText('Opus: position 2 of 3').waitFor();
    await page.keyboard.press('Home');
    await form.getByRole('status').getByText('Opus: position 1 of 3').waitFor();
    await form.getByText('1 unsaved change').waitFor();
    await form.getByText('Show as curl').click();
    await form.getByText('"direction": "outbound"').waitFor();
    expect(await form.locator('.as-curl pre').textContent()).not.toContain('limits');
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await form.getByText('Saved.').waitFor();
    const { outbound: saved } = await configurationOf(edited);
    expect(saved).toMatchObject({
      codec_config: { codecs: ['Opus', 'PCMU', 'PCMA'], transcode: false },
      limits: null,
    });
  });

  it('orders codecs by dragging', async () => {
    const { page } = noc;
    await noc.open(`/trunks/${edited.slice(1)}/edit`);
    const list = page
      .getByRole('form', { name: 'Outbound calls' })
      .getByRole('list', { name: 'Codecs, most preferred first' });
    await list.getByText('Opus').first().waitFor();
    const names = async () => (await list.locator('b').allTextContents()).join(' ');
    const [first, ...rest] = (await names()).split(' ');
    await list.getByRole('listitem').last().scrollIntoViewIfNeeded();
    const from = (await list.getByRole('button', { name: `Move ${first}` }).boundingBox())!;
    const last = (await list.getByRole('listitem').last().boundingBox())!;
    await page.mouse.move(from.x + 8, from.y + 8);
    await page.mouse.down();
    await page.mouse.move(from.x + 8, last.y + last.height - 4, { steps: 6 });
    await page.mouse.up();
    await expect.poll(names).toBe([...rest, first].join(' '));
    await page.getByRole('form', { name: 'Outbound calls' }).getByRole('button', { name: 'Discard' }).click();
  });

  it('shows refusals at their field, what a certificate is, and changes of other members', async () => {
    const { page } = noc;
    await noc.open(`/trunks/${edited.slice(1)}/edit`);
    const form = page.getByRole('form', { name: 'Server', exact: true });
    const address = form.getByLabel('Address of the PBX or carrier');
    const before = await address.inputValue();
    await address.fill('http://pbx.example.com');
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await form.getByText(/scheme http is not one of/).waitFor();
    expect(await address.getAttribute('aria-invalid')).toBe('true');
    await address.fill(before);
    await form.getByLabel('Trusted certificate or CA, PEM').fill('-----BEGIN PRIVATE KEY-----');
    await form.getByText('Must hold certificates only').waitFor();
    await form.getByRole('button', { name: 'Remove' }).click();
    await form.getByLabel('User name').fill('acme');
    await form.getByLabel('Password', { exact: true }).fill('correct horse');
    await system.ask('PATCH', '/v1/sip/config', {
      phone_number: edited,
      direction: 'outbound',
      limits: { concurrent_calls: 7 },
    });
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await form.getByText('Changed by another user').waitFor();
    await noc.expectAccessible('a conflict');
    await noc.picture('edit-conflict');
    await form.getByRole('button', { name: 'Read the new values' }).click();
    await expect.poll(() => page.getByLabel('Concurrent calls').last().inputValue()).toBe('7');
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await form.getByText('Saved.').waitFor();
    expect(await page.content()).not.toContain('correct horse');
    expect((await configurationOf(edited)).outbound).toMatchObject({
      options: { sip_username: 'acme', sip_password: '[redacted]' },
      limits: { concurrent_calls: 7 },
    });
    expect(noc.problems).toEqual([]);
  });
});

describe('a shared trunk', () => {
  it('is added with every field, takes a number, and changes for it', async () => {
    const { page } = noc;
    await noc.open('/trunks/shared');
    await page.getByText('No shared trunks').waitFor();
    await page.getByRole('link', { name: 'Add shared trunk' }).click();
    await noc.heading('Add shared trunk');
    const form = page.getByRole('form', { name: 'Shared trunk' });
    await form.getByLabel('Name', { exact: true }).fill('Headquarters');
    await form.getByLabel('Address of the PBX or carrier').fill(pbx);
    await form.getByLabel('Addresses that may call').fill('203.0.113.9');
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await noc.heading('Headquarters');
    await page.getByLabel('Numbers to attach').fill(shared);
    await page.getByRole('button', { name: 'Attach', exact: true }).click();
    await page.getByRole('link', { name: shown(shared) }).waitFor();
    await form.getByLabel('Concurrent calls').last().fill('9');
    await form.getByText('1 unsaved change').waitFor();
    await noc.expectAccessible('a shared trunk');
    await noc.picture('shared-trunk');
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await form.getByText('Saved.').waitFor();
    expect((await configurationOf(shared)).outbound).toMatchObject({
      sip_endpoint: pbx,
      limits: { concurrent_calls: 9 },
    });
    await noc.open(`/trunks/${shared.slice(1)}/edit`);
    await page.getByText('uses the shared trunk').waitFor();
    expect(noc.problems).toEqual([]);
  });
});

describe('API keys', () => {
  it('creates a key with scopes, which is used and revoked', async () => {
    const { page } = noc;
    await noc.open('/setup/keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    const form = page.getByRole('form', { name: 'Create key' });
    await form.getByRole('button', { name: 'Create key' }).click();
    await form.getByLabel('Name').and(form.locator('[aria-invalid]')).waitFor();
    await form.getByLabel('Name').fill('billing');
    await form.getByLabel('Only chosen scopes').check({ force: true });
    await form.getByLabel('Numbers, trunks, set-up: read').check();
    await form.getByText('Show as curl').click();
    await form.getByText('"trunks:read"').waitFor();
    await form.getByRole('button', { name: 'Create key' }).click();
    const created = page.getByRole('region', { name: 'Key billing created' });
    const key = (await created.locator('b').textContent())!;
    const holder = system.withKey(key);
    expect((await holder.ask('GET', '/v1/sip/numbers')).errors).toBeNull();
    expect((await holder.ask('POST', '/v1/keys', { name: 'more' })).errors[0].error).toBe(
      'INSUFFICIENT_SCOPE',
    );

    await noc.open('/setup/keys');
    await noc.expectPageAccessible('keys');
    expect(await page.content()).not.toContain(key);
    const row = page.getByRole('row').filter({ hasText: 'billing' });
    expect(await row.getByText('Never').count()).toBe(0);
    await row.getByRole('button', { name: 'Revoke billing' }).click();
    await row.getByRole('button', { name: 'Revoke for good' }).click();
    await row.getByText('Revoked').waitFor();
    expect((await holder.ask('GET', '/v1/sip/numbers')).errors[0].error).toBe('UNAUTHORIZED');
    expect(noc.problems).toEqual([]);
  });
});
