/** The key of `Authorization: Bearer KEY` or `Authorization: KEY`. */
export function keyOf(header: string | undefined): string | undefined {
  const text = header?.trim();
  if (text === undefined || text === '') return undefined;
  return /^bearer\s+(\S+)$/i.exec(text)?.[1] ?? text;
}

/** The password of `Authorization: Basic …` (RFC 7617); undefined for another scheme. */
export function passwordOf(header: string | undefined): string | undefined {
  const [, encoded] = /^basic\s+([A-Za-z0-9+/_-]+=*)\s*$/i.exec(header ?? '') ?? [];
  if (encoded === undefined) return undefined;
  return Buffer.from(encoded, 'base64').toString('utf8').split(':').slice(1).join(':');
}
