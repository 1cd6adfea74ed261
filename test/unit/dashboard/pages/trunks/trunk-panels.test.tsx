import { describe, expect, it } from 'vitest';
import type { HealthHistory, TrunkSummary } from '../../../../../src/dashboard/api/noc.js';
import type {
  Configuration,
  EndpointStatus,
  TestCall,
  TrunkStatus,
} from '../../../../../src/dashboard/api/trunks.js';
import { isWholeWindow } from '../../../../../src/dashboard/pages/trunks/checked-windows.js';
import { ConfigurationPanel } from '../../../../../src/dashboard/pages/trunks/configuration-panel.js';
import { Advice, EndpointHistory, Now } from '../../../../../src/dashboard/pages/trunks/health-panel.js';
import { ServersPanel } from '../../../../../src/dashboard/pages/trunks/servers-panel.js';
import { Timeline } from '../../../../../src/dashboard/pages/trunks/test-call-panel.js';
import { HourOfCalls, TrunkCallState } from '../../../../../src/dashboard/pages/trunks/trunk-calls.js';
import { reachability, TrunkNote } from '../../../../../src/dashboard/pages/trunks/trunk-note.js';
import { bucketTime } from '../../../../../src/dashboard/parts/format.js';
import { type Rendered, rendered } from '../../rendered.js';

const at = '2026-11-22T10:00:00.000Z';
const nothing = (): void => undefined;

const endpoint = (fields: Partial<EndpointStatus> = {}): EndpointStatus =>
  ({
    endpoint: 'tls:pbx1.example',
    checked_since: '2026-10-01T00:00:00Z',
    status: 'healthy',
    uptime_percent: { '24h': 99.5, '7d': 98, '30d': null },
    average_response_time_ms: { '24h': 42, '7d': 45, '30d': null },
    response_time_ms: null,
    sip_code: null,
    evidence: null,
    checked_at: null,
    targets: [],
    cause: null,
    advice: null,
    detail: null,
    ...fields,
  }) as unknown as EndpointStatus;

const status = (fields: Partial<TrunkStatus> = {}): TrunkStatus =>
  ({
    status: 'healthy',
    endpoints: [endpoint()],
    failover: null,
    response_time_ms: null,
    checked_at: null,
    cause: null,
    advice: null,
    detail: null,
    ...fields,
  }) as unknown as TrunkStatus;

