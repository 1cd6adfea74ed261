import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { hearTone } from '../../../dev/softphone/tone.js';
import type { TraceEntry } from '../../../src/contract/call-record.js';
import { signCallToken } from '../../../src/contract/call-token.js';
import { SecretBox } from '../../../src/contract/secret.js';
import { until } from '../../../src/testkit/waiting.js';
import { TestProcess } from '../../support/processes.js';
import { Listening } from '../listening.js';
import type { Body } from '../running-system.js';
import { withoutRepetitions } from '../traces.js';
import type { UserOfStart } from '../user-of-start.js';

const root = join(import.meta.dirname, '..', '..', '..');
const number = '+12025550142';
const caller = '+14155550142';
const callerToneHertz = 1_000;
/** Of the agent, when its knowledge has an answer. */
const foundToneHertz = 880;

/** The code blocks of a page, without their indentation. */
function bashExamples(page: string): string[] {
  const blocks = readFileSync(join(root, page), 'utf8').matchAll(/(?<=\n\n)(?: {4}.*\n)+/g);
  return [...blocks].map(([block]) => block.replaceAll(/^ {4}/gm, '').trim());
}

async function bash(
  user: UserOfStart,
  script: string,
  variables: Readonly<Record<string, string>>,
): Promise<string> {
  const shell = new TestProcess('bash', ['-c', script], { env: { ...user.environment, ...variables } });
  expect(await shell.exit(20_000), shell.output).toBe(0);
  return shell.output;
}

interface ListeningKeys {
  readonly listener: { readonly key: string; readonly name: string };
  readonly operator: { readonly key: string };
}

async function listeningKeys(user: UserOfStart): Promise<ListeningKeys> {
  const keyWith = async (scope: string): Promise<{ key: string; name: string }> => {
    const body = { name: `key with ${scope}`, scopes: [scope] };
    return { key: (await user.ask('POST', '/v1/keys', { body })).body.data.key, name: body.name };
  };
  return { listener: await keyWith('calls:listen'), operator: await keyWith('calls:write') };
}

/** Listens to the only active call, with a key that has no other right; others see who listens. */
async function listen(user: UserOfStart, { listener, operator }: ListeningKeys): Promise<Listening> {
  let callId = '';
  await until(
    async () => {
      const [active] = (await user.ask('GET', '/v1/noc/calls/live')).body.data?.calls ?? [];
      callId = active?.state === 'answered' ? active.call_id : '';
      return callId !== '';
    },
    30_000,
    'an answered call',
  );
  const path = `/v1/calls/${callId}/audio`;
  expect(await user.ask('GET', path, { key: operator.key })).toMatchObject({
    status: 403,
    body: { errors: [{ error: 'INSUFFICIENT_SCOPE' }] },
  });
  const heard = await Listening.begin(user.ready().http.url, listener.key, callId);
  const listeners = async (): Promise<Body> =>
    (await user.ask('GET', `/v1/sip/calls/${callId}`)).body.data?.listeners;
  await expect
    .poll(listeners, { timeout: 10_000 })
    .toEqual([{ name: listener.name, since: expect.any(String) }]);
  return heard;
}

