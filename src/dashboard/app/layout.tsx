import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { summary } from '../api/live.js';
import { type Session, session, signOut } from '../api/session.js';
import { ConnectionState } from '../frame/connection-state.js';
import { ZoneSwitch } from '../frame/zone-switch.js';
import { count } from '../parts/format.js';
import { Icon, type IconName } from '../parts/icons.js';
import { type Theme, theme, themes } from '../parts/theme.js';
import { Navigation } from './navigation.js';

const themeNames: Readonly<Record<Theme, readonly [icon: IconName, name: string]>> = {
  auto: ['auto', 'system'],
  light: ['sun', 'light'],
  dark: ['moon', 'dark'],
};

function ThemeSwitch(): JSX.Element {
  const [icon, name] = themeNames[theme.value];
  const next = themes[(themes.indexOf(theme.value) + 1) % themes.length]!;
  return (
    <button
      type="button"
      class="bare"
      title={`Colours: ${name}`}
      aria-label={`Colours: ${name}. Change to ${themeNames[next][1]}`}
      onClick={() => {
        theme.value = next;
      }}
    >
      <Icon name={icon} />
    </button>
  );
}

const nameOf = (current: Session | null | undefined): string =>
  current?.member != null
    ? `${current.member.name} (${current.member.email}), ${current.member.role}`
    : `Key ${current?.key?.name} (${current?.key?.prefix}…)`;

function Account(): JSX.Element {
  const [problem, setProblem] = useState<string | undefined>();
  const current = session.value;
  const leave = (): void => {
    signOut().catch((failure: Error) => setProblem(failure.message));
  };
  return (
    <div class="account">
      <a class="account-name" href="/members/account" title={nameOf(current)}>
        {current?.member == null
          ? current?.organization.name
          : `${current.member.name}, ${current.organization.name}`}
      </a>
      <button type="button" class="bare" onClick={leave} title="Sign out">
        <Icon name="leave" />
        <span class="wide-only">Sign out</span>
        <span class="unseen narrow-only">Sign out</span>
      </button>
      {problem !== undefined && (
        <span role="alert" class="field-problem">
          {problem}
        </span>
      )}
    </div>
  );
}

export function Layout({ children }: { children: ComponentChildren }): JSX.Element {
  return (
    <>
      <a class="skip" href="#content">
        Skip to content
      </a>
      <header class="top">
        <a class="brand" href="/">
          <img src="/favicon.svg" alt="" width="24" height="24" />
          <span>Demarc</span>
        </a>
        <ConnectionState />
        <div class="top-end">
          <ZoneSwitch />
          <ThemeSwitch />
          <Account />
        </div>
      </header>
      <Navigation />
      <main id="content" tabIndex={-1}>
        <AlertBanner />
        {children}
        <p class="narrow-only">
          <ZoneSwitch isAlone />
        </p>
      </main>
    </>
  );
}

/** On every page: an alert that reached no recipient is known to the dashboard alone. */
function AlertBanner(): JSX.Element | null {
  const unnoticed = summary.value?.alerts?.unnoticed ?? 0;
  if (unnoticed === 0) return null;
  return (
    <div class="problem alert-banner" role="alert">
      <p>
        <strong>{count(unnoticed, 'active alert')} reached no recipient.</strong> No notice was delivered, or
        the trunk has no channel. <a href="/alerts?state=active">Show alerts</a>
      </p>
    </div>
  );
}
