import type { JSX } from 'preact';
import { generatePassword } from '../../../api/setup.js';
import { AgentFields, CallingAgentFields } from '../../../forms/agent-fields.js';
import { CertificateField } from '../../../forms/certificate-field.js';
import {
  LinesField,
  NumberField,
  SecretField,
  SelectField,
  TextField,
  useField,
} from '../../../forms/fields.js';
import { Choice } from '../../../parts/choice.js';

/** The fields of one configuration: where calls go, who may call, credentials, certificates. */

const transports = [
  ['', 'As in the address, else TLS'],
  ['tls', 'TLS'],
  ['tcp', 'TCP'],
  ['udp', 'UDP'],
] as const;

interface Stored {
  /** Passwords that are stored, which no page shows. */
  readonly sipPassword: boolean;
  readonly registerPassword: boolean;
}

/** Where calls from the number go. */
export function ServerFields({ stored }: { stored: Pick<Stored, 'sipPassword'> }): JSX.Element {
  return (
    <>
      <fieldset class="form-section">
        <legend>Server</legend>
        <div class="fields-grid">
          <TextField
            path="sip_endpoint"
            label="Address of the PBX or carrier"
            note="Host name, IP address or SIP URI"
            placeholder="sip:pbx.example.com:5061;transport=tls"
            isMono
            isWide
          />
          <PortAndTransport />
          <MediaField />
          <SourceField />
        </div>
      </fieldset>
      <CredentialFields
        title="Credentials"
        note="Answers to the server’s digest challenges. Empty if it recognizes Demarc by its addresses."
        isStored={stored.sipPassword}
        hasRealm
      />
      <TrustFields />
      <fieldset class="form-section">
        <legend>Agent of ordered calls</legend>
        <CallingAgentFields />
      </fieldset>
    </>
  );
}

export function PortAndTransport(): JSX.Element {
  return (
    <>
      <NumberField
        path="options.port"
        label="Port"
        least={1}
        most={65_535}
        placeholder="5061"
        note="Overrides the port in the address. Empty: as in the address, SRV records, or the default"
      />
      <SelectField
        path="options.transport"
        label="Transport"
        options={transports}
        note="Overrides the transport in the address"
      />
    </>
  );
}

/** SRTP or plain RTP; not set: SRTP. */
export function MediaField(): JSX.Element {
  const field = useField('options.secure_media');
  return (
    <div class="field">
      <span class="field-name">Media</span>
      <Choice
        label="Media"
        value={field.value === false ? 'rtp' : 'srtp'}
        options={[
          ['srtp', 'SRTP required'],
          ['rtp', 'Plain RTP'],
        ]}
        onChange={(value) => field.set(value === 'rtp' ? false : undefined)}
      />
      <small class="note">
        {field.value === false
          ? 'Media is not encrypted on the way to the trunk.'
          : 'AES_CM_128_HMAC_SHA1_80; calls without it are refused.'}
      </small>
    </div>
  );
}

/** Whether audio may come from another address than described; not set: as the operator says. */
export function SourceField(): JSX.Element {
  const field = useField('options.symmetric_rtp');
  return (
    <div class="field">
      <span class="field-name">Source of plain RTP</span>
      <Choice
        label="Source of plain RTP"
        value={field.value === undefined ? 'default' : field.value === true ? 'learned' : 'described'}
        options={[
          ['default', 'Default'],
          ['described', 'As in the SDP'],
          ['learned', 'Learned (NAT)'],
        ]}
        onChange={(value) => field.set(value === 'default' ? undefined : value === 'learned')}
      />
      <small class="note">
        Learned: the agent, and a trunk without SRTP, may send from behind NAT or from a container. Requires
        rtpengine 26.
      </small>
    </div>
  );
}

/** The certificates that count for the server; TLS only. */
export function TrustFields(): JSX.Element {
  return (
    <fieldset class="form-section">
      <legend>Certificate of the server (TLS)</legend>
      <CertificateField
        path="options.tls_ca"
        label="Trusted certificate or CA, PEM"
        note="Only for a self-signed certificate or an own CA. It replaces the well-known authorities for this trunk."
      />
    </fieldset>
  );
}

interface CredentialFieldsProps {
  readonly title: string;
  readonly note: string;
  readonly isStored: boolean;
  readonly hasRealm: boolean;
}

/** Digest user name and password, and the realm that they are for. */
export function CredentialFields({ title, note, isStored, hasRealm }: CredentialFieldsProps): JSX.Element {
  return (
    <fieldset class="form-section">
      <legend>{title}</legend>
      <p class="note">{note}</p>
      <div class="fields-grid">
        <TextField path="options.sip_username" label="User name" isMono />
        <SecretField
          path="options.sip_password"
          label="Password"
          isStored={isStored}
          note={isStored ? 'Empty keeps the stored one. Clear the user name to remove both.' : undefined}
        />
        {hasRealm && (
          <TextField
            path="options.sip_realm"
            label="Realm"
            note="Answers only challenges of this realm. Empty: any"
            isMono
          />
        )}
      </div>
    </fieldset>
  );
}

/** Who may call the number, and which agent answers. */
export function CallerFields({ stored }: { stored: Stored }): JSX.Element {
  const mode = useField('auth_mode');
  const isRegistered = mode.value === 'register';
  return (
    <>
      <fieldset class="form-section">
        <legend>Who may call</legend>
        <Choice
          label="How callers are recognized"
          value={isRegistered ? 'register' : 'ip'}
          options={[
            ['ip', 'Address or credentials'],
            ['register', 'Demarc registers with the PBX'],
          ]}
          onChange={mode.set}
        />
        {isRegistered ? (
          <RegistrationFields isStored={stored.registerPassword} />
        ) : (
          <div class="fields-grid">
            <AddressesField />
          </div>
        )}
      </fieldset>
      {!isRegistered && (
        <CredentialFields
          title="Or by digest credentials"
          note="Callers from other addresses are challenged and need this user and password."
          isStored={stored.sipPassword}
          hasRealm={false}
        />
      )}
      {isRegistered && <TrustFields />}
      <fieldset class="form-section">
        <legend>Agent</legend>
        <AgentFields />
        <SourceField />
      </fieldset>
    </>
  );
}

export function AddressesField(): JSX.Element {
  return (
    <LinesField
      path="allowed_ips"
      label="Addresses that may call"
      placeholder={'203.0.113.7\n198.51.100.0/24'}
      note="IPv4 or IPv6 addresses and networks, one per line. Empty: the addresses of the number’s own servers"
    />
  );
}

/** Demarc as an extension of the PBX. */
export function RegistrationFields({ isStored }: { isStored: boolean }): JSX.Element {
  return (
    <div class="fields-grid">
      <TextField
        path="registrar"
        label="Registrar"
        note="PBX to register with. Empty: the server of the outbound direction"
        placeholder="sip:pbx.example.com:5061;transport=tls"
        isMono
        isWide
      />
      <PortAndTransport />
      <TextField path="register_auth.username" label="User name (extension)" placeholder="700" isMono />
      <SecretField
        path="register_auth.password"
        label="Secret"
        isStored={isStored}
        generate={generatePassword}
        note="At least 8 characters. Demarc derives the password for the PBX from it, and shows that once after saving."
      />
      <TextField
        path="options.sip_realm"
        label="Realm"
        note="Answers only challenges of this realm. Empty: any"
        isMono
      />
      <MediaField />
    </div>
  );
}
