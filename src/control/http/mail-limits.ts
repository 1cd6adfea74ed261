import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiServer } from './api-server.js';
import { enforce } from './enforce.js';

const dayMilliseconds = 24 * 60 * 60_000;
/** Emails per day from one organization to one address. */
const usuallyToAddress = 10;
const toAddress = 60;
/** Emails per day of an organization: a new company invites its people within a few days. */
const ofOrganization = 200;

/** Counts mails to addresses that a customer names. Throws `DemarcError` `TOO_MANY_REQUESTS`. */
export type CountMails = (
  request: FastifyRequest,
  reply: FastifyReply,
  addresses: readonly string[],
) => Promise<void>;

/**
 * Limits the mails that customers send to addresses of their choice, per day: to an address, from an organization to an address, and from
 * an organization. All routes that use it share the counts.
 * @param toAddressOfOrganization larger where one person may need many emails
 */
export function mailLimits(server: ApiServer, toAddressOfOrganization = usuallyToAddress): CountMails {
  const current = new WeakMap<FastifyRequest, string>();
  const limit = (max: number, keyOf: (organization: string, address: string) => string) =>
    server.createRateLimit({
      max,
      timeWindow: dayMilliseconds,
      keyGenerator: (request) => keyOf(request.caller.organizationId, current.get(request)!),
    });
  const limits = [
    [limit(ofOrganization, (organization) => `mails of ${organization}`), 'mails of this organization'],
    [
      limit(toAddressOfOrganization, (organization, address) => `mails of ${organization} to ${address}`),
      'mails of this organization to this address',
    ],
    [limit(toAddress, (_organization, address) => `mails to ${address}`), 'mails to this address'],
  ] as const;
  return async (request, reply, addresses) => {
    for (const address of addresses) {
      current.set(request, createHash('sha256').update(address.toLowerCase()).digest('hex').slice(0, 32));
      for (const [counted, of] of limits) await enforce(counted, request, reply, { of, isShown: false });
    }
  };
}
