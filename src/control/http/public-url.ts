import type { ControlSettings } from '../../config/control-settings.js';

/** Where people reach this service, without a slash at the end. */
export function publicUrl({
  notices,
  http,
  httpTls,
}: Pick<ControlSettings, 'notices' | 'http' | 'httpTls'>): string {
  if (notices.publicUrl !== undefined) return notices.publicUrl;
  const host = http.host.includes(':') ? `[${http.host}]` : http.host;
  return `${httpTls === undefined ? 'http' : 'https'}://${host}:${http.port}`;
}
