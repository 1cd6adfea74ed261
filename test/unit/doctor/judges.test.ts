import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateSecretKey } from '../../../src/contract/secret.js';
import { judgeAdvertised, judgeBind } from '../../../src/doctor/checks/addresses.js';
import { judgeResponse, optionsRequest, targetOf } from '../../../src/doctor/checks/agent.js';
import { judgeCertificate, judgeEngineCertificate } from '../../../src/doctor/checks/certificates.js';
import { judgeClockOf } from '../../../src/doctor/checks/clock.js';
import { type DatabaseFacts, judgeDatabase, judgeHosts } from '../../../src/doctor/checks/database.js';
import { judgeServers } from '../../../src/doctor/checks/dns.js';
import { judgeRuleset } from '../../../src/doctor/checks/firewall.js';
import {
  judgeConnectionTracking,
  judgeOpenFiles,
  judgePortRange,
} from '../../../src/doctor/checks/limits.js';
import { judgePort } from '../../../src/doctor/checks/ports.js';
import { judgeRedis, readFacts } from '../../../src/doctor/checks/redis.js';
import { judgeNode } from '../../../src/doctor/checks/rtpengine.js';
import { judgeService } from '../../../src/doctor/checks/services.js';
import { judgeNode as judgeNodeVersion } from '../../../src/doctor/checks/versions.js';
import { doctorContext } from '../../../src/doctor/context.js';
import { examine } from '../../../src/doctor/doctor.js';
import type { Finding } from '../../../src/doctor/finding.js';
import { parseMessage } from '../../../src/sip/parse.js';
import { TestAuthority } from '../../support/certificates.js';

const verdictsOf = (findings: readonly Finding[]): string[] => findings.map(({ verdict }) => verdict);
const day = 86_400_000;

describe('limits of the system', () => {
  it.each([
    ['1024', 'problem'],
    ['20000', 'warning'],
    ['65536', 'ok'],
    ['unlimited', 'ok'],
  ])('judges %s open files', (files, verdict) => {
    expect(judgeOpenFiles(`Max open files            ${files}              524288  files`).verdict).toBe(
      verdict,
    );
  });

  it('warns of ephemeral ports that RTP needs', () => {
    expect(judgePortRange('32768\t60999\n', '10000-20000').verdict).toBe('ok');
    expect(judgePortRange('15000 60999', '10000-20000')).toMatchObject({
      verdict: 'warning',
      advice: expect.stringContaining('above 20000'),
    });
  });

  it('finds a connection table that is almost full', () => {
    expect(judgeConnectionTracking(1_000, 262_144).verdict).toBe('ok');
    expect(judgeConnectionTracking(200_000, 262_144).verdict).toBe('problem');
  });

  it.each([
    ['v18.20.0', 'problem'],
    ['v20.19.0', 'ok'],
    ['v23.1.0', 'warning'],
  ])('judges Node.js %s', (version, verdict) => {
    expect(judgeNodeVersion(version).verdict).toBe(verdict);
  });
});

