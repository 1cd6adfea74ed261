import type { JSX } from 'preact';
import type { CallMedia, RtpSide } from '../api/calls.js';
import { milliseconds, octets, percent, whole } from '../parts/format.js';
import { Panel } from '../parts/panel.js';
import { State, type Tone } from '../parts/state.js';
import { Suite } from '../parts/suite.js';

const notReported = <span class="muted">not reported</span>;

/** ITU-T G.107 Annex B: what people say of a call with that figure. */
function qualityOf(mos: number): readonly [tone: Tone, word: string] {
  if (mos >= 4) return ['good', 'good'];
  if (mos >= 3.6) return ['warn', 'fair'];
  return ['bad', mos >= 3.1 ? 'poor' : 'bad'];
}

function lossOf({ packets_lost: lost, packets_received: received }: RtpSide): JSX.Element | string {
  if (lost === undefined) return notReported;
  const share = lost + received === 0 ? 0 : (lost / (lost + received)) * 100;
  return `${whole(lost)} (${percent(share, 2)})`;
}

type Row = readonly [name: string, show: (side: RtpSide) => JSX.Element | string];

const rows: readonly Row[] = [
  ['Packets received', (side) => `${whole(side.packets_received)} (${octets(side.octets_received)})`],
  ['Packets sent', (side) => `${whole(side.packets_sent)} (${octets(side.octets_sent)})`],
  ['Lost', lossOf],
  ['Jitter', ({ jitter_milliseconds: value }) => (value === undefined ? notReported : milliseconds(value))],
  [
    'Round trip',
    ({ round_trip_milliseconds: value }) => (value === undefined ? notReported : milliseconds(value)),
  ],
  [
    'MOS (1 to 5)',
    ({ mos }) => {
      if (mos === undefined) return notReported;
      const [tone, word] = qualityOf(mos);
      return <State tone={tone}>{`${mos.toFixed(1)}, ${word}`}</State>;
    },
  ],
  ['Rejected packets', ({ errors }) => whole(errors)],
];

/** Packets may take that long after the answer: a side whose first ones are missing then is silent. */
const patienceMilliseconds = 3_000;

interface MediaPanelProps {
  readonly media: CallMedia | null;
  /** Of a call that goes on: milliseconds since its answer. */
  readonly soFar: number | undefined;
}

/** What was heard, or why nothing was: both sides of the media relay beside each other. */
export function MediaPanel({ media, soFar }: MediaPanelProps): JSX.Element {
  if (media === null) {
    return (
      <Panel title="Media">
        <p class="note">
          {soFar === undefined ? 'The call ended before any media was set up.' : 'No media is set up yet.'}
        </p>
      </Panel>
    );
  }
  if (soFar !== undefined && media.trunk_codec === null) {
    return (
      <Panel title="Media so far">
        <p class="note">Nothing is agreed yet: the answer with the codec is still to come.</p>
      </Panel>
    );
  }
  const isExpected = soFar === undefined || soFar >= patienceMilliseconds;
  const { trunk, agent } = media.rtp;
  const silent = [trunk, agent].map((side) => isExpected && side !== null && side.packets_received === 0);
  const isQualityKnown = [trunk, agent].some((side) => side?.mos !== undefined);
  return (
    <Panel title={soFar === undefined ? 'Media' : 'Media so far'} class="media-panel">
      {silent.some((isSilent) => isSilent) && (
        <div class="problem mild">
          <p>
            <strong>{silent[0] && silent[1] ? 'No audio' : 'One-way audio'}.</strong> Nothing was received
            from{' '}
            {silent[0] && silent[1]
              ? 'either side'
              : silent[0]
                ? 'the trunk: look at its firewall and NAT'
                : 'the agent'}
            .
          </p>
        </div>
      )}
      <table class="plain">
        <caption class="unseen">Media of both sides</caption>
        <thead>
          <tr>
            <td />
            <th scope="col">Trunk</th>
            <th scope="col">Agent</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">Codec</th>
            <td>{media.trunk_codec ?? notReported}</td>
            <td>{media.agent_codec ?? notReported}</td>
          </tr>
          <tr>
            <th scope="row">Encryption</th>
            <td>
              {media.srtp_suite === null ? (
                'none (RTP)'
              ) : (
                <>
                  SRTP <Suite name={media.srtp_suite} />
                </>
              )}
            </td>
            <td>none, private network</td>
          </tr>
          {rows.map(([name, show]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="figure">{trunk === null ? notReported : show(trunk)}</td>
              <td class="figure">{agent === null ? notReported : show(agent)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {!isQualityKnown && (
        <p class="note">
          Loss, jitter and MOS are known only where the ends send RTCP reports, and after five to ten seconds.
        </p>
      )}
    </Panel>
  );
}