/** What a customer does with curl, with a softphone as the carrier. */
export function customerTests(stage: () => UserOfStart): void {
  describe('a customer', () => {
    it('brings a number with one call of the API, and the next phone call reaches the agent', async () => {
      const refused = await stage().phone(number);
      expect(refused.output).toContain('404');
      expect(refused.code, refused.output).toBe(1);
      const attached = await stage().attach(number);
      expect(attached.status).toBe(200);
      expect(attached.body).toMatchObject({ data: { configured: [number], failed: [] }, errors: null });
      const { code, output } = await stage().phone(number);
      expect(code, output).toBe(0);
      expect(output).toMatch(/Echo heard +yes/);
    });

    it('gives the agent knowledge, which a digit asks during the call, with the token of the call alone', async () => {
      // Every example of the page, as a reader copies it.
      const examples = bashExamples('docs/personas.md');
      const variables = { URL: stage().ready().http.url, KEY: stage().ready().http.apiKey, NUMBER: number };
      const made = await bash(stage(), `${examples[0]}\necho "PERSONA=$PERSONA KB=$KB"`, variables);
      const [, persona = ''] = /PERSONA=(\S+)/.exec(made) ?? [];
      const [, knowledge = ''] = /KB=(\S+)/.exec(made) ?? [];
      expect(made).toContain('"version_type":"production"');
      await until(
        async () => (await stage().ask('GET', `/v1/knowledge/${knowledge}`)).body.data.status === 'COMPLETED',
        20_000,
        'the knowledge base is learned',
      );
      const attached = await stage().ask('POST', `/v1/personas/${persona}/inbound/attach`, {
        body: { inbound_numbers: [number] },
      });
      expect(attached.body.data.inbound_numbers).toEqual([number]);
      const keys = await listeningKeys(stage());
      // On a busy machine listening begins seconds after the call, and the agent asks the API for as long: the first digit comes again.
      const calling = stage().phone(number, '--seconds', '24', '--digits', '12110', '--from', caller);
      const heard = await listen(stage(), keys);
      const { code, output } = await calling;
      expect(code, output).toBe(0);
      // The caller's tone left; right also what the agent plays in answer to the digits, and the caller does not say.
      await until(() => heard.isComplete === true, 10_000, 'the end of the audio with the call');
      expect(output).toMatch(/a passage was found \(880 Hz/);
      expect(output).toMatch(/no passage was found \(220 Hz/);
      const { left, right } = heard.channels;
      expect(hearTone(left, callerToneHertz).seconds).toBeGreaterThan(2);
      expect(hearTone(left, foundToneHertz).seconds).toBe(0);
      expect(hearTone(right, foundToneHertz).seconds).toBeGreaterThan(0.5);
      const [summary] = await stage().history(number, 2);
      const audit = async (action: string): Promise<Body> =>
        (await stage().ask('GET', `/v1/audit?action=${action}`)).body.data.events[0];
      await until(
        async () => (await audit('endListening')) !== undefined,
        10_000,
        'the end in the audit log',
      );
      const actor = { kind: 'key', name: 'key with calls:listen' };
      expect(await audit('listenToCall')).toMatchObject({ actor, subject: summary.call_id });
      expect(await audit('endListening')).toMatchObject({
        actor,
        subject: summary.call_id,
        summary: expect.stringMatching(/^Stop listening to a call after \d+ s: the call ended$/),
      });
      const { text, body } = await stage().ask('GET', `/v1/sip/calls/${summary.call_id}`);
      expect(text).toContain(`X-Demarc-Persona-ID: ${persona}`);
      expect(text).toContain('X-Demarc-Persona-Version: 1');
      expect(text).toContain(`X-Demarc-Knowledge: ${knowledge}`);
      expect(text).toContain('X-Demarc-Token: [redacted]');
      // The token that the agent had, as the edge signs it; the call has just ended.
      const secretKey = parseEnv(readFileSync(join(stage().stateDirectory, 'env'), 'utf8'))
        .DEMARC_SECRET_KEY!;
      const contact = await stage().ask('POST', '/v1/contacts/resolve', {
        body: { phone_number: '+14155550177' },
      });
      const contactId = contact.body.data.contact.id;
      const token = signCallToken(new SecretBox([secretKey]), {
        organization:
          body.data.organization_id ?? (await stage().ask('GET', '/v1/session')).body.data.organization.id,
        callId: summary.call_id,
        persona: { id: persona, version: 1 },
        knowledgeIds: [knowledge],
        contactId,
        expiresAt: Math.floor(Date.now() / 1_000) + 60,
      });
      const ofAgent = {
        ...variables,
        TOKEN: token,
        CALL_ID: summary.call_id,
        CONTACT: contactId,
        PERSONA_ID: persona,
        VERSION: '1',
      };
      const answers: string[] = [];
      for (const example of examples[1]!.split(/\n(?=curl)/))
        answers.push(await bash(stage(), example, ofAgent));
      expect(answers).toEqual([
        expect.stringContaining('from nine to five'),
        expect.stringContaining('Answer questions about the shop.'),
        expect.stringContaining('+14155550177'),
        expect.stringContaining('Asked for the opening hours.'),
        // No order belongs to an inbound call.
        expect.stringContaining('NOT_FOUND'),
      ]);
      const log = readdirSync(join(stage().stateDirectory, 'log')).map((name) =>
        readFileSync(join(stage().stateDirectory, 'log', name), 'utf8'),
      );
      const tokenShaped = /[\w-]{20,}\.[\w-]{22,}\.[\w-]{8}\.[\w-]{43}/;
      expect(token).toMatch(tokenShaped);
      expect(log.join('\n')).not.toMatch(tokenShaped);
      expect(text).not.toMatch(tokenShaped);
    });

    it('is known again by the agent: the same contact in every call, with what it remembered', async () => {
      // The token of the call is valid until its end, and on a busy machine the API takes seconds.
      const longer = ['--seconds', '24', '--digits', '0'];
      const { code, output } = await stage().phone(number, ...longer, '--from', caller);
      expect(code, output).toBe(0);
      const calls = (await stage().history(number, 3)).slice(0, 2);
      // The agent may store what it remembers when the call has ended.
      let contact: Body;
      await until(
        async () => {
          const found = await stage().ask('POST', '/v1/contacts/find', { body: { phone_number: caller } });
          contact = found.body.data;
          return contact.memories[0]?.facts.calls === 2;
        },
        15_000,
        () => `both calls in the memory: ${JSON.stringify(contact)}\n${output}`,
      );
      const { id, memories } = contact!;
      for (const { call_id } of calls) {
        const { text } = await stage().ask('GET', `/v1/sip/calls/${call_id}`);
        expect(text).toContain(`X-Demarc-Contact: ${id}`);
      }
      expect(memories).toMatchObject([
        {
          persona_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          summary: 'Has called the demo agent 2 times.',
          facts: { calls: 2 },
          recent_messages: [{ content: 'Played a tone in call 1.' }, { content: 'Played a tone in call 2.' }],
        },
      ]);
      const listed = await stage().ask('GET', `/v1/contacts/${id}/calls`);
      expect(listed.body.data.calls.map(({ call_id }: Body) => call_id)).toEqual(
        calls.map(({ call_id }: Body) => call_id),
      );
    });

    it('sees the call in the history, with statistics and every message, as JSON, ladder and capture', async () => {
      const [summary] = await stage().history(number, 1);
      expect(summary).toMatchObject({
        phone_number: number,
        status: '200 OK',
        direction: 'inbound',
        source_ip: '127.0.0.1',
      });
      expect(summary.duration_seconds).toBeGreaterThan(4);
      const path = `/v1/sip/calls/${summary.call_id}`;
      const { data } = (await stage().ask('GET', path)).body;
      expect(data.media.rtp.trunk.packets_received).toBeGreaterThan(100);
      expect(data.media.srtp_suite).toBe('AES_CM_128_HMAC_SHA1_80');
      const onTrunk = withoutRepetitions(data.trace as TraceEntry[])
        .filter(({ leg }) => leg === 'trunk')
        .map(({ summary: line }) => line);
      expect(onTrunk).toEqual(['INVITE', '100 Trying', '180 Ringing', '200 OK', 'ACK', 'BYE', '200 OK']);
      expect(data.trace.some(({ leg }: Body) => leg === 'agent')).toBe(true);
      const text = (await stage().ask('GET', `${path}?format=text`)).text;
      expect(text).toMatch(/Caller +Demarc +Agent/);
      expect(text).toMatch(/\|-+ INVITE \(SDP\) -+>\|/);
      expect(text).not.toMatch(/inline:(?!\[redacted\])/);
      const { bytes } = await stage().ask('GET', `${path}?format=pcap`);
      expect(bytes.readUInt32LE(0)).toBe(0xa1b2c3d4);
    });

    it('shares nothing with another one: no number, no call', async () => {
      const created = stage().run('org', 'create', 'other', '--sip');
      expect(await created.exit(20_000), created.output).toBe(0);
      const made = stage().run('key', 'create', 'other');
      expect(await made.exit(20_000), made.output).toBe(0);
      const key = /sk-demarc-\S+/.exec(made.output)![0];
      const [mine] = await stage().history(number, 1);
      const query = `phone_number=${encodeURIComponent(number)}`;
      expect((await stage().ask('GET', `/v1/sip/calls?${query}`, { key })).body.data.calls).toEqual([]);
      expect((await stage().ask('GET', `/v1/sip/calls/${mine.call_id}`, { key })).status).toBe(404);
      expect((await stage().ask('GET', `/v1/sip/calls/${mine.call_id}?format=pcap`, { key })).status).toBe(
        404,
      );
      expect((await stage().ask('GET', `/v1/sip?${query}`, { key })).status).toBe(404);
      expect((await stage().ask('GET', '/v1/sip/numbers', { key })).body.data.numbers).toEqual([]);
    });

    it('revokes its trunk’s access at once', async () => {
      await stage().detach(number);
      await stage().attach(number, { allowed_ips: ['203.0.113.0/24'] });
      const { code, output } = await stage().phone(number);
      expect(output).toContain('403');
      expect(code).toBe(1);
      const [refused] = await stage().history(number, 3);
      expect(refused).toMatchObject({ outcome: 'refused', sip_code: 403, end_reason: 'refused_source' });
    });

    it('detaches the number, and the next call gets 404', async () => {
      expect((await stage().detach(number)).status).toBe(200);
      const { output } = await stage().phone(number);
      expect(output).toContain('404');
      expect((await stage().ask('GET', `/v1/sip?phone_number=${encodeURIComponent(number)}`)).status).toBe(
        404,
      );
    });
  });
}
