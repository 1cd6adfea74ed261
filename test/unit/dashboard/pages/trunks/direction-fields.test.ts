import { describe, expect, it } from 'vitest';
import type { Configuration } from '../../../../../src/dashboard/api/trunks.js';
import { withEdits } from '../../../../../src/dashboard/forms/edits.js';
import {
  directionBody,
  directionChanges,
  fieldsOf,
  sectionChanges,
} from '../../../../../src/dashboard/pages/trunks/edit/direction-fields.js';

const outbound: Configuration = {
  number: '+14155550100',
  id: 'cfg_1',
  org_id: 'org_1',
  direction: 'outbound',
  sip_endpoint: 'sip:pbx.example.com',
  agent: null,
  agent_streams: [],
  registrar: null,
  allowed_ips: null,
  created_at: '2026-11-22T00:00:00Z',
  updated_at: '2026-11-22T00:00:00Z',
  headers: null,
  options: { sip_username: 'acme', sip_password: '[redacted]', sip_realm: 'pbx', port: 5061 },
  register_auth: null,
  failover_config: null,
  alert_config: null,
  transfer_config: null,
  codec_config: { codecs: ['PCMU', 'PCMA'], transcode: false },
  limits: { concurrent_calls: 10 },
};
const inbound: Configuration = {
  ...outbound,
  id: 'cfg_2',
  direction: 'inbound',
  sip_endpoint: 'sip:pbx.example.com',
  registrar: 'sip:pbx.example.com',
  options: { auth_mode: 'register' },
  register_auth: { username: '700', password: '[redacted]' },
  allowed_ips: [],
};

const changed = (configuration: Configuration, edits: Record<string, unknown>): unknown => {
  const before = fieldsOf(configuration);
  return directionChanges(before, withEdits(before, edits), configuration.id);
};

describe('the change of a direction', () => {
  it('has only what differs, and null for what is cleared', () => {
    expect(changed(outbound, {})).toBeUndefined();
    expect(changed(outbound, { 'options.port': undefined, 'options.secure_media': false })).toEqual({
      type: 'outbound',
      id: 'cfg_1',
      options: { port: null, secure_media: false },
    });
  });

  it('keeps a stored password that is not typed again, replaces a typed one, and removes it with its user', () => {
    expect(changed(outbound, { 'options.sip_password': '' })).toBeUndefined();
    expect(changed(outbound, { 'options.sip_password': 'new' })).toMatchObject({
      options: { sip_password: 'new' },
    });
    expect(changed(outbound, { 'options.sip_username': '' })).toEqual({
      type: 'outbound',
      id: 'cfg_1',
      options: { sip_username: null, sip_password: null, sip_realm: null },
    });
  });

  it('names the agent when a registration is given up, which the API requires', () => {
    expect(changed(inbound, { auth_mode: 'ip' })).toEqual({
      type: 'inbound',
      id: 'cfg_2',
      auth_mode: 'ip',
      agent: null,
    });
  });

  it('sends headers with their direction, and null for none', () => {
    const mapping = { type: 'custom', key: 'account', value: 'X-Account' } as const;
    expect(changed(outbound, { headers: [mapping] })).toMatchObject({
      headers: { direction: 'outbound', headers: [mapping] },
    });
    const mapped = { ...outbound, headers: { direction: 'outbound' as const, headers: [{ ...mapping }] } };
    expect(changed(mapped, { headers: [] })).toMatchObject({ headers: null });
  });
});

describe('the change of sections', () => {
  const before = fieldsOf(outbound);

  it('replaces the sections that differ, and clears those that are empty', () => {
    expect(sectionChanges(before, before)).toBeUndefined();
    const draft = withEdits(before, {
      'codec_config.codecs': ['PCMA', 'PCMU'],
      'limits.concurrent_calls': undefined,
    });
    expect(sectionChanges(before, draft)).toEqual({
      codec_config: { codecs: ['PCMA', 'PCMU'], transcode: false },
      limits: null,
    });
  });

  it('numbers backup servers in their order', () => {
    const endpoints = [
      { host: 'b.example.com', priority: 2 },
      { host: 'a.example.com', port: 5061, priority: 1 },
    ];
    expect(sectionChanges(before, withEdits(before, { 'failover_config.endpoints': endpoints }))).toEqual({
      failover_config: {
        endpoints: [
          { host: 'b.example.com', priority: 1 },
          { host: 'a.example.com', port: 5061, priority: 2 },
        ],
      },
    });
  });

  it('tells "no target is allowed" from the usual rules', () => {
    const draft = withEdits(before, { transfer_config: { mode: 'bridge', allowed_targets: [] } });
    expect(sectionChanges(before, draft)).toEqual({
      transfer_config: { mode: 'bridge', allowed_targets: [] },
    });
  });
});

describe('a direction to attach', () => {
  it('has no empty fields', () => {
    expect(
      directionBody({
        type: 'inbound',
        auth_mode: 'ip',
        allowed_ips: [],
        agent: '',
        options: { sip_username: '' },
      }),
    ).toEqual({ type: 'inbound', auth_mode: 'ip' });
  });

  it('keeps the stored passwords of a trunk', () => {
    const fields = {
      type: 'outbound',
      sip_endpoint: 'sip:a.example',
      options: { sip_username: 'a' },
    } as const;
    expect(directionBody(fields, { sipPassword: true })).toMatchObject({
      options: { sip_username: 'a', sip_password: '[redacted]' },
    });
  });
});
