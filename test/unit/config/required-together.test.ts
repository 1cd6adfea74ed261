import { describe, expect, it } from 'vitest';
import { readControlSettings } from '../../../src/config/control-settings.js';
import { readEdgeSettings } from '../../../src/config/edge-settings.js';
import { type Environment, SettingsError } from '../../../src/config/environment.js';
import { readMediaStreamSettings } from '../../../src/config/media-stream-settings.js';
import { generateSecretKey } from '../../../src/contract/secret.js';

const key = generateSecretKey();
const readers = {
  control: (own: Environment) => readControlSettings({ DATABASE_URL: 'postgres://db/demarc', ...own }),
  edge: (own: Environment) =>
    readEdgeSettings({ DEMARC_TLS_CERT: '/c.pem', DEMARC_TLS_KEY: '/k.pem', ...own }),
  'media-stream': (own: Environment) => readMediaStreamSettings({ DEMARC_SECRET_KEY: key, ...own }),
};
type Role = keyof typeof readers;

const problemsOf = (role: Role, environment: Environment): readonly string[] => {
  try {
    readers[role](environment);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
};

const llm = { DEMARC_LLM_URL: 'http://llm/v1', DEMARC_LLM_MODEL: 'm' };
const redisGroup = { DEMARC_REDIS_SENTINELS: '10.0.0.1:26379', DEMARC_REDIS_MASTER: 'demarc' };
const sms = { DEMARC_SMS_ACCOUNT: 'AC1', DEMARC_SMS_TOKEN: 't', DEMARC_SMS_FROM: '+14155550100' };
const smtp = { DEMARC_SMTP_URL: 'smtp://mail', DEMARC_SMTP_FROM: 'noc@example.com' };
const twilio = {
  DEMARC_PORT_CARRIER: 'twilio',
  DEMARC_TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
  DEMARC_TWILIO_AUTH_TOKEN: '0'.repeat(32),
};
const s3 = {
  DEMARC_DOCUMENT_S3_URL: 'https://s3.example.com/bucket',
  DEMARC_DOCUMENT_S3_KEY_ID: 'id',
  DEMARC_DOCUMENT_S3_SECRET: 's',
};

/** Each is valid, and invalid without any of the named variables. */
const together: readonly (readonly [Role, string, Environment, readonly string[]])[] = [
  ['control', 'e-mail', smtp, ['DEMARC_SMTP_URL', 'DEMARC_SMTP_FROM']],
  ['control', 'text messages', sms, ['DEMARC_SMS_ACCOUNT', 'DEMARC_SMS_TOKEN', 'DEMARC_SMS_FROM']],
  ['control', 'the carrier', twilio, ['DEMARC_TWILIO_ACCOUNT_SID', 'DEMARC_TWILIO_AUTH_TOKEN']],
  ['control', 'documents', s3, ['DEMARC_DOCUMENT_S3_KEY_ID', 'DEMARC_DOCUMENT_S3_SECRET']],
  ['control', 'traces', { ...s3, DEMARC_TRACE_STORE: 's3' }, ['DEMARC_DOCUMENT_S3_URL']],
  [
    'control',
    'HTTPS',
    { DEMARC_HTTP_TLS_CERT: '/c.pem', DEMARC_HTTP_TLS_KEY: '/k.pem' },
    ['DEMARC_HTTP_TLS_CERT', 'DEMARC_HTTP_TLS_KEY'],
  ],
  ['control', 'the model', { ...llm, DEMARC_LLM_KEY: 'k' }, ['DEMARC_LLM_URL', 'DEMARC_LLM_MODEL']],
  [
    'control',
    'prices of the model',
    { ...llm, DEMARC_LLM_PROMPT_PRICE: '1', DEMARC_LLM_COMPLETION_PRICE: '2' },
    ['DEMARC_LLM_PROMPT_PRICE', 'DEMARC_LLM_COMPLETION_PRICE'],
  ],
  [
    'control',
    'the judge',
    { ...llm, DEMARC_JUDGE_URL: 'http://judge/v1', DEMARC_JUDGE_MODEL: 'j', DEMARC_JUDGE_KEY: 'k' },
    ['DEMARC_JUDGE_URL', 'DEMARC_JUDGE_MODEL'],
  ],
  [
    'control',
    'embeddings',
    { DEMARC_EMBEDDINGS_URL: 'http://e/v1', DEMARC_EMBEDDINGS_MODEL: 'e', DEMARC_EMBEDDINGS_KEY: 'k' },
    ['DEMARC_EMBEDDINGS_URL', 'DEMARC_EMBEDDINGS_MODEL'],
  ],
  [
    'control',
    'a key in production',
    { NODE_ENV: 'production', DEMARC_SECRET_KEY: key },
    ['DEMARC_SECRET_KEY'],
  ],
  ['edge', 'a key in production', { NODE_ENV: 'production', DEMARC_SECRET_KEY: key }, ['DEMARC_SECRET_KEY']],
  ['media-stream', 'a key', { DEMARC_SECRET_KEY: key }, ['DEMARC_SECRET_KEY']],
  ...(['control', 'edge', 'media-stream'] as const).map(
    (role) =>
      [role, 'Redis', redisGroup, ['DEMARC_REDIS_SENTINELS', 'DEMARC_REDIS_MASTER']] as (typeof together)[0],
  ),
];

describe('settings that need each other', () => {
  it.each(together)('of %s for %s: accepts all, rejects any alone', (role, _what, environment, names) => {
    expect(problemsOf(role, environment)).toEqual([]);
    for (const name of names) {
      const problems = problemsOf(role, { ...environment, [name]: '' });
      expect(problems, `without ${name}`).not.toEqual([]);
      expect(problems.join()).toContain(name);
    }
  });

  it.each([
    ['DEMARC_JUDGE_KEY', { ...llm, DEMARC_JUDGE_KEY: 'k' }],
    ['DEMARC_JUDGE_URL and DEMARC_JUDGE_MODEL', { DEMARC_JUDGE_MODEL: 'j' }],
    ['DEMARC_LLM_KEY', { DEMARC_LLM_KEY: 'k' }],
    ['DEMARC_EMBEDDINGS_KEY', { DEMARC_EMBEDDINGS_KEY: 'k' }],
    ['DEMARC_REDIS_URL', { ...redisGroup, DEMARC_REDIS_URL: '/run/redis.sock' }],
  ])('reject %s for lack of what it belongs to', (name, environment) => {
    const problems = problemsOf('control', environment);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^${name}: `));
  });
});
