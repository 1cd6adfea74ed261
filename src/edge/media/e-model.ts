/**
 * The E-model (ITU-T G.107) with its default values, for what a packet network changes: loss, and delay without echo. Codecs by
 * ITU-T G.113 Appendix I.
 */

interface PlanningValues {
  /** Equipment impairment without loss (Ie). */
  readonly impairment: number;
  /** Robustness against random loss (Bpl). */
  readonly robustness: number;
}

/**
 * G.711 with the concealment of its Appendix I. It also stands for codecs that the narrow-band tables omit (opus, G.722): their MOS
 * then shows what the network does, not the codec.
 */
const concealed: PlanningValues = { impairment: 0, robustness: 25.1 };
const planningValues: ReadonlyMap<string, PlanningValues> = new Map([
  // G.729A with voice activity detection.
  ['G729', { impairment: 11, robustness: 19 }],
]);

/** Ro − Is with all parameters at their defaults (G.107 Table 2). */
const bestRating = 93.2;
/** G.107 §7.4: a shorter absolute delay impairs nothing. */
const noticedMilliseconds = 100;

export interface Transmission {
  /** Undefined: unknown. */
  readonly codec: string | null | undefined;
  readonly lossPercent: number;
  /** From one end to the other, with the jitter buffer. */
  readonly delayMilliseconds: number;
}

/** Mean opinion score (G.107 Annex B), 1.0 to 4.4, to one decimal. */
export function mosOf({ codec, lossPercent, delayMilliseconds }: Transmission): number {
  const { impairment, robustness } = planningValues.get(codec ?? '') ?? concealed;
  const byLoss = impairment + ((95 - impairment) * lossPercent) / (lossPercent + robustness);
  const rating = Math.max(0, bestRating - byLoss - delayImpairment(delayMilliseconds));
  const mos = 1 + 0.035 * rating + rating * (rating - 60) * (100 - rating) * 7e-6;
  return Math.round(Math.max(1, mos) * 10) / 10;
}

/** Idd (G.107 §7.4, equation 7-27). */
function delayImpairment(milliseconds: number): number {
  if (milliseconds <= noticedMilliseconds) return 0;
  const x = Math.log2(milliseconds / noticedMilliseconds);
  const root = (value: number): number => (1 + value ** 6) ** (1 / 6);
  return 25 * (root(x) - 3 * root(x / 3) + 2);
}
