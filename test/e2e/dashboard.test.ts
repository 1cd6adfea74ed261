import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsePhoneNumber } from 'libphonenumber-js/min';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RuleModel } from '../../src/rule-model/rule-model.js';
import { SipPeer } from '../../src/testkit/sip-peer.js';
import { pause, until } from '../../src/testkit/waiting.js';
import { trunkDescription } from '../contract/media/descriptions.js';
import { TestAuthority } from '../support/certificates.js';
import { freePorts } from '../support/free-ports.js';
import { PeerCall } from '../support/peer-call.js';
import type { TestProcess } from '../support/processes.js';
import { png } from '../unit/control/porting/pictures.js';
import { launchBrowser, pictures, Visitor } from './browser.js';
import { type Body, RunningSystem } from './running-system.js';

/** The dashboard in Chromium, on everything that `npm start` runs, with softphones and a PBX behind it. */
const answered = '+12025550161';
const refusing = '+12025550162';
const broken = '+12025550163';
const backed = '+12025550164';
const registering = '+12025550165';
const ported = '+14155552671';

/** What the models of a test say: caller, agent, pathway, judge and analyzer, told apart by their system prompts. */
const testedConversation: Parameters<typeof RuleModel.start>[0]['rules'] = [
  {
    when: { system: 'You play the caller' },
    answer: { say: 'I need help.', hang_up: false },
    latency_ms: 300,
  },
  {
    when: { system: 'You decide how' },
    answer: { extracted: { request: 'help' }, condition_met: true, edge: 'answered' },
  },
  { when: { system: 'You are the agent' }, answer: 'Good morning, how can I help you?' },
  {
    when: { system: 'You judge a test' },
    answer: { reasoning: 'The agent showed no sympathy.', verdict: false },
  },
  {
    when: { system: 'You improve telephone agents' },
    answer: {
      root_cause: 'No prompt asks for sympathy.',
      suggestions: [
        {
          ...{ type: 'prompt_change', target_node_id: 'greeting', confidence: 0.8 },
          ...{ description: 'Show sympathy first.', suggested_change: 'Say that you are sorry.' },
        },
      ],
    },
  },
];

/** As the pages show it. */
const shown = (number: string): string => parsePhoneNumber(number).formatInternational();

let system: RunningSystem;
let browser: Browser;
let noc: Visitor;
let pbx: TestProcess;
let authority: TestAuthority;
let callers: SipPeer;
let model: RuleModel;

beforeAll(async () => {
  // Slow enough to see a text being learned.
  model = await RuleModel.start({ rules: testedConversation, embedding_latency_ms: 700 });
  const [started, launched, made] = await Promise.all([
    // Scripted callers send no audio, and pages take their time on a busy machine.
    RunningSystem.start({
      DEMARC_MEDIA_TIMEOUT_SECONDS: '600',
      DEMARC_SILENT_CALL_SECONDS: '3600',
      DEMARC_EMBEDDINGS_URL: model.url,
      DEMARC_EMBEDDINGS_MODEL: 'hashes',
      DEMARC_EMBEDDINGS_BATCH: '8',
      DEMARC_LLM_URL: model.url,
      DEMARC_LLM_MODEL: 'rules',
      DEMARC_LLM_STAND_IN: 'true',
    }),
    launchBrowser(),
    TestAuthority.create(),
  ]);
  [system, browser, authority] = [started, launched, made];
  const [port, closed] = await freePorts(2);
  pbx = system.agent('--listen', `127.0.0.1:${port}`, '--ring-ms', '300');
  await pbx.line(/Agent is ready/, 20_000);
  const pbxUri = `sip:127.0.0.1:${port};transport=tcp`;
  const inbound = (allowed: string): object => ({ type: 'inbound', allowed_ips: [allowed] });
  const outbound = (uri: string): object => ({
    type: 'outbound',
    sip_endpoint: uri,
    options: { secure_media: false },
  });
  const attach = (number: string, ...directions: object[]): Promise<Body> =>
    system.ask('POST', '/v1/sip/attach', { phone_numbers: [number], directions, service: 'sip' });
  await attach(answered, inbound('127.0.0.0/8'), outbound(pbxUri));
  await attach(refusing, inbound('203.0.113.0/24'));
  await attach(broken, outbound(`sip:127.0.0.1:${closed};transport=tcp`));
  const registrar = `sip:127.0.0.1:${closed};transport=tcp`;
  const register_auth = { username: 'acme', password: 'correct horse' };
  await attach(registering, {
    type: 'inbound',
    auth_mode: 'register',
    register_auth,
    sip_endpoint: registrar,
  });
  await attach(backed, outbound(`sip:127.0.0.1:${closed};transport=tcp`));
  await system.ask('PATCH', '/v1/sip/config', {
    phone_number: backed,
    direction: 'outbound',
    failover_config: {
      endpoints: [{ host: '127.0.0.1', port, transport: 'tcp', priority: 1 }],
      failback: 'manual',
    },
  });
  await system.ask('GET', `/v1/sip/status?phone_number=${encodeURIComponent(answered)}&probe=now`);
  await system.ask('GET', `/v1/sip/status?phone_number=${encodeURIComponent(broken)}&probe=now`);
  callers = await SipPeer.open({
    protocol: 'tls',
    target: { host: '127.0.0.1', port: system.ready.sip.port },
    certificate: await authority.issue('peer'),
    ca: readFileSync(system.ready.sip.caFile, 'utf8'),
  });
  noc = await Visitor.arrive(browser, system.ready.http.url);
});

afterAll(async () => {
  console.log(`Pictures of the dashboard: ${pictures}`);
  await browser?.close();
  await callers?.close();
  await pbx?.stop();
  await system?.stop();
  await model?.stop();
  authority?.remove();
});

/** A row of past calls to that number. */
const pastCalls = (number: string) =>
  noc.page
    .getByRole('region', { name: 'Past calls, newest first' })
    .getByRole('row')
    .filter({ hasText: shown(number) });

