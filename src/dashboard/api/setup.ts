import * as z from 'zod/mini';
import { ask, query } from './client.js';

const text = z.nullable(z.string());
const figure = z.nullable(z.number());

const firewallSchema = z.object({
  region: z.string(),
  ip_addresses: z.array(z.string()),
  ports: z.object({ sip: z.string(), rtp: z.string() }),
  regions: z.array(
    z.object({ region: z.string(), sip_server: z.string(), ip_addresses: z.array(z.string()) }),
  ),
});
export type Firewall = z.infer<typeof firewallSchema>;

export const readFirewall = (signal?: AbortSignal): Promise<Firewall> =>
  ask(firewallSchema, '/v1/sip/firewall-ips', { ...(signal && { signal }) });

const outboundSetupSchema = z.object({
  sip_server: z.string(),
  port: z.number(),
  transport: z.string(),
  instructions: z.string(),
  credentials: z.optional(z.object({ username: z.string() })),
});
export type OutboundSetup = z.infer<typeof outboundSetupSchema>;

export const readOutboundSetup = (
  phoneNumber: string | undefined,
  signal?: AbortSignal,
): Promise<OutboundSetup> =>
  ask(outboundSetupSchema, `/v1/sip/outbound-setup${query({ phone_number: phoneNumber })}`, {
    ...(signal && { signal }),
  });

const destinationSchema = z.object({
  valid: z.boolean(),
  parsed: z.nullable(
    z.object({
      host: z.string(),
      port: z.optional(z.number()),
      user: z.optional(z.string()),
      transport: z.optional(z.string()),
      is_private_ip: z.boolean(),
      normalized: z.string(),
    }),
  ),
  reason: text,
});
export type Destination = z.infer<typeof destinationSchema>;

export const parseDestination = (input: string, signal?: AbortSignal): Promise<Destination> =>
  ask(destinationSchema, '/v1/sip/parse-destination', {
    method: 'POST',
    body: { input },
    ...(signal && { signal }),
  });

const discoverySchema = z.object({
  discovery_id: z.string(),
  status: z.string(),
  failure: text,
  detail: text,
  host: z.string(),
  progress: z.object({ done: z.number(), total: z.number() }),
  resolved_addresses: z.array(z.string()),
  srv_records: z.array(
    z.object({
      service: z.string(),
      target: z.string(),
      port: z.number(),
      priority: z.number(),
      weight: z.number(),
    }),
  ),
  attempts: z.array(
    z.object({
      address: z.string(),
      port: z.number(),
      transport: z.string(),
      response_time_ms: figure,
      response_code: figure,
      user_agent: text,
      reason: text,
      detail: text,
    }),
  ),
  recommended: z.nullable(
    z.object({
      port: figure,
      transport: z.string(),
      user_agent: text,
      detected_system: text,
      codecs: z.array(z.string()),
      methods: z.array(z.string()),
      mutual_tls: z.boolean(),
    }),
  ),
});
export type Discovery = z.infer<typeof discoverySchema>;

export const startDiscovery = (host: string): Promise<Discovery> =>
  ask(discoverySchema, '/v1/sip/discover', { method: 'POST', body: { host } });

export const readDiscovery = (id: string, signal?: AbortSignal): Promise<Discovery> =>
  ask(discoverySchema, `/v1/sip/discover/status${query({ discovery_id: id })}`, {
    ...(signal && { signal }),
  });
