import type { JSX } from 'preact';
import type { CallDetail } from '../../api/calls.js';
import { Copy } from '../../parts/copy.js';
import { capitalized } from '../../parts/format.js';
import { Facts, Panel } from '../../parts/panel.js';
import { PhoneNumber } from '../../parts/phone-number.js';
import { Untrusted } from '../../parts/untrusted.js';

/** Further details of a call. */
export function Particulars({ call }: { call: CallDetail }): JSX.Element {
  const rows = [
    [
      'From',
      <span class="mono breakable">
        <Untrusted text={call.from_header} />
      </span>,
    ],
    [
      'To',
      <span class="mono breakable">
        <Untrusted text={call.to_header} />
      </span>,
    ],
    [
      'Number',
      call.phone_number === null ? (
        'unknown'
      ) : (
        <a class="figure" href={`/trunks/${call.phone_number.replace('+', '')}`}>
          <PhoneNumber text={call.phone_number} />
        </a>
      ),
    ],
    ['Direction', capitalized(call.direction)],
    [
      'Trunk address',
      <span class="figure">
        {call.source_ip === ''
          ? call.ended_by === null
            ? 'unknown'
            : 'none: no request was sent'
          : `${call.source_ip}:${call.source_port} ${call.source_protocol.toUpperCase()}`}
      </span>,
    ],
    ...(call.ended_by === null ? [] : [['Ended by', capitalized(call.ended_by)] as const]),
    ['Edge', call.edge_id === '' ? 'none' : call.edge_id],
    ['Call id', <Identifier text={call.call_id} what="the call id" />],
    ...(call.sip_call_id === ''
      ? []
      : [['Call-ID, trunk', <Identifier text={call.sip_call_id} what="the trunk's Call-ID" />] as const]),
    ...(call.agent_sip_call_id === null
      ? []
      : [
          [
            'Call-ID, agent',
            <Identifier text={call.agent_sip_call_id} what="the agent's Call-ID" />,
          ] as const,
        ]),
  ] as const;
  return (
    <Panel title="Details">
      <Facts rows={rows} />
    </Panel>
  );
}

function Identifier({ text, what }: { text: string; what: string }): JSX.Element {
  return (
    <span class="identifier">
      <span class="mono breakable">{text}</span>
      <Copy text={text} what={what} isBare />
    </span>
  );
}
