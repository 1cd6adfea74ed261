import type { JSX } from 'preact';
import type { CallDetail } from '../../api/calls.js';
import { milliseconds } from '../../parts/format.js';
import { ClockTime } from '../../parts/time.js';

type Move = CallDetail['media_moves'][number];

/** When the audio of the call moved to another media server, and why. */
export const MediaMoves = ({ moves }: { moves: readonly Move[] }): JSX.Element => (
  <>
    {moves.map((move) => (
      <p class="note breakable" key={move.at}>
        <ClockTime at={move.at} />: {whatMoved(move)} after{' '}
        <span class="figure">{milliseconds(move.milliseconds)}</span>.
      </p>
    ))}
  </>
);

const whatMoved = ({ from, to }: Move): string =>
  from === to
    ? `media server ${to} restarted and lost the call; both sides were connected to it again`
    : `media server ${from ?? 'unknown'} stopped responding; both sides were connected to ${to}`;