describe('signing in', () => {
  it('refuses a wrong key in words, takes the right one, and keeps nothing of it', async () => {
    const { page } = noc;
    await noc.open('/calls');
    await page.getByLabel('API key').fill('sk-demarc-wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('unknown or revoked').waitFor();
    await noc.expectAccessible('sign-in');
    await noc.picture('sign-in');
    await page.getByLabel('API key').fill(system.ready.http.apiKey);
    await page.keyboard.press('Enter');
    await noc.heading('Calls');
    expect(
      await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])'),
    ).not.toContain('sk-demarc');
    await page.reload();
    await noc.heading('Calls');
  });

  it('loads at most 90 KB before the first page is seen, as phones on slow networks need', async () => {
    const { page } = noc;
    await noc.open('/');
    await page.getByRole('region', { name: 'Verdict' }).waitFor();
    const sizes = await page.evaluate<[string, number][]>(`
      [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
        .filter(({ name }) => !name.includes('/v1/'))
        .map(({ name, encodedBodySize }) => [name, encodedBodySize])`);
    // The formats of phone numbers come after the page.
    const first = sizes.filter(([name]) => !/\/min-/.test(name));
    expect(first.length).toBeGreaterThan(2);
    expect(first.reduce((sum, [, octets]) => sum + octets, 0)).toBeLessThan(90_000);
  });
});

