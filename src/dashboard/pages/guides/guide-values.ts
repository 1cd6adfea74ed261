import type { Firewall, OutboundSetup } from '../../api/setup.js';
import type { Configuration } from '../../api/trunks.js';
import type { Codec, GuideValues, Recognition } from './guide.js';

const defaultCodecs: readonly Codec[] = ['PCMU', 'PCMA'];
const codecOf: ReadonlyMap<string, Codec> = new Map([
  ['PCMU', 'PCMU'],
  ['PCMA', 'PCMA'],
  ['G.722', 'G722'],
  ['G722', 'G722'],
  ['G.729', 'G729'],
  ['G729', 'G729'],
  ['Opus', 'opus'],
  ['opus', 'opus'],
]);

/**
 * What the guides take from the API.
 * @param phoneNumber E.164; empty: any number of the organization
 * @param inbound how the number is called; undefined: no number is chosen, or it is not called
 */
export function valuesOf(
  phoneNumber: string,
  outbound: OutboundSetup,
  { ports, ip_addresses }: Firewall,
  inbound: Configuration | undefined,
): Omit<GuideValues, 'pbx'> {
  const chosen = inbound?.codec_config?.codecs.flatMap((name) => codecOf.get(name) ?? []) ?? [];
  return {
    server: outbound.sip_server,
    port: outbound.port,
    rtpPorts: ports.rtp.replace(/ .*$/, ''),
    addresses: ip_addresses,
    authority: outbound.certificate_authority?.certificate,
    number: phoneNumber === '' ? undefined : phoneNumber,
    recognition: recognitionOf(inbound),
    codecs: chosen.length === 0 ? defaultCodecs : chosen,
  };
}

function recognitionOf(inbound: Configuration | undefined): Recognition {
  const registered = inbound?.register_auth?.username;
  if (registered !== undefined) return { by: 'registration', username: registered };
  const digest = inbound?.options.sip_username;
  return digest === undefined ? { by: 'address' } : { by: 'digest', username: digest };
}
