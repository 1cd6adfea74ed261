import type { ComponentChildren, JSX } from 'preact';
import type { Configuration } from '../../api/trunks.js';
import { capitalized, spoken } from '../../parts/format.js';
import { Facts, Panel } from '../../parts/panel.js';
import { When } from '../../parts/time.js';
import { trunkAddress } from '../../parts/trunk-address.js';

type Row = readonly [name: string, value: ComponentChildren];

/** The attached configurations, one per direction. */
export function ConfigurationPanel({
  phoneNumber,
  configurations,
}: {
  phoneNumber: string;
  configurations: readonly Configuration[];
}): JSX.Element {
  return (
    <Panel title="Configuration" aside={<a href={`${trunkAddress(phoneNumber)}/edit`}>Edit</a>}>
      {configurations.map((configuration) => (
        <section
          key={configuration.id}
          class="configuration"
          aria-label={`${configuration.direction} configuration`}
        >
          <h3>{capitalized(configuration.direction)}</h3>
          <Facts
            rows={[
              ...(configuration.direction === 'inbound'
                ? inboundRows(configuration)
                : outboundRows(configuration)),
              ...commonRows(configuration),
            ]}
          />
        </section>
      ))}
    </Panel>
  );
}

function inboundRows({
  options,
  register_auth,
  allowed_ips,
  agent,
  registrar,
}: Configuration): readonly Row[] {
  return [
    [
      'Who may call',
      options.auth_mode === 'register'
        ? `The PBX with which Demarc registers as ${register_auth?.username ?? 'unknown'}`
        : (allowed_ips ?? []).length === 0
          ? 'The number’s own outbound servers, if any (no allowed_ips)'
          : list(allowed_ips ?? []),
    ],
    ...(options.sip_username === undefined ? [] : [['Or by digest', options.sip_username] as const]),
    options.auth_mode === 'register'
      ? ['Registrar', registrar === null ? 'the outbound server' : mono(registrar)]
      : ['Agent', agent === null ? 'the service’s default agent' : mono(agent)],
    ...sourceRows(options),
  ];
}

const sourceRows = ({ symmetric_rtp: isLearned }: Configuration['options']): readonly Row[] =>
  isLearned === undefined
    ? []
    : [['Source of plain RTP', isLearned ? 'learned from its packets' : 'the address in the SDP']];

function outboundRows({ options, sip_endpoint }: Configuration): readonly Row[] {
  return [
    ['Server', mono(sip_endpoint ?? '–')],
    ...(options.transport === undefined ? [] : [['Transport', options.transport.toUpperCase()] as const]),
    ...(options.port === undefined ? [] : [['Port', options.port] as const]),
    ['Media', options.secure_media === false ? 'RTP, not encrypted' : 'SRTP'],
    ...sourceRows(options),
    [
      'Credentials',
      options.sip_username === undefined ? 'none' : `${options.sip_username}, password stored encrypted`,
    ],
  ];
}

function commonRows({
  headers,
  codec_config,
  limits,
  failover_config,
  updated_at,
}: Configuration): readonly Row[] {
  return [
    [
      'Codecs',
      codec_config === null
        ? 'PCMU, PCMA, Opus'
        : `${codec_config.codecs.join(', ')}${codec_config.transcode ? ', transcoded if needed' : ''}`,
    ],
    ...(limits === null
      ? []
      : Object.entries(limits).map(([name, value]): Row => [capitalized(spoken(name)), String(value)])),
    ...(failover_config === null
      ? []
      : [
          [
            'Failover',
            failover_config.enabled
              ? `to ${failover_config.endpoints
                  .map(
                    ({ host, port, transport }) =>
                      `${transport ?? 'tls'}:${host}${port === undefined ? '' : `:${port}`}`,
                  )
                  .join(
                    ', then ',
                  )} after ${failover_config.triggers.map(spoken).join(', ')}; back ${failover_config.failback === 'auto' ? 'automatically' : 'on request'}`
              : 'off',
          ] as const,
        ]),
    ...(headers === null ? [] : [['Header mappings', String(headers.headers.length)] as const]),
    ['Changed', <When at={updated_at} />],
  ];
}

const mono = (text: string): JSX.Element => <span class="mono breakable">{text}</span>;

const list = (texts: readonly string[]): JSX.Element => (
  <ul>
    {texts.map((text) => (
      <li class="figure" key={text}>
        {text}
      </li>
    ))}
  </ul>
);