describe('the servers of a number', () => {
  const panel = (fields: Partial<TrunkStatus> = {}): Rendered =>
    rendered(<ServersPanel phoneNumber="+1312" status={status(fields)} onChanged={nothing} />);
  const several = ['a', 'b', 'c', 'd'].map((name) => endpoint({ endpoint: name }));

  it('need no panel when there are none', () => {
    expect(panel({ endpoints: [] }).html).toBe('');
    expect(panel().all('h2')).toEqual(['Server']);
    expect(panel({ endpoints: several }).all('h2')).toEqual(['Servers and failover']);
  });

  it('have their place in order, and the one in use is marked', () => {
    const failover = {
      failed_over: false,
      active: 'b',
      out: [],
      since: null,
      reason: null,
      failback: 'auto',
    };
    const { all } = panel({ endpoints: several, failover: failover as unknown as TrunkStatus['failover'] });
    expect(all('.server-head')).toEqual([
      'Primary a Reachable',
      'Secondary bin use Reachable',
      'Tertiary c Reachable',
      'Server 4 d Reachable',
    ]);
    expect(panel({ endpoints: several }).all('.chip')).toEqual([]);
  });

  it.each([
    ['auto', 'They return automatically'],
    ['manual', 'They stay there until you fail back.'],
  ])('say how calls return from a backup: %s', (failback, words) => {
    const failover = {
      failed_over: true,
      active: 'b',
      since: at,
      reason: 'auth_failure',
      failback,
      out: [{ endpoint: 'a', since: at, reason: 'timeout', detail: 'no response', healthy_probes: 2 }],
    } as unknown as TrunkStatus['failover'];
    const { text, all } = panel({ endpoints: several, failover });
    expect(text).toContain('the first server failed (auth failure).');
    expect(text).toContain(words);
    expect(all('button')).toEqual(['Fail back to the first server']);
    expect(text).toContain('timeout, no response. Successful probes since: 2.');
    expect(text.match(/Bypassed since/g)).toHaveLength(1);
  });

  it('say what is known of each', () => {
    expect(panel().all('p')).toEqual(['99.50 % up in 24 h']);
    const measured = endpoint({ response_time_ms: 42, sip_code: 200, evidence: 'call', checked_at: at });
    expect(panel({ endpoints: [measured] }).all('p')[0]).toMatch(
      /^99\.50 % up in 24 h, responds in 42 ms with 200, ignores OPTIONS but recently took a call, checked .* ago$/,
    );
  });

  it('explain a failure once: here, or in the panel above', () => {
    const down = endpoint({
      status: 'unreachable',
      cause: 'Refused.',
      advice: 'Check the port.',
      detail: 'ECONNREFUSED',
    });
    expect(panel({ endpoints: [down] }).all('.explanation')[0]).toBe('Refused. Check the port. ECONNREFUSED');
    const above = panel({ endpoints: [down], status: 'unreachable', detail: 'ECONNREFUSED' });
    expect(above.all('.explanation')).toEqual([]);
    expect(above.text).toContain('Refused.');
    expect(
      panel({ endpoints: [down], status: 'unreachable', detail: 'other' }).all('.explanation'),
    ).toHaveLength(1);
  });

  it('have their addresses, with what the probe of each says', () => {
    const targets = [
      { address: '192.0.2.1:5061', status: 'healthy', response_time_ms: 12, sip_code: 200, retry_at: null },
      {
        address: '192.0.2.2:5061',
        status: 'unreachable',
        response_time_ms: null,
        sip_code: null,
        retry_at: at,
      },
    ] as unknown as EndpointStatus['targets'];
    const [, first, second] = panel({ endpoints: [endpoint({ targets })] }).all('li');
    expect(first).toMatch(/12 ms, 200$/);
    expect(second).toMatch(/no probe before/);
  });
});

describe('the reachability of a number', () => {
  it('calls a healthy server reachable', () => {
    expect(reachability({ status: 'healthy' })).toBe('reachable');
    expect(reachability({ status: 'unreachable' })).toBe('unreachable');
  });

  it('says when there is no server, and what a probe found', () => {
    expect(rendered(<Now status={status({ endpoints: [] })} />).text).toContain('inbound only');
    const line = (fields: Partial<TrunkStatus>): string =>
      rendered(<Now status={status(fields)} />).all('p')[0]!;
    expect(line({})).toBe('Reachable');
    expect(line({ response_time_ms: 42 })).toBe('Reachable responds in 42 ms');
    expect(line({ checked_at: at })).toMatch(/^Reachable checked .* ago$/);
    expect(line({ response_time_ms: 42, checked_at: at })).toMatch(/^Reachable responds in 42 ms, checked /);
  });

  it('explains an unreachable number, and names servers only where there are several', () => {
    const down = rendered(<Now status={status({ status: 'unreachable', cause: 'Refused.' })} />);
    expect(down.all('.explanation')).toEqual(['Refused.']);
    expect(rendered(<Now status={status({ cause: 'Refused.' })} />).all('.explanation')).toEqual([]);
    expect(down.all('.mono')).toEqual([]);
    const two = rendered(<Now status={status({ endpoints: [endpoint(), endpoint({ endpoint: 'b' })] })} />);
    expect(two.all('.mono')).toEqual(['tls:pbx1.example', 'b']);
    expect(two.all('td')).toContain('99.50 %42 ms');
  });

  it('needs a cause or a detail to be explained', () => {
    expect(rendered(<Advice advice="Check." />).html).toBe('');
    expect(rendered(<Advice detail="x" />).text).toBe('x');
    expect(rendered(<Advice cause="c" advice="a" />).text).toBe('c a');
  });
});

