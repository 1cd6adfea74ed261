import { createHash, timingSafeEqual } from 'node:crypto';

/** The answer of a metrics page to a request without the token: 401 with `WWW-Authenticate: Bearer`. */
export const metricsRefusal = {
  data: null,
  errors: [
    {
      error: 'UNAUTHORIZED',
      message:
        'Metrics are read with the header "Authorization: Bearer" and the DEMARC_METRICS_TOKEN of this process',
    },
  ],
} as const;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether a request may read the metrics. Takes as long for a token that is nearly right as for any other. */
export function mayReadMetrics(token: string | undefined, authorization: string | undefined): boolean {
  if (token === undefined) return true;
  const bearerToken = /^bearer +(\S+)$/i.exec(authorization?.trim() ?? '')?.[1];
  return bearerToken !== undefined && timingSafeEqual(digest(bearerToken), digest(token));
}
