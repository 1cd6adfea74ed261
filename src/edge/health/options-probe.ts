import type { Endpoint, TargetHealth } from '../../contract/health.js';
import { type EndpointTarget, targetName } from '../routing/endpoint-targets.js';
import { type SendOptionsParts, sendOptions } from '../routing/send-options.js';
import type { ReceivedResponse } from '../sip/messages.js';

export interface OptionsProbeParts extends SendOptionsParts {
  readonly maximumRetryAfterMilliseconds: number;
}

/**
 * Probes one address of an endpoint by OPTIONS. Any final response but 503 shows that a SIP server is up. Undefined: no
 * result. Never rejects.
 */
export async function probeTarget(
  parts: OptionsProbeParts,
  endpoint: Endpoint,
  target: EndpointTarget,
): Promise<TargetHealth | undefined> {
  const address = targetName(target);
  const outcome = await sendOptions(parts, endpoint, target);
  if (outcome.kind === 'unknown') return undefined;
  if (outcome.kind === 'failed') {
    const { reason, detail } = outcome;
    const nothing = { sip_status: null, response_time_milliseconds: null, retry_at: null };
    return { address, status: 'unreachable', reason, detail, ...nothing };
  }
  const { response, milliseconds } = outcome;
  const answered = { address, sip_status: response.status, response_time_milliseconds: milliseconds };
  if (response.status !== 503) {
    return { ...answered, status: 'healthy', reason: null, detail: null, retry_at: null };
  }
  const retryAt = retryAtOf(response, parts.maximumRetryAfterMilliseconds);
  const until = retryAt === null ? '' : `, no probe before ${retryAt}`;
  return {
    ...answered,
    status: 'unreachable',
    reason: 'service_unavailable',
    detail: `The server answered 503 Service Unavailable${until}`,
    retry_at: retryAt,
  };
}

/** RFC 3261 §20.33: seconds, perhaps with a comment and parameters. */
function retryAtOf(response: ReceivedResponse, maximumMilliseconds: number): string | null {
  const seconds = Number.parseInt(response.get('Retry-After') ?? '', 10);
  if (!Number.isFinite(seconds) || seconds <= 0) return null;
  return new Date(Date.now() + Math.min(seconds * 1_000, maximumMilliseconds)).toISOString();
}
