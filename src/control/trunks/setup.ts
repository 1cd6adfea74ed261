import type { ControlSettings, Region } from '../../config/control-settings.js';
import type { Caller, ControlDeps } from '../http/api-server.js';
import { readConfigurations, requirePhoneNumber } from '../numbers/number-access.js';
import type { SipAuthority } from './sip-authority.js';

type SetupSettings = Pick<ControlSettings, 'regions' | 'sipTlsPort' | 'rtpPorts'>;

/** The caller's region; the first one when its own is not configured any more. */
function regionOf({ regions }: Pick<ControlSettings, 'regions'>, { region }: Pick<Caller, 'region'>): Region {
  return regions.find(({ name }) => name === region) ?? regions[0]!;
}

/** The addresses and ports that the customer's firewall must allow. */
export function firewallInformation(settings: SetupSettings, caller: Pick<Caller, 'region'>) {
  const region = regionOf(settings, caller);
  return {
    region: region.name,
    ip_addresses: [...region.ipAddresses],
    regions: settings.regions.map(({ name, sipHost, ipAddresses }) => ({
      region: name,
      sip_server: sipHost,
      ip_addresses: [...ipAddresses],
    })),
    ports: { sip: `${settings.sipTlsPort} TLS`, rtp: `${settings.rtpPorts} UDP` },
  };
}

export interface OutboundSetup {
  readonly sip_server: string;
  readonly port: number;
  readonly transport: 'tls';
  readonly instructions: string;
  readonly certificate_authority: SipAuthority | null;
  readonly credentials?: { readonly username: string; readonly password: '[redacted]' };
}

/** What the customer's PBX needs in order to send calls. Throws `DemarcError` `NOT_FOUND` for a number not the caller's. */
export async function outboundSetup(
  { settings, database }: ControlDeps,
  authority: SipAuthority | undefined,
  caller: Caller,
  phoneNumber: string | undefined,
): Promise<OutboundSetup> {
  const rows =
    phoneNumber === undefined
      ? []
      : await readConfigurations(database, caller.organizationId, requirePhoneNumber(phoneNumber));
  const username = rows.find(({ register_username }) => register_username !== null)?.register_username;
  return setupOf(settings, authority, caller, username ?? undefined);
}

/** The same for a registration with that user name; undefined: the PBX is known by its address. */
export function setupOf(
  settings: SetupSettings,
  authority: SipAuthority | undefined,
  caller: Pick<Caller, 'region'>,
  username: string | undefined,
): OutboundSetup {
  const { sipHost } = regionOf(settings, caller);
  const { sipTlsPort: port, rtpPorts } = settings;
  const lines = [
    `Send calls to sip:NUMBER@${sipHost.includes(':') ? `[${sipHost}]` : sipHost}:${port};transport=tls, the number in E.164 with or without plus.`,
    'Signaling is TLS 1.2 or later over TCP; UDP is not accepted. Trust the CA of the server certificate.',
    `Media is SRTP with AES_CM_128_HMAC_SHA1_80 on UDP ports ${rtpPorts}; DTMF is RFC 2833.`,
    username === undefined
      ? 'Calls are recognized by their source address: set allowed_ips to yours.'
      : `Demarc registers with your PBX as ${username}, using the password returned when the registration was attached: send calls to that user. Calls from other addresses authenticate with the same user and password.`,
  ];
  return {
    sip_server: sipHost,
    port,
    transport: 'tls',
    instructions: lines.join('\n'),
    certificate_authority: authority ?? null,
    ...(username === undefined ? {} : { credentials: { username, password: '[redacted]' as const } }),
  };
}
