import type { CodecPolicy } from '../../../contract/number.js';

/** What a guide consists of: steps with settings and files that hold this organization's own values. */

export const systems = ['FreePBX', '3CX', 'Asterisk', 'Cisco CUBE', 'Carrier'] as const;
export type System = (typeof systems)[number];

export const carriers = ['Twilio', 'Telnyx', 'Bandwidth', 'Another carrier'] as const;
export type Carrier = (typeof carriers)[number];

export type Codec = CodecPolicy['order'][number];

/** How Demarc recognizes calls from the PBX. */
export type Recognition =
  | { readonly by: 'address' }
  | {
      readonly by: 'digest';
      readonly username: string;
      /** Undefined: stored by the PBX's administrator; Demarc does not show it again. */
      readonly password?: string | undefined;
    }
  /** Demarc registers with the PBX as this user. */
  | { readonly by: 'registration'; readonly username: string };

export interface GuideValues {
  /** Host that the PBX sends calls to: a name or an address, IPv6 without brackets. */
  readonly server: string;
  /** TLS. */
  readonly port: number;
  /** `10000-20000`, UDP. */
  readonly rtpPorts: string;
  /** Source addresses of Demarc's calls, and CIDRs. */
  readonly addresses: readonly string[];
  /** PEM of the CA of Demarc's certificate; undefined: a well-known one, which a PBX trusts already. */
  readonly authority: string | undefined;
  /** E.164 with plus; undefined: any number of the organization. */
  readonly number: string | undefined;
  readonly recognition: Recognition;
  readonly codecs: readonly Codec[];
  readonly pbx: {
    /** Public name or address, as the user typed it, checked; undefined: not known yet. */
    readonly host: string | undefined;
    /** Address that its TLS transport binds to. */
    readonly bind: string;
    readonly port: number;
    /** Folder of its keys and certificates. */
    readonly keys: string;
    /** Its file of all trusted authorities. */
    readonly trusted: string;
    /** Endpoint of its carrier, for calls of Demarc to outside numbers; undefined: such calls are refused. */
    readonly carrier: string | undefined;
  };
}

/** What a fresh PBX has. */
export const usualPbx = {
  host: undefined,
  bind: '0.0.0.0',
  port: 5061,
  keys: '/etc/asterisk/keys',
  trusted: '/etc/ssl/certs/ca-certificates.crt',
  carrier: undefined,
} as const satisfies GuideValues['pbx'];

export type GuidePart =
  | {
      readonly kind: 'fields';
      readonly title: string;
      readonly rows: readonly (readonly [name: string, value: string])[];
    }
  | { readonly kind: 'file'; readonly title: string; readonly text: string }
  | { readonly kind: 'note'; readonly text: string }
  /** What would keep the guide from working as it stands. */
  | { readonly kind: 'warning'; readonly text: string }
  /** The CA's certificate: fingerprint and download. */
  | { readonly kind: 'authority' }
  /** Addresses and CIDRs that call from there: a button lets them call the number. */
  | { readonly kind: 'callers'; readonly addresses: readonly string[] }
  /** A page of the vendor's documentation, from which values were taken. */
  | { readonly kind: 'source'; readonly text: string; readonly href: string };

export interface Step {
  readonly title: string;
  readonly parts: readonly GuidePart[];
}

export interface Guide {
  /** True: the project's tests load these files into the real product. */
  readonly isTested: boolean;
  readonly steps: readonly Step[];
}

/** In place of a password that Demarc does not show again. */
export const passwordPlaceholder = 'PASSWORD_OF_THE_NUMBER';
