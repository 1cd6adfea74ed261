export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

export const zoneNames = (): readonly string[] => ['UTC', ...Intl.supportedValuesOf('timeZone')];
