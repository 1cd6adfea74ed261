import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Ladder } from '../../../contract/ladder.js';

/** A larger number of new messages is announced as a count, because a full list takes too long to listen to. */
const maximumNamed = 3;

/** Announces updates of an active call to screen readers. */
export function Announcements({ ladder, isEnded }: { ladder: Ladder; isEnded: boolean }): JSX.Element {
  const announced = useRef<{ readonly keys: ReadonlySet<string>; readonly isEnded: boolean } | undefined>(
    undefined,
  );
  const [text, setText] = useState('');
  useEffect(() => {
    const before = announced.current;
    announced.current = { keys: new Set(ladder.steps.map(({ key }) => key)), isEnded };
    if (before === undefined) return;
    const announcements = [
      messagesSince(before.keys, ladder),
      isEnded && !before.isEnded ? 'The call has ended.' : '',
    ].filter((each) => each !== '');
    if (announcements.length > 0) setText(announcements.join(' '));
  }, [ladder, isEnded]);
  return (
    <p class="unseen" role="status">
      {text}
    </p>
  );
}

function messagesSince(keys: ReadonlySet<string>, { steps, lanes }: Ladder): string {
  const fresh = steps.filter(({ key }) => !keys.has(key));
  if (fresh.length === 0) return '';
  if (fresh.length > maximumNamed) return `${fresh.length} new messages.`;
  const named = fresh.map(
    ({ label, from, to }) => `${label} from ${lanes[from]!.name} to ${lanes[to]!.name}`,
  );
  return `New: ${named.join('; ')}.`;
}
