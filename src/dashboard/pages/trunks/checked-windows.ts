import type { HealthWindow } from '../../api/noc.js';

const hours: Readonly<Record<HealthWindow, number>> = { '24h': 24, '7d': 168, '30d': 720 };
const hourMilliseconds = 3_600_000;
/** Checks are kept by the hour: the one in which the window begins counts as a whole. */
const toleranceHours = 1;

/** Whether a server has been checked for the whole window; before that a share of it says little. */
export const isWholeWindow = (window: HealthWindow, checkedSince: string | null, now: number): boolean =>
  checkedSince !== null &&
  now - Date.parse(checkedSince) >= (hours[window] - toleranceHours) * hourMilliseconds;
