import type { Redis } from '../../base/redis.js';
import type { AdmissionSettings } from '../../config/edge-settings.js';
import {
  agentsOf,
  type InboundConfiguration,
  limitedBy,
  type NumberDocument,
  numberDigits,
} from '../../contract/number.js';
import type { SecretBox } from '../../contract/secret.js';
import { type TestGrant, testRefusalHeader, testTokenHeader } from '../../contract/test-grant.js';
import { DemarcError } from '../../errors.js';
import { normalAddress } from '../../naming/address.js';
import type { OutboundAddresses } from '../routing/outbound-addresses.js';
import type { TrunkStore } from '../routing/trunk-store.js';
import type { UnreadInvite } from '../sip/unread-invite.js';
import type { Admission, CheckTrunkOffer, InboundRequest, Refusal } from './admission.js';
import type { Binding, Bindings } from './bindings.js';
import { CallLimits, type Place } from './call-limits.js';
import { CallerGate, type CallerVerdict } from './caller.js';
import { DigestGate } from './digest-gate.js';
import type { LimitFleet } from './fleet/limit-fleet.js';
import { refuse } from './refusal.js';
import { RefusalBudget } from './refusal-budget.js';
import { refuseLoop, refuseTooManyHops } from './routing-loop.js';
import { SetupQueue } from './setup-queue.js';
import {
  admitTestCaller,
  numberlessDocument,
  readTestCaller,
  UsedGrants,
  withTestedVersion,
} from './test-caller.js';
import { TokenBuckets } from './token-buckets.js';

export type { Admission, CheckTrunkOffer, InboundRequest, Refusal } from './admission.js';

export interface AdmissionParts {
  readonly settings: AdmissionSettings;
  readonly trunks: Pick<TrunkStore, 'find'>;
  /** Opens the digest passwords of a number. */
  readonly secrets: SecretBox;
  readonly checkTrunkOffer: CheckTrunkOffer;
  /** True once the edge is being taken out of use. */
  readonly isDraining: () => boolean;
  /** `host:port` of every listener as the engine advertises it. */
  readonly ownHostPorts: () => Iterable<string>;
  /** The same as `protocol/host:port`; an inbound Via that names one is a loop. */
  readonly listeners: () => Iterable<string>;
  /** The addresses of a number's own servers. */
  readonly addresses: Pick<OutboundAddresses, 'includes'>;
  /** Recognizes calls from PBXs at which we have registered. */
  readonly bindings?: Pick<Bindings, 'find'>;
  /** Where edges note the tokens of agent tests that were used; absent: each edge knows its own alone. */
  readonly redis?: Pick<Redis, 'set'>;
  /** Shares limits with the other edges; absent: there are none. */
  readonly fleet?: LimitFleet;
  /** Milliseconds; by default monotonic ones, and Unix time for nonces. */
  readonly now?: () => number;
  /** True while the event loop has no time to spare; by default it is measured. */
  readonly isBusy?: () => boolean;
  /** How many times as long setups may take. Default: by the load of other programs. */
  readonly stretch?: () => number;
  /** From 0 to 1; for the jitter of Retry-After. */
  readonly random?: () => number;
}

export interface AdoptedCall {
  readonly direction: 'inbound' | 'outbound';
  readonly number: string;
  readonly organization: string;
}

const maximumSources = 20_000;
const maximumKnownNumbers = 20_000;

/** Decides on every INVITE from a trunk, before anything is allocated for it. Each step has one refusal. */
export class AdmissionChain {
  private readonly sources: TokenBuckets;
  private readonly callers: CallerGate;
  private readonly limits: CallLimits;
  /** Where calls wait for their setup when the edge is busy. */
  readonly setups: SetupQueue;
  private readonly recording: RefusalBudget;
  private readonly usedGrants: UsedGrants;
  /** Request-URI → organization, of calls that came as far as the queue. */
  private readonly organizations = new Map<string, string>();

  constructor(private readonly parts: AdmissionParts) {
    const { settings, secrets, now = () => performance.now() } = parts;
    this.sources = new TokenBuckets(maximumSources, now);
    this.setups = new SetupQueue(settings.load, now, parts.isBusy, parts.stretch);
    this.limits = new CallLimits(settings, now, this.setups, parts.fleet, parts.random);
    this.recording = new RefusalBudget(settings.recordedRefusalsPerSecond, now);
    const clocks = { wall: parts.now ?? Date.now, monotonic: now };
    const digest = new DigestGate(settings.digest, secrets, parts.ownHostPorts, clocks, 'trunks');
    this.callers = new CallerGate(settings, digest, parts.addresses);
    this.usedGrants = new UsedGrants(parts.redis);
  }

  /** Admitted calls that were not released yet. */
  get activeCalls(): number {
    return this.limits.active;
  }

  /** A call from an agent waits like the callers do while the edge is busy. Undefined: it may begin. */
  async refuseWhileBusy(organization: string): Promise<Refusal | undefined> {
    const endTurn = await this.setups.enter(organization, 'agent', 0);
    endTurn?.();
    return endTurn === undefined ? this.limits.refuseOverload() : undefined;
  }

