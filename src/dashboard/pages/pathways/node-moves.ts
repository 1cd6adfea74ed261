import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Point } from './graph-layout.js';

/** Moves nodes of a graph by pointer and by keys. */

/** Moved nodes stand on a grid, so that they are easily aligned. */
const grid = 10;
const largeStep = 5 * grid;
/** Of a pointer, in pixels of the screen; less is a click. */
const shortestDrag = 4;
/** The schema of pathways allows no more. */
const furthest = 100_000;

const onGrid = (value: number): number =>
  Math.min(furthest, Math.max(-furthest, Math.round(value / grid) * grid));

/** A pointer that took hold of a node. */
export interface Grip {
  readonly id: string;
  /** Of the pointer on the screen. */
  readonly pointer: Point;
  /** Upper left corner of the node. */
  readonly from: Point;
}

const directions: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** Where the key moves a node; with Shift further. Undefined: the key moves nothing. */
export function stepFor(
  {
    key,
    shiftKey,
    ctrlKey,
    metaKey,
    altKey,
  }: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>,
  from: Point,
): Point | undefined {
  const direction = directions[key];
  if (direction === undefined || ctrlKey || metaKey || altKey) return undefined;
  const step = shiftKey ? largeStep : grid;
  return { x: onGrid(from.x + direction.x * step), y: onGrid(from.y + direction.y * step) };
}

/** Where a pointer drags a node. @param scale pixels of the screen for one of the picture. Undefined: it hardly moved */
export function draggedTo({ pointer, from }: Grip, to: Point, scale: number): Point | undefined {
  const [right, down] = [to.x - pointer.x, to.y - pointer.y];
  if (Math.hypot(right, down) < shortestDrag) return undefined;
  return { x: onGrid(from.x + right / scale), y: onGrid(from.y + down / scale) };
}

/**
 * Follows the pointer that takes hold of a node.
 * @param picture whose view box tells the scale
 * @param onMove called once, where the node is let go
 */
export function useDrag(
  picture: RefObject<SVGSVGElement | null>,
  onMove: (id: string, position: Point) => void,
): {
  readonly grip: (grip: Grip) => void;
  /** The node while it is dragged. */
  readonly moved: { readonly id: string; readonly position: Point } | undefined;
} {
  const [moved, setMoved] = useState<{ readonly id: string; readonly position: Point } | undefined>();
  const drop = useRef(onMove);
  drop.current = onMove;
  const stop = useRef<() => void>(() => undefined);
  useEffect(() => () => stop.current(), []);
  const grip = (held: Grip): void => {
    stop.current();
    let last: Point | undefined;
    // On the window, because the pointer may leave the graph; now, because an effect may miss the end of a quick click.
    const listening = new AbortController();
    const { signal } = listening;
    const end = (): void => {
      listening.abort();
      setMoved(undefined);
    };
    stop.current = end;
    const follow = ({ clientX, clientY }: PointerEvent): void => {
      const scale = picture.current?.getScreenCTM()?.a ?? 1;
      last = draggedTo(held, { x: clientX, y: clientY }, scale) ?? last;
      if (last !== undefined) setMoved({ id: held.id, position: last });
    };
    const letGo = (): void => {
      if (last !== undefined) drop.current(held.id, last);
      end();
    };
    window.addEventListener('pointermove', follow, { signal });
    window.addEventListener('pointerup', letGo, { signal });
    window.addEventListener('pointercancel', end, { signal });
    window.addEventListener('keydown', ({ key }) => key === 'Escape' && end(), { signal });
  };
  return { grip, moved };
}