describe('addresses and ports', () => {
  it.each([
    ['127.0.0.1', 'warning'],
    ['0.0.0.0', 'ok'],
    ['192.0.2.1', 'ok'],
    ['192.0.2.2', 'problem'],
  ])('judges a listener on %s', (bind, verdict) => {
    expect(judgeBind(bind, ['127.0.0.1', '192.0.2.1']).verdict).toBe(verdict);
  });

  it('warns of an advertised address that the Internet does not reach', () => {
    expect(judgeAdvertised('10.0.0.1', ['10.0.0.1'], ['10.0.0.1']).verdict).toBe('warning');
    expect(judgeAdvertised('sip.example.com', ['8.8.8.8'], ['8.8.8.8']).text).not.toContain('NAT');
    expect(judgeAdvertised('sip.example.com', ['8.8.8.8'], ['10.0.0.1'])).toMatchObject({
      verdict: 'ok',
      text: expect.stringContaining('NAT'),
    });
  });

  const listener = { protocol: 'tcp', host: '0.0.0.0', port: 443, use: 'HTTP' } as const;
  it.each([
    [undefined, undefined, 'ok'],
    ['EADDRINUSE', { pid: 7, command: 'nginx: master' }, 'problem'],
    ['EADDRINUSE', { pid: 7, command: 'node dist/cli.js control' }, 'ok'],
    ['EADDRINUSE', undefined, 'skipped'],
    ['EACCES', undefined, 'problem'],
  ])('judges a port that cannot be opened for %s, owned by %o', (refusal, owner, verdict) => {
    expect(judgePort(listener, refusal, owner).verdict).toBe(verdict);
  });

  it('reads a rule set that drops input', () => {
    const wanted = [
      { port: '5061', use: 'SIP over TLS' },
      { port: '10000-20000', use: 'RTP' },
    ];
    const rules = (policy: string, ...lines: string[]) =>
      `table inet filter {\n chain input {\n  type filter hook input priority 0; policy ${policy};\n${lines.join('\n')} }\n}`;
    expect(verdictsOf(judgeRuleset(rules('accept'), wanted))).toEqual(['ok']);
    expect(
      verdictsOf(
        judgeRuleset(rules('drop', 'tcp dport 5061 accept', 'udp dport 10000-20000 accept'), wanted),
      ),
    ).toEqual(['ok']);
    expect(judgeRuleset(rules('drop', 'tcp dport { 22, 5061 } accept'), wanted)).toMatchObject([
      { verdict: 'warning', text: expect.stringContaining('10000-20000') },
    ]);
  });
});

describe('DNS servers and clocks', () => {
  it('tells one dead server of two from no server at all', () => {
    const alive = { server: '192.0.2.53', milliseconds: 5 };
    const dead = { server: '192.0.2.54', milliseconds: undefined, error: 'timeout' };
    expect(verdictsOf(judgeServers([alive, dead]))).toEqual(['ok', 'warning']);
    expect(verdictsOf(judgeServers([dead]))).toEqual(['problem']);
    expect(verdictsOf(judgeServers([{ ...alive, milliseconds: 800 }]))).toEqual(['warning']);
    expect(verdictsOf(judgeServers([]))).toEqual(['problem']);
  });

  it('allows for the time that the question took', () => {
    expect(judgeClockOf('Redis', 400, 1)).toBeUndefined();
    expect(judgeClockOf('Redis', 1_000, 900)).toBeUndefined();
    expect(judgeClockOf('Redis', -2_000, 1)).toMatchObject({
      verdict: 'warning',
      text: expect.stringContaining('2.0 s behind'),
    });
    expect(judgeClockOf('Redis', 60_000, 1)?.verdict).toBe('problem');
  });
});

