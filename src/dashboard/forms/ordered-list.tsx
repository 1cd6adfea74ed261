import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Icon } from '../parts/icons.js';
import '../style/forms.css';
import { moved } from './moved.js';

interface OrderedListProps<Item> {
  /** Names the list: `Codecs, most preferred first`. */
  readonly label: string;
  readonly items: readonly Item[];
  /** Unique, and the same wherever the item stands. */
  readonly keyOf: (item: Item) => string;
  /** Names an item where it is announced. */
  readonly nameOf: (item: Item) => string;
  readonly onOrder: (items: readonly Item[]) => void;
  readonly children: (item: Item, at: number) => ComponentChildren;
}

/**
 * A list whose order users change: by dragging a handle with mouse, pen or finger, or with the arrow keys, Home and End on it. A live
 * region says where an item went.
 */
export function OrderedList<Item>({
  label,
  items,
  keyOf,
  nameOf,
  onOrder,
  children,
}: OrderedListProps<Item>): JSX.Element {
  const list = useRef<HTMLOListElement>(null);
  const [said, say] = useState('');
  const [dragged, setDragged] = useState<string | undefined>();
  const focused = useRef<string | undefined>(undefined);
  const help = useId();

  const move = (from: number, to: number): void => {
    const item = items[from];
    const end = Math.min(Math.max(to, 0), items.length - 1);
    if (item === undefined || end === from) return;
    say(`${nameOf(item)}: position ${end + 1} of ${items.length}`);
    onOrder(moved(items, from, end));
  };
  // A moved element loses the focus in some browsers.
  useEffect(() => {
    const key = focused.current;
    if (key === undefined) return;
    const at = items.findIndex((item) => keyOf(item) === key);
    const handle = list.current?.children[at]?.querySelector<HTMLElement>('.handle');
    if (handle !== null && handle !== undefined && document.activeElement !== handle) handle.focus();
    focused.current = undefined;
  });
  const onKey = (event: KeyboardEvent, at: number): void => {
    const targets: Readonly<Record<string, number>> = {
      ArrowUp: at - 1,
      ArrowDown: at + 1,
      Home: 0,
      End: items.length - 1,
    };
    const to = targets[event.key];
    if (to === undefined) return;
    event.preventDefault();
    focused.current = keyOf(items[at]!);
    move(at, to);
  };
  /** The place whose middle is nearest to the pointer. */
  const placeAt = (y: number): number => {
    const middles = [...(list.current?.children ?? [])].map((element) => {
      const { top, height } = element.getBoundingClientRect();
      return Math.abs(top + height / 2 - y);
    });
    return middles.indexOf(Math.min(...middles));
  };
  const follow = useRef<(y: number) => void>(() => undefined);
  follow.current = (y) =>
    move(
      items.findIndex((item) => keyOf(item) === dragged),
      placeAt(y),
    );
  // On the window: a handle that moves within the document loses the pointer.
  useEffect(() => {
    if (dragged === undefined) return;
    // The end of a quick click may precede this effect.
    const onMove = ({ buttons, clientY }: PointerEvent): void =>
      buttons === 0 ? onEnd() : follow.current(clientY);
    const onEnd = (): void => setDragged(undefined);
    window.addEventListener('pointermove', onMove);
    window.addEventListener('pointerup', onEnd);
    window.addEventListener('pointercancel', onEnd);
    return () => {
      window.removeEventListener('pointermove', onMove);
      window.removeEventListener('pointerup', onEnd);
      window.removeEventListener('pointercancel', onEnd);
    };
  }, [dragged]);
  return (
    <div class="ordered">
      <p id={help} class="unseen">
        Arrow up and arrow down move the item.
      </p>
      <ol ref={list} aria-label={label}>
        {items.map((item, at) => (
          <li key={keyOf(item)} class={dragged === keyOf(item) ? 'dragged' : undefined}>
            <button
              type="button"
              class="handle bare small"
              aria-label={`Move ${nameOf(item)}`}
              aria-describedby={help}
              title="Drag, or use the arrow keys"
              onKeyDown={(event) => onKey(event, at)}
              onPointerDown={(event) => {
                event.preventDefault();
                event.currentTarget.focus();
                setDragged(keyOf(item));
              }}
            >
              <Icon name="grip" />
            </button>
            <span class="figure muted position">{at + 1}</span>
            <div class="ordered-item">{children(item, at)}</div>
          </li>
        ))}
      </ol>
      <p class="unseen" role="status">
        {said}
      </p>
    </div>
  );
}
