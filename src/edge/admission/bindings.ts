import type { Redis } from '../../base/redis.js';
import { endpointName } from '../../contract/health.js';
import { numberDigits } from '../../contract/number.js';
import { readJson } from '../../contract/read-json.js';
import { registrationKey, registrationStateSchema, registrationsOf } from '../../contract/registration.js';
import { normalAddress } from '../../naming/address.js';
import { parseAddress } from '../../sip/address.js';
import { parseUri, userOf } from '../../sip/uri.js';
import type { KnownRegistration, RegistrationDirectory } from '../registration/registration-directory.js';
import type { OutboundAddresses } from '../routing/outbound-addresses.js';
import type { TrunkStore } from '../routing/trunk-store.js';
import type { InboundRequest } from './admission.js';

/** What a call's Request-URI says of the registration that it came by. */
export interface Binding {
  /** `endpointName`. */
  readonly registrar: string;
  /** Digits of the called number; undefined: the registration is for several, and the call names none of them. */
  readonly number: string | undefined;
  /** The inbound configuration that the registration is of. */
  readonly inboundId: string | undefined;
  /** True: the call came from the registrar, so that it needs no other admission. */
  readonly isFromRegistrar: boolean;
}

export interface BindingsParts {
  readonly directory: Pick<RegistrationDirectory, 'byToken'>;
  readonly addresses: Pick<OutboundAddresses, 'includes'>;
  readonly redis: Pick<Redis, 'get'>;
  readonly trunks: Pick<TrunkStore, 'find'>;
}

type Called = { readonly number: string; readonly inboundId: string };

/**
 * Recognizes calls that a registrar sends to a binding of this system. Only the registrar knows the token in its Contact, so it
 * also counts over UDP, where an address can be forged; the call must also come from the registrar, so that a leaked token
 * is useless to others.
 */
export class Bindings {
  constructor(private readonly parts: BindingsParts) {}

  /** Undefined: the call did not come by a registration. Never rejects. */
  async find(request: InboundRequest): Promise<Binding | undefined> {
    const registration = this.registrationOf(request.uri);
    if (registration === undefined) return undefined;
    const called = registration.isSingle ? registration.newest : await this.called(registration, request);
    return {
      registrar: endpointName(registration.registrar),
      number: called?.number,
      inboundId: called?.inboundId,
      isFromRegistrar: await this.isRegistrar(registration, request.sourceAddress),
    };
  }

  /** PBXs replace the user part of the Contact (an extension, the dialled number) or drop its parameters; not both. */
  private registrationOf(text: string): KnownRegistration | undefined {
    const uri = parseUri(text);
    if (uri?.kind !== 'sip') return undefined;
    for (const token of [uri.parameters.get('line'), userOf(uri)]) {
      const found = token === undefined ? undefined : this.parts.directory.byToken(token);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Of the numbers that share the registration, the one that the call names. */
  private async called({ id }: KnownRegistration, request: InboundRequest): Promise<Called | undefined> {
    for (const number of new Set(namedNumbers(request))) {
      const document = await this.parts.trunks.find(number).catch(() => undefined);
      const wanted = document === undefined ? [] : registrationsOf(document);
      const inboundId = wanted.find((each) => each.id === id)?.inboundId;
      if (inboundId !== undefined) return { number, inboundId };
    }
    return undefined;
  }

  private async isRegistrar({ id, registrar }: KnownRegistration, source: string): Promise<boolean> {
    const address = normalAddress(source) ?? source;
    if ((await this.parts.addresses.includes([registrar], address)) === 'yes') return true;
    // After a redirect or a DNS change: the source that answered the REGISTER.
    const state = readJson(
      registrationStateSchema,
      await this.parts.redis.get(registrationKey(id)).catch(() => null),
    );
    const answered = state?.address ?? null;
    return answered !== null && (normalAddress(answered) ?? answered) === address;
  }
}

/** Digits of the numbers that the call names, the likeliest first. */
function namedNumbers({ calledUser, to, header }: InboundRequest): string[] {
  const called = parseAddress(header('P-Called-Party-ID') ?? '');
  const users = [calledUser, userOfAddress(called?.uri), userOfAddress(parseAddress(to)?.uri)];
  return users.flatMap((user) => numberDigits(user ?? '') ?? []);
}

function userOfAddress(text: string | undefined): string | undefined {
  const uri = text === undefined ? undefined : parseUri(text);
  return uri === undefined ? undefined : userOf(uri);
}
