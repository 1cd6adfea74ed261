import { Temporal } from 'temporal-polyfill';

/** Whether `name` is an IANA time zone that this process knows. */
export function isTimeZone(name: string): boolean {
  try {
    // Offsets such as +02:00 have no summer time.
    return /^[A-Za-z]/.test(name) && Temporal.Now.zonedDateTimeISO(name) !== undefined;
  } catch {
    return false;
  }
}