  /** Takes a place for a call that we begin from that number, within its limits for such calls. */
  enterOutbound(document: NumberDocument): Promise<Place> {
    const limits = document.outbound_policy?.limits ?? document.limits;
    return this.limits.enter({ ...document, number: `from ${limitedBy(document)}`, limits }, 'agent');
  }

  /** True when this edge can take another call of the number's organization. */
  hasRoom(document: NumberDocument): Promise<boolean> {
    return this.limits.hasRoom(document);
  }

  /** Takes a place for an ordered call, whose turn has come at all edges together. */
  async enterPaced(document: NumberDocument): Promise<Place> {
    const limits = document.outbound_policy?.limits ?? document.limits;
    if (limits.concurrent_calls === 0) return this.enterOutbound(document);
    return {
      ok: true,
      release: this.limits.enterPaced({ ...document, number: `from ${limitedBy(document)}` }),
    };
  }

  /**
   * The slot of a call that another process has admitted; gives it back when called. Its slots there are free.
   * @param holder that process, which is gone
   */
  adopt({ direction, number, organization }: AdoptedCall, holder: string): () => void {
    this.parts.fleet?.gone(holder);
    const isOutbound = direction === 'outbound';
    let release: (() => void) | undefined;
    let isOver = false;
    const occupy = (document?: NumberDocument): void => {
      const shared = document === undefined ? number : limitedBy(document);
      const key = isOutbound ? `from ${shared}` : shared;
      const limits = (isOutbound ? document?.outbound_policy?.limits : undefined) ?? document?.limits;
      const most = limits?.concurrent_calls;
      const organizationMost = document?.organization_limits?.concurrent_calls;
      if (!isOver) release = this.limits.occupy(key, organization, { most, organizationMost, holder });
    };
    this.parts.trunks.find(number).then(occupy, () => occupy());
    return () => {
      isOver = true;
      release?.();
    };
  }

  /**
   * The refusal of an INVITE of which no more was read, as its turn would come too late. Undefined: it is to be read and admitted, also
   * when its refusal may be recorded, and when nothing is known of its Request-URI.
   * @param waited milliseconds since it reached the SIP server
   */
  refuseUnread(
    { sourceAddress, requestUri, isTest }: Pick<UnreadInvite, 'sourceAddress' | 'requestUri' | 'isTest'>,
    waited: number,
  ): Refusal | undefined {
    const organization = this.organizations.get(requestUri);
    if (organization === undefined || this.recording.hasRoom(sourceAddress)) return undefined;
    const source = normalAddress(sourceAddress) ?? sourceAddress;
    if (!this.setups.refuseAtOnce(organization, source, waited)) return undefined;
    const refusal = this.limits.refuseOverload();
    return isTest ? notedForTest(refusal) : refusal;
  }

  /** Never rejects because of what the peer sent, nor because Redis or the DNS is down. */
  async admit(request: InboundRequest): Promise<Admission> {
    const admission = forTest(await this.decide(request), request);
    if (admission.admitted || this.recording.take(request.sourceAddress)) return admission;
    return { ...admission, refusal: { ...admission.refusal, isUnrecorded: true } };
  }

  private async decide(request: InboundRequest): Promise<Admission> {
    const unwelcome =
      this.refuseWhileDraining(request) ??
      this.refuseHastySource(request) ??
      refuseTooManyHops(request) ??
      refuseLoop(request, this.parts.listeners());
    if (unwelcome !== undefined) return refused(unwelcome);

    const { secrets, now = Date.now } = this.parts;
    const test = await readTestCaller(request, secrets, this.usedGrants, now());
    if (test !== undefined && 'refusal' in test) return refused(test.refusal);
    const grant = test?.grant;

    const binding = grant === undefined ? await this.parts.bindings?.find(request) : undefined;
    const called =
      grant?.number === null
        ? { document: numberlessDocument(grant) }
        : await this.findNumber(request, binding);
    if ('refusal' in called) return refused(called.refusal);
    const document = grant === undefined ? called.document : withTestedVersion(called.document, grant);
    if (document.inbound.length === 0) return refused(refuseOutboundOnly(document), document);

    const caller =
      grant === undefined
        ? (admittedBy(binding, document) ?? (await this.callers.check(request, document)))
        : admitTestCaller(grant, document);
    if (!caller.ok) return refused(caller.refusal, document);

    const source = normalAddress(request.sourceAddress) ?? request.sourceAddress;
    const place = await this.limits.enter({ ...document, number: limitedBy(document) }, source);
    if (!place.ok) return refused(place.refusal, document);

    const media = this.parts.checkTrunkOffer(request.sdp, document.codecs, grant === undefined);
    if (!media.ok) {
      place.release();
      return refused(refuseMedia(media), document);
    }
    this.noteOrganization(request.uri, document.organization);
    const forwarded = await this.setups.enter(document.organization, source, request.waitedMilliseconds);
    if (forwarded === undefined) {
      place.withdraw?.();
      return refused(this.limits.refuseOverload(), document);
    }
    return {
      admitted: true,
      document,
      inbound: caller.inbound,
      agentUris: agentUrisOf(grant, caller.inbound) ?? [this.parts.settings.defaultAgentUri],
      ...(grant === undefined ? {} : { testRunId: grant.run_id }),
      offer: media.session === undefined ? undefined : media,
      ...(caller.authenticatedAs === undefined ? {} : { authenticatedAs: caller.authenticatedAs }),
      forwarded,
      release: () => {
        forwarded();
        place.release();
      },
    };
  }

