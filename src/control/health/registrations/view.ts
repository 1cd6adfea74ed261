import { z } from 'zod';
import { endpointName } from '../../../contract/health.js';
import type { NumberDocument } from '../../../contract/number.js';
import {
  type RegistrationState,
  registrationStates,
  registrationsOf,
} from '../../../contract/registration.js';
import type { Configuration } from '../../numbers/tables.js';

const moment = z.iso.datetime().nullable();

export const registrationViewSchema = z
  .object({
    state: z
      .enum([...registrationStates, 'unknown'])
      .meta({ description: 'unknown: the edges cannot be queried now' }),
    registrar: z.string().nullable(),
    username: z.string(),
    since: moment,
    expires_at: moment.meta({ description: 'When the binding expires unless refreshed' }),
    attempted_at: moment,
    next_attempt_at: moment,
    sip_code: z.int().nullable().meta({ description: 'Final response to the last REGISTER; null: none' }),
    last_error: z.string().nullable(),
    edge: z.string().nullable(),
  })
  .meta({ id: 'Registration' });
export type RegistrationView = z.infer<typeof registrationViewSchema>;

/** The ids of a number's registrations, in order. */
export const registrationIds = (document: NumberDocument | undefined): readonly string[] => [
  ...new Set(document === undefined ? [] : registrationsOf(document).map(({ id }) => id)),
];

const nothing = {
  since: null,
  expires_at: null,
  attempted_at: null,
  next_attempt_at: null,
  sip_code: null,
  edge: null,
} as const;

/**
 * The registration states of a number, in the order of its configurations.
 * @param states undefined: Redis is down
 */
export function registrationViews(
  document: NumberDocument | undefined,
  configurations: readonly Configuration[],
  states: ReadonlyMap<string, RegistrationState> | undefined,
): RegistrationView[] {
  const wanted = new Map(
    (document === undefined ? [] : registrationsOf(document)).map((registration) => [
      registration.inboundId,
      registration,
    ]),
  );
  return configurations
    .filter(({ register_username }) => register_username !== null)
    .map(({ id, register_username }) => {
      const registration = wanted.get(id);
      const username = register_username!;
      if (registration === undefined) {
        const text = 'No registrar: set registrar, or attach an outbound direction';
        return { ...nothing, state: 'failed', registrar: null, username, last_error: text };
      }
      const registrar = endpointName(registration.registrar);
      if (states === undefined) {
        return { ...nothing, state: 'unknown', registrar, username, last_error: 'Redis does not answer' };
      }
      const state = states.get(registration.id);
      if (state !== undefined) return viewOf(state, Date.now());
      return {
        ...nothing,
        state: 'unregistered',
        registrar,
        username,
        last_error: 'No edge handles the registration yet',
      };
    });
}

/** An edge tells every attempt; one whose time has long passed was not made. */
const lateMilliseconds = 30_000;

/** The state, unless the edge that reported it no longer maintains the registration. */
export function stateOf(
  { state, next_attempt_at, expires_at }: RegistrationState,
  now = Date.now(),
): RegistrationState['state'] {
  const isLate = next_attempt_at !== null && now - Date.parse(next_attempt_at) > lateMilliseconds;
  return isLate && (expires_at === null || Date.parse(expires_at) < now) ? 'unregistered' : state;
}

function viewOf(state: RegistrationState, now: number): RegistrationView {
  const { registrar, username, since, expires_at, attempted_at, next_attempt_at, sip_code } = state;
  const common = { registrar, username, since, attempted_at, sip_code, edge: state.edge_id };
  if (stateOf(state, now) === 'unregistered') {
    const text = 'No edge handles the registration any more';
    return { ...common, state: 'unregistered', expires_at: null, next_attempt_at: null, last_error: text };
  }
  return { ...common, state: state.state, expires_at, next_attempt_at, last_error: state.last_error };
}
