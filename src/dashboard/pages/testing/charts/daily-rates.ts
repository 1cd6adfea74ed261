const oneDay = 86_400_000;

export interface DailyRate {
  /** `2026-11-22`, in UTC. */
  readonly date: string;
  /** 0 to 1. */
  readonly rate: number;
}

/** The rate of each day in per cent up to the day of `now`; null on days without runs. */
export function dailyRates(
  rates: readonly DailyRate[],
  days: number,
  now: number,
): { readonly times: readonly string[]; readonly values: readonly (number | null)[] } {
  const byDate = new Map(rates.map(({ date, rate }) => [date, rate]));
  const dates = Array.from({ length: days }, (_, index) =>
    new Date(now - (days - 1 - index) * oneDay).toISOString().slice(0, 10),
  );
  return {
    times: dates.map((date) => `${date}T00:00:00Z`),
    values: dates.map((date) => {
      const rate = byDate.get(date);
      return rate === undefined ? null : rate * 100;
    }),
  };
}
