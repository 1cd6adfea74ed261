import { DemarcError } from '../../errors.js';
import type { ControlDeps } from '../http/api-server.js';
import { InvalidRequest } from '../http/validation.js';
import { checkReachable } from '../numbers/private-endpoints.js';
import type { Configuration } from '../numbers/tables.js';
import {
  identityOf,
  identityOfWanted,
  namesNoCallers,
  type WantedConfiguration,
  wantedConfiguration,
} from './configuration.js';
import type { DirectionRequest } from './direction-schema.js';
import { derivePbxPassword } from './passwords.js';

/** One configuration that a request asks for, with what is derived of it once for all numbers. */
export interface Wanted {
  readonly configuration: WantedConfiguration;
  readonly identity: string;
  readonly pbxPassword: string | undefined;
}

/**
 * The configurations that directions ask for, each once. Throws `InvalidRequest` for directions that contradict each other or lead where
 * they must not, `DemarcError` `SECRET_KEY_MISSING` for passwords without a key.
 */
export function readDirections(
  { settings, secrets }: Pick<ControlDeps, 'settings' | 'secrets'>,
  organizationId: string,
  directions: readonly DirectionRequest[],
): Wanted[] {
  const wanted: Wanted[] = [];
  for (const [place, direction] of directions.entries()) {
    const configuration = wantedConfiguration(direction);
    checkReachable(settings, configuration.sipEndpoint, `directions.${place}.sip_endpoint`);
    checkReachable(settings, configuration.agent, `directions.${place}.agent`);
    for (const [index, endpoint] of (configuration.options.agents?.endpoints ?? []).entries())
      checkReachable(settings, endpoint, `directions.${place}.options.agents.endpoints.${index}`);
    checkReachable(settings, configuration.registrar, `directions.${place}.registrar`);
    for (const { fallback } of configuration.streams)
      checkReachable(settings, fallback ?? null, `directions.${place}.agent.fallback`);
    const { registerAuth, sipPassword } = configuration;
    if ((registerAuth ?? sipPassword) !== undefined && !secrets.hasKey)
      throw new DemarcError('SECRET_KEY_MISSING');
    const identity = identityOfWanted(configuration);
    const same = wanted.find(
      (candidate) => candidate.identity === identity && candidate.configuration.direction === direction.type,
    );
    if (same !== undefined) {
      if (JSON.stringify(same.configuration) === JSON.stringify(configuration)) continue;
      const what = direction.type === 'outbound' ? 'server' : 'callers';
      throw InvalidRequest.at(`directions.${place}`, `Another direction in the request has the same ${what}`);
    }
    if (registerAuth !== undefined && wanted.some(({ pbxPassword }) => pbxPassword !== undefined)) {
      throw InvalidRequest.at(
        `directions.${place}.auth_mode`,
        'Only one direction in a request can have auth_mode register',
      );
    }
    const pbxPassword =
      registerAuth && derivePbxPassword(settings.secretKeys[0], organizationId, registerAuth);
    wanted.push({ configuration, identity, pbxPassword });
  }
  return wanted;
}

/**
 * The configuration that the wanted one replaces: the one for the same calls; or an inbound one that says nothing about
 * who may call, which would leave the number as open as it was.
 */
export function rowFor(
  existing: readonly Configuration[],
  { direction }: WantedConfiguration,
  identity: string,
): Configuration | undefined {
  const own = existing.filter((row) => row.direction === direction);
  const same = own.find((row) => identityOf(row) === identity);
  if (same !== undefined || direction === 'outbound') return same;
  return own.find((row) => namesNoCallers(identityOf(row)));
}
