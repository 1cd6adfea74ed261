/** How many of all are covered, and the share in per cent to one decimal; 100 where there are none. */
export const shareCovered = (
  total: number,
  covered: number,
): { readonly total: number; readonly covered: number; readonly percent: number } => ({
  total,
  covered,
  percent: total === 0 ? 100 : Math.round((covered / total) * 1_000) / 10,
});
