import { isIP } from 'node:net';
import { z } from 'zod';
import type { NoticeSettings } from '../../../config/notice-settings.js';
import { EgressPolicy } from '../../../naming/egress.js';
import { InvalidRequest } from '../../http/validation.js';

const notHttp = 'Must be http://… or https://…';

/** A customer's webhook URL. */
export const webhookUrlSchema = z
  .string({ error: notHttp })
  // Before the parser, which drops line ends and tabs instead of refusing them.
  .refine((text) => !/[\s\p{Cc}]/u.test(text.trim()), 'Must not contain spaces or control characters')
  .check(z.url({ protocol: /^https?$/, error: notHttp }))
  .max(2_048)
  .refine((text) => {
    const parsed = URL.canParse(text) ? new URL(text) : undefined;
    return parsed === undefined || (parsed.username === '' && parsed.password === '');
  }, 'Must not contain a user or password: verify the signature instead')
  .meta({ examples: ['https://example.com/hooks/calls'] });

/**
 * Throws `InvalidRequest` for an address that webhooks never reach. A name is looked up when something is sent: what it leads
 * to may change at any time.
 */
export function checkWebhookUrl(
  { webhook }: Pick<NoticeSettings, 'webhook'>,
  url: string | undefined,
  path: string,
): void {
  if (url === undefined) return;
  const { hostname, port, protocol } = new URL(url);
  const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const isLocalName = /(^|\.)localhost\.?$/i.test(host) && !webhook.allowPrivate;
  const egress = new EgressPolicy(webhook);
  const problem =
    isIP(host) === 0 ? undefined : egress.problemOf({ address: host, port: number, protocol: 'tcp' });
  if (problem === 'own_listener')
    throw InvalidRequest.at(path, 'This service does not allow webhooks to its own listeners');
  if (isLocalName || problem !== undefined)
    throw InvalidRequest.at(path, 'This service does not allow webhooks to private addresses');
}
