/** Octets of messages that the edge hands to the engine. */
export interface MessageLimits {
  /** Start line and header lines. */
  readonly head: number;
  /** The whole message. */
  readonly message: number;
  /** `X-Demarc-Tools` and `X-Demarc-Knowledge`, each; a longer list is left out. */
  readonly ids: number;
}

/** drachtio-server loses its connection on bursts of frames above some 4,040 octets, whatever the frame is made of. */
export const drachtioServerLimits: MessageLimits = { head: 3_800, message: 3_800, ids: 1_024 };

/**
 * Frames to the embedded engine may have 1 MiB. The peer sets the limit: one with the same engine accepts 32,768 octets of
 * head and 65,535 in total, to which the engine adds Via, Contact and Record-Route.
 */
export const embeddedEngineLimits: MessageLimits = { head: 30_000, message: 62_000, ids: 16_384 };
