import { z } from 'zod';
import { endReasonSchema } from '../../contract/call-record.js';
import { explainEndReason } from '../../contract/explanations.js';
import { explainHandshake, type Sighting, tlsSessionSchema } from '../../contract/sighting.js';
import { e164 } from '../http/phone-number.js';

/** A sighting as an organization sees it. */
export const sightingViewSchema = z
  .object({
    at: z.iso.datetime(),
    kind: z.enum(['request', 'handshake']).meta({
      description: '`handshake`: a TLS handshake that failed, so that no request came.',
    }),
    source_address: z.string(),
    source_port: z.int().nullable().meta({ description: 'Null: not known.' }),
    protocol: z.string().meta({ description: '`tls`, `tcp` or `udp`.' }),
    tls: tlsSessionSchema
      .nullable()
      .meta({ description: 'The TLS session; null: none, or the engine does not report it.' }),
    method: z.string().nullable().meta({ description: 'SIP method; null: no request came.' }),
    user_agent: z.string().nullable(),
    called: z.string().nullable().meta({ description: 'User part of the Request-URI.' }),
    phone_number: z.string().nullable().meta({ description: 'Your number that it names; null: none.' }),
    call_id: z.string().nullable(),
    status: z.int().nullable().meta({
      description: 'SIP status that Demarc answered; null: an admitted INVITE, or a failed handshake.',
    }),
    end_reason: endReasonSchema.nullable(),
    cause: z.string(),
    advice: z.string().meta({ description: 'Empty: nothing to do.' }),
    detail: z.string().nullable(),
  })
  .meta({ id: 'Sighting' });
export type SightingView = z.infer<typeof sightingViewSchema>;

export const viewOf = (sighting: Sighting): SightingView => ({
  at: sighting.at,
  kind: sighting.kind,
  source_address: sighting.source.address,
  source_port: sighting.source.port,
  protocol: sighting.source.protocol,
  tls: sighting.tls,
  method: sighting.method,
  user_agent: sighting.user_agent,
  called: sighting.called,
  phone_number: sighting.number === null ? null : e164(sighting.number),
  call_id: sighting.number === null ? null : sighting.call_id,
  status: sighting.status,
  end_reason: sighting.end_reason,
  ...explained(sighting),
  detail: sighting.detail,
});

function explained(sighting: Sighting): { readonly cause: string; readonly advice: string } {
  const { kind, method, status, end_reason, detail } = sighting;
  if (kind === 'handshake') return explainHandshake(detail ?? '');
  if (end_reason !== null) return explainEndReason(end_reason, status);
  if (method === 'REGISTER') {
    return {
      cause: 'The PBX tries to register with Demarc, which is no registrar.',
      advice: 'Turn registration off in the trunk of the PBX.',
    };
  }
  if (status === null) return { cause: 'The call was admitted.', advice: '' };
  if (status === 200) return { cause: 'The PBX reaches Demarc, and Demarc answers.', advice: '' };
  if (status === 503)
    return { cause: 'The edge is shutting down.', advice: 'The PBX tries again automatically.' };
  return { cause: `Demarc does not accept ${method} (${status}).`, advice: 'It does no harm to calls.' };
}
