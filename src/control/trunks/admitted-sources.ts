import { e164 } from '../http/phone-number.js';
import { endpointOf } from '../numbers/compose-document.js';
import type { Configuration } from '../numbers/tables.js';
import type { Warning } from '../numbers/warnings.js';

/** What a person should know of the number's inbound directions. */
export function inboundWarnings(
  number: string,
  configurations: readonly Configuration[],
  sourcePolicy: 'none' | 'any',
): Warning[] {
  const warnings = [
    warnOfOpenInbound(number, configurations, sourcePolicy),
    warnOfMissingRegistrar(number, configurations),
  ];
  return warnings.filter((warning) => warning !== undefined);
}

function warnOfMissingRegistrar(
  number: string,
  configurations: readonly Configuration[],
): Warning | undefined {
  const isMissing = configurations.some((row) => row.register_username !== null && row.registrar === null);
  if (!isMissing || configurations.some(({ direction }) => direction === 'outbound')) return undefined;
  return {
    phone_number: e164(number),
    warning: 'NO_REGISTRAR',
    message: 'No registrar: set registrar of the inbound direction, or attach an outbound direction.',
  };
}

/**
 * Says who may call through an inbound configuration that names neither addresses nor credentials, as the edges will
 * decide it; undefined when the number has no such configuration.
 */
function warnOfOpenInbound(
  number: string,
  configurations: readonly Configuration[],
  sourcePolicy: 'none' | 'any',
): Warning | undefined {
  const isOpen = configurations.some(
    ({ direction, allowed_ips, register_username, options }) =>
      direction === 'inbound' &&
      allowed_ips.length === 0 &&
      register_username === null &&
      options.sip_username === undefined,
  );
  if (!isOpen) return undefined;
  const hosts = configurations
    .filter(({ direction }) => direction === 'outbound')
    .map(({ sip_endpoint, options }) => endpointOf(sip_endpoint!, options).host);
  return {
    phone_number: e164(number),
    warning: 'NO_ALLOWED_IPS',
    message: `The inbound direction has no allowed_ips. ${whoMayCall([...new Set(hosts)], sourcePolicy)}`,
  };
}

function whoMayCall(hosts: readonly string[], sourcePolicy: 'none' | 'any'): string {
  if (hosts.length > 0) {
    return (
      `Only the addresses of the number's own outbound servers (${hosts.join(', ')}) may call, because servers that Demarc calls may ` +
      'also call. Set allowed_ips if calls come from other addresses.'
    );
  }
  return sourcePolicy === 'any'
    ? 'Calls from any address are accepted. Set allowed_ips to accept only your servers.'
    : 'No caller is admitted yet (403): the number has no allowed_ips and no outbound servers. ' +
        'Set allowed_ips, attach an outbound direction, or use auth_mode register.';
}