  private noteOrganization(requestUri: string, organization: string): void {
    this.organizations.delete(requestUri);
    if (this.organizations.size >= maximumKnownNumbers)
      this.organizations.delete(this.organizations.keys().next().value!);
    this.organizations.set(requestUri, organization);
  }

  private refuseWhileDraining({ isReplacement = false }: InboundRequest): Refusal | undefined {
    if (!this.parts.isDraining() || isReplacement) return undefined;
    return refuse('draining', 'refused_draining', {
      detail: 'The edge is shutting down.',
      retryAfter: this.parts.settings.retryAfterSeconds,
    });
  }

  /** A flood ends here, before Redis is asked for numbers that do not exist. */
  private refuseHastySource({ sourceAddress }: InboundRequest): Refusal | undefined {
    const perSecond = this.parts.settings.sourceCallsPerSecond;
    const source = normalAddress(sourceAddress) ?? sourceAddress;
    const wait = this.sources.take(source, { perSecond, burst: perSecond });
    if (wait === 0) return undefined;
    const detail = `${source} attempts more than ${perSecond} calls per second (DEMARC_SOURCE_CALLS_PER_SECOND).`;
    return refuse('source_too_fast', 'refused_limit', { detail, retryAfter: Math.max(1, wait) });
  }

  private async findNumber(
    request: InboundRequest,
    binding: Binding | undefined,
  ): Promise<{ document: NumberDocument } | { refusal: Refusal }> {
    if (binding !== undefined && binding.number === undefined) {
      return { refusal: refuseUnnamedNumber(binding) };
    }
    const calledUser = binding?.number ?? request.calledUser;
    const digits = numberDigits(calledUser);
    if (digits === undefined) {
      const detail = `The called user ${JSON.stringify(calledUser)} is not a number of 3 to 15 digits.`;
      return { refusal: refuse('unknown_number', 'refused_unknown_number', { detail }) };
    }
    try {
      const document = await this.parts.trunks.find(calledUser);
      if (document !== undefined) return { document };
    } catch (error) {
      if (!(error instanceof DemarcError) || error.code !== 'configuration_unavailable') throw error;
      return {
        refusal: refuse('configuration_unavailable', 'refused_unavailable', {
          detail: error.message,
          retryAfter: this.parts.settings.retryAfterSeconds,
        }),
      };
    }
    const spelled = digits === calledUser ? digits : `${digits} (called as ${JSON.stringify(calledUser)})`;
    const detail = `No configuration for ${spelled}: attach the number (POST /v1/sip/attach).`;
    return { refusal: refuse('unknown_number', 'refused_unknown_number', { detail }) };
  }
}

/** The caller of an agent test learns that the agent was not asked. */
function forTest(admission: Admission, request: InboundRequest): Admission {
  if (admission.admitted || request.header(testTokenHeader) === undefined) return admission;
  return { ...admission, refusal: notedForTest(admission.refusal) };
}

const notedForTest = (refusal: Refusal): Refusal => ({
  ...refusal,
  headers: { ...refusal.headers, [testRefusalHeader]: refusal.endReason },
});

const agentUrisOf = (
  grant: TestGrant | undefined,
  inbound: InboundConfiguration,
): readonly string[] | undefined =>
  typeof grant?.agent_uri === 'string' ? [grant.agent_uri] : agentsOf(inbound);

/** Undefined: no registration lets the call in. */
function admittedBy(binding: Binding | undefined, document: NumberDocument): CallerVerdict | undefined {
  if (binding?.isFromRegistrar !== true) return undefined;
  const inbound = document.inbound.find(({ id }) => id === binding.inboundId);
  return inbound === undefined ? undefined : { ok: true, inbound };
}

function refuseUnnamedNumber({ registrar }: Binding): Refusal {
  const detail =
    `Several numbers share the registration at ${registrar}, and neither the Request-URI nor To nor P-Called-Party-ID ` +
    'names one of them: make the PBX send the called number in one of these, or give each number its own user.';
  return refuse('unknown_number', 'refused_unknown_number', { detail });
}

function refuseMedia(media: { readonly warning: string; readonly detail: string }): Refusal {
  return refuse('media_not_acceptable', 'refused_media', {
    detail: media.detail,
    headers: { Warning: media.warning },
  });
}

function refused(refusal: Refusal, document?: NumberDocument): Admission {
  return document === undefined ? { admitted: false, refusal } : { admitted: false, refusal, document };
}

/** A number that has nothing attached for calls to it: to the caller it looks like an unassigned number. */
function refuseOutboundOnly({ number }: NumberDocument): Refusal {
  const detail = `${number} has no inbound direction: attach one (POST /v1/sip/attach).`;
  return refuse('unknown_number', 'refused_unknown_number', { detail });
}