describe('knowledge', () => {
  it('adds a text, follows its progress, shows the passages that a question finds, and deletes it', async () => {
    const { page } = noc;
    await noc.open('/knowledge');
    await page.getByText('No knowledge bases').waitFor();
    await page.getByRole('button', { name: 'Add text' }).click();
    await page.getByLabel('Name').fill('Numbers of a customer');
    await page.getByLabel('Description').fill('How numbers are attached');
    await page.getByLabel('From a file').setInputFiles(join(import.meta.dirname, '../../docs/numbers.md'));
    await expect.poll(() => page.getByLabel('Text', { exact: true }).inputValue()).toContain('# ');
    await noc.expectAccessible('a text to add');
    await noc.picture('knowledge-add');
    await page.getByRole('button', { name: 'Learn this text' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Numbers of a customer' });
    await row.getByText('Learning').waitFor();
    const progress = row.getByRole('progressbar');
    await expect.poll(async () => Number(await progress.getAttribute('value'))).toBeGreaterThan(0.1);
    await row.getByText('Completed').waitFor();
    await row.getByText('English').waitFor();

    await page.getByLabel('Question', { exact: true }).fill('Which codecs are offered to a trunk?');
    await page.getByRole('button', { name: 'Search' }).click();
    const passages = page.getByRole('status').getByRole('listitem');
    await expect.poll(() => passages.count()).toBe(5);
    await passages.filter({ hasText: /codec/i }).first().waitFor();
    await passages
      .first()
      .getByText(/by words/)
      .waitFor();
    await noc.expectAccessible('passages');
    await noc.picture('knowledge-search');
    await noc.onPhone(async () => {
      await noc.expectAccessible('passages on a phone');
      await noc.picture('knowledge-search-phone');
    });

    await row.getByRole('button', { name: 'Delete Numbers of a customer' }).click();
    await row.getByRole('button', { name: 'Delete for good' }).click();
    await page.getByText('No knowledge bases').waitFor();
    expect(noc.problems).toEqual([]);
  });
});

describe('porting', () => {
  it('moves a number from a check over the signature to a call that the agent answers', async () => {
    const { page } = noc;
    await noc.open('/porting');
    await page.getByLabel('Numbers to check').fill(ported);
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText(`${ported} can be ported`).waitFor();
    await page.getByRole('link', { name: 'Port numbers' }).first().click();
    await noc.heading('Port numbers');
    await page
      .getByLabel('Document')
      .setInputFiles({ name: 'invoice.png', mimeType: 'image/png', buffer: png(400, 300) });
    await page.getByText('invoice.png is uploaded.').waitFor();
    const fields = {
      'Numbers to port': ported,
      'Name of the business': 'Acme Corp',
      'First name': 'Jane',
      'Last name': 'Doe',
      'Email address of the authorized': 'jane.doe@example.com',
      'Account number': '998877',
      'Street and house number': '101 Spear St',
      City: 'San Francisco',
      'State, written': 'CA',
      'Postal code': '94105',
    };
    for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).first().fill(value);
    await page.getByRole('button', { name: 'Request the port' }).click();
    await noc.heading('Port request');
    await page.getByText('Waiting for signature').first().waitFor();
    await noc.expectAccessible('port request');
    await noc.picture('port-request');
    const id = new URL(page.url()).pathname.split('/').at(-1)!;

    const link = await system.ask('POST', `/v1/sip/port/${id}/signature`, {});
    await page.goto(link.data.signature_url);
    await noc.heading('Letter of Authorization to port telephone numbers');
    await noc.expectAccessible('letter');
    await page.getByLabel('Your full name').fill('Jane Doe');
    const drawing = page.getByLabel('Area to draw a signature');
    await drawing.scrollIntoViewIfNeeded();
    const canvas = (await drawing.boundingBox())!;
    await page.mouse.move(canvas.x + 30, canvas.y + 60);
    await page.mouse.down();
    await page.mouse.move(canvas.x + 160, canvas.y + 30, { steps: 5 });
    await page.mouse.up();
    await page.getByRole('checkbox').check();
    await noc.picture('letter');
    await page.getByRole('button', { name: 'Sign the letter' }).click();
    await noc.heading('Thank you: the letter is signed');

    await noc.open(`/porting/queue/${id}`);
    await page.getByLabel('Reason').fill('Ported today.');
    await noc.expectAccessible('port request in the queue');
    await noc.picture('port-queued');
    await page.getByRole('button', { name: 'Completed: numbers are ported' }).click();
    await page.getByText('The request is over').waitFor();
    await noc.open(`/porting/${id}`);
    await page.getByText('Inbound number of this organization').waitFor();
    await system.phone(ported, 2).exit(40_000);
    await noc.open('/calls');
    await pastCalls(ported).getByText('Completed').waitFor();
    expect(noc.problems).toEqual([]);
  });
});

describe('live', () => {
  it('shows a call while it is active, and in the history as soon as it has ended', async () => {
    const { page } = noc;
    await noc.open('/calls');
    await page.getByText('No active calls').waitFor();
    const phone = system.phone(answered, 60);
    const row = page
      .getByRole('region', { name: 'Active calls' })
      .getByRole('row')
      .filter({ hasText: shown(answered) });
    await row.getByText('In conversation').waitFor();
    await noc.picture('calls-live');
    await row.getByRole('link').click();
    await noc.heading(/^Call from /);
    await page.getByText('In conversation').waitFor();
    await page.getByText('AES_CM_128_HMAC_SHA1_80').waitFor();
    await noc.picture('call-live');
    await page.getByRole('link', { name: 'Calls' }).first().click();
    await page.getByRole('region', { name: 'Active calls' }).waitFor();
    // Its ladder is to have a gap, which is a second at the least.
    await pause(1_500);
    phone.signal('SIGINT');
    await phone.exit(30_000);
    await page.getByText('No active calls').waitFor();
    await pastCalls(answered).getByText('Completed').waitFor();
  });

  it('shows the messages of a call as they come, and becomes its record without a reload', async () => {
    const { page } = noc;
    const call = PeerCall.to(callers, answered.slice(1));
    const from = `<sip:follow-me@127.0.0.1>;tag=${call.localTag}`;
    call.invitation = await call.send('INVITE', { body: trunkDescription(), headers: { From: from } });
    await call.ack((await call.response(200)).message);
    await noc.open('/calls');
    await page.getByRole('region', { name: 'Active calls' }).getByText('follow-me').click();
    await noc.heading('Call from follow-me');
    await page.getByRole('region', { name: 'Now' }).getByText('In conversation').waitFor();
    await page.getByRole('region', { name: 'Media so far' }).getByText('PCMU').first().waitFor();
    // On this page alone: what is announced, which the next announcement replaces.
    await page.evaluate(`window.announced = [];
      new MutationObserver(() => {
        for (const { textContent } of document.querySelectorAll('[role=status]')) announced.push(textContent);
      }).observe(document.body, { childList: true, characterData: true, subtree: true })`);
    const announced = (pattern: RegExp) => () =>
      page.evaluate(`window.announced?.some((text) => ${pattern}.test(text))`);
    await page.getByRole('button', { name: / ACK ?, Caller to Demarc$/ }).press('Enter');
    const opened = page.getByRole('region', { name: /^Message \d+: ACK$/ });
    await opened.waitFor();
    await noc.expectAccessible('call-live');
    await noc.picture('call-followed');
    await noc.onPhone(async () => {
      await noc.expectAccessible('call-live on a phone');
      await noc.picture('call-followed-phone');
    });
    const body = 'Signal=5\r\nDuration=160\r\n';
    await call.send('INFO', { headers: { 'Content-Type': 'application/dtmf-relay' }, body });
    await page.getByRole('button', { name: / INFO ?, Caller to Demarc$/ }).waitFor();
    await page
      .getByRole('status')
      .getByText(/INFO from Caller to Demarc|new messages/)
      .waitFor();
    await call.hangUp();
    await page.getByRole('region', { name: 'Outcome' }).getByText('Completed').waitFor();
    await expect.poll(announced(/The call has ended\./), { timeout: 30_000 }).toBe(true);
    await page.getByRole('button', { name: / BYE ?, Caller to Demarc$/ }).waitFor();
    await opened.waitFor();
    expect(await page.evaluate('document.activeElement.getAttribute("aria-expanded")')).toBe('true');
    expect(noc.problems).toEqual([]);
  });

  it('continues at the other edge when its edge is killed, as the overview and its ladder say', async () => {
    const { page } = noc;
    const call = PeerCall.to(callers, answered.slice(1));
    call.invitation = await call.send('INVITE', { body: trunkDescription() });
    await call.ack((await call.response(200)).message);
    const held = async () => (await system.ask('GET', '/v1/noc/calls/live')).data.calls[0];
    await expect.poll(async () => (await held())?.edge_id, { timeout: 30_000 }).toMatch(/^edge-[12]$/);
    const { edge_id: lost, call_id: id } = await held();
    const other = lost === 'edge-1' ? 'edge-2' : 'edge-1';
    // Its document is in Redis.
    await pause(200);
    system.kill(lost);
    await noc.open('/');
    await page
      .getByRole('list', { name: 'Calls taken over' })
      .getByText(`${other} took over 1 call from ${lost} at`)
      .waitFor();
    await noc.expectAccessible('overview-takeover');
    await noc.picture('overview-takeover');
    await call.hangUp();
    await expect
      .poll(async () => (await system.ask('GET', `/v1/sip/calls/${id}`)).data?.state, { timeout: 30_000 })
      .toBe('ended');
    await noc.open(`/calls/${id}`);
    await page.getByText(`${other} took the call over from ${lost} at`).waitFor();
    await noc.expectAccessible('call-takeover');
    await noc.picture('call-takeover');
  });

  it('counts it in the overview, and says so when the connection is interrupted', async () => {
    const { page } = noc;
    await noc.open('/');
    await page.getByText('4 of 4, last hour').waitFor();
    await page.locator('.connection').getByText('Live').waitFor();
    // Both stand there only until control is back.
    const told = Promise.all([
      page.locator('.connection').getByText('Reconnecting').waitFor(),
      page.getByText('Connection lost.').waitFor(),
    ]);
    system.kill('control');
    await told;
    await page.locator('.connection').getByText('Live').waitFor();
  });
});

describe('hostile text in headers', () => {
  const payload = '<img src=x onerror="window.hacked=1"><script>window.hacked=2</script>';

  it('is shown as the text that it is, live and in the history', async () => {
    const { page } = noc;
    await noc.open('/calls');
    const call = PeerCall.to(callers, answered.slice(1));
    call.invitation = await call.send('INVITE', {
      body: trunkDescription(),
      headers: {
        From: `"${payload.replaceAll('"', '\\"')}" <sip:mallory@127.0.0.1>;tag=${call.localTag}`,
        'User-Agent': payload,
        Subject: payload,
      },
    });
    await call.ack((await call.response(200)).message);
    await page.getByRole('region', { name: 'Active calls' }).getByText(payload).waitFor();
    await noc.picture('hostile-live');
    await page.getByRole('region', { name: 'Active calls' }).getByText('mallory').click();
    await page.getByText('In conversation').waitFor();
    await call.hangUp();
    await page.getByRole('button', { name: /INVITE SDP ?, Caller to Demarc/ }).click();
    const message = page.getByRole('region', { name: 'Message 1: INVITE' });
    await message.getByText(`User-Agent: ${payload}`).waitFor();
    await noc.picture('hostile-call');
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(await page.locator('img[src="x"], main script').count()).toBe(0);
    expect(noc.problems).toEqual([]);
  });
});

describe('one call', () => {
  it('has its ladder, read by keyboard, with every message in full and the times between', async () => {
    const { page } = noc;
    await noc.open('/calls');
    const ofPhone = page.getByRole('cell', { name: 'caller', exact: true });
    await pastCalls(answered).filter({ has: ofPhone }).getByRole('link').click();
    await noc.heading('Call from caller');
    await page.getByRole('heading', { name: 'SIP messages' }).waitFor();
    for (const lane of ['Caller', 'Demarc', 'Agent'])
      await page.locator('.lane-names').getByText(lane).waitFor();
    const first = page.getByRole('button', { name: /^0\.000 INVITE SDP ?, Caller to Demarc$/ });
    await first.focus();
    await page.keyboard.press('Enter');
    const invite = page.getByRole('region', { name: 'Message 1: INVITE' });
    await invite.getByText('SRTP AES_CM_128_HMAC_SHA1_80').waitFor();
    await invite.getByText('inline:[redacted]').waitFor();
    await page.keyboard.press('ArrowDown');
    // The 100 is second only if the agent's leg takes longer than 200 ms.
    await page.getByRole('region', { name: /^Message 2: (100 Trying|INVITE)/ }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('region', { name: /^Message/ }).count()).toBe(0);
    await page
      .getByText(/^\d+\.\d s later$/)
      .first()
      .waitFor();
    await page.getByLabel('Since previous').check({ force: true });
    await page
      .getByText(/^\+\d\.\d{3}$/)
      .first()
      .waitFor();
  });

  it('has its media, and is copied and downloaded', async () => {
    const { page } = noc;
    const media = page.getByRole('region', { name: 'Media' });
    for (const text of [
      'PCMU',
      'SRTP AES_CM_128_HMAC_SHA1_80',
      'Packets received',
      'MOS (1 to 5)',
      'Jitter',
    ]) {
      await media.getByText(text).first().waitFor();
    }
    await page.getByRole('button', { name: /^Copy all/ }).click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/Caller +Demarc +Agent/);
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: /^pcap/ }).click();
    const file = await (await downloading).path();
    expect(readFileSync(file).readUInt32LE(0)).toBe(0xa1b2c3d4);
    await noc.picture('call');
    await page.getByRole('link', { name: 'Create test scenario' }).click();
    await noc.heading('New scenario');
    await page.getByText(/^Not generated from the call: /).waitFor();
  });

  it('explains a refusal and the remedy', async () => {
    const { page } = noc;
    const phone = system.phone(refusing, 1);
    await phone.exit(30_000);
    await noc.open('/calls?outcome=refused');
    await pastCalls(refusing).getByRole('link').click();
    const outcome = page.getByRole('region', { name: 'Outcome' });
    await outcome
      .getByText("The call came from an address that is not in the number's allowed IPs.")
      .waitFor();
    await outcome.getByText('What to do:').waitFor();
    await page.getByRole('button', { name: /403 Forbidden INVITE ?, Demarc to Caller/ }).click();
    await page.getByRole('region', { name: /^Message \d+: 403/ }).waitFor();
    await noc.picture('call-refused');
  });

  it('is found by part of its caller, and by the cause that the overview counts', async () => {
    const { page } = noc;
    await noc.open('/calls');
    await page.getByLabel('Search').fill('follow-m');
    await page.keyboard.press('Enter');
    const past = page.getByRole('region', { name: 'Past calls, newest first' });
    await expect.poll(() => past.getByRole('row').count()).toBe(2);
    await past.getByText('follow-me').filter({ visible: true }).first().waitFor();
    expect(page.url()).toContain('q=follow-m');
    await noc.open('/?window=24h');
    await page
      .getByRole('region', { name: 'Causes of failed calls' })
      .getByText('403 Source not allowed')
      .click();
    await noc.heading('Calls');
    expect(new URL(page.url()).searchParams.get('end_reason')).toBe('refused_source');
    await pastCalls(refusing).getByText('Refused').waitFor();
    expect(await past.getByRole('row').count()).toBe(2);
    await page
      .getByRole('button', { name: /^Times in/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Times in UTC' }).first().waitFor();
  });
});

