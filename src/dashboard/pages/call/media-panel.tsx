import type { JSX } from 'preact';
import type { CallDetail, CallMedia, RtpSide } from '../../api/calls.js';
import { milliseconds, octets, percent, whole } from '../../parts/format.js';
import { Panel } from '../../parts/panel.js';
import { State, type Tone } from '../../parts/state.js';
import { Suite } from '../../parts/suite.js';
import { ClockTime } from '../../parts/time.js';
import { silentSides } from './silence.js';

const notReported = <span class="muted">not reported</span>;

/** ITU-T G.107 Annex B: user satisfaction by R-factor. */
export function qualityOf(mos: number): readonly [tone: Tone, word: string] {
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

const silentWords = {
  both: 'either side',
  trunk: 'the trunk: check its firewall and NAT',
  agent: 'the agent',
} as const;

/** When the audio of the call moved to another media server, and why. */
const MediaMoves = ({ moves }: Pick<MediaPanelProps, 'moves'>): JSX.Element => (
  <>
    {moves.map((move) => (
      <p class="note breakable" key={move.at}>
        <ClockTime at={move.at} />: {whatMoved(move)} after{' '}
        <span class="figure">{milliseconds(move.milliseconds)}</span>.
      </p>
    ))}
  </>
);

const whatMoved = ({ from, to }: CallDetail['media_moves'][number]): string =>
  from === to
    ? `media server ${to} restarted and lost the call; both sides were connected to it again`
    : `media server ${from ?? 'unknown'} stopped responding; both sides were connected to ${to}`;

interface MediaPanelProps {
  readonly media: CallMedia | null;
  readonly moves: CallDetail['media_moves'];
  readonly isEnded: boolean;
  /** Talk time in milliseconds; 0 when the call was not answered. */
  readonly talked: number;
}

/** Audio in each direction, or why there was none: both sides of the media relay next to each other. */
export function MediaPanel({ media, moves, isEnded, talked }: MediaPanelProps): JSX.Element {
  if (media === null) {
    return (
      <Panel title="Media">
        <p class="note">
          {isEnded ? 'The call ended before any media was set up.' : 'No media is set up yet.'}
        </p>
      </Panel>
    );
  }
  if (!isEnded && media.trunk_codec === null) {
    return (
      <Panel title="Media so far">
        <p class="note">Waiting for the SDP answer.</p>
      </Panel>
    );
  }
  const { trunk, agent } = media.rtp;
  const isUnused = [trunk, agent].every((side) => (side?.packets_received ?? 0) === 0);
  if (isEnded && talked === 0 && isUnused) {
    return (
      <Panel title="Media">
        <p class="note">Not answered; no media expected.</p>
      </Panel>
    );
  }
  const silent = silentSides(media.rtp, { isEnded, talked });
  const isQualityKnown = [trunk, agent].some((side) => side?.mos !== undefined);
  return (
    <Panel title={isEnded ? 'Media' : 'Media so far'} class="media-panel">
      {silent !== undefined && (
        <div class="problem mild">
          <p>
            <strong>{silent === 'both' ? 'No audio' : 'One-way audio'}.</strong> No audio was received from{' '}
            {silentWords[silent]}.
          </p>
        </div>
      )}
      <MediaMoves moves={moves} />
      {isEnded && talked === 0 && <p class="note">Not answered; no media expected.</p>}
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
                talked === 0 ? (
                  <span class="muted">not negotiated</span>
                ) : (
                  'none (RTP)'
                )
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
          Loss, jitter and MOS require RTCP reports from the endpoints, which start after five to ten seconds.
        </p>
      )}
    </Panel>
  );
}