describe('the reachability of a server over time', () => {
  type Bucket = HealthHistory['endpoints'][number]['buckets'][number];
  const bucket = (hour: number, up: number | null, checks = up === null ? 0 : 60): Bucket =>
    ({
      at: `2026-11-20T${String(hour).padStart(2, '0')}:00:00Z`,
      uptime_percent: up,
      checks,
      response_time_ms: null,
    }) as Bucket;
  const history = (buckets: readonly Bucket[], up: number | null, since: string | null = null): Rendered =>
    rendered(
      <EndpointHistory
        endpoint={
          {
            endpoint: 'a',
            buckets,
            uptime_percent: up,
            checked_since: since,
          } as unknown as HealthHistory['endpoints'][number]
        }
        bucketSeconds={3_600}
        window="24h"
      />,
    );

  it('counts checks while the time is not over, else gives the share of time', () => {
    expect(history([bucket(0, null)], null).all('h3')).toEqual(['a not checked yet']);
    expect(history([bucket(0, 100), bucket(1, 50)], 75).all('h3')).toEqual(['a 75 % up over 24 h']);
    const since = new Date(Date.now() - 50 * 60_000).toISOString();
    expect(history([bucket(0, null), bucket(1, 50), bucket(2, 100)], 75, since).all('h3')[0]).toBe(
      `a reachable in 90 of 120 checks since ${bucketTime(since, 0)}`,
    );
  });

  it('has no uptime for a window in which the server was not checked yet', () => {
    const present = Date.parse('2026-11-22T12:00:00Z');
    const windows = (since: string | null) =>
      (['24h', '7d', '30d'] as const).map((window) => isWholeWindow(window, since, present));
    expect(windows('2026-11-22T11:10:00Z')).toEqual([false, false, false]);
    expect(windows('2026-11-20T00:00:00Z')).toEqual([true, false, false]);
    expect(windows('2026-10-20T00:00:00Z')).toEqual([true, true, true]);
    expect(windows(null)).toEqual([false, false, false]);
  });

  it('keeps one failed check visible', () => {
    const { html } = history([bucket(0, null), bucket(1, 99.9), bucket(2, 100), bucket(3, 20)], 80);
    expect([...html.matchAll(/class="(unknown|partly|up)"/g)].map(([, name]) => name)).toEqual([
      'unknown',
      'partly',
      'up',
      'partly',
    ]);
    expect([...html.matchAll(/height:\s?(\d+)/g)].map(([, height]) => height)).toEqual([
      '0',
      '88',
      '100',
      '20',
    ]);
  });

  it('sums it up for screen readers', () => {
    const label = (...buckets: Bucket[]): string => history(buckets, null).all('.note').at(0)!;
    expect(label(bucket(0, null))).toBe('Uptime: not checked yet.');
    expect(label(bucket(0, 100))).toBe('Uptime: no failed check.');
    expect(label(bucket(0, 50), bucket(1, 100))).toMatch(
      /^Uptime: failed checks in 1 of 2 hours, most recently /,
    );
  });

  it('draws no response times when there are none', () => {
    expect(history([bucket(0, 100)], 100).text).toContain('No response time: no response yet.');
  });
});

describe('the recent calls of a number', () => {
  const calls = (fields: Partial<TrunkSummary['calls']> = {}): TrunkSummary['calls'] =>
    ({
      state: 'working',
      window: '5m',
      calls: 10,
      failed: 0,
      worst: null,
      hour: [],
      ...fields,
    }) as TrunkSummary['calls'];
  const shown = (fields: Partial<TrunkSummary['calls']>): Rendered =>
    rendered(<TrunkCallState phone_number="+1312" calls={calls(fields)} />);

  it.each<[Partial<TrunkSummary['calls']>, string]>([
    [{ calls: 0 }, 'No calls'],
    [{}, '10 calls in 5 min'],
    [{ calls: 1, window: '1h' }, '1 call in 1 h'],
    [{ failed: 3, state: 'failing' }, '7 of 10 calls succeeded in 5 min'],
  ])('with %j are %s', (fields, words) => {
    expect(shown(fields).text).toBe(words);
  });

  it('lead to the calls of the most frequent failure', () => {
    const worst = { end_reason: 'trunk_refused', sip_status: 503 } as TrunkSummary['calls']['worst'];
    const { html, all } = shown({ failed: 3, worst });
    expect(html).toContain('/calls?number=%2B1312&amp;end_reason=trunk_refused&amp;code=503&amp;span=5m');
    expect(all('a')).toEqual(['503 Refused by the trunk']);
  });

  it('of an hour are drawn when there were any', () => {
    const hour = (...counts: [number, number][]) =>
      rendered(
        <HourOfCalls
          phone_number="+1312"
          calls={calls({
            hour: counts.map(([all, failed]) => ({ calls: all, failed })) as TrunkSummary['calls']['hour'],
          })}
        />,
      );
    expect(hour([0, 0]).html).toBe('');
    expect(hour([0, 0], [4, 1], [6, 2]).all('title')).toEqual([
      'Calls of +1312 in the last hour: 10, 3 failed',
    ]);
  });
});

