import { z } from 'zod';

/** What an agent notes about its call: by an INFO in its dialog, or by the API. The values become part of the call's record. */

/** `Content-Type` of the INFO; the body is a JSON object of `agentMetadataSchema`. */
export const agentMetadataType = 'application/vnd.demarc.metadata+json';

export const maximumMetadataNames = 50;
/** Octets of the JSON of all values. */
export const maximumMetadataLength = 8_000;

export const agentMetadataSchema = z.record(
  z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/, 'is not a name of letters, digits, _ . -'),
  z.string().max(500),
);
export type AgentMetadata = z.infer<typeof agentMetadataSchema>;

export const metadataLimitText = `A call has at most ${maximumMetadataNames} values, ${maximumMetadataLength} octets together`;

/** The values with later ones over earlier ones; undefined: they would be too many, or too long. */
export function mergedMetadata(before: AgentMetadata, added: AgentMetadata): AgentMetadata | undefined {
  const merged = { ...before, ...added };
  const isSmall =
    Object.keys(merged).length <= maximumMetadataNames &&
    new TextEncoder().encode(JSON.stringify(merged)).length <= maximumMetadataLength;
  return isSmall ? merged : undefined;
}
