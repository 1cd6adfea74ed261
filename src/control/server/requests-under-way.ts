import type { FastifyReply, FastifyRequest } from 'fastify';
import { DemarcError } from '../../errors.js';

/** Dashboards hold some for long, programs many for a moment; each unread response stays in memory. */
const usualMaximum = 100;
/** Keys are free: an organization has as many responses in progress as two of them. */
const keysOfOrganization = 2;

/**
 * Counts the requests of each key and organization that are not answered to their end. What it returns counts one, once its caller
 * is known; that throws `DemarcError` `TOO_MANY_REQUESTS`, with Retry-After.
 */
export function limitRequestsUnderWay(
  requestsPerSecond: number,
): (request: FastifyRequest, reply: FastifyReply) => void {
  // A higher rate limit also allows as many concurrent requests.
  const maximum = Math.max(usualMaximum, requestsPerSecond);
  const keys = new Counts();
  const organizations = new Counts();
  return ({ caller: { keyId, organizationId } }, reply) => {
    const { raw } = reply;
    // Already closed: the close event will not fire again.
    if (raw.destroyed) return;
    const refuse = (most: number, asker: string): never => {
      reply.header('retry-after', '1');
      throw new DemarcError('TOO_MANY_REQUESTS', `${most} responses to this ${asker} are still in progress`);
    };
    if (keys.of(keyId) >= maximum) refuse(maximum, 'key');
    const maximumOfOrganization = keysOfOrganization * maximum;
    if (organizations.of(organizationId) >= maximumOfOrganization)
      refuse(maximumOfOrganization, 'organization');
    keys.add(keyId, 1);
    organizations.add(organizationId, 1);
    const forget = (): void => {
      raw.off('finish', forget);
      raw.off('close', forget);
      keys.add(keyId, -1);
      organizations.add(organizationId, -1);
    };
    raw.on('finish', forget);
    raw.on('close', forget);
  };
}

class Counts {
  private readonly counts = new Map<string, number>();

  of(asker: string): number {
    return this.counts.get(asker) ?? 0;
  }

  add(asker: string, change: number): void {
    const count = this.of(asker) + change;
    if (count === 0) this.counts.delete(asker);
    else this.counts.set(asker, count);
  }
}
