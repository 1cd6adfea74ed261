import { type SecretBox, SecretError, type SecretPlace } from '../../../contract/secret.js';
import { DemarcError } from '../../../errors.js';
import { InvalidRequest } from '../../http/validation.js';
import { type WebSocketAgent, webSocketAgentsOf } from '../../numbers/agent-streams.js';
import type { DirectionRequest } from '../direction-schema.js';

/** What answers show in the place of a password; sent back, it stands for the one that is stored. */
export const redacted = '[redacted]';

/** The directions with every password, and every header field of a WebSocket agent, made into another text. */
export function mapPasswords(
  directions: readonly DirectionRequest[],
  change: (password: string, direction: DirectionRequest, field: Field) => string,
): DirectionRequest[] {
  return directions.map((direction) => {
    const { options } = direction;
    const changed = structuredClone(direction);
    if (options?.sip_password !== undefined) {
      changed.options!.sip_password = change(options.sip_password, direction, 'options');
    }
    if (changed.type === 'inbound' && direction.type === 'inbound' && direction.register_auth !== undefined) {
      changed.register_auth!.password = change(direction.register_auth.password, direction, 'register_auth');
    }
    for (const agent of webSocketAgentsIn(changed))
      for (const [name, value] of Object.entries(agent.headers ?? {}))
        agent.headers![name] = change(value, direction, { url: agent.url, header: name });
    return changed;
  });
}

export const trunkPlace = (organization: string, id: string): SecretPlace => ({
  kind: 'trunk',
  organization,
  id,
});

/** Throws `DemarcError` `SECRET_KEY_MISSING`. */
export const sealed = (
  secrets: SecretBox,
  place: SecretPlace,
  directions: readonly DirectionRequest[],
): DirectionRequest[] =>
  mapPasswords(directions, (password) => {
    if (!secrets.hasKey) throw new DemarcError('SECRET_KEY_MISSING');
    return secrets.seal(password, place);
  });

interface SealedTrunk {
  readonly organization_id: string;
  readonly id: string;
  readonly directions: readonly DirectionRequest[];
}

/** Throws `SecretError` when one cannot be opened. */
export const opened = (
  secrets: SecretBox,
  { organization_id, id, directions }: SealedTrunk,
): DirectionRequest[] =>
  mapPasswords(directions, (password) => secrets.open(password, trunkPlace(organization_id, id)));

/** The directions with every outdated password sealed again; one that no key opens stays as it is. */
export function resealed(
  secrets: SecretBox,
  place: SecretPlace,
  directions: readonly DirectionRequest[],
): {
  readonly directions: DirectionRequest[];
  readonly isChanged: boolean;
  readonly isUnreadable: boolean;
} {
  let isChanged = false;
  let isUnreadable = false;
  const mapped = mapPasswords(directions, (password) => {
    if (!secrets.isOutdated(password, place)) return password;
    try {
      const again = secrets.reseal(password, place);
      isChanged = true;
      return again;
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
      isUnreadable = true;
      return password;
    }
  });
  return { directions: mapped, isChanged, isUnreadable };
}

/**
 * Puts the present password of the same user where `[redacted]` was sent back. Throws `InvalidRequest` where there is none.
 * @param current with readable passwords
 */
export function withPresentPasswords(
  directions: readonly DirectionRequest[],
  current: readonly DirectionRequest[],
): DirectionRequest[] {
  return mapPasswords(directions, (password, direction, field) => {
    if (password !== redacted) return password;
    if (typeof field === 'object') {
      for (const candidate of current) {
        const stored = headerOf(candidate, field);
        if (stored !== undefined) return stored;
      }
      throw InvalidRequest.at(
        `directions.${directions.indexOf(direction)}.agent.headers.${field.header}`,
        `${redacted} stands for the stored header, and the trunk has none at this URL.`,
      );
    }
    const found = current.find(
      (candidate) =>
        candidate.type === direction.type && userOf(candidate, field) === userOf(direction, field),
    );
    const stored = found && passwordOf(found, field);
    if (stored !== undefined) return stored;
    throw InvalidRequest.at(
      `directions.${directions.indexOf(direction)}.${field}`,
      `${redacted} stands for the stored password, and the trunk has none for this user.`,
    );
  });
}

/** Where a password is: of whom, or of which agent's header. */
type Field = 'register_auth' | 'options' | { readonly url: string; readonly header: string };

const webSocketAgentsIn = (direction: DirectionRequest): WebSocketAgent[] =>
  direction.type === 'outbound'
    ? webSocketAgentsOf([direction.agent])
    : webSocketAgentsOf([direction.agent, ...(direction.options?.agents?.endpoints ?? [])]);

const headerOf = (direction: DirectionRequest, { url, header }: Exclude<Field, string>): string | undefined =>
  webSocketAgentsIn(direction).find((agent) => agent.url === url)?.headers?.[header];

const userOf = (direction: DirectionRequest, field: 'register_auth' | 'options'): string | undefined =>
  field === 'options'
    ? direction.options?.sip_username
    : direction.type === 'inbound'
      ? direction.register_auth?.username
      : undefined;

const passwordOf = (direction: DirectionRequest, field: 'register_auth' | 'options'): string | undefined =>
  field === 'options'
    ? direction.options?.sip_password
    : direction.type === 'inbound'
      ? direction.register_auth?.password
      : undefined;
