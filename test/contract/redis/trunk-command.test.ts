import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { numberChannel, numberKey } from '../../../src/contract/keys.js';
import type { NumberDocument } from '../../../src/contract/number.js';
import { generateSecretKey, SecretBox } from '../../../src/contract/secret.js';
import type { Redis } from '../../../src/edge/redis.js';
import { runTrunkCommand } from '../../../src/edge/trunk/command.js';
import { until } from '../../support/waiting.js';
import { PrivateRedis } from './private-redis.js';

const key = generateSecretKey();
let server: PrivateRedis;
let client: Redis;

beforeEach(async () => {
  server = await PrivateRedis.start();
  client = server.client();
});

afterEach(async () => {
  client.disconnect();
  await server.stop();
});

async function trunk(argv: readonly string[], stdin = '', environment: Record<string, string> = {}) {
  const written = { out: '', error: '' };
  const status = await runTrunkCommand(argv, {
    environment: { DEMARC_REDIS_URL: server.url, DEMARC_SECRET_KEY: key, ...environment },
    stdin: Readable.from([stdin]),
    out: (text) => {
      written.out += text;
    },
    error: (text) => {
      written.error += text;
    },
  });
  return { status, ...written };
}

const stored = async (digits: string): Promise<NumberDocument> =>
  JSON.parse((await client.get(numberKey(digits)))!) as NumberDocument;