describe('certificates', () => {
  let authority: TestAuthority;
  let pem: string;
  let key: string;
  beforeAll(async () => {
    authority = await TestAuthority.create();
    const pair = await authority.issue('doctor', ['sip.example.com', '192.0.2.1']);
    pem = readFileSync(pair.certFile, 'utf8');
    key = readFileSync(pair.keyFile, 'utf8');
  });
  afterAll(() => authority?.remove());
  const judge = (text: string, host: string | undefined, now = Date.now()) =>
    judgeCertificate(text, key, host, now);

  it('accepts a pair with its chain, for its names', () => {
    const chain = pem + authority.ca;
    for (const host of ['sip.example.com', '192.0.2.1', undefined])
      expect(verdictsOf(judge(chain, host))).toEqual(['ok']);
  });

  it.each([
    [
      'another name',
      () => judge(pem + authority.ca, 'sip.example.org'),
      'problem',
      'not for sip.example.org',
    ],
    ['no chain', () => judge(pem, 'sip.example.com'), 'warning', 'no intermediate'],
    [
      'a few days left',
      () => judge(pem + authority.ca, undefined, Date.now() + 55 * day),
      'warning',
      'expires in',
    ],
    [
      'an end in the past',
      () => judge(pem + authority.ca, undefined, Date.now() + 70 * day),
      'problem',
      'expired',
    ],
    [
      'a start in the future',
      () => judge(pem + authority.ca, undefined, Date.now() - 9 * day),
      'problem',
      'valid only from',
    ],
    [
      'a chain in the wrong order',
      () => judge(pem + pem + authority.ca, undefined),
      'problem',
      'not in order',
    ],
    ['a file without certificate', () => judge('nothing', undefined), 'problem', 'no certificate'],
  ])('finds %s', (_, findings, verdict, text) => {
    expect(findings()).toContainEqual(
      expect.objectContaining({ verdict, text: expect.stringContaining(text) }),
    );
  });

  it.each([
    ['', 'skipped', 'cannot be read'],
    ['demarc_engine_dialogs 0\n', 'skipped', 'no certificate'],
    [`demarc_engine_certificate_expiry_seconds ${(60 * day) / 1_000}\n`, 'ok', '60 days'],
    [`demarc_engine_certificate_expiry_seconds ${(9 * day) / 1_000}\n`, 'warning', '9 days'],
    ['demarc_engine_certificate_expiry_seconds -1\n', 'problem', 'expired'],
  ])('judges the certificate of a separate engine by its metrics (%j)', (exposition, verdict, text) => {
    expect(judgeEngineCertificate(exposition, 0)).toMatchObject({
      verdict,
      text: expect.stringContaining(text),
    });
  });

  it('finds a key that belongs to another certificate', async () => {
    const stranger = await authority.issue('stranger');
    const findings = judgeCertificate(
      pem + authority.ca,
      readFileSync(stranger.keyFile, 'utf8'),
      undefined,
      Date.now(),
    );
    expect(findings).toMatchObject([
      { verdict: 'problem', text: expect.stringContaining('key is not that') },
    ]);
  });
});

describe('Redis', () => {
  const info = (fields: Record<string, string> = {}) =>
    new Map(Object.entries({ redis_version: '7.0.15', role: 'master', used_memory: '1000', ...fields }));
  const configuration = (fields: Record<string, string> = {}) =>
    new Map(
      Object.entries({
        appendonly: 'yes',
        'maxmemory-policy': 'noeviction',
        maxmemory: '0',
        save: '',
        ...fields,
      }),
    );

  it('accepts a primary that writes to disk and evicts nothing', () => {
    expect(verdictsOf(judgeRedis(info(), configuration()))).toEqual(['ok', 'ok']);
  });

  it.each([
    ['an old version', info({ redis_version: '6.0.9' }), configuration(), 'problem', 'too old'],
    ['a replica', info({ role: 'slave' }), configuration(), 'problem', 'replica'],
    [
      'a full disk',
      info({ aof_enabled: '1', aof_last_write_status: 'err' }),
      configuration(),
      'problem',
      'disk',
    ],
    [
      'a snapshot that failed',
      info({ rdb_last_bgsave_status: 'err' }),
      configuration(),
      'problem',
      'snapshot',
    ],
    [
      'eviction',
      info(),
      configuration({ 'maxmemory-policy': 'allkeys-lru', maxmemory: '100000' }),
      'problem',
      'delete trunks',
    ],
    [
      'eviction without a limit',
      info(),
      configuration({ 'maxmemory-policy': 'allkeys-lru' }),
      'warning',
      'delete trunks',
    ],
    [
      'memory that is almost used up',
      info({ used_memory: '900' }),
      configuration({ maxmemory: '1000' }),
      'problem',
      '90 %',
    ],
    ['nothing on disk', info(), configuration({ appendonly: 'no' }), 'problem', 'Nothing is written'],
    [
      'snapshots alone',
      info(),
      configuration({ appendonly: 'no', save: '3600 1' }),
      'warning',
      'Only snapshots',
    ],
    ['a server that hides its configuration', info(), undefined, 'skipped', 'not allowed'],
  ])('finds %s', (_, facts, settings, verdict, text) => {
    expect(judgeRedis(facts, settings)).toContainEqual(
      expect.objectContaining({ verdict, text: expect.stringContaining(text) }),
    );
  });

  it('names Valkey, and reads what INFO says', () => {
    const facts = readFacts('# Server\r\nredis_version:7.2.4\r\nvalkey_version:8.0.1\r\nexecutable:/a:b\r\n');
    expect(facts.get('executable')).toBe('/a:b');
    expect(judgeRedis(facts, configuration())[0]!.text).toContain('Valkey 8.0.1');
  });
});

