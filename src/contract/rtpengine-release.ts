/** From this major release on, rtpengine learns where a side of plain RTP sends from so that no stranger can take the side's place. */
export const learningRelease = 26;

/** Whether an rtpengine can learn the source of a side, by its version as heartbeats have it (`10.5.3`). */
export const learnsSources = (version: string): boolean => Number.parseInt(version, 10) >= learningRelease;
