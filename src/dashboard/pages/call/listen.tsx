import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { levelOf, listenToCall } from '../../api/call-audio.js';
import { ApiFailure } from '../../api/client.js';
import { lackOf } from '../../forms/lack.js';
import { CallSound } from './call-sound.js';
import '../../style/organization.css';

interface Levels {
  readonly left: number;
  readonly right: number;
}

const silence: Levels = { left: 0, right: 0 };

/** Plays the audio of the call while it is active. Leaving the page ends it. */
export function Listen({ id }: { id: string }): JSX.Element {
  const [levels, setLevels] = useState<Levels | undefined>();
  const [said, setSaid] = useState<string | undefined>();
  const running = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const lack = lackOf('calls:listen');

  const listen = (): void => {
    const abortion = new AbortController();
    running.current = abortion;
    setLevels(silence);
    setSaid('Connecting …');
    const sound = new CallSound();
    let isHeard = false;
    void listenToCall(id, abortion.signal, (piece) => {
      sound.play(piece);
      if (!isHeard) setSaid('Listening. Neither side of the call notices it; the audit log has it.');
      isHeard = true;
      setLevels({ left: levelOf(piece.left), right: levelOf(piece.right) });
    })
      .then(
        () => 'Listening has ended.',
        (failure: unknown) => {
          if (abortion.signal.aborted) return 'Listening has ended.';
          if (failure instanceof ApiFailure) return failure.refusal;
          return 'The audio broke off: the edge of the call, or the connection to control, was lost. Listen again if the call continues.';
        },
      )
      .then((end) => {
        sound.close();
        if (running.current !== abortion) return;
        running.current = undefined;
        setLevels(undefined);
        setSaid(end);
      });
  };

  return (
    <>
      <div class="buttons">
        {levels === undefined ? (
          <button type="button" disabled={lack !== undefined} title={lack} onClick={listen}>
            Listen
          </button>
        ) : (
          <button type="button" onClick={() => running.current?.abort()}>
            Stop listening
          </button>
        )}
        {levels !== undefined && (
          <>
            <Level name="Other party" level={levels.left} />
            <Level name="Agent" level={levels.right} />
          </>
        )}
      </div>
      <p role="status">{said}</p>
    </>
  );
}

const Level = ({ name, level }: { name: string; level: number }): JSX.Element => (
  <label class="level">
    {name}
    <meter min={0} max={1} value={level} />
  </label>
);
