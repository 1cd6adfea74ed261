import { zone } from './format.js';

const minute = 60_000;

/** A moment as `datetime-local` fields have it, in the zone of all times on the pages. Empty: none. */
export function fieldOfMoment(moment: string | undefined): string {
  const at = moment === undefined ? Number.NaN : Date.parse(moment);
  if (Number.isNaN(at)) return '';
  const offset = zone.value === 'utc' ? 0 : new Date(at).getTimezoneOffset() * minute;
  return new Date(at - offset).toISOString().slice(0, 16);
}

/** ISO 8601 of what such a field holds; undefined: no time. */
export function momentOfField(text: string): string | undefined {
  const at = Date.parse(zone.value === 'utc' ? `${text}Z` : text);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}
