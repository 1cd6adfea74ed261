import type * as api from '../../../clients/typescript/src/index.js';
import { ask, demarc } from './client.js';
import type { ApiRequest } from './request.js';

export type Firewall = api.GetFirewallAnswer['data'];

export const readFirewall = (signal?: AbortSignal): Promise<Firewall> => ask(demarc.getFirewall({ signal }));

export type OutboundSetup = api.GetOutboundSetupAnswer['data'];

export const readOutboundSetup = (
  phone_number: string | undefined,
  signal?: AbortSignal,
): Promise<OutboundSetup> => ask(demarc.getOutboundSetup({ phone_number }, { signal }));

export type Destination = api.ParseDestinationAnswer['data'];

export const parseDestination = (input: string, signal?: AbortSignal): Promise<Destination> =>
  ask(demarc.parseDestination({ input }, { signal }));

export type Discovery = api.Discovery;

export type WantedDiscovery = api.StartDiscoveryBody;

export const discoveryOf =
  (discovery: WantedDiscovery): ApiRequest<Discovery> =>
  (client) =>
    client.startDiscovery(discovery);

export const readDiscovery = (discovery_id: string, signal?: AbortSignal): Promise<Discovery> =>
  ask(demarc.getDiscovery({ discovery_id }, { signal }));

export type Sighting = api.Sighting;

/** What arrived from the organization's PBXs, newest first. */
export const readSightings = (
  phone_number: string | undefined,
  signal?: AbortSignal,
): Promise<readonly Sighting[]> =>
  ask(demarc.listSightings({ phone_number, limit: 20 }, { signal })).then(({ sightings }) => sightings);

/** A random secret, which the API does not store. */
export const generatePassword = async (): Promise<string> =>
  (await ask(demarc.generatePassword({ strength: 'long' }))).password;