describe('a pathway', () => {
  it('is created, edited beside its graph, corrected, promoted, forked and compared', async () => {
    const { page } = noc;
    await noc.open('/pathways');
    await page.getByText('No pathways').waitFor();
    await page.getByLabel('Name').fill('Appointments');
    await page.getByRole('button', { name: 'Create' }).click();
    await noc.heading('Appointments, version 1');
    const graph = page.getByRole('region', { name: 'Graph of the document' });
    await graph.getByRole('button', { name: /^Greeting/ }).press('Enter');
    await page.getByRole('button', { name: 'Add node' }).click();
    await page.getByLabel('Name').fill('Booking');
    await page.getByLabel('Prompt').fill('Ask for the day and confirm {{day}}.');
    await graph.getByRole('button', { name: /^Booking/ }).waitFor();
    await page.getByRole('button', { name: 'Save draft' }).click();
    const refusal = page.getByRole('alert');
    await refusal.getByRole('button', { name: /uses day, but no node/ }).click();
    const text = page.getByLabel('Document as JSON');
    expect(
      await text.evaluate((area: { selectionStart: number; value: string }) =>
        area.value.slice(area.selectionStart),
      ),
    ).toMatch(/^"Ask for the day and confirm/);
    await graph.locator('.faulty .node-name').getByText('Booking').waitFor();
    await noc.expectAccessible('pathway editor with a fault');
    await noc.picture('pathway-editor');
    await noc.onPhone(async () => {
      await noc.expectAccessible('pathway editor on a phone');
      await noc.picture('pathway-editor-phone');
    });
    await text.fill('{');
    await page.getByText('Line 1: expected a field name in double quotes.').waitFor();
    expect(await page.getByRole('button', { name: 'Save draft' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await graph.getByRole('button', { name: /^Greeting/ }).click();
    await page.getByLabel('Prompt').fill('Greet the caller by name.');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Promote version 1' }).click();
    await page.locator('.page-aside').getByText('Live').waitFor();
    await page.getByLabel('Reason').fill('Try a question first');
    await page.getByRole('button', { name: 'Fork version 1' }).click();
    await noc.heading('Appointments, version 2');
    await page.getByText('No changes since version 1').waitFor();
    await graph.getByRole('button', { name: /^Goodbye/ }).click();
    await page.getByLabel('Exact words').fill('Thank you for your patience. Goodbye.');
    await page.getByRole('button', { name: 'Save fork' }).click();
    const changes = page.getByRole('region', { name: 'Changes' });
    await changes.locator('ins').getByText('patience').waitFor();
    await page.getByRole('link', { name: 'Appointments' }).click();
    await noc.heading('Appointments');
    await page.getByRole('region', { name: 'Versions' }).getByText('Try a question first').waitFor();
    expect(noc.problems).toEqual([]);
  });
});

describe('a scenario', () => {
  it('comes from a template, has a form for each type of assertion, and shows a refusal at its assertion', async () => {
    const { page } = noc;
    await noc.open('/testing');
    await page.getByText('No scenarios').waitFor();
    await page.getByRole('link', { name: 'Templates' }).click();
    await expect.poll(() => page.getByRole('link', { name: /^Use / }).count()).toBe(9);
    await noc.expectAccessible('templates');
    await noc.picture('templates');
    await page.getByRole('link', { name: /^Use / }).first().click();
    await noc.heading('New scenario');
    await page.getByLabel('Name of the scenario').fill('Moves an appointment to Friday');
    await page.getByRole('combobox', { name: 'Pathway' }).selectOption({ label: 'Appointments' });
    await page.getByRole('button', { name: 'Create scenario' }).click();
    await noc.heading('Moves an appointment to Friday');

    const added = page.getByLabel('Add an assertion');
    const types = await added.locator('option').allTextContents();
    for (const label of types.slice(1)) await added.selectOption({ label });
    await noc.expectAccessible('all types of assertions');
    await noc.picture('assertion-forms');
    await noc.onPhone(async () => {
      await noc.expectAccessible('all types of assertions on a phone');
      await noc.picture('assertion-forms-phone');
    });
    await page.reload();
    await noc.heading('Moves an appointment to Friday');
    await added.selectOption({ label: 'Regular expression' });
    await page.getByRole('textbox', { name: 'Pattern' }).fill('Friday');
    await page.getByLabel('Flags').fill('x');
    await page.getByRole('button', { name: 'Save scenario' }).click();
    const last = page.locator('.assertion').last();
    await last.locator('.field-problem').waitFor();
    await page.getByLabel('Flags').fill('i');
    await page.getByLabel('Must pass before').check();
    await page.getByRole('button', { name: 'Save scenario' }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByRole('link', { name: 'Scenarios' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Moves an appointment to Friday' });
    await row.getByText('Required').waitFor();
    await row.getByRole('link', { name: 'Appointments' }).waitFor();
    expect(noc.problems).toEqual([]);
  });
});

describe('a run', () => {
  it('is watched live beside the graph, judged, analyzed, and counted in the analytics', async () => {
    const { page } = noc;
    const { data } = await system.ask('GET', '/v1/pathways?limit=1');
    const pathwayId = data.pathways[0].id;
    const scenario = {
      ...{ name: 'Wants sympathy', pathway_id: pathwayId, tester_persona_prompt: 'You want sympathy.' },
      assertions: [
        { type: 'LLM_JUDGE', name: 'Shows sympathy', config: { prompt: 'Did the agent show sympathy?' } },
        { type: 'NODE_REACHED', config: { node_id: 'goodbye' } },
      ],
    };
    const created: Body = await system.ask('POST', '/v1/agent-testing/scenarios', scenario);
    await noc.open(`/testing/scenarios/${created.data.id}`);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('Good morning, how can I help you?').waitFor();
    await page.getByRole('region', { name: 'Result' }).getByText('Failed').waitFor();
    const graph = page.getByRole('region', { name: 'Graph with the visited nodes' });
    await graph.locator('.visited .node-name').getByText('Goodbye').waitFor();
    const assertions = page.getByRole('region', { name: 'Assertions' });
    await assertions.getByText('1 of 2 passed').waitFor();
    await assertions.getByText('The agent showed no sympathy.').waitFor();
    await assertions.getByText(/judged by rules/).waitFor();
    await page.getByText('No language model is configured.').waitFor();
    await page.getByRole('button', { name: 'Analyze this run' }).click();
    await page.getByText('No prompt asks for sympathy.').waitFor();
    await noc.expectAccessible('run');
    await noc.picture('run');
    await noc.onPhone(async () => {
      await noc.expectAccessible('run on a phone');
      await noc.picture('run-phone');
    });
    await noc.open(`/testing?pathway_id=${pathwayId}`);
    await page.getByLabel('Select Wants sympathy').check();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await noc.heading('Batch');
    await page.getByRole('heading', { name: '0 of 1 passed' }).waitFor();
    await page.locator('.page-aside').getByText('Failed').waitFor();
    await noc.expectAccessible('batch');
    await noc.open(`/testing?pathway_id=${pathwayId}`);
    await page.getByLabel('Select Wants sympathy').check();
    await page.getByLabel('Runs of each scenario').fill('2');
    await page.getByRole('button', { name: 'Simulate' }).click();
    await page.getByRole('heading', { name: '2 of 2 runs ended' }).waitFor();
    await page.getByRole('img', { name: 'Scores of 2 runs' }).waitFor();
    await noc.expectAccessible('simulation');
    await noc.picture('simulation');
    await noc.onPhone(async () => {
      await noc.expectAccessible('simulation on a phone');
      await noc.picture('simulation-phone');
    });
    await noc.open(`/testing/tornado/start/${pathwayId}`);
    await page.getByLabel('Most iterations').fill('1');
    await noc.expectAccessible('tornado to start');
    await page.getByRole('button', { name: 'Start tornado' }).click();
    await page.getByRole('heading', { name: 'Iteration 1 of 1' }).waitFor();
    await page.locator('.page-aside').getByText('Running').waitFor({ state: 'hidden' });
    await noc.expectAccessible('tornado');
    await noc.picture('tornado');
    await noc.open(`/testing/analytics/${pathwayId}`);
    await page.getByText('Weakest node').waitFor();
    await page.getByRole('img', { name: /Flow of the runs/ }).waitFor();
    await noc.expectAccessible('analytics');
    await noc.picture('analytics');
    await noc.onPhone(async () => {
      await noc.expectAccessible('analytics on a phone');
      await noc.picture('analytics-phone');
    });
    expect(noc.problems).toEqual([]);
  });
});

describe('a contact', () => {
  const jane = '+14155550142';
  const other = '+14155550143';

  it('comes from a call, and is searched, read, merged, exported and deleted', async () => {
    const visitor = await Visitor.arrive(browser, system.ready.http.url);
    await visitor.signIn(system.ready.http.apiKey);
    const { page } = visitor;
    for (const number of [jane, other]) {
      const call = PeerCall.to(callers, answered.slice(1));
      const from = `<sip:${number}@127.0.0.1>;tag=${call.localTag}`;
      call.invitation = await call.send('INVITE', { body: trunkDescription(), headers: { From: from } });
      await call.ack((await call.response(200)).message);
      await call.hangUp();
    }
    const found = (number: string) => system.ask('POST', '/v1/contacts/find', { phone_number: number });
    await until(async () => (await found(other)).data !== null, 10_000, 'the calls have made contacts');
    const { id } = (await found(jane)).data;
    await system.ask('PATCH', `/v1/contacts/${id}/memory`, {
      summary: 'Jane moved her delivery from Wednesday to Friday. She prefers short calls in the afternoon.',
      facts: { preferred_name: 'Jane', language: 'English', calls_before_noon: false },
      messages: [
        {
          role: 'user',
          content: 'Hi, can you deliver on Friday instead?',
          timestamp: '2026-11-20T15:04:05Z',
        },
        {
          role: 'assistant',
          content: 'Yes, Friday between 1 and 3 p.m. works.',
          timestamp: '2026-11-20T15:04:11Z',
        },
        { role: 'user', content: 'Great, thank you.', timestamp: '2026-11-20T15:04:16Z' },
      ],
      open_items: [
        {
          type: 'follow_up',
          description: 'Confirm the new delivery date by SMS',
          priority: 'high',
          related_to: { entity_type: 'order', entity_id: '1042' },
        },
      ],
      entities: [
        {
          entity_type: 'order',
          entity_id: '1042',
          status: 'rescheduled',
          facts: { items: 3 },
          notes: 'Leave at the door',
        },
      ],
    });

    await page.getByRole('link', { name: 'Contacts' }).click();
    await visitor.heading('Contacts');
    await page.getByLabel(/^Name, number/).fill(jane.slice(-7));
    await page.getByRole('button', { name: 'Search' }).click();
    const list = page.getByRole('region', { name: 'Contacts, newest first' });
    await list.getByRole('row').nth(1).waitFor();
    await expect.poll(() => list.getByRole('row').count()).toBe(2);
    await visitor.expectAccessible('contacts');
    await visitor.picture('contacts');
    await list.getByRole('link', { name: jane }).click();
    await visitor.heading(jane);
    await page.getByLabel('Name').fill('Jane Doe');
    await page.getByRole('button', { name: 'Save name' }).click();
    await visitor.heading('Jane Doe');
    await page.getByText('Jane moved her delivery').waitFor();
    await page.getByRole('region', { name: 'Past calls, newest first' }).getByText('Completed').waitFor();
    await visitor.expectAccessible('contact');
    await visitor.picture('contact');
    await visitor.onPhone(async () => {
      await visitor.expectAccessible('contact on a phone');
      await visitor.picture('contact-phone');
    });

    const merging = page.getByRole('region', { name: 'Merge', exact: true });
    await merging.getByLabel('Other contact').fill(other);
    await merging.getByRole('button', { name: 'Find' }).click();
    await merging.getByRole('button', { name: 'Choose' }).click();
    await merging.getByText(`Merge ${other} into Jane Doe?`).waitFor();
    await visitor.expectAccessible('contact before a merge');
    await visitor.picture('contact-merge');
    await merging.getByRole('button', { name: 'Merge for good' }).click();
    await page.getByRole('region', { name: 'Merges, newest first' }).getByText(other).waitFor();
    await page.getByRole('region', { name: 'Contact', exact: true }).getByText(other).waitFor();
    const calls = page.getByRole('region', { name: 'Past calls, newest first' }).getByRole('row');
    await expect.poll(() => calls.count()).toBe(3);

    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export data' }).click();
    const file = JSON.parse(readFileSync((await (await downloading).path())!, 'utf8'));
    expect(file.data.contact).toMatchObject({ id, name: 'Jane Doe' });
    expect(file.data.calls).toHaveLength(2);
    expect(file.data.calls[1].trace[0].message).toContain(jane);

    await page.getByRole('button', { name: 'Delete contact' }).click();
    const remove = page.getByRole('button', { name: 'Delete for good' });
    await page.getByLabel(/^Write Jane Doe to delete/).fill('Jane');
    expect(await remove.isDisabled()).toBe(true);
    await visitor.picture('contact-delete');
    await page.getByLabel(/^Write Jane Doe to delete/).fill('Jane Doe');
    await remove.click();
    await visitor.heading('Contact deleted');
    await visitor.expectAccessible('contact deleted');
    await visitor.open(`/contacts/${id}`);
    await page.getByText('Contact not found').waitFor();
    await visitor.open('/calls');
    await page
      .getByRole('region', { name: 'Past calls, newest first' })
      .getByText('removed')
      .filter({ visible: true })
      .first()
      .waitFor();
    expect(visitor.problems).toEqual([]);
    await visitor.context.close();
  });
});

describe('a persona', () => {
  it('is created, given knowledge, promoted and attached to a number, whose next call gets it', async () => {
    const visitor = await Visitor.arrive(browser, system.ready.http.url);
    await visitor.signIn(system.ready.http.apiKey);
    const { page } = visitor;
    for (const name of ['Opening hours', 'Prices']) {
      const text = `All about ${name.toLowerCase()}.`;
      await system.ask('POST', '/v1/knowledge/learn', { type: 'text', name, text });
    }
    await visitor.open('/personas');
    await page.getByText('No personas').waitFor();
    await page.getByLabel('Name').fill('Front desk');
    await page.getByRole('button', { name: 'Create' }).click();
    await visitor.heading('Front desk');
    const region = (name: string | RegExp) => page.getByRole('region', { name });
    await region('Live').getByText('Never promoted').waitFor();
    await page.getByLabel('Opening hours').check();
    await page.getByLabel('What the agent does').fill('Answer questions about the shop.');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await region(/^Draft/)
      .getByText('Opening hours')
      .waitFor();
    await page.getByRole('button', { name: 'Promote' }).click();
    await region('Live').getByText('Version 1').waitFor();
    expect(await region(/^Draft/).count()).toBe(0);
    const number = page.getByRole('textbox', { name: 'Number' });
    await number.fill('+14155559999');
    await page.getByRole('button', { name: 'Attach' }).click();
    await page.getByRole('alert').getByText('is not one of your numbers').waitFor();
    await number.fill(answered);
    await page.getByRole('button', { name: 'Attach' }).click();
    await region('Numbers').getByRole('link', { name: answered }).waitFor();
    // A change after the promotion: live and draft differ, and both are shown.
    await page.getByLabel('Prices').check();
    await page.getByRole('button', { name: 'Save draft' }).click();
    await region('Draft, version 2').getByText('Prices, Opening hours').waitFor();
    await region('Live').getByText('Version 1').waitFor();
    await visitor.expectAccessible('a persona with a draft');
    await visitor.picture('persona-draft');
    await visitor.onPhone(() => visitor.picture('persona-draft-phone'));
    const call = PeerCall.to(callers, answered.slice(1));
    await call.invite({ body: trunkDescription() });
    await call.ack((await call.response(200)).message);
    await call.hangUp();
    const path = `/v1/sip/calls?phone_number=${encodeURIComponent(answered)}`;
    const traceOf = async (): Promise<string> => {
      const [last] = (await system.ask('GET', path)).data.calls;
      return JSON.stringify(last && (await system.ask('GET', `/v1/sip/calls/${last.call_id}`))) ?? '';
    };
    await until(
      async () => (await traceOf()).includes('X-Demarc-Persona-Version: 1'),
      10_000,
      'the record of the call',
    );
    expect(visitor.problems).toEqual([]);
    await visitor.context.close();
  });
});

describe('a trunk', () => {
  it('shows its health over time, its configuration and its failures in plain words', async () => {
    const { page } = noc;
    await noc.open(`/trunks/${answered.slice(1)}`);
    await noc.heading(shown(answered));
    const health = page.getByRole('region', { name: 'Health' });
    await health.getByText('Reachable', { exact: true }).first().waitFor();
    await health.getByText('100 %').first().waitFor();
    await page.getByLabel('30 d').check({ force: true });
    await health.getByText(/reachable in \d+ of \d+ checks? since/).waitFor();
    await noc.open('/trunks');
    await page
      .getByRole('row')
      .filter({ hasText: shown(broken) })
      .getByText('Connection refused')
      .waitFor();
    await page.getByRole('link', { name: shown(broken) }).click();
    await noc.heading(shown(broken));
    await page.getByText('Check port and transport').first().waitFor();
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

  it('has its alerts set and tried, and contacts for all', async () => {
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
    await noc.open('/alerts');
    await page.getByLabel('Email addresses').fill('noc@example.com');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await page.reload();
    await expect.poll(() => page.getByLabel('Email addresses').inputValue()).toBe('noc@example.com');
  });

  it('parses what one types, and finds out how a PBX is reached', async () => {
    const { page } = noc;
    await noc.open('/setup/discover');
    await page.getByLabel('PBX').fill('tls://[2001:db8::1]:5071');
    await page.getByText('sip:[2001:db8::1]:5071;transport=tls').waitFor();
    await page.getByLabel('PBX').fill('not a host');
    await page.getByText('Not a destination').waitFor();
    await page.getByLabel('PBX').fill('127.0.0.1');
    await page.getByRole('button', { name: 'Discover' }).click();
    await page.getByRole('heading', { name: 'Result' }).waitFor();
    await page.getByRole('region', { name: 'Attempts' }).getByRole('row').nth(1).waitFor();
    await noc.picture('discover');
  });

  it('shows the real values for firewall and PBX, to copy', async () => {
    const { page } = noc;
    await noc.open('/setup');
    await page.getByRole('button', { name: 'Copy: 127.0.0.1' }).click();
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe('127.0.0.1');
    await page.getByRole('link', { name: 'Your PBX' }).click();
    await noc.heading('PBX settings');
    const { port } = system.ready.sip;
    await page.getByLabel('Asterisk').check({ force: true });
    await page.getByText(`contact=sip:127.0.0.1:${port}\\;transport=tls`).waitFor();
    await page.getByLabel('Cisco CUBE').check({ force: true });
    await page.getByText(`session target ipv4:127.0.0.1:${port}`).waitFor();
    await page.getByLabel('3CX').check({ force: true });
    await page.getByRole('row', { name: `Port ${port}` }).waitFor();
    await page.getByLabel('FreePBX').check({ force: true });
    await page.getByRole('row', { name: `SIP Server Port ${port}` }).waitFor();
  });
});

describe('the reference at /docs', () => {
  it('places a call for a new user with a key, under its content security policy', async () => {
    const newcomer = await Visitor.arrive(browser, system.ready.http.url);
    const { page } = newcomer;
    await newcomer.open('/docs/#/Calls/createCall');
    await page.locator('.auth-wrapper .authorize').click();
    // Beside the key, the form takes the token of a call.
    const keyForm = page.locator('.auth-container').filter({ has: page.getByLabel('auth-bearer-value') });
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
    await newcomer.context.close();
  });
});

describe('another organization', () => {
  it('sees nothing: no call, live or past, no trunk', async () => {
    const calls: Body = await system.ask('GET', `/v1/sip/calls?phone_number=${encodeURIComponent(answered)}`);
    const [mine] = calls.data.calls;
    const other = await Visitor.arrive(browser, system.ready.http.url);
    await other.signIn(await system.organization('other'));
    const { page } = other;
    const phone = system.phone(answered, 60);
    await noc.open('/calls');
    await other.open('/calls');
    await noc.page.getByRole('row').filter({ hasText: 'caller' }).getByText('In conversation').waitFor();
    await page.getByText('No active calls').waitFor();
    await page.getByText('No calls yet').waitFor();
    await other.picture('calls-empty');
    await other.open(`/calls/${mine.call_id}`);
    await page.getByText('Call not found', { exact: true }).waitFor();
    await other.open('/trunks');
    await page.getByText('No numbers yet').waitFor();
    await other.open(`/trunks/${answered.slice(1)}`);
    await page.getByText('has no SIP configuration').first().waitFor();
    expect(await page.getByText('127.0.0.1').count()).toBe(0);
    expect(other.problems).toEqual([]);
    await other.context.close();
    phone.signal('SIGINT');
    await phone.exit(30_000);
  });
});

describe('for everybody', () => {
  it('is used by keyboard: skip link, focus on the title of each page', async () => {
    const { page } = noc;
    await noc.open('/');
    await noc.heading('Overview');
    await page.keyboard.press('Tab');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content');
    await page.getByRole('link', { name: 'Trunks', exact: true }).focus();
    await page.keyboard.press('Enter');
    await noc.heading('Trunks');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Trunks');
    expect(await page.title()).toBe('Trunks · Demarc');
  });

  it('reaches every page of a phone from its menu, by keyboard as well', async () => {
    const { page } = noc;
    await noc.open('/');
    await noc.heading('Overview');
    await noc.onPhone(async () => {
      const bar = page.getByRole('navigation', { name: 'Main' });
      expect(await bar.getByRole('link').allTextContents()).toEqual([
        'Overview',
        'Calls',
        'Alerts',
        'Trunks',
      ]);
      await bar.getByRole('button', { name: 'Menu' }).press('Enter');
      const menu = page.getByRole('dialog', { name: 'Menu' });
      await noc.expectAccessible('menu on a phone');
      await noc.picture('menu-phone');
      await page.keyboard.press('Escape');
      await menu.waitFor({ state: 'hidden' });
      await bar.getByRole('button', { name: 'Menu' }).click();
      await menu.getByRole('link', { name: 'Knowledge' }).press('Enter');
      await noc.heading('Knowledge');
      await menu.waitFor({ state: 'hidden' });
      await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Knowledge');
      await bar.getByRole('button', { name: 'Menu' }).click();
      await menu.locator('[aria-current=page]').getByText('Knowledge').waitFor();
    });
    expect(noc.problems).toEqual([]);
  });

  it('breaks no rule that axe knows, on every page, light on a desk and dark on a phone', async () => {
    const { page } = noc;
    const list: Body = await system.ask('GET', `/v1/sip/calls?phone_number=${encodeURIComponent(answered)}`);
    const call = list.data.calls.find(({ outcome }: Body) => outcome === 'completed');
    const personas: Body = await system.ask('GET', '/v1/personas?limit=1');
    const pathways: Body = await system.ask('GET', '/v1/pathways?limit=1');
    const places = [
      ['overview', '/'],
      ['calls', '/calls'],
      ['call', `/calls/${call.call_id}`],
      ['pathways', '/pathways'],
      ['pathway', `/pathways/${pathways.data.pathways[0].id}`],
      ['testing', '/testing'],
      ['testing-runs', '/testing/runs'],
      ['personas', '/personas'],
      ['persona', `/personas/${personas.data.personas[0].id}`],
      ['trunks', '/trunks'],
      ['trunk', `/trunks/${answered.slice(1)}`],
      ['trunk-broken', `/trunks/${broken.slice(1)}`],
      ['porting', '/porting'],
      ['porting-new', '/porting/new'],
      ['porting-queue', '/porting/queue'],
      ['knowledge', '/knowledge'],
      ['alerts', '/alerts'],
      ['setup-firewall', '/setup'],
      ['setup-pbx', '/setup/pbx'],
      ['setup-discover', '/setup/discover'],
    ] as const;
    for (const [name, path] of places) {
      await noc.open(path);
      await noc.heading(/./);
      await expect.poll(() => page.getByText(/^Loading/).count()).toBe(0);
      if (name === 'call') await page.locator('[data-ordinal="1"]').click();
      await noc.expectAccessible(name);
      await noc.picture(name);
      await noc.onPhone(async () => {
        await noc.expectAccessible(`${name} on a phone`);
        await noc.picture(`${name}-phone`);
      });
    }
    expect(noc.problems).toEqual([]);
  });

  it('is light or dark as one likes, and remembers', async () => {
    const { page } = noc;
    const background = (): Promise<unknown> =>
      page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
    await noc.open('/calls');
    const light = await background();
    await page.getByRole('button', { name: /^Colours: system/ }).click();
    await page.getByRole('button', { name: /^Colours: light/ }).click();
    await expect.poll(background).not.toBe(light);
    const dark = await background();
    await page.reload();
    await noc.heading('Calls');
    await expect.poll(background).toBe(dark);
    await noc.picture('calls-dark');
  });

  it('lets one out', async () => {
    const { page } = noc;
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
    await page.goBack();
    await noc.heading('Sign in to Demarc');
    expect(await page.evaluate("fetch('/v1/noc/summary').then((answer) => answer.status)")).toBe(401);
    expect(noc.problems).toEqual([]);
  });
});
