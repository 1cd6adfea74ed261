import { networkInterfaces } from 'node:os';

/** The addresses that this machine has now. */
export const interfaceAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));