describe('demarc trunk', () => {
  it('puts what the options say, tells the edges, and shows it', async () => {
    const heard: string[] = [];
    const subscriber = server.client();
    await subscriber.subscribe(numberChannel);
    subscriber.on('message', (_channel, message) => heard.push(message));
    const argv = [
      'put',
      '+1 (415) 555-0100',
      '--organization',
      'acme',
      '--source',
      '203.0.113.0/24',
      '2001:db8::/48',
    ];
    const put = await trunk([
      ...argv,
      ...[
        '--agent-uri',
        'sip:bot@10.0.0.1',
        '--outbound',
        'sip.example.com',
        '[2001:db8::5]:5070;transport=udp',
      ],
      ...[
        '--codecs',
        'OPUS,pcmu',
        '--transcode',
        '--concurrent',
        '3',
        '--rate',
        '0.5',
        '--max-duration',
        '600',
      ],
    ]);
    expect(put).toMatchObject({ status: 0, error: '' });
    expect(await stored('14155550100')).toMatchObject({
      version: 1,
      number: '14155550100',
      organization: 'acme',
      inbound: [{ allowed_sources: ['203.0.113.0/24', '2001:db8::/48'], agent_uri: 'sip:bot@10.0.0.1' }],
      outbound: [
        { host: 'sip.example.com', transport: 'tls' },
        { host: '2001:db8::5', port: 5070, transport: 'udp' },
      ],
      codecs: { order: ['opus', 'PCMU'], transcode: true },
      limits: { concurrent_calls: 3, calls_per_second: 0.5, max_duration_seconds: 600 },
    });
    await until(() => heard.includes('14155550100'), 2_000, 'notice');
    subscriber.disconnect();
    expect((await trunk(['get', '14155550100'])).out).toBe(put.out);
    expect((await trunk(['list'])).out).toContain(
      '14155550100\tacme\t2 sources, 0 users, 2 outbound servers',
    );
  });

  it.each([
    ['standard input', ['--password-stdin'], 'hunter2\n', {}],
    ['the environment', ['--password-env', 'TRUNK_PASSWORD'], '', { TRUNK_PASSWORD: 'hunter2' }],
  ])('seals a password from %s and never shows it', async (_name, options, stdin, environment) => {
    const put = await trunk(['put', '4930', '--username', 'u', ...options], stdin, environment);
    expect(put.status).toBe(0);
    const sealed = (await stored('4930')).inbound[0]!.credentials[0]!.password;
    expect(new SecretBox([key]).open(sealed)).toBe('hunter2');
    const shown = put.out + (await trunk(['get', '4930'])).out + (await trunk(['list'])).out;
    expect(shown).toContain('[sealed]');
    expect(shown).not.toContain('hunter2');
    expect(shown).not.toContain(sealed);
  });

  it('puts a whole document from a file, sealing plain passwords', async () => {
    const path = join(server.directory, 'number.json');
    const document = {
      number: '4930',
      organization: 'acme',
      inbound: [
        { id: 'a', credentials: [{ username: 'u', password: 'hunter2' }] },
        { id: 'b', allowed_sources: ['10.0.0.1'] },
      ],
    };
    await writeFile(path, JSON.stringify(document));
    expect((await trunk(['put', '--file', path])).status).toBe(0);
    const { inbound } = await stored('4930');
    expect(inbound.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(new SecretBox([key]).open(inbound[0]!.credentials[0]!.password)).toBe('hunter2');
    expect(await trunk(['put', '4931', '--file', path])).toMatchObject({ status: 2 });
    expect((await trunk(['put', '--file', '-'], JSON.stringify(document))).status).toBe(0);
  });

  it('deletes, and says when there is nothing', async () => {
    await trunk(['put', '4930']);
    expect(await trunk(['delete', '+4930'])).toMatchObject({ status: 0 });
    expect(await client.exists(numberKey('4930'))).toBe(0);
    for (const argv of [
      ['delete', '4930'],
      ['get', '4930'],
    ]) {
      expect(await trunk(argv)).toMatchObject({ status: 1, error: 'demarc trunk: Not found: 4930\n' });
    }
  });

  it.each([
    [['put'], 'give a number'],
    [['put', 'alice'], 'not a phone number'],
    [['put', '4930', '--source', '0.0.0.0/0'], 'every address'],
    [['put', '4930', '--source', '::/0'], 'every address'],
    [['put', '4930', '--source', 'example.com'], 'not an address'],
    [['put', '4930', '--codecs', 'MP3'], 'codecs.order.0'],
    [['put', '4930', '--concurrent', 'many'], 'not a number'],
    [['put', '4930', '--concurrent', '-1'], 'concurrent_calls'],
    [['put', '4930', '--outbound', 'a;tls'], 'transport'],
    [['put', '4930', '--outbound', 'a;transport=sctp'], 'outbound.0.transport'],
    [['put', '4930', '--username', 'u'], 'password'],
    [['put', '4930', '--password-stdin'], '--username'],
    [['put', '4930', '--username', 'u', '--password-env', 'NOT_SET'], 'NOT_SET'],
    [['put', '4930', '--username', 'u', '--password-stdin'], 'empty'],
    [['put', '4930', '--password', 'hunter2'], 'unknown option'],
    [['put', '--file', '/nowhere.json'], 'cannot be read'],
    [['frobnicate'], 'unknown command'],
    [['get'], 'missing required argument'],
  ])('%j is refused with status 2', async (argv, text) => {
    const { status, error } = await trunk(argv);
    expect(status).toBe(2);
    expect(error).toContain(text);
    expect(await client.dbsize()).toBe(0);
  });

  it('needs a key for passwords', async () => {
    const argv = ['put', '4930', '--username', 'u', '--password-stdin'];
    expect(await trunk(argv, 'p', { DEMARC_SECRET_KEY: '' })).toMatchObject({ status: 2 });
    expect((await trunk(argv, 'p', { DEMARC_SECRET_KEY: 'short' })).error).toContain('32 bytes');
    expect(await trunk(['put', '4930'], '', { DEMARC_SECRET_KEY: '' })).toMatchObject({ status: 0 });
  });

  it('lists and shows a malformed document as what it is', async () => {
    await client.set(numberKey('4930'), '{"version":7}');
    expect((await trunk(['list'])).out).toContain('4930\tmalformed: version');
    expect(await trunk(['get', '4930'])).toMatchObject({ status: 2 });
  });

  it('says when Redis is not reachable, without the password in its address', async () => {
    const { status, error } = await trunk(['--redis', 'redis://u:hunter2@127.0.0.1:1', 'list']);
    expect(status).toBe(1);
    expect(error).toContain('Redis at redis://127.0.0.1:1 is not reachable');
  });

  it('helps', async () => {
    const { status, out } = await trunk(['--help']);
    expect(status).toBe(0);
    expect(out).toContain('Examples:');
  });
});
