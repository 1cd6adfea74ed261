import { InvalidRequest } from '../../http/validation.js';
import type { Scenario } from '../scenarios/scenario-storage.js';
import { assertionView } from '../scenarios/scenario-view.js';
import { type Definition, definitionSchema } from '../schemas/definition.js';
import type { RunChannel } from '../schemas/scenario.js';
import type { RunOrder } from './run-order.js';
import { seeded, varied } from './variations.js';

/** Orders with the same key run the same definition. */
export const keyOf = ({ scenarioId, versionNumber, variation, seed }: RunOrder): string =>
  `${scenarioId} ${versionNumber ?? ''} ${seed ?? ''} ${JSON.stringify(variation) ?? ''}`;

/** The scenario with the variation and the seed of an order. */
export function orderedDefinition(definition: Definition, { variation, seed }: RunOrder): Definition {
  const changed = variation === undefined ? definition : varied(definition, variation);
  return seed === undefined ? changed : seeded(changed, seed);
}

/** What a run keeps of its scenario. */
export function definitionOf({ row, assertions }: Scenario): Definition {
  return definitionSchema.parse({
    ...row,
    scenario_id: row.id,
    assertions: assertions.map(assertionView),
  });
}

/** What was said in a call was said by voice, whatever the scenario's own conversations are. */
export const channelOf = (
  { callId, channel }: Pick<RunOrder, 'callId' | 'channel'>,
  definition: Pick<Definition, 'channel'>,
): RunChannel => (callId === undefined ? (channel ?? definition.channel) : 'voice');

/** Of a scenario whose pathway or persona lacks the version that an order wants. */
export function missingVersion(
  name: string,
  { pathwayId, personaId }: { readonly pathwayId: string | null; readonly personaId: string | null },
  wanted: RunOrder['versionNumber'],
): InvalidRequest {
  const what = pathwayId === null ? `persona ${personaId}` : `pathway ${pathwayId}`;
  const problem =
    wanted === undefined
      ? `the ${what} is deleted`
      : wanted === 'live'
        ? `the ${what} has no live version`
        : `the ${what} has no version ${wanted}`;
  const path = wanted === 'live' ? 'version' : 'version_number';
  return InvalidRequest.at(path, `Scenario ${name}: ${problem}.`);
}

/** Throws `InvalidRequest` for a channel that this service or the scenario does not have. */
export function requireChannel(
  channel: RunChannel,
  { name, agent, scenario_type: type }: Definition,
  channels: ReadonlySet<RunChannel>,
): void {
  const refuse = (problem: string): InvalidRequest =>
    InvalidRequest.at('channel', `Scenario ${name}: ${problem}`);
  if (!channels.has(channel)) throw refuse(`this service has no channel ${channel}.`);
  if (type === 'HISTORICAL' && channel === 'voice') throw refuse('HISTORICAL holds no conversation.');
  if (channel === 'text' && agent !== null && agent.url === null && type !== 'HISTORICAL')
    throw refuse('its agent has no URL for a conversation by text; run it by voice.');
}
