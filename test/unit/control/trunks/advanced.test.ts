import { describe, expect, it } from 'vitest';
import {
  advancedSchema,
  advancedView,
  alertConfigSchema,
  alertWarnings,
  failoverConfigSchema,
  storedSections,
} from '../../../../src/control/trunks/advanced.js';

interface Parsed {
  readonly error?: { readonly issues: readonly { readonly path: readonly PropertyKey[] }[] } | undefined;
}
const paths = ({ error }: Parsed): string[] | undefined => error?.issues.map(({ path }) => path.join('.'));

describe('the backup servers of a number', () => {
  const backup = (fields: object = {}) => ({ host: 'backup.example.com', priority: 1, ...fields });

  it('are used when the first server is unreachable or late, and left automatically', () => {
    expect(failoverConfigSchema.parse({ endpoints: [backup()] })).toEqual({
      enabled: true,
      endpoints: [backup()],
      triggers: ['unreachable', 'timeout'],
      failback: 'auto',
    });
  });

  it.each<[string, object, string]>([
    ['none', { endpoints: [] }, 'endpoints'],
    ['three', { endpoints: [1, 2, 3].map((priority) => backup({ priority })) }, 'endpoints'],
    ['equal priorities', { endpoints: [backup(), backup({ host: 'b.example' })] }, 'endpoints.1.priority'],
    ['priority 0', { endpoints: [backup({ priority: 0 })] }, 'endpoints.0.priority'],
    ['priority 101', { endpoints: [backup({ priority: 101 })] }, 'endpoints.0.priority'],
    ['port 0', { endpoints: [backup({ port: 0 })] }, 'endpoints.0.port'],
    ['port 65536', { endpoints: [backup({ port: 65_536 })] }, 'endpoints.0.port'],
    ['a port in the host', { endpoints: [backup({ host: 'backup.example.com:5061' })] }, 'endpoints.0.host'],
    ['a URI', { endpoints: [backup({ host: 'sip:backup.example.com' })] }, 'endpoints.0.host'],
    ['a user', { endpoints: [backup({ host: 'a@backup.example.com' })] }, 'endpoints.0.host'],
    ['the unspecified address', { endpoints: [backup({ host: '0.0.0.0' })] }, 'endpoints.0.host'],
    ['no trigger', { endpoints: [backup()], triggers: [] }, 'triggers'],
    ['an unknown trigger', { endpoints: [backup()], triggers: ['busy'] }, 'triggers.0'],
  ])('are refused with %s', (_, config, path) => {
    expect(paths(failoverConfigSchema.safeParse(config))).toEqual([path]);
  });

  it('may be none while they are disabled', () => {
    expect(paths(failoverConfigSchema.safeParse({ enabled: false, endpoints: [] }))).toBeUndefined();
  });

  it.each([
    ['[2001:DB8::1]', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['PBX.Example.COM', 'pbx.example.com'],
    ['192.0.2.7', '192.0.2.7'],
  ])('at %s are stored as %s', (host, stored) => {
    expect(failoverConfigSchema.parse({ endpoints: [backup({ host })] }).endpoints[0]!.host).toBe(stored);
  });
});

describe('the sections of a direction', () => {
  const settings = { notices: { webhook: { allowPrivate: false } } } as unknown as Parameters<
    typeof storedSections
  >[0];
  const body = (fields: object) => ({ phone_number: '+14155550100', direction: 'outbound', ...fields });

  it('have failover in the outbound direction alone; clearing it is allowed in both', () => {
    const failover_config = { endpoints: [{ host: 'b.example.com', priority: 1 }] };
    expect(paths(advancedSchema.safeParse(body({ failover_config })))).toBeUndefined();
    expect(paths(advancedSchema.safeParse(body({ direction: 'inbound', failover_config })))).toEqual([
      'failover_config',
    ]);
    expect(
      paths(advancedSchema.safeParse(body({ direction: 'inbound', failover_config: null }))),
    ).toBeUndefined();
  });

  it.each<[string[], string]>([
    [[], 'codec_config.codecs'],
    [['PCMU', 'PCMU'], 'codec_config.codecs'],
    [['AMR'], 'codec_config.codecs.0'],
    [['G722'], 'codec_config.codecs.0'],
  ])('refuse the codecs %j', (codecs, path) => {
    expect(paths(advancedSchema.safeParse(body({ codec_config: { codecs } })))).toEqual([path]);
  });

  it.each<[object, string]>([
    [{ concurrent_calls: -1 }, 'limits.concurrent_calls'],
    [{ concurrent_calls: 1.5 }, 'limits.concurrent_calls'],
    [{ calls_per_second: 0 }, 'limits.calls_per_second'],
    [{ max_duration_seconds: 0 }, 'limits.max_duration_seconds'],
    [{ max_duration_seconds: 86_401 }, 'limits.max_duration_seconds'],
  ])('refuse the limits %j', (limits, path) => {
    expect(paths(advancedSchema.safeParse(body({ limits })))).toEqual([path]);
  });

  it('take zero concurrent calls: the direction is closed', () => {
    expect(paths(advancedSchema.safeParse(body({ limits: { concurrent_calls: 0 } })))).toBeUndefined();
  });

  it('show what was stored, in the names of the API', () => {
    const codecs = ['Opus', 'G.722', 'G.729', 'PCMA', 'PCMU'] as const;
    const stored = storedSections(settings, { codec_config: { codecs: [...codecs], transcode: true } });
    expect(stored).toEqual({ codecs: { order: ['opus', 'G722', 'G729', 'PCMA', 'PCMU'], transcode: true } });
    expect(advancedView(stored).codec_config).toEqual({ codecs, transcode: true });
  });

  it('keep what is not named, and clear what is null', () => {
    expect(storedSections(settings, {})).toEqual({});
    expect(storedSections(settings, { limits: null, codec_config: null })).toEqual({
      limits: null,
      codecs: null,
    });
  });

  it('are all empty for a direction without any', () => {
    expect(Object.values(advancedView(undefined))).toEqual([null, null, null, null, null]);
  });
});

describe('the alert of a number', () => {
  const warned = (config: object) =>
    alertWarnings('14155550100', alertConfigSchema.parse(config) as Parameters<typeof alertWarnings>[1]).map(
      ({ warning }) => warning,
    );

  it.each<[object, boolean]>([
    [{}, true],
    [{ thresholds: { failure_rate_window_minutes: 5 } }, true],
    [{ thresholds: { unreachable_minutes: 5 } }, false],
    [{ thresholds: { failure_rate_percent: 0 } }, false],
    [{ thresholds: { response_time_ms: 500 } }, false],
    [{ enabled: false }, false],
  ])('with %j never fires: %s', (config, isWarned) => {
    expect(warned(config)).toEqual(isWarned ? ['ALERT_NEVER_FIRES'] : []);
  });

  it('warns of nothing where there is none', () => expect(alertWarnings('14155550100', null)).toEqual([]));

  it.each<[object, string]>([
    [{ thresholds: { unreachable_minutes: 0 } }, 'thresholds.unreachable_minutes'],
    [{ thresholds: { unreachable_minutes: 1_441 } }, 'thresholds.unreachable_minutes'],
    [{ thresholds: { failure_rate_percent: 100.1 } }, 'thresholds.failure_rate_percent'],
    [{ thresholds: { response_time_ms: 60_001 } }, 'thresholds.response_time_ms'],
    [{ channels: { webhook: 'ftp://hooks.example' } }, 'channels.webhook'],
    [{ channels: { webhook: 'https://user:pass@hooks.example' } }, 'channels.webhook'],
    [{ channels: { webhook: 'https://hooks.example/a b' } }, 'channels.webhook'],
  ])('is refused with %j', (config, path) => {
    expect(paths(alertConfigSchema.safeParse(config))).toEqual([path]);
  });
});
