import { createHash, createHmac } from 'node:crypto';
import { z } from 'zod';
import { type Endpoint, endpointName } from './health.js';
import type { NumberDocument } from './number.js';

/** Registrations of the edges at the customers' PBXs, and how they reach control. */

/** What one inbound configuration of a number wants; several numbers may share a registration. */
export interface WantedRegistration {
  /** The same for all numbers of an organization with the same user at the same registrar. */
  readonly id: string;
  readonly registrar: Endpoint;
  readonly username: string;
  /** Sealed. */
  readonly password: string;
  /** The one realm whose challenges are answered; undefined: any. */
  readonly realm: string | undefined;
  /** The inbound configuration that calls from the PBX are admitted by. */
  readonly inboundId: string;
}

/** A PBX has one user of a name, and would ring every binding of it: numbers with the same user share one registration. */
export function registrationId(organization: string, registrar: Endpoint, username: string): string {
  const identity = JSON.stringify([organization, endpointName(registrar), username]);
  return createHash('sha256').update(identity).digest('base64url').slice(0, 22);
}

/** What the number's inbound configurations want to be registered; the passwords are sealed. */
export function registrationsOf({ organization, inbound }: NumberDocument): readonly WantedRegistration[] {
  return inbound.flatMap(({ id: inboundId, registration }) => {
    if (registration === undefined) return [];
    const { username, password, realm, ...registrar } = registration;
    const id = registrationId(organization, registrar, username);
    return [{ id, registrar, username, password, realm, inboundId }];
  });
}

/**
 * The user part of our Contact at a registrar: 128 bits derived from the password, the same on every edge, so that a call
 * for an earlier holder's binding is recognized as well.
 */
export const contactToken = (password: string, id: string): string =>
  createHmac('sha256', password).update(`demarc contact ${id}`).digest('hex').slice(0, 32);

export const registrationStates = ['registering', 'registered', 'failed', 'unregistered'] as const;

export const registrationStateSchema = z.strictObject({
  version: z.literal(1),
  registration: z.string(),
  organization: z.string(),
  /** `endpointName`. */
  registrar: z.string(),
  username: z.string(),
  edge_id: z.string(),
  state: z.enum(registrationStates),
  /** ISO 8601: since when we are registered, or are not; kept while an outage lasts, whatever is tried. */
  since: z.iso.datetime(),
  /** Of the last attempt that came to an end. */
  attempted_at: z.iso.datetime().nullable(),
  /** When the registrar forgets the binding unless it is refreshed. */
  expires_at: z.iso.datetime().nullable(),
  /** When the next REGISTER goes out. */
  next_attempt_at: z.iso.datetime().nullable(),
  /** Final response to the last REGISTER; null when none came. */
  sip_code: z.int().nullable(),
  last_error: z.string().nullable(),
  /** Our Contact URI as the registrar got it. */
  contact: z.string().nullable(),
  /** Address that the registrar's last 2xx came from. */
  address: z.string().nullable(),
});
export type RegistrationState = z.infer<typeof registrationStateSchema>;

/** JSON of the latest `RegistrationState`. */
export const registrationKey = (id: string): string => `demarc:registration:${id}`;

/** Set: the ids of an organization's registrations that edges have reported. */
export const registrationsOfKey = (organization: string): string => `demarc:registrations-of:${organization}`;

/** Held by the one edge that registers. */
export const registrationLeaseKey = (id: string): string => `demarc:lease:registration:${id}`;

/** Pub/sub: the message is the id of a registration to attempt at once, by the edge that holds its lease. */
export const registerChannel = 'demarc:register';

/** Pub/sub: an edge has given up leases that others may take at once. */
export const registrationsFreeChannel = 'demarc:registrations-free';
