import type { CallDetail } from '../../api/calls.js';

/** Another edge took the call over, because its own was lost or replaced. */
export interface Takeover {
  readonly at: string;
  readonly from: string;
  readonly to: string;
}

/** In order, each edge from the one before. */
export const takeoversOf = ({
  adoptions,
  edge_id,
}: Pick<CallDetail, 'adoptions' | 'edge_id'>): readonly Takeover[] =>
  adoptions.map(({ at, edge_id: from }, index) => ({
    at,
    from,
    to: adoptions[index + 1]?.edge_id ?? edge_id,
  }));

/**
 * Those between two messages.
 * @param after moment of the earlier message; undefined: there is none
 * @param until moment of the later message; undefined: there is none
 */
export const takeoversBetween = (
  takeovers: readonly Takeover[],
  after: string | undefined,
  until: string | undefined,
): readonly Takeover[] =>
  takeovers.filter(({ at }) => (after === undefined || at > after) && (until === undefined || at <= until));
