import type { JSX } from 'preact';
import type { PortDetail } from '../../api/porting.js';
import { NamedState } from '../../parts/state.js';
import { When } from '../../parts/time.js';

const actors: Readonly<Record<PortDetail['timeline'][number]['by'], string>> = {
  customer: 'the customer',
  signer: 'the authorized representative',
  carrier: 'the carrier',
  operator: 'an operator',
  service: 'the service',
};

/** Every status change of a request, oldest first. */
export function Timeline({ moves }: { moves: PortDetail['timeline'] }): JSX.Element {
  return (
    <ol class="port-timeline">
      {moves.map((move, at) => (
        <li key={at}>
          <When at={move.at} /> {move.number ?? 'Request'} <NamedState name={move.to} /> by {actors[move.by]}
          {move.reason !== '' && <span class="note">: {move.reason}</span>}
        </li>
      ))}
    </ol>
  );
}