describe('PostgreSQL', () => {
  const facts: DatabaseFacts = {
    version: 150_006,
    isStandby: false,
    maximumConnections: 100,
    synchronousCommit: 'on',
    fsync: 'on',
    standbys: 1,
    hasVector: true,
    steps: 60,
    octets: 10 * 2 ** 20,
    callsInOneTable: 20_000,
  };

  it('accepts a primary with a standby', () => {
    expect(judgeDatabase(facts, 10)).toEqual([{ verdict: 'ok', text: 'PostgreSQL 15.6, 10 MiB' }]);
  });

  it.each<[string, Partial<DatabaseFacts>, string, string]>([
    ['an old version', { version: 120_001 }, 'problem', 'too old'],
    ['a standby', { isStandby: true }, 'problem', 'standby'],
    ['few connections', { maximumConnections: 20 }, 'warning', 'max_connections'],
    ['commits that a crash loses', { synchronousCommit: 'off' }, 'problem', 'synchronous_commit'],
    ['files that a crash damages', { fsync: 'off' }, 'problem', 'fsync'],
    ['no standby', { standbys: 0 }, 'warning', 'No standby'],
    ['no pgvector', { hasVector: false }, 'warning', 'vector'],
    ['calls that are too many for one table', { callsInOneTable: 5e6 }, 'warning', '5.0 million calls'],
    ['an empty database', { steps: undefined }, 'ok', 'empty'],
  ])('finds %s', (_, change, verdict, text) => {
    expect(judgeDatabase({ ...facts, ...change }, 10)).toContainEqual(
      expect.objectContaining({ verdict, text: expect.stringContaining(text) }),
    );
  });
});

describe('several PostgreSQL hosts', () => {
  const primary: Finding[] = [{ verdict: 'ok', text: 'PostgreSQL 16.1, 10 MiB' }];
  const standby: Finding[] = [
    ...primary,
    { verdict: 'problem', text: 'It is a standby, which accepts no writes.' },
  ];
  const gone: Finding[] = [{ verdict: 'problem', text: 'It cannot be used: refused.' }];

  it('need one primary; the others may be standbys, and are missed when they are down', () => {
    expect(verdictsOf(judgeHosts([primary, standby]))).toEqual(['ok', 'ok', 'ok']);
    expect(judgeHosts([gone, primary])[0]).toMatchObject({
      verdict: 'warning',
      text: 'Host 1: It cannot be used: refused.',
    });
  });

  it('are a problem when none, or more than one, accepts writes', () => {
    expect(judgeHosts([standby, gone]).at(-1)).toMatchObject({
      verdict: 'problem',
      text: 'None of the hosts accepts writes.',
    });
    expect(judgeHosts([primary, primary]).at(-1)).toMatchObject({
      verdict: 'problem',
      text: '2 hosts accept writes.',
    });
  });
});

