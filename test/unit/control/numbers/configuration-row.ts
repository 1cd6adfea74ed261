import type { Configuration } from '../../../../src/control/numbers/tables.js';

/** An inbound configuration without anything but its addresses; tests name what they are about. */
export const configurationRow = (fields: Partial<Configuration> = {}): Configuration => ({
  id: 'cfg_1',
  number: '14155550100',
  direction: 'inbound',
  position: '1',
  sip_endpoint: null,
  registrar: null,
  auth_mode: 'ip',
  register_username: null,
  register_password: null,
  pbx_password: null,
  options: {},
  sip_password: null,
  allowed_ips: [],
  headers: [],
  agent: null,
  agent_streams: [],
  created_at: new Date('2026-11-01T08:00:00Z'),
  updated_at: new Date('2026-11-02T09:00:00Z'),
  ...fields,
});

/** An outbound configuration for one server. */
export const outboundRow = (fields: Partial<Configuration> = {}): Configuration =>
  configurationRow({
    id: 'cfg_2',
    direction: 'outbound',
    auth_mode: null,
    sip_endpoint: 'sip:pbx.example.com',
    ...fields,
  });
