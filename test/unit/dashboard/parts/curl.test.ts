import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { type ApiRequest, written } from '../../../../src/dashboard/api/request.js';
import { curlOf, shellWord } from '../../../../src/dashboard/parts/curl.js';

const origin = 'https://demarc.example.com';

/** The words that a real shell passes to curl. */
function wordsOf(command: string): string[] {
  const script = `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${command}\n`;
  const output = execFileSync('/bin/sh', ['-c', script], {
    env: { PATH: '/nonexistent', DEMARC_API_KEY: 'sk-demarc-test' },
    encoding: 'utf8',
  });
  return output.split('\0').slice(0, -1);
}

const commandOf = (request: ApiRequest): string => curlOf(written(request), origin).text;

/** The body that a real shell passes to curl. */
function bodyOf(request: ApiRequest): unknown {
  const words = wordsOf(commandOf(request));
  return JSON.parse(words[words.indexOf('-d') + 1]!);
}

describe('a word of a shell', () => {
  for (const text of [
    "it's",
    "'",
    "''\\''",
    '"$HOME" `id` $(id) \\ !',
    'first\nsecond\n',
    'Zürich ☎ \u{1f4de} 電話',
    '-d',
    '',
    '*?[a]{b,c}~ #;&|<>',
  ]) {
    it(`is ${JSON.stringify(text)} to a real shell`, () => {
      expect(wordsOf(`curl ${shellWord(text)}`)).toEqual([text]);
    });
  }
});

describe('a request as curl', () => {
  it('is the request that the page sends: method, path, query, headers and body', () => {
    const request: ApiRequest = (client) =>
      client.configureDirection({
        phone_number: '+14155550100',
        direction: 'outbound',
        codec_config: { codecs: ['PCMA', 'Opus'], transcode: true },
      });
    expect(wordsOf(commandOf(request))).toEqual([
      ...['-X', 'PATCH', `${origin}/v1/sip/config`],
      ...['-H', 'Authorization: Bearer sk-demarc-test', '-H', 'Content-Type: application/json'],
      '-d',
      JSON.stringify(
        {
          phone_number: '+14155550100',
          direction: 'outbound',
          codec_config: { codecs: ['PCMA', 'Opus'], transcode: true },
        },
        null,
        2,
      ),
    ]);
  });

  it('leaves the method to curl where curl chooses it, and names it elsewhere', () => {
    expect(commandOf((client) => client.getNumber({ phone_number: '+14155550100' }))).toBe(
      `curl '${origin}/v1/sip?phone_number=%2B14155550100' \\\n  -H "Authorization: Bearer $DEMARC_API_KEY"`,
    );
    expect(commandOf((client) => client.startTestCall({ phone_number: '+14155550100' }))).toBe(
      [
        `curl '${origin}/v1/sip/test-call'`,
        '-H "Authorization: Bearer $DEMARC_API_KEY"',
        "-H 'Content-Type: application/json'",
        `-d '{"phone_number":"+14155550100"}'`,
      ].join(' \\\n  '),
    );
    expect(wordsOf(commandOf((client) => client.revokeKey({ key_id: 'key_1' })))).toEqual([
      ...['-X', 'DELETE', `${origin}/v1/keys/key_1`, '-H', 'Authorization: Bearer sk-demarc-test'],
    ]);
  });

  it('has the idempotency key of the request', () => {
    const request: ApiRequest = (client) =>
      client.startTestCall({ phone_number: '+14155550100' }, { idempotencyKey: "order '1'" });
    expect(wordsOf(commandOf(request))).toContain("Idempotency-Key: order '1'");
  });

  it('keeps every character of a body through the shell', () => {
    const name = 'Bob\'s "phone" \\ $HOME `id`\r\n\tZürich ☎ \u{1f4de}';
    expect(bodyOf((client) => client.createKey({ name }))).toEqual({ name });
  });

  it('writes characters that a terminal obeys as JSON escapes', () => {
    const name = 'exe\u202egnp\u009b2J\u200b';
    const command = commandOf((client) => client.createKey({ name }));
    expect(command).toContain('exe\\u202egnp\\u009b2J\\u200b');
    expect(bodyOf((client) => client.createKey({ name }))).toEqual({ name });
  });

  it('has a placeholder for each secret, and says which', () => {
    const { text, placeholders } = curlOf(
      written((client) =>
        client.attachNumbers({
          phone_number: '+14155550100',
          service: 'sip',
          directions: [
            {
              type: 'outbound',
              sip_endpoint: 'sip:pbx.example.com',
              options: { sip_username: 'acme', sip_password: 'correct horse' },
            },
            {
              type: 'inbound',
              auth_mode: 'register',
              register_auth: { username: '700', password: 'battery staple' },
            },
          ],
        }),
      ),
      origin,
    );
    expect(placeholders).toEqual(['<sip_password>', '<password>']);
    expect(text).toContain('"sip_password": "<sip_password>"');
    expect(text).not.toMatch(/horse|staple/);
  });

  it('refuses a request that could not be shown before it is sent', () => {
    const late: ApiRequest = async (client) => {
      await Promise.resolve();
      return client.createKey({ name: 'late' });
    };
    expect(() => written(late)).toThrow('not written at once');
  });
});
