import type { JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { summary } from '../api/live.js';
import { isOperator } from '../api/session.js';
import { Icon } from '../parts/icons.js';
import { type Group, groups, isWithin, type Place } from './places.js';

/** Desktop: all pages in groups, at the side. Phone: the four pages of an operator along the bottom edge, and a menu of all. */
export function Navigation(): JSX.Element {
  const { path } = useLocation();
  const menu = useRef<HTMLDialogElement>(null);
  // The browser's Back leaves the page without a click in the menu.
  useEffect(() => menu.current?.close(), [path]);
  // Before the link is followed: closing moves the focus to the button, and the new page then to its title.
  const closeOn = ({ target }: Event): void => {
    const isLinkOrBackdrop = target === menu.current || (target as Element).closest('a') !== null;
    if (isLinkOrBackdrop) menu.current?.close();
  };
  const isInMenu = !groups.some(({ places }) =>
    places.some((place) => place.isInBar && isWithin(path, place.path)),
  );
  return (
    <>
      <nav aria-label="Main" class="places">
        <Groups path={path} />
        <button
          type="button"
          class="menu-button narrow-only"
          aria-haspopup="dialog"
          data-current={isInMenu ? '' : undefined}
          onClick={() => menu.current?.showModal()}
        >
          <Icon name="menu" />
          <span>Menu</span>
        </button>
      </nav>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog, and Enter on a link is a click. */}
      <dialog ref={menu} class="menu" aria-label="Menu" onClick={closeOn}>
        <header class="menu-head">
          <p class="empty-title">Menu</p>
          <button type="button" class="bare" onClick={() => menu.current?.close()}>
            Close
          </button>
        </header>
        <nav aria-label="All pages">
          <Groups path={path} />
        </nav>
      </dialog>
    </>
  );
}

function Groups({ path }: { path: string }): JSX.Element {
  return (
    <div class="place-groups">
      {groups.map((group) => (
        <PlaceGroup key={group.name} group={group} path={path} />
      ))}
    </div>
  );
}

function PlaceGroup({ group, path }: { group: Group; path: string }): JSX.Element {
  const id = useId();
  return (
    <div class="place-group">
      <p id={id} class="place-group-name">
        {group.name}
      </p>
      <ul aria-labelledby={id}>
        {group.places
          .filter((place) => place.isForOperators !== true || isOperator.value)
          .map((place) => (
            <li key={place.path} class={place.isInBar ? 'in-bar' : undefined}>
              <PlaceLink place={place} path={path} />
            </li>
          ))}
      </ul>
    </div>
  );
}

function PlaceLink({ place, path }: { place: Place; path: string }): JSX.Element {
  const current = isWithin(path, place.path) ? (path === place.path ? 'page' : 'true') : undefined;
  return (
    <a href={place.path} aria-current={current}>
      <Icon name={place.icon} />
      <span>{place.name}</span>
      {place.path === '/alerts' && <AlertCount />}
    </a>
  );
}

function AlertCount(): JSX.Element | null {
  const active = summary.value?.alerts?.active ?? 0;
  if (active === 0) return null;
  return (
    <span class="badge figure">
      {active}
      <span class="unseen"> active</span>
    </span>
  );
}
