import type { AdmissionSettings } from '../../config/edge-settings.js';
import type { InboundConfiguration, NumberDocument } from '../../contract/number.js';
import { numberPlace } from '../../contract/secret.js';
import { parseSourceRange, type SourceRange } from '../../contract/source-range.js';
import { normalAddress } from '../../naming/address.js';
import { isLoopback } from '../../naming/address-scope.js';
import type { OutboundAddresses } from '../routing/outbound-addresses.js';
import type { InboundRequest, Refusal } from './admission.js';
import { accountsOf } from './digest-accounts.js';
import type { DigestAccount, DigestGate } from './digest-gate.js';
import { refuse } from './refusal.js';

export type CallerVerdict =
  | { readonly ok: true; readonly inbound: InboundConfiguration; readonly authenticatedAs?: string }
  | { readonly ok: false; readonly refusal: Refusal };

interface CompiledNumber {
  readonly ranges: readonly {
    readonly inbound: InboundConfiguration;
    readonly ranges: readonly SourceRange[];
  }[];
  /** Configurations that name neither sources nor credentials. */
  readonly open: readonly InboundConfiguration[];
  readonly accounts: readonly DigestAccount<InboundConfiguration>[];
}

/**
 * Who may call: a source that a configuration lists; else a caller that answers a digest challenge; if a configuration names
 * neither, the number's own servers, or as DEMARC_SOURCE_POLICY says when it has none.
 */
export class CallerGate {
  /** Documents are frozen and replaced as a whole, so what was made of one stays right. */
  private readonly compiled = new WeakMap<NumberDocument, CompiledNumber>();

  constructor(
    private readonly settings: AdmissionSettings,
    private readonly digest: DigestGate,
    private readonly outbound: Pick<OutboundAddresses, 'includes'>,
  ) {}

  async check(request: InboundRequest, document: NumberDocument): Promise<CallerVerdict> {
    const source = normalAddress(request.sourceAddress) ?? request.sourceAddress;
    const number = this.compile(document);
    // A datagram's source address is unproven until its sender has answered a message that we sent there.
    const isProven = request.protocol.toLowerCase() !== 'udp' || this.settings.trustUdpSources;
    const byRange = number.ranges.find(({ ranges }) => ranges.some((range) => range.contains(source)));
    if (byRange !== undefined && isProven) return { ok: true, inbound: byRange.inbound };
    let lacking: Refusal | undefined;
    const open = number.open[0];
    if (open !== undefined) {
      const refusal = await this.checkOpen(document, source, isProven);
      if (refusal === undefined) return { ok: true, inbound: open };
      lacking = refusal;
    }
    const { accounts } = number;
    if (accounts.length > 0) {
      const { organization } = document;
      const verdict = this.digest.check({ request, source, accounts, organization });
      return verdict.ok ? { ok: true, inbound: verdict.owner, authenticatedAs: verdict.username } : verdict;
    }
    if (byRange !== undefined) return { ok: false, refusal: refuseUnprovenSource(source) };
    if (lacking !== undefined) return { ok: false, refusal: lacking };
    const detail = `No inbound configuration of ${document.number} allows ${source}: add it to allowed_ips, or use digest credentials.`;
    return { ok: false, refusal: refuse('source_not_allowed', 'refused_source', { detail }) };
  }

  /** For a configuration that names neither sources nor credentials; undefined: the source may call. */
  private async checkOpen(
    document: NumberDocument,
    source: string,
    isProven: boolean,
  ): Promise<Refusal | undefined> {
    const { number, outbound } = document;
    if (outbound.length === 0) {
      // With a forged address, our answer and the agent's voice would go to a third party.
      if (this.settings.sourcePolicy === 'any')
        return isProven || isLoopback(source) ? undefined : refuseUnprovenSource(source);
      const detail =
        `${number} has no allowed_ips, no credentials and no outbound servers: ` +
        `add ${source} to allowed_ips, give credentials, or set DEMARC_SOURCE_POLICY=any.`;
      return refuse('source_not_allowed', 'refused_source', { detail });
    }
    const included = await this.outbound.includes(outbound, source);
    if (included === 'yes') return isProven ? undefined : refuseUnprovenSource(source);
    const hosts = outbound.map(({ host }) => host).join(', ');
    if (included === 'unknown') {
      const detail = `${source} could not be compared with the outbound servers of ${number}: not all of ${hosts} could be resolved.`;
      return refuse('configuration_unavailable', 'refused_unavailable', {
        detail,
        retryAfter: this.settings.retryAfterSeconds,
      });
    }
    const detail = `${source} is not an address of ${number}'s outbound servers (${hosts}): add it to allowed_ips, or use digest credentials.`;
    return refuse('source_not_allowed', 'refused_source', { detail });
  }

  private compile(document: NumberDocument): CompiledNumber {
    const cached = this.compiled.get(document);
    if (cached !== undefined) return cached;
    const { inbound } = document;
    const compiled: CompiledNumber = {
      ranges: inbound.map((configuration) => ({
        inbound: configuration,
        ranges: configuration.allowed_sources.flatMap((text) => {
          const parsed = parseSourceRange(text);
          return parsed.ok ? [parsed.range] : [];
        }),
      })),
      open: inbound.filter(
        ({ allowed_sources, credentials }) => allowed_sources.length === 0 && credentials.length === 0,
      ),
      accounts: inbound.flatMap((owner) =>
        accountsOf(owner.credentials, owner, numberPlace(document.organization)),
      ),
    };
    this.compiled.set(document, compiled);
    return compiled;
  }
}

function refuseUnprovenSource(source: string): Refusal {
  const detail =
    `${source} is allowed, but UDP source addresses can be forged: use TLS or TCP, use digest credentials, ` +
    'or set DEMARC_TRUST_UDP_SOURCES=true.';
  return refuse('source_not_allowed', 'refused_source', { detail });
}
