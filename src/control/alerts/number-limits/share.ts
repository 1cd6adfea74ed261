/** Share of a limit from which its organization is notified. */
export const alertPercent = 80;

export const percentOf = ({
  measured,
  limit,
}: {
  readonly measured: number;
  readonly limit: number;
}): number => Math.floor((100 * measured) / limit);
