import type { EndpointHealth } from '../../../../src/contract/health.js';

/** A probe that was answered; tests name what they are about. */
export const healthy = (fields: Partial<EndpointHealth> = {}): EndpointHealth => ({
  version: 1,
  endpoint: 'tls:pbx.example.com',
  edge_id: 'edge-1',
  checked_at: '2026-11-20T12:00:00.000Z',
  status: 'healthy',
  reason: null,
  detail: null,
  sip_status: 200,
  response_time_milliseconds: 40,
  evidence: 'probe',
  targets: [],
  ...fields,
});

/** One that was not. */
export const unreachable = (fields: Partial<EndpointHealth> = {}): EndpointHealth =>
  healthy({
    status: 'unreachable',
    reason: 'timeout',
    sip_status: null,
    response_time_milliseconds: null,
    ...fields,
  });