describe('rtpengine, agent and services', () => {
  it('judges how soon a node answers', () => {
    expect(judgeNode('a', undefined).verdict).toBe('problem');
    expect(judgeNode('a', 200).verdict).toBe('warning');
    expect(judgeNode('a', 1).verdict).toBe('ok');
  });

  it.each([
    ['sip:agent@192.0.2.1', { host: '192.0.2.1', port: 5_060, transport: 'udp' }],
    ['sip:agent@192.0.2.1:5080;transport=TCP', { host: '192.0.2.1', port: 5_080, transport: 'tcp' }],
    ['sips:agent@agent.example.com', { host: 'agent.example.com', port: 5_061, transport: 'tls' }],
    ['sip:agent@192.0.2.1;transport=ws', undefined],
    ['tel:+123', undefined],
  ])('reads where %s listens', (uri, target) => {
    if (target === undefined) expect(targetOf(uri)).toBeUndefined();
    else expect(targetOf(uri)).toMatchObject(target);
  });

  it('asks by a request that the grammar allows', () => {
    const text = optionsRequest(targetOf('sip:agent@192.0.2.1')!, { address: '2001:db8::1', port: 5_060 });
    const parsed = parseMessage(Buffer.from(text));
    expect(parsed).toMatchObject({ ok: true });
    expect(text).toContain('Via: SIP/2.0/UDP [2001:db8::1]:5060;branch=z9hG4bK');
  });

  it.each([
    ['SIP/2.0 200 OK', 'ok'],
    ['SIP/2.0 405 Method Not Allowed', 'ok'],
    ['SIP/2.0 503 Service Unavailable', 'warning'],
    ['HTTP/1.1 400 Bad Request', 'problem'],
  ])('judges the response %s', (line, verdict) => {
    expect(judgeResponse('sip:a', line).verdict).toBe(verdict);
  });

  it('says which part of a service is not ready', () => {
    const parts = [
      { name: 'redis', ready: false, detail: 'unreachable' },
      { name: 'engine', ready: true },
    ];
    expect(judgeService('The edge', { status: 'not ready', parts })).toMatchObject({
      verdict: 'problem',
      text: 'The edge is not ready (redis: unreachable).',
    });
    expect(judgeService('The edge', { status: 'ready' }).verdict).toBe('ok');
    expect(judgeService('The edge', undefined).verdict).toBe('skipped');
    expect(judgeService('media-stream', { status: 'not ready', detail: 'it has 1000 calls' })).toMatchObject({
      verdict: 'problem',
      text: 'media-stream is not ready (it has 1000 calls).',
    });
  });
});

describe('the roles of an environment', () => {
  const secret = { DEMARC_STATE_DIR: '/nonexistent', DEMARC_SECRET_KEY: generateSecretKey() };
  const stream = { ...secret, DEMARC_STREAM_LISTEN: '192.0.2.1:5090' };
  const edge = { ...secret, DRACHTIO_HOST: '127.0.0.1', DRACHTIO_SECRET: 'secret' };
  const control = { ...secret, DATABASE_URL: 'postgres://demarc@127.0.0.1/demarc' };

  it.each([
    ['an edge by its engine', edge, undefined, ['edge']],
    ['media-stream by its listener', stream, undefined, ['media-stream']],
    ['media-stream beside an edge', { ...stream, ...edge }, undefined, ['edge', 'media-stream']],
    ['control by its database', control, undefined, ['control']],
    ['all that --role names', { ...stream, ...edge, ...control }, 'both', ['edge', 'control']],
    ['media-stream where --role names it', { ...edge, ...control }, 'media-stream', ['media-stream']],
  ] as const)('are %s', (_, environment, role, expected) => {
    const context = doctorContext(environment, role);
    const found = { edge: context.edge, 'media-stream': context.mediaStream, control: context.control };
    expect(context.settingsProblems).toEqual([]);
    expect(Object.entries(found).flatMap(([name, read]) => (read === undefined ? [] : [name]))).toEqual(
      expected,
    );
  });
});

describe('an examination', () => {
  it('reports a check that fails, and runs the others', async () => {
    const context = {
      edge: undefined,
      control: undefined,
      mediaStream: undefined,
      settingsProblems: [],
      now: Date.now,
    };
    const report = await examine(
      [
        { name: 'a', title: 'A', run: () => Promise.reject(new Error('broken')) },
        { name: 'b', title: 'B', run: async () => [] },
      ],
      context,
    );
    expect(report.verdict).toBe('problem');
    expect(report.checks).toMatchObject([
      { findings: [{ verdict: 'problem', text: 'The check failed: broken' }] },
      { findings: [{ verdict: 'skipped' }] },
    ]);
  });
});