describe('the note on a number', () => {
  const note = (fields: Partial<TrunkSummary>): Rendered =>
    rendered(
      <TrunkNote
        {...({
          status: 'healthy',
          servers: { total: 3, unreachable: 0 },
          registration: null,
          ...fields,
        } as TrunkSummary)}
      />,
    );

  it.each<[Partial<TrunkSummary>, string]>([
    [{}, ''],
    [{ servers: { total: 3, unreachable: 1 } as TrunkSummary['servers'] }, '1 of 3 servers unreachable'],
    [{ status: 'unreachable', servers: { total: 3, unreachable: 3 } as TrunkSummary['servers'] }, ''],
    [{ registration: 'registered' }, 'Registered with the PBX'],
    [{ registration: 'odd' as TrunkSummary['registration'] }, 'odd'],
  ])('of %j is "%s"', (fields, words) => {
    expect(note(fields).text).toBe(words);
  });

  it('warns of a failed registration', () => {
    for (const registration of ['failed', 'unregistered'] as const)
      expect(note({ registration }).html).toContain('class="state bad"');
    expect(note({ registration: 'registering' }).html).not.toContain('class="state');
  });
});

describe('the configuration of a number', () => {
  const inbound = (fields: object = {}): Configuration =>
    ({
      id: 'i',
      direction: 'inbound',
      options: {},
      allowed_ips: null,
      agent: null,
      registrar: null,
      codec_config: null,
      limits: null,
      failover_config: null,
      headers: null,
      updated_at: at,
      ...fields,
    }) as unknown as Configuration;
  const outbound = (fields: object = {}): Configuration =>
    inbound({ id: 'o', direction: 'outbound', sip_endpoint: 'pbx.example', ...fields });
  const facts = (configuration: Configuration): Readonly<Record<string, string>> => {
    const { all } = rendered(<ConfigurationPanel phoneNumber="+1312" configurations={[configuration]} />);
    const values = all('dd');
    return Object.fromEntries(all('dt').map((name, index) => [name, values[index]!]));
  };

  it.each<[string, object, string]>([
    ['no addresses', {}, 'The number’s own outbound servers, if any (no allowed_ips)'],
    ['addresses', { allowed_ips: ['192.0.2.1', '192.0.2.2'] }, '192.0.2.1 192.0.2.2'],
    [
      'a registration',
      { options: { auth_mode: 'register' }, register_auth: { username: 'u1' } },
      'The PBX with which Demarc registers as u1',
    ],
    [
      'an unknown registration',
      { options: { auth_mode: 'register' } },
      'The PBX with which Demarc registers as unknown',
    ],
  ])('says who may call: %s', (_, fields, words) => {
    expect(facts(inbound(fields))['Who may call']).toBe(words);
  });

  it('has an agent, or a registrar where it registers', () => {
    expect(facts(inbound()).Agent).toBe('the service’s default agent');
    expect(facts(inbound({ agent: 'sip:a' })).Agent).toBe('sip:a');
    const registering = facts(inbound({ options: { auth_mode: 'register', sip_username: 'd' } }));
    expect(registering).toMatchObject({ Registrar: 'the outbound server', 'Or by digest': 'd' });
    expect(registering).not.toHaveProperty('Agent');
    expect(facts(inbound())).not.toHaveProperty('Or by digest');
  });

  it('of outbound calls has server, media and credentials', () => {
    expect(facts(outbound())).toMatchObject({ Server: 'pbx.example', Media: 'SRTP', Credentials: 'none' });
    expect(facts(outbound())).not.toHaveProperty('Port');
    expect(
      facts(
        outbound({
          sip_endpoint: null,
          options: { transport: 'udp', port: 5060, secure_media: false, sip_username: 'u' },
        }),
      ),
    ).toMatchObject({
      Server: '–',
      Transport: 'UDP',
      Port: '5060',
      Media: 'RTP, not encrypted',
      Credentials: 'u, password stored encrypted',
    });
  });

  it('has codecs, limits, failover and headers', () => {
    expect(Object.keys(facts(outbound()))).toEqual(['Server', 'Media', 'Credentials', 'Codecs', 'Changed']);
    const failover = (fields: object) => ({
      enabled: true,
      endpoints: [{ host: 'b' }, { host: 'c', port: 5062, transport: 'udp' }],
      triggers: ['timeout', 'auth_failure'],
      failback: 'auto',
      ...fields,
    });
    const all = {
      codec_config: { codecs: ['PCMA'], transcode: true },
      limits: { calls_per_second: 3 },
      headers: { headers: [{}, {}] },
      failover_config: failover({}),
    };
    expect(facts(outbound(all))).toMatchObject({
      Codecs: 'PCMA, transcoded if needed',
      'Calls per second': '3',
      'Header mappings': '2',
      Failover: expect.stringMatching(
        /^to tls:b, then udp:c:5062 after timeout, auth failure; back automatically/,
      ),
    });
    expect(facts(outbound({ codec_config: { codecs: ['PCMA'], transcode: false } })).Codecs).toBe('PCMA');
    expect(facts(outbound({ failover_config: failover({ enabled: false }) })).Failover).toBe('off');
    expect(facts(outbound({ failover_config: failover({ failback: 'manual' }) })).Failover).not.toContain(
      'automatically',
    );
  });
});

describe('a test call', () => {
  const call = (fields: Partial<TestCall> = {}): TestCall =>
    ({
      status: 'completed',
      result: 'connected',
      duration_seconds: 7,
      cause: null,
      advice: null,
      history_call_id: 'c/1',
      timeline: [
        { event: 'started', at, detail: null },
        { event: 'server_tried', at: '2026-11-22T10:00:00.250Z', detail: 'pbx.example' },
      ],
      ...fields,
    }) as unknown as TestCall;
  const shown = (fields: Partial<TestCall> = {}): Rendered => rendered(<Timeline call={call(fields)} />);

  it('has its events with the seconds since the first', () => {
    expect(shown().all('li')).toEqual(['0.000Started', '0.250Server tried pbx.example']);
    expect(shown({ timeline: [] }).all('li')).toEqual([]);
  });

  it.each([
    ['connected', 'good', 'Connected'],
    ['no_answer', 'warn', 'No answer'],
    ['failed', 'bad', 'Failed'],
    ['call_stolen', 'idle', 'Call stolen'],
  ])('has, when it is %s, the tone %s', (result, tone, word) => {
    const { html, all } = shown({ result: result as TestCall['result'] });
    expect(html).toContain(`class="state ${tone}"`);
    expect(all('.state')).toEqual([word]);
  });

  it('leads to its messages when it is over, and has a duration when it was answered', () => {
    expect(shown().html).toContain('href="/calls/c%2F1"');
    expect(shown().text).toContain('Connected 7.0 s');
    expect(shown({ status: 'ringing' as TestCall['status'], duration_seconds: 0 }).html).not.toContain(
      '/calls/',
    );
    expect(shown({ duration_seconds: 0 }).text).not.toContain('0.0 s');
  });

  it('explains its end', () => {
    expect(shown({ cause: 'Audio was sent.', advice: 'Listen.' }).text).toContain('Audio was sent.');
    expect(shown({ cause: 'Audio was sent.', advice: 'Listen.' }).text).not.toContain('Listen.');
    expect(shown({ result: 'failed', cause: 'Refused.', advice: 'Check.' }).text).toContain(
      'Refused. Check.',
    );
  });
});
